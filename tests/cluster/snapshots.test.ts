// What the reads and jobs promise where marketplaces are on several machines: a snapshot is one moment of one marketplace, and rows of
// several marketplaces are written on the machine of each.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { createMovedWallets } from '../../server/src/ledger/deposits/moved-wallets.ts';
import { inSnapshot, openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';

const MARKETPLACES = ['mkt_default', 'mkt_other'];

const open = async (t: TestContext) => {
  const app = await startApp(t);
  const pool = openPool(app.connection, { max: 2, onError() {} });
  afterwards(t, () => pool.end());
  return { app, pool };
};

const countOf = async (client: pg.PoolClient, of: { table: string; marketplaceId: string }): Promise<bigint> => {
  const text = `select count(*) as count from ${of.table} where marketplace_id = $1`;
  return (await client.query<{ count: bigint }>(text, [of.marketplaceId])).rows[0]!.count;
};

const anotherUser = async (app: TestApp, marketplaceId: string): Promise<string> =>
  app.aUser({ key: await app.key(['*'], marketplaceId), available: '10.00' });

test('a snapshot of a marketplace shows one moment, also in a table that it reads later', async (t) => {
  const { app, pool } = await open(t);
  for (const marketplaceId of MARKETPLACES) {
    await anotherUser(app, marketplaceId);
    const { users, postings } = await inSnapshot(pool, async (client) => {
      const before = await countOf(client, { table: 'users', marketplaceId });
      await anotherUser(app, marketplaceId);
      assert.equal(await countOf(client, { table: 'users', marketplaceId }), before);
      return { users: before, postings: await countOf(client, { table: 'postings', marketplaceId }) };
    });
    assert.deepEqual({ users, postings }, { users: 1n, postings: 2n });
  }
});

test('a pool plans for the values of each statement, so that it finds the machine of a marketplace', async (t) => {
  const { pool } = await open(t);
  const { rows } = await pool.query<{ plan_cache_mode: string }>('show plan_cache_mode');
  assert.equal(rows[0]!.plan_cache_mode, 'force_custom_plan');
});

test('rows of several marketplaces are written and removed, each on its own machine', async (t) => {
  const { pool } = await open(t);
  const moved = createMovedWallets(pool);
  await moved.mark(MARKETPLACES.map((marketplaceId) => ({ marketplaceId, id: 'wallet' })));
  const marked = await moved.list(10);
  assert.deepEqual(marked.map(({ marketplaceId }) => marketplaceId).toSorted(), MARKETPLACES);
  await moved.clear(marked.slice(0, 1));
  assert.deepEqual(await moved.list(10), marked.slice(1));
});
