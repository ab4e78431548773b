// The update of rows is a prepared statement, whose plan may be made while its table is empty and has no statistics. It may then read no
// table. A row that does not exist any more, or has another version, fails it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceSql } from '../../server/src/commit/tables.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const SIZES = { users: 200, orders: 2_000, postings: 1 };
const USERS = TABLES.get('users')!;

test('the rows of a group are updated without a scan of any table, and only in the version that was read', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());

  const scanning = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const table of TABLES.values()) {
      const explain = `explain (generic_plan, costs off) ${replaceSql(table)}`;
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(explain);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      assert.match(plan, new RegExp(`Conflict Arbiter Indexes: ${table.sql}_pkey`), plan);
      if (/(Seq|Index|Index Only|Heap) Scan/.test(plan)) found.push(plan);
    }
    return found;
  };
  assert.deepEqual(await scanning(), []);
  await fillMarketplace(connection, { sizes: SIZES, say() {} });
  assert.deepEqual(await scanning(), []);

  const { rows } = await pool.query<{ row: { id: string; version: number; email: string | null } }>(
    'select to_jsonb(u) - $1 as row from users u order by u.id limit 2',
    ['marketplace_id'],
  );
  const [first, second] = rows.map(({ row }) => row) as [(typeof rows)[0]['row'], (typeof rows)[0]['row']];
  const replace = (...read: ({ version: number } & Record<string, unknown>)[]) => {
    const versions = read.reduce((sum, { version }) => sum + version + 1, 0);
    return pool.query(replaceSql(USERS), ['mkt_default', JSON.stringify(read), read.length, versions]);
  };
  const stored = async (): Promise<unknown> =>
    (await pool.query('select id, version, email from users order by id limit 3')).rows;

  const before = await stored();
  await assert.rejects(replace(first, { ...second, version: second.version + 1 }), /users/);
  await assert.rejects(replace({ ...first, id: 'usr_missing', external_user_id: 'missing' }), /users, versions/);
  assert.deepEqual(await stored(), before);
  await replace({ ...first, email: 'new@shop.example' });
  const { rows: after } = await pool.query('select version, email from users where id = $1', [first.id]);
  assert.deepEqual(after, [{ version: first.version + 1, email: 'new@shop.example' }]);
});
