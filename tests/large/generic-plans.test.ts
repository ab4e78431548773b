// The server plans a statement without its values. A filter by kind and state must then find its rows by both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPool } from '../../server/src/postgres/connection.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

test('operations of a kind and a state are found without reading others of the kind', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  await fillMarketplace(connection, { sizes: { users: 200, orders: 2_000, postings: 1 }, say() {} });
  const pool = openPool(connection, { max: 1, onError() {} });
  const client = await pool.connect();
  afterwards(t, async () => {
    client.release();
    await pool.end();
  });
  await client.query(`prepare page (text, text, text) as select t.* from operations t
    where t.marketplace_id = $1 and t.state = $2 and t.kind = $3 order by t.id desc limit 21`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, timing off, costs off) execute page('mkt_default', 'RUNNING', 'release')`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  assert.match(plan, /Index Cond: .*\$1.*\$2.*\$3/, plan);
  assert.doesNotMatch(plan, /Rows Removed by Filter/, plan);
});
