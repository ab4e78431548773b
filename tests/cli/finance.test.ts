// The commands for bookkeeping: fees by month begin with a whole month, and a statement of a provider is read with its own columns.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { openTool } from './tool.ts';

test('fees by month begin on the first day of a month, unless the command says when', async (t) => {
  const app = await openApp(t);
  const { run } = await openTool(t, { url: app.url, key: await app.key(['read']) });
  const { json } = await run(['report', 'fees', '--by', 'month', '--json']);
  assert.match(json.from, /^\d{4}-\d{2}-01T00:00:00/);
  const past = ['--to', '2026-03-15', '--json'];
  const ofMonths = await run(['report', 'fees', '--by', 'month', ...past]);
  assert.match(ofMonths.json.from, /^2026-02-01T/);
  const ofDays = await run(['report', 'fees', ...past]);
  assert.match(ofDays.json.from, /^2026-02-13T/);
  const named = await run(['report', 'fees', '--by', 'month', '--from', '2026-02-10', ...past]);
  assert.match(named.json.from, /^2026-02-10T/);
});

test('a file with other columns is refused with the option that names them, and lines show the difference', async (t) => {
  const app = await openApp(t);
  const { run, folder } = await openTool(t, { url: app.url, key: await app.key(['read', 'treasury']) });
  const file = path.join(folder, 'provider.csv');
  await writeFile(file, 'date,Payment id,amount,currency\n2026-01-05T10:00:00Z,pay-1,25.00,USD\n');
  const upload = ['provider-statements', 'upload', file, '--from', '2026-01-01', '--to', '2026-02-01'];
  const refused = await run(upload);
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.err, /--column "reference=<name of the column>"/);
  const read = await run([...upload, '--column', 'reference=Payment id']);
  assert.equal(read.code, 0, read.err);
  const day = new Date().getFullYear();
  assert.match(
    read.out,
    new RegExp(`uploaded +${day}-\\d\\d-\\d\\d \\d\\d:\\d\\d by`),
    'also a time of today has its date',
  );
  const [id] = /pst_\w+/.exec(read.out)!;
  const { out } = await run(['provider-statements', 'lines', id]);
  assert.match(out, /ours +difference +record/);
  assert.match(out, /MISSING_HERE +2 +2026-01-05 \d\d:\d\d +pay-1 +25\.00 USD/);
});
