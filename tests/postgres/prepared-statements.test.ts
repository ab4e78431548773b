// Statements of a pool are prepared once per connection, under a bounded number of names, and survive a change of the schema.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { inSnapshot, openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const NAMES_MAX = 100;
const READ = 'select * from fruits where name = $1';

/** A pool of one connection, on a database with one more table. */
const openFruits = async (t: TestContext): Promise<pg.Pool> => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  await pool.query(`create table fruits (name text); insert into fruits values ('apple')`);
  return pool;
};

const preparedOf = async (pool: pg.Pool): Promise<{ statement: string; plans: bigint }[]> =>
  (await pool.query('select statement, generic_plans + custom_plans as plans from pg_prepared_statements')).rows;

const backendOf = async (pool: pg.Pool): Promise<number> =>
  (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;

test('a statement is prepared once and executed under its name, in each form that queries have', async (t) => {
  const pool = await openFruits(t);
  const values = ['apple'];
  await pool.query(READ, values);
  await pool.query({ text: READ, values });
  await pool.query({ text: READ }, values);
  await inSnapshot(pool, (client) => client.query(READ, values));
  const [prepared, ...others] = (await preparedOf(pool)).filter(({ statement }) => statement === READ);
  assert.equal(prepared?.plans, 4n);
  assert.deepEqual(others, []);
});

test('a statement whose result a migration changed is prepared again, on the same connection', async (t) => {
  const pool = await openFruits(t);
  const backend = await backendOf(pool);
  assert.deepEqual((await pool.query(READ, ['apple'])).rows, [{ name: 'apple' }]);
  await pool.query('alter table fruits add column colour text');
  assert.deepEqual((await pool.query(READ, ['apple'])).rows, [{ name: 'apple', colour: null }]);
  assert.equal(await backendOf(pool), backend);
});

test('a statement that the database has forgotten is prepared again', async (t) => {
  const pool = await openFruits(t);
  await pool.query(READ, ['apple']);
  await pool.query('deallocate all');
  assert.equal((await pool.query(READ, ['apple'])).rowCount, 1);
});

test('in a transaction the caller gets the error, and the next transaction succeeds', async (t) => {
  const pool = await openFruits(t);
  const read = () => inSnapshot(pool, (client) => client.query(READ, ['apple']));
  await read();
  await pool.query('alter table fruits add column colour text');
  await assert.rejects(read(), { code: '0A000' });
  assert.equal((await read()).rowCount, 1);
});

test('a connection keeps a bounded number of statements, those that were used last', async (t) => {
  const pool = await openFruits(t);
  for (let n = 0; n < 2 * NAMES_MAX; n++) {
    await pool.query(`${READ} or name = '${n}'`, ['apple']);
    await pool.query(READ, ['apple']);
  }
  const prepared = await preparedOf(pool);
  assert.ok(prepared.length <= NAMES_MAX, `${prepared.length} statements`);
  assert.equal(prepared.find(({ statement }) => statement === READ)?.plans, BigInt(2 * NAMES_MAX));
});

test('a statement that fails does not make the next one fail', async (t) => {
  const pool = await openFruits(t);
  await assert.rejects(pool.query('select * from vegetables where name = $1', ['leek']), { code: '42P01' });
  await assert.rejects(pool.query('select 1 / $1::int as quotient', [0]), { code: '22012' });
  assert.equal((await pool.query('select 4 / $1::int as quotient', [2])).rows[0].quotient, 2);
});
