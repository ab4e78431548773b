// Rows that a command needs are found by prepared statements, whose plans may be made while a table is empty and has no statistics. Each
// plan must use the index of its key then too, and not another one that begins with the marketplace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { absentSql, loadSql } from '../../server/src/commit/tables.ts';
import { byIds } from '../../server/src/postgres/by-keys.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const SIZES = { users: 200, orders: 2_000, postings: 1 };

/** Few rows have them, and each has an index of its own for these rows. */
const WITHOUT_KEY = new Set(['policies.first', 'approvals.pending']);

/** By table and lookup. */
const STATEMENTS = new Map<string, string>([
  ['accounts, absent', absentSql('accounts')],
  ...[...TABLES.values()].flatMap((table): [string, string][] => [
    [`${table.name}.id`, loadSql(table, null)],
    [`${table.name}.id, absent`, absentSql(table.sql)],
    [`${table.name}.id, shared`, `select * from ${byIds(table.sql)}`],
    ...[...table.lookups]
      .filter(([by]) => !WITHOUT_KEY.has(`${table.name}.${by}`))
      .flatMap(([by, lookup]): [string, string][] => [
        [`${table.name}.${by}`, loadSql(table, by)],
        [`${table.name}.${by}, absent`, absentSql(table.sql, lookup)],
      ]),
  ]),
]);

const misplanned = async (pool: pg.Pool): Promise<string[]> => {
  const found: string[] = [];
  for (const [name, text] of STATEMENTS) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan, costs off) ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const isByKey = /Index Cond: .*\$1.*>= k\.key.*<= k\.key/.test(plan);
    if (!isByKey || /Sort/.test(plan)) found.push(`${name}\n${plan}`);
  }
  return found;
};

test('each lookup of a command uses the index of its key, also on an empty table', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  assert.deepEqual(await misplanned(pool), [], 'empty');
  await fillMarketplace(connection, { sizes: SIZES, say() {} });
  assert.deepEqual(await misplanned(pool), [], 'filled');
  await pool.query('analyze');
  assert.deepEqual(await misplanned(pool), [], 'analysed');
});
