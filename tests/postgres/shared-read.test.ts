// Reads by id share their round trips, each gets its own row, and none is older than its request.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { byIds } from '../../server/src/postgres/by-keys.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { shareReads } from '../../server/src/postgres/shared-read.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { overheard } from '../support/tenancy-wire.ts';

const PLACE = 'mkt_fruits';
const NAMES = ['apple', 'banana', 'cherry'];
const IN_FLIGHT_MAX = 2;
const BATCH_MAX = 32;

const openFruits = async (t: TestContext) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const sent: string[][] = [];
  const told = overheard(connection, ({ text, values }) => {
    if (text.includes('unnest')) sent.push(String(values[1]).split(','));
  });
  const pool = openPool(told, { max: 4, onError() {} });
  afterwards(t, () => pool.end());
  const rows = ['mkt_fruits', 'mkt_other'].flatMap((place) =>
    NAMES.map((name) => `('${place}', '${name}', '${place}')`),
  );
  await pool.query(`create table fruits (marketplace_id text, id text, owner text, primary key (marketplace_id, id));
    insert into fruits values ${rows.join(', ')}`);
  const text = `select t.id, t.owner from ${byIds('fruits')}`;
  return { pool, sent, read: shareReads<{ id: string; owner: string }>(pool, { text }) };
};

test('reads that arrive together are one statement, and each gets its own row or null', async (t) => {
  const { read, sent } = await openFruits(t);
  const ids = ['cherry', 'apple', 'missing', 'apple'];
  const rows = await Promise.all(ids.map((id) => read(PLACE, id)));
  assert.deepEqual(
    rows.map((row) => row?.id ?? null),
    ['cherry', 'apple', null, 'apple'],
  );
  assert.equal(sent.length, 1);
  assert.equal(sent[0]!.length, 3);
});

test('reads of two marketplaces are two statements, and each gets the row of its own marketplace', async (t) => {
  const { read, sent } = await openFruits(t);
  const rows = await Promise.all([read(PLACE, 'apple'), read('mkt_other', 'apple'), read('mkt_none', 'apple')]);
  assert.deepEqual(
    rows.map((row) => row?.owner ?? null),
    [PLACE, 'mkt_other', null],
  );
  assert.equal(sent.length, 3);
});

test('a statement reads a bounded number of ids, and all reads are answered', async (t) => {
  const { read, sent } = await openFruits(t);
  const many = Array.from({ length: 5 * BATCH_MAX + 1 }, (_, n) => `fruit-${n}`);
  const rows = await Promise.all([...many, ...NAMES].map((id) => read(PLACE, id)));
  assert.equal(rows.filter((row) => row !== null).length, NAMES.length);
  assert.ok(sent.every((ids) => ids.length <= BATCH_MAX));
  assert.equal(sent.length, 6);
});

test('a read that arrives after a change sees the change, also while earlier reads wait for the database', async (t) => {
  const { pool, read } = await openFruits(t);
  const lock = await pool.connect();
  await lock.query('begin; lock table fruits in access exclusive mode');
  // They wait for the lock, so all that come later wait behind them.
  const early = NAMES.slice(0, IN_FLIGHT_MAX).map((id) => read(PLACE, id));
  await new Promise((resolve) => setImmediate(resolve));
  await lock.query(`update fruits set owner = 'new' where id = 'cherry'; commit`);
  lock.release();
  assert.equal((await read(PLACE, 'cherry'))?.owner, 'new');
  assert.ok((await Promise.all(early)).every((row) => row !== null));
});

test('when the statement fails, each of its reads fails, and the next read succeeds', async (t) => {
  const { pool, read } = await openFruits(t);
  await pool.query('alter table fruits rename to vegetables');
  const failed = await Promise.allSettled(NAMES.map((id) => read(PLACE, id)));
  assert.deepEqual(
    failed.map((result) => result.status === 'rejected' && result.reason.code),
    NAMES.map(() => '42P01'),
  );
  await pool.query('alter table vegetables rename to fruits');
  assert.equal((await read(PLACE, 'apple'))?.id, 'apple');
});
