// Rows that a command needs are found by prepared statements, whose plans may be made while a table is empty and has no statistics. Each
// plan must use the index of its key then too, and not another one that begins with the marketplace.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { absentSql, loadName, loadSql } from '../../server/src/commit/tables.ts';
import { byIds } from '../../server/src/postgres/by-keys.ts';
import { openLane, openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const SIZES = { users: 200, orders: 2_000, postings: 1 };

const MISSING_KEYS = 'No index has the order of a constant. These lookups are planned each time.';

/** By table and lookup. */
const OF_COMMANDS = new Map<string, string>([
  ['accounts, absent', absentSql('accounts')],
  ...[...TABLES.values()].flatMap((table): [string, string][] => [
    [`${table.name}.id`, loadSql(table, null)],
    [`${table.name}.id, absent`, absentSql(table.sql)],
    ...[...table.lookups]
      .filter(([by]) => loadName(table, by) !== null)
      .flatMap(([by, lookup]): [string, string][] => [
        [`${table.name}.${by}`, loadSql(table, by)],
        [`${table.name}.${by}, absent`, absentSql(table.sql, lookup)],
      ]),
  ]),
]);

const SHARED = new Map([...TABLES.values()].map(({ name, sql }) => [name, `select * from ${byIds(sql)}`]));

const misplanned = async (
  client: pg.ClientBase | pg.Pool,
  statements: ReadonlyMap<string, string>,
): Promise<string[]> => {
  const found: string[] = [];
  for (const [name, text] of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const isByKey = /Index Cond: .*\$1.*>= k\.key.*<= k\.key/.test(plan);
    if (!isByKey || /Sort/.test(plan)) found.push(`${name}\n${plan}`);
  }
  return found;
};

/** The tables are then as after an import or a restore: full, and unknown to the planner. */
const FORGET_STATISTICS = `delete from pg_statistic;
  update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`;

const open = async (t: TestContext) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const lane = await openLane(connection);
  afterwards(t, () => lane.end());
  return { connection, pool, lane };
};

test('each lookup of a command uses the index of its key, also on an empty table and before the first statistics', async (t) => {
  const { connection, lane } = await open(t);
  assert.deepEqual(await misplanned(lane, OF_COMMANDS), [], 'empty');
  await fillMarketplace(connection, { sizes: SIZES, say() {} });
  assert.deepEqual(await misplanned(lane, OF_COMMANDS), [], 'analysed');
  await lane.query(FORGET_STATISTICS);
  assert.deepEqual(await misplanned(lane, OF_COMMANDS), [], 'never analysed');
});

test('each shared read by id uses the index of the id, on an empty and on an analysed table', async (t) => {
  const { connection, pool } = await open(t);
  assert.deepEqual(await misplanned(pool, SHARED), [], 'empty');
  await fillMarketplace(connection, { sizes: SIZES, say() {} });
  assert.deepEqual(await misplanned(pool, SHARED), [], 'analysed');
});

test('only the lookups with a constant as their key have no name', () => {
  const unnamed = [...TABLES.values()].flatMap((table) =>
    [...table.lookups.keys()].filter((by) => loadName(table, by) === null).map((by) => `${table.name}.${by}`),
  );
  assert.deepEqual(unnamed.sort(), ['approvals.pending', 'policies.first'], MISSING_KEYS);
});
