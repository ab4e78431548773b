// What docs/finance.md shows in `sh` runs from top to bottom, and the commands of the bookkeeping tools read its files.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isInstalled } from '../../tools/outside-books/outside-books.ts';
import { runPage } from '../cli/run-page.ts';
import { ROOT } from '../cli/tool.ts';
import { startApp } from '../support/app.ts';

const run = promisify(execFile);
const page = readFileSync(path.join(ROOT, 'docs/finance.md'), 'utf8');

test('every example of the page runs, one after the other', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t, { sandbox: true });
  await app.aUser({ available: '5.00' });
  // Balances of ten digits are those that the documented query has to survive.
  await app.aUser({ available: '1000000000.00' });
  const { said, folder } = await runPage(t, {
    page: 'docs/finance.md',
    app,
    key: await app.key(['read', 'write', 'support']),
  });
  assert.match(said, /books\.csv: \d+ postings,/);
  const files = (await readdir(folder)).filter((name) => name.startsWith('books')).sort();
  assert.deepEqual(files, ['books.beancount', 'books.csv', 'books.journal', 'books.jsonl']);
  for (const status of ['MATCHED', 'DUPLICATE', 'MISSING_HERE'])
    assert.match(said, new RegExp(`${status} +\\d `), status);
  const commands = [...page.matchAll(/^\$ ((?:hledger|bean-\w+) .*)$/gm)].map(([, command]) => command!);
  assert.equal(commands.length, 4);
  for (const command of commands) {
    const tool = command.startsWith('hledger') ? 'hledger' : 'beancount';
    if (await isInstalled(tool)) await assert.doesNotReject(run('bash', ['-c', command], { cwd: folder }), command);
    else t.diagnostic(`${tool} is not installed`);
  }
});
