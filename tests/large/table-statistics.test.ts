// Tables without statistics, as after a restore: a job gives them some.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { analyseUnknownTables } from '../../server/src/jobs/analyse-tables.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const FORGET = `delete from pg_statistic;
  select pg_stat_reset();
  update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;

const WITHOUT_AUTOVACUUM = `select format('alter table %s set (autovacuum_enabled = off)', c.oid::regclass) as text
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`;

const known = async (pool: pg.Pool, names: readonly string[]): Promise<string[]> => {
  const text = 'select distinct tablename from pg_stats where tablename = any($1) order by 1';
  return (await pool.query<{ tablename: string }>(text, [names])).rows.map(({ tablename }) => tablename);
};

test('large tables without statistics are analysed once, small ones and known ones are left alone', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  // Autovacuum must not be first.
  const { rows } = await pool.query<{ text: string }>(WITHOUT_AUTOVACUUM);
  for (const { text } of rows) await pool.query(text);
  assert.deepEqual(await analyseUnknownTables(pool), [], 'an empty database');
  await fillMarketplace(connection, { sizes: { users: 200, orders: 2_000, postings: 1 }, say() {} });
  assert.deepEqual(await analyseUnknownTables(pool), [], 'the filling ends with an analysis');
  await pool.query(FORGET);
  await pool.query('analyze orders');
  // As large as before, and without a row.
  await pool.query('delete from reservations');
  const analysed = await analyseUnknownTables(pool);
  assert.ok(analysed.includes('audit_entries') && analysed.includes('escrows'), analysed.join());
  assert.ok(!analysed.includes('orders') && !analysed.includes('marketplaces'), analysed.join());
  assert.ok(analysed.includes('reservations'), analysed.join());
  assert.deepEqual(await known(pool, analysed), analysed.filter((name) => name !== 'reservations').toSorted());
  assert.deepEqual(await analyseUnknownTables(pool), []);
});
