// The exported journal: the same bytes before and after its months were archived, in every format and range, whole or continued; its last
// line describes the file; and what is refused.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { createJournal } from '../../server/src/modules/exports/journal.ts';
import { readJournal } from '../../tools/outside-books/read-journal.ts';
import { openHistory, writeMonths } from '../archives/fixture.ts';
import { codeOf, startApp } from '../support/app.ts';

const MONTHS = ['2025-01', '2025-02', '2025-03'];
const FORMATS = ['csv', 'jsonl', 'hledger', 'beancount'];

const openExports = async (t: TestContext) => {
  const history = await openHistory(t);
  const people = await writeMonths(history, MONTHS);
  const app = await startApp(t, { connection: history.connection, env: { ARCHIVE_DIR: history.folder } });
  const key = await app.key(['read'], history.marketplaceId);
  const read = (query: string) => app.call(`GET /exports/journal?${query}`, { key });
  return { history, ...people, app, key, read };
};

const RANGES = [
  'to=2025-12-01',
  'from=2025-01-01&to=2025-12-01',
  'from=2025-01-10&to=2025-02-10',
  'from=2025-02-10&to=2025-03-10',
  'from=2025-02-15T12:00:00.000003Z&to=2025-03-25',
  'from=2024-06-01&to=2024-12-01',
  'from=2025-04-01&to=2025-05-01',
];

test('an export has the same bytes before and after its months were archived', async (t) => {
  const { history, read } = await openExports(t);
  const all = async () => {
    const files: Record<string, string> = {};
    for (const range of RANGES) {
      for (const format of FORMATS) {
        const { status, text } = await read(`${range}&format=${format}`);
        assert.equal(status, 200, text);
        files[`${range} ${format}`] = text;
      }
    }
    return files;
  };
  const before = await all();
  const counts = RANGES.map((range) => readJournal(before[`${range} jsonl`]!).lines.length);
  assert.equal(counts[0], counts[1]);
  assert.ok(counts[0]! > counts[2]! && counts[2]! > 0 && counts[4]! > 0, counts.join());
  assert.deepEqual(counts.slice(5), [0, 0]);
  for (const now of ['2025-07', '2025-08']) {
    history.at(now, 1);
    assert.notDeepEqual(await history.archiveAll(), []);
    assert.deepEqual(await all(), before, now);
  }
});

test('the last line has the number of postings and the hash of all bytes before it', async (t) => {
  const { read } = await openExports(t);
  for (const format of FORMATS) {
    const { text } = await read(`format=${format}&to=2025-12-01`);
    const start = text.trimEnd().lastIndexOf('\n') + 1;
    const sha256 = createHash('sha256').update(text.slice(0, start)).digest('hex');
    const last = text.slice(start);
    assert.ok(last.includes(sha256), `${format}: ${last}`);
    const { lines } = readJournal((await read('format=jsonl&to=2025-12-01')).text);
    assert.match(last, new RegExp(`count["]?[=:]${lines.length}\\b`));
  }
});

test('an incomplete file is continued by its size, at any byte', async (t) => {
  const { read } = await openExports(t);
  const whole = Buffer.from((await read('format=hledger&to=2025-12-01')).text);
  for (const size of [1, 100, whole.length - 1]) {
    const { text } = await read(`format=hledger&to=2025-12-01&offset=${size}`);
    assert.deepEqual(Buffer.concat([whole.subarray(0, size), Buffer.from(text)]), whole);
  }
  const beyond = await read(`format=hledger&to=2025-12-01&offset=${whole.length}`);
  assert.deepEqual([beyond.status, codeOf(beyond)], [400, '400 VALIDATION_ERROR']);
});

test('a journal in windows of a few entries is the same, in the database and in archives', async (t) => {
  const { history } = await openExports(t);
  const { pool, folder: dir, marketplaceId } = history;
  const inTurn = <Data>(_: string, read: () => Promise<Data>) => read();
  const read = async (windowEntries: bigint) => {
    const journal = createJournal({ pool, dir, inTurn, windowEntries });
    const found = [];
    for await (const some of journal.read({ marketplaceId, from: null, to: '2025-12-01T00:00:00.000000Z' }))
      found.push(...some);
    return found;
  };
  const before = await read(1_000n);
  assert.ok(before.length > 15);
  assert.deepEqual(await read(3n), before);
  history.at('2025-07', 1);
  assert.notDeepEqual(await history.archiveAll(), []);
  for (const entries of [2n, 7n, 1_000n]) assert.deepEqual(await read(entries), before, String(entries));
});

test('the postings of an export add up to the balances of all accounts', async (t) => {
  const { history, read } = await openExports(t);
  const { sums } = readJournal((await read('format=jsonl')).text);
  const { rows } = await history.pool.query(
    'select id, balance from accounts where marketplace_id = $1 and balance <> 0',
    [history.marketplaceId],
  );
  assert.ok(rows.length > 2);
  for (const { id, balance } of rows) {
    const user = /^(usr_\w+):(\w+):/.exec(id);
    const name = user ? `liabilities:users:${user[1]}:${user[2]}` : 'equity:adjustments';
    assert.equal(sums.get(`${name} USD`), BigInt(balance), id);
  }
});

test('what an export refuses', async (t) => {
  const { app, history, key, read } = await openExports(t);
  for (const query of [
    'format=xml',
    'from=2025-02-01&to=2025-01-01',
    'from=2025-02-01&to=2025-02-01',
    'to=2999-01-01',
    'from=yesterday',
    'offset=5',
    'offset=-1&to=2025-03-01',
    'cursor=5',
  ]) {
    const answer = await read(query);
    assert.deepEqual([answer.status, codeOf(answer)], [400, '400 VALIDATION_ERROR'], query);
  }
  assert.equal((await app.call('GET /exports/journal', { key: null })).status, 401);
  const other = await app.key(['read'], 'mkt_other');
  const { text } = await app.call('GET /exports/journal?format=jsonl', { key: other });
  assert.equal(readJournal(text).lines.length, 0);
  history.at('2025-07', 1);
  const [first] = await history.archiveAll();
  await rename(path.join(history.folder, history.marketplaceId), path.join(history.folder, 'elsewhere'));
  const gone = await app.call('GET /exports/journal?to=2025-12-01', { key });
  assert.match(codeOf(gone), /ARCHIVED/);
  assert.ok(gone.text.includes(first!));
});
