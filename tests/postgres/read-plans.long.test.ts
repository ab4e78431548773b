// The plans of reads do not depend on statistics: on tables that were never analysed, and on the same tables analysed, each read finds its
// rows by an index, and a page comes in the order of an index, so that no read looks at all rows of a marketplace.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type pg from 'pg';
import { createWalletReads } from '../../server/src/ledger/keys/wallet-queries.ts';
import { createApiKeyReads } from '../../server/src/modules/api-keys/queries.ts';
import { createBalanceReads, createReservationReads } from '../../server/src/modules/balances/queries.ts';
import { createDisputeReads } from '../../server/src/modules/disputes/queries.ts';
import { createOperationReads } from '../../server/src/modules/operations/queries.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createTopUpReads } from '../../server/src/modules/topups/queries.ts';
import { createUserReads } from '../../server/src/modules/users/queries.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';
import { overheard } from '../support/tenancy-wire.ts';
import { createFilledDatabase } from './filled-database.ts';

const marketplaceId = 'mkt_default';
const KEY = '000000000042';
const PAGE = { marketplaceId, limit: 20, cursor: null };
const NEXT_PAGE = { ...PAGE, cursor: KEY };

type Read = () => Promise<unknown>;

/** Every read by id, and every list with each of its filters that an index serves. */
const readsOf = (pool: pg.Pool): Readonly<Record<string, Read>> => {
  const users = createUserReads(pool, 'USD');
  const orders = createOrderReads(pool, ORDER_TABLES);
  const disputes = createDisputeReads(pool);
  const operations = createOperationReads(pool);
  const topups = createTopUpReads(pool);
  const withdrawals = createWithdrawalReads(pool);
  const keys = createApiKeyReads(pool);
  const reservations = createReservationReads(pool);
  return {
    balance: () => createBalanceReads(pool).find({ marketplaceId, userId: KEY, currency: 'USD' }),
    user: () => users.find(marketplaceId, KEY),
    users: () => users.list(PAGE),
    'users, next page': () => users.list(NEXT_PAGE),
    'users of an external id': () => users.list({ ...PAGE, externalUserId: KEY }),
    'users that a search finds': () => users.list({ ...PAGE, q: KEY }),
    order: () => orders.find(marketplaceId, KEY),
    orders: () => orders.list(PAGE),
    'orders, next page': () => orders.list(NEXT_PAGE),
    'orders of a buyer': () => orders.list({ ...NEXT_PAGE, buyerId: KEY }),
    'orders of a seller': () => orders.list({ ...PAGE, sellerId: KEY }),
    'orders of a status': () => orders.list({ ...PAGE, status: '1' }),
    'orders of a reference': () => orders.list({ ...PAGE, clientOrderRef: KEY }),
    'orders that a search finds': () => orders.list({ ...PAGE, q: KEY }),
    dispute: () => disputes.find(marketplaceId, KEY),
    disputes: () => disputes.list(PAGE),
    'disputes of an order': () => disputes.list({ ...PAGE, orderId: KEY }),
    'disputes of a status': () => disputes.list({ ...PAGE, status: '1' }),
    operation: () => operations.find(marketplaceId, KEY),
    operations: () => operations.list(PAGE),
    'operations of an order': () => operations.list({ ...PAGE, orderId: KEY }),
    'operations of a state': () => operations.list({ ...PAGE, state: '1' }),
    'top-up': () => topups.find(marketplaceId, KEY),
    'top-ups': () => topups.list(PAGE),
    'top-ups of a user': () => topups.list({ ...PAGE, userId: KEY }),
    'top-ups of a status': () => topups.list({ ...PAGE, status: '1' }),
    withdrawal: () => withdrawals.find(marketplaceId, KEY),
    withdrawals: () => withdrawals.list(PAGE),
    'withdrawals of a user': () => withdrawals.list({ ...PAGE, userId: KEY }),
    'withdrawals of a status': () => withdrawals.list({ ...PAGE, status: '1' }),
    key: () => keys.find(marketplaceId, KEY),
    keys: () => keys.list({ ...PAGE, now: new Date().toISOString() }),
    'wallets of a user': () => createWalletReads(pool).listOfUser({ ...PAGE, userId: KEY }),
    'reservations of a user': () => reservations.list({ ...PAGE, userId: KEY }),
  };
};

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
};

const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

/** They find a bounded number of rows by their index, and may sort these. */
const BOUNDED = new Set([
  'users of an external id',
  'users that a search finds',
  'orders of a reference',
  'orders that a search finds',
  'disputes of an order',
  'wallets of a user',
]);

/** Sorts that have to read all rows of the page's table first. The milestones of one order are sorted for their aggregate. */
const sortsIn = (node: Node): Node[] => {
  if (node['Node Type'] === 'Aggregate') return [];
  const own = /Sort$/.test(node['Node Type']) ? [node] : [];
  return [...own, ...(node.Plans ?? []).flatMap(sortsIn)];
};

describe('reads on tables with and without statistics', () => {
  let database: Awaited<ReturnType<typeof createFilledDatabase>>;
  let pool: pg.Pool;
  const sent: string[] = [];

  before(async () => {
    database = await createFilledDatabase();
    const told = overheard(database.connection, ({ text }) => void sent.push(text));
    pool = openPool(told, { max: 1, onError() {} });
  });
  after(async () => {
    await pool.end();
    await database.drop();
  });

  /** The plan that the pool's connections use for all values. `explain (generic_plan)` would need PostgreSQL 16. */
  const planOf = async (read: Read): Promise<Node> => {
    sent.length = 0;
    await read();
    const text = sent.at(-1)!;
    const places = new Set(text.match(/\$\d+/g)).size;
    const values = places === 0 ? '' : `(${Array(places).fill('null').join()})`;
    await pool.query(`prepare planned as ${text}`);
    const { rows } = await pool.query(`explain (format json) execute planned${values}`);
    await pool.query('deallocate planned');
    return rows[0]['QUERY PLAN'][0].Plan;
  };

  const assertByIndex = async (): Promise<Record<string, string[]>> => {
    const used: Record<string, string[]> = {};
    const faults: string[] = [];
    for (const [name, read] of Object.entries(readsOf(pool))) {
      const plan = await planOf(read);
      const nodes = nodesIn(plan).filter((node) => database.tables.includes(node['Relation Name'] ?? ''));
      assert.ok(nodes.length > 0, `${name} reads no table`);
      for (const node of nodes) {
        if (node['Index Cond'] === undefined) faults.push(`${name}: ${node['Node Type']} on ${node['Relation Name']}`);
      }
      if (BOUNDED.has(name)) continue;
      if (sortsIn(plan).length > 0) faults.push(`${name}: sorts its page`);
      used[name] = nodes.map((node) => node['Index Name'] ?? node['Node Type']);
    }
    assert.deepEqual(faults, []);
    return used;
  };

  let unanalysed: Record<string, string[]>;

  test('on tables that were never analysed, every read uses an index', async () => {
    unanalysed = await assertByIndex();
  });

  test('on the same tables analysed, every read uses the same indexes', async () => {
    await pool.query('analyze');
    assert.deepEqual(await assertByIndex(), unanalysed);
  });
});
