// `holdfast archive` as an operator uses it: every verb as text and as JSON, wrong arguments, and an exit code that a script can trust.

import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { openTool } from '../cli/tool.ts';
import { openHistory, writeMonths } from './fixture.ts';

const MONTHS = ['2025-01', '2025-02'];

const urlOf = ({ host, port, user, database }: Connection): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;

const openCommands = async (t: TestContext) => {
  const history = await openHistory(t);
  await writeMonths(history, MONTHS);
  const tool = await openTool(t);
  const env = {
    DATABASE_URL: urlOf(history.connection as Connection),
    ARCHIVE_DIR: history.folder,
    ARCHIVE_AFTER_MONTHS: '4',
  };
  const archive = (...args: string[]) => tool.run(['archive', ...args], { env });
  const folderOf = (month: string) => path.join(history.folder, history.marketplaceId, month);
  const verifyOffline = () => tool.run(['audit', 'verify', '--offline'], { env });
  return { history, archive, verifyOffline, folderOf, mkt: history.marketplaceId };
};

test('closed months are archived, listed, verified, shown and restored by commands', async (t) => {
  const { history, archive, verifyOffline, mkt } = await openCommands(t);
  const ofPostings = async () =>
    (await history.pool.query('select count(*)::int as n from postings where marketplace_id = $1', [mkt])).rows[0].n;
  const before = await ofPostings();
  assert.match((await archive('list')).out, /^There is no archive yet\./);

  const created = await archive('create', '--json');
  assert.equal(created.code, 0, created.err);
  assert.deepEqual(
    created.json.map(({ month, state }: { month: string; state: string }) => [month, state]),
    MONTHS.map((month) => [month, 'REMOVED']),
  );
  assert.equal(await ofPostings(), 0);
  assert.match((await archive('create')).out, /^No month is closed:.*ARCHIVE_AFTER_MONTHS/);

  const listed = await archive('list');
  assert.match(
    listed.out,
    new RegExp(`${mkt} 2025-01: removed, audit entries 1 to \\d+, .* MiB, manifest [0-9a-f]{12}`),
  );
  assert.deepEqual((await archive('list', '--json')).json, created.json);

  const verified = await archive('verify');
  assert.equal(verified.code, 0, verified.err);
  assert.match(verified.out, /2025-02: holds to its last hash\n.*archives and hot rows hold/);
  assert.match((await verifyOffline()).out, /the archive 2025-02 holds\n.*the chain of \d+ entries holds/);
  assert.partialDeepStrictEqual((await archive('verify', '--json')).json, [
    { marketplaceId: mkt, holds: true, archives: 2 },
  ]);

  const shown = await archive('show', '2025-01');
  assert.match(shown.out, /postings: \d+ rows/);
  const [manifest] = (await archive('show', '2025-01', '--json')).json;
  assert.equal(manifest.id, '2025-01');
  const rows = (await archive('show', '2025-01', '--table', 'postings', '--match', ':available:USD')).out
    .trim()
    .split('\n');
  assert.ok(rows.length > 1 && rows.every((row) => row.includes(':available:USD') && JSON.parse(row)));

  const restored = await archive('restore', '2025-02');
  assert.match(restored.out, /2025-02: restored\. \d+ audit entries, last hash/);
  assert.deepEqual((await archive('restore', '2025-01', '--json')).json, { month: '2025-01', restored: [mkt] });
  assert.equal(await ofPostings(), before);
  assert.equal((await archive('verify')).code, 0);
});

test('wrong arguments are refused with the usage of this command, and nothing is proved of what does not exist', async (t) => {
  const { archive, mkt } = await openCommands(t);
  for (const [verb, ...wrongs] of [
    ['show', 'nonsense', '2025-13'],
    ['restore', '2025-1'],
  ] as const) {
    for (const wrong of wrongs) {
      const { code, out, err } = await archive(verb, wrong);
      assert.deepEqual([code, out], [2, ''], err);
      assert.match(err, new RegExp(`"${wrong}" is not a month\\. Write it as 2026-01; .holdfast archive list`));
      assert.doesNotMatch(err, /npm run/);
    }
    const missing = await archive(verb, '2024-05');
    assert.deepEqual([missing.code, missing.out], [1, '']);
    assert.match(missing.err, /^There is no archive 2024-05\. `holdfast archive list`/);
  }
  assert.equal((await archive('restore')).code, 2);
  assert.equal((await archive('show', '2025-01', '--table', 'users')).code, 2);
  assert.equal((await archive('create', 'now')).code, 2);
  for (const verb of ['create', 'verify']) {
    const { code, err } = await archive(verb, '--marketplace', 'mkt_typo');
    assert.equal(code, 1, verb);
    assert.match(err, /^There is no marketplace mkt_typo\./);
  }
  assert.equal((await archive('verify', '--marketplace', mkt)).code, 0);
});

test('verify names an altered and a missing archive with exit code 1, and restore refuses them', async (t) => {
  const { archive, verifyOffline, folderOf, mkt } = await openCommands(t);
  assert.equal((await archive('create')).code, 0);
  assert.match(
    (await archive('restore', '2025-01')).err,
    /only the newest archive can be restored\. Restore 2025-02 first/,
  );
  const file = path.join(folderOf('2025-02'), 'audit_entries-0001.jsonl.zst');
  const content = await readFile(file);
  await appendFile(file, ' ');
  const verified = await archive('verify');
  assert.equal(verified.code, 1);
  assert.match(verified.out, /2025-02: BROKEN\. audit_entries-0001\.jsonl\.zst was altered.*\n.*does NOT hold/);
  const [report] = (await archive('verify', '--json')).json;
  assert.deepEqual([report.holds, report.broken[0].month, report.marketplaceId], [false, '2025-02', mkt]);
  assert.equal(report.broken[0].file, 'audit_entries-0001.jsonl.zst');
  const offline = await verifyOffline();
  assert.equal(offline.code, 1);
  assert.match(offline.out, /the archive 2025-02 is BROKEN\. audit_entries-0001\.jsonl\.zst was altered/);
  const restored = await archive('restore', '2025-02');
  assert.equal(restored.code, 1);
  assert.match(restored.err, /was altered/);
  await writeFile(file, content);
  assert.equal((await archive('verify')).code, 0);
});
