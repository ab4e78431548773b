// A search may find thousands of orders, and a page shows a few: only those are joined with their escrows, milestones and the rest. Some
// versions of PostgreSQL have to sort what a search finds, and those of Citus are among them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { overheard, type Sent } from '../support/tenancy-wire.ts';

const ORDERS = 2_000;
const LIMIT = 20;
const IS_SEARCH = /strpos\(lower\(s\.title\)/;

/** With its values in the text: the machine of a distributed database plans for them. */
const withValues = ({ text, values }: Sent): string =>
  text.replace(/\$(\d+)/g, (_, number) => `'${String(values[Number(number) - 1])}'`);

const loopsIn = (plan: string, table: RegExp): number[] =>
  plan
    .split('\n')
    .filter((line) => table.test(line))
    .map((line) => Number(/loops=(\d+)/.exec(line)?.[1] ?? 0));

test('a search that finds all orders joins those of the page only', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  await fillMarketplace(connection, { sizes: { users: 200, orders: ORDERS, postings: 1 }, say() {} });
  let search: Sent | undefined;
  const hear = (sent: Sent): void => {
    if (IS_SEARCH.test(sent.text)) search = sent;
  };
  const pool = openPool(overheard(connection, hear), { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const page = { marketplaceId: 'mkt_default', limit: LIMIT, cursor: null };
  const { rows } = await createOrderReads(pool, ORDER_TABLES).list({ ...page, q: 'order number' });
  assert.equal(rows.length, LIMIT);
  const explained = await pool.query(`explain (analyze, timing off, costs off) ${withValues(search!)}`);
  const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
  const loops = loopsIn(plan, /Scan .*escrows/);
  assert.ok(loops.length > 0 && Math.max(...loops) <= LIMIT + 1, plan);
});
