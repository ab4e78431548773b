// Where all rows of a list have the same value, a filter by another one finds nothing, and must not read the list to see that. The plan is
// the one that the server uses: made once for any value, and with statistics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { createApprovalReads } from '../../server/src/modules/approvals/queries.ts';
import { createReservationReads } from '../../server/src/modules/balances/queries.ts';
import { createCorrectionReads } from '../../server/src/modules/corrections/queries.ts';
import { createDisputeReads } from '../../server/src/modules/disputes/queries.ts';
import { createNoteReads } from '../../server/src/modules/notes/queries.ts';
import { createOperationReads } from '../../server/src/modules/operations/queries.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { createTopUpReads } from '../../server/src/modules/topups/queries.ts';
import { createUserReads } from '../../server/src/modules/users/queries.ts';
import { createDeliveryReads } from '../../server/src/modules/webhook-deliveries/queries.ts';
import { createWithdrawalReads } from '../../server/src/modules/withdrawals/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { ORDER_TABLES } from '../../server/src/registry.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const SIZES = { users: 8_000, orders: 10_000, postings: 1 };
const PAGE = { marketplaceId: 'mkt_default', limit: 20, cursor: null };

const UNIFORM = `update users set status = 'ACTIVE', type = 'BOTH';
  update orders set status = 'CLOSED', final_status = 'RELEASED', operation_id = null;
  update operations set state = 'DONE', kind = 'release';
  update disputes set opened_by = 'BUYER';
  update webhook_deliveries set event_type = 'order.created';
  delete from topups where status <> 'TOPUP_SUCCEEDED';
  delete from withdrawals where status <> 'WITHDRAWAL_COMPLETED';
  delete from approvals where status <> 'CANCELED';
  delete from disputes where status <> 'RESOLVED'`;

/** A reference finds one order at most, so its page may be sorted. */
const BY_UNIQUE = 'orders of a busy buyer by a reference';

const LISTS: Readonly<Record<string, (pool: pg.Pool) => Promise<unknown>>> = {
  'users by status': (pool) => createUserReads(pool, 'USD').list({ ...PAGE, status: 'SUSPENDED' }),
  'users by type': (pool) => createUserReads(pool, 'USD').list({ ...PAGE, type: 'SELLER' }),
  'orders by status': (pool) => createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, status: 'DISPUTED' }),
  'orders by status, after a cursor': (pool) =>
    createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, cursor: 'ord_Z', status: 'DISPUTED' }),
  'orders of a buyer by status': async (pool) => {
    const { rows } = await pool.query(BUSIEST_BUYER);
    return createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, buyerId: rows[0].id, status: 'DISPUTED' });
  },
  'orders of a seller by status': async (pool) => {
    const { rows } = await pool.query(BUSIEST_BUYER.replaceAll('buyer', 'seller'));
    return createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, sellerId: rows[0].id, status: 'DISPUTED' });
  },
  'orders of a buyer and a seller who never met': async (pool) => {
    const { rows } = await pool.query(BUSIEST_BUYER);
    return createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, buyerId: rows[0].id, sellerId: 'usr_unknown' });
  },
  'orders of a seller and a buyer who never met': async (pool) => {
    const { rows } = await pool.query(BUSIEST_BUYER.replaceAll('buyer', 'seller'));
    return createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, sellerId: rows[0].id, buyerId: 'usr_unknown' });
  },
  [BY_UNIQUE]: async (pool) => {
    const { rows } = await pool.query(BUSIEST_BUYER);
    return createOrderReads(pool, ORDER_TABLES).list({ ...PAGE, buyerId: rows[0].id, clientOrderRef: 'unknown' });
  },
  'users by type and status': (pool) =>
    createUserReads(pool, 'USD').list({ ...PAGE, type: 'BOTH', status: 'SUSPENDED' }),
  'operations by state': (pool) => createOperationReads(pool).list({ ...PAGE, state: 'FAILED' }),
  'operations by kind': (pool) => createOperationReads(pool).list({ ...PAGE, kind: 'refund' }),
  'disputes by status': (pool) => createDisputeReads(pool).list({ ...PAGE, status: 'OPEN' }),
  'disputes by opener': (pool) => createDisputeReads(pool).list({ ...PAGE, openedBy: 'SELLER' }),
  'approvals by status': (pool) => createApprovalReads(pool).list({ ...PAGE, status: 'REJECTED' }),
  'approvals by action': (pool) => createApprovalReads(pool).list({ ...PAGE, action: 'order.refund' }),
  'approvals by requester': (pool) => createApprovalReads(pool).list({ ...PAGE, requestedBy: 'unknown' }),
  'approvals by status and action': async (pool) => {
    const { rows } = await pool.query(BUSIEST_ACTION);
    return createApprovalReads(pool).list({ ...PAGE, status: 'REJECTED', action: rows[0].action });
  },
  'approvals by status and requester': async (pool) => {
    const { rows } = await pool.query(BUSIEST_ACTION);
    return createApprovalReads(pool).list({ ...PAGE, status: 'REJECTED', requestedBy: rows[0].requester });
  },
  'approvals by action and requester': async (pool) => {
    const { rows } = await pool.query(BUSIEST_ACTION);
    return createApprovalReads(pool).list({ ...PAGE, requestedBy: rows[0].requester, action: 'dispute.resolve' });
  },
  'top-ups by status': (pool) => createTopUpReads(pool).list({ ...PAGE, status: 'TOPUP_FAILED' }),
  'withdrawals by status': (pool) => createWithdrawalReads(pool).list({ ...PAGE, status: 'WITHDRAWAL_FAILED' }),
  'reservations of a user by currency': async (pool) => {
    const { rows } = await pool.query(BUSIEST);
    return createReservationReads(pool).list({ ...PAGE, userId: rows[0].id, currency: 'USDC' });
  },
  'corrections by kind': (pool) => createCorrectionReads(pool).list({ ...PAGE, kind: 'close-break' }),
  'deliveries of webhooks by the type of their event': (pool) =>
    createDeliveryReads(pool).list({ ...PAGE, eventType: 'order.canceled' }),
  'delivered deliveries of webhooks by the type of their event': (pool) =>
    createDeliveryReads(pool).list({ ...PAGE, eventType: 'order.canceled', status: 'DELIVERED' }),
  'notes by type': (pool) => createNoteReads(pool).list({ ...PAGE, resourceType: 'order' }),
};

/** Who has most reservations, all in one currency. */
const BUSIEST = 'select user_id as id from reservations group by 1 order by count(*) desc limit 1';

const BUSIEST_BUYER = 'select buyer_id as id from orders group by 1 order by count(*) desc limit 1';

const BUSIEST_ACTION = `select action, requested_by ->> 'id' as requester from approvals group by 1, 2 order by count(*) desc limit 1`;

type Sent = { readonly text: string; readonly values: readonly unknown[] };

/** The last statement that the read sent. */
const sentBy = async (pool: pg.Pool, read: (pool: pg.Pool) => Promise<unknown>): Promise<Sent> => {
  let sent: Sent | undefined;
  const heard = new Proxy(pool, {
    get: (target, name, receiver) =>
      name === 'query'
        ? (text: string, values: unknown[]) => {
            sent = { text, values };
            return target.query(text, values);
          }
        : Reflect.get(target, name, receiver),
  });
  await read(heard);
  return sent!;
};

test('a filter by a value that no row has reads no rows', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  await fillMarketplace(connection, { sizes: SIZES, say() {} });
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  await pool.query(UNIFORM);
  await pool.query('vacuum analyze');
  for (const [name, read] of Object.entries(LISTS)) {
    const { text, values } = await sentBy(pool, read);
    const literals = values.map((value) => `'${value}'`).join(', ');
    await pool.query(`prepare page as ${text}`);
    const { rows } = await pool.query(`explain (analyze, timing off, costs off) execute page(${literals})`);
    await pool.query('deallocate page');
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const wrong = name === BY_UNIQUE ? /Rows Removed by Filter/ : /Rows Removed by Filter|Sort Key: t\./;
    assert.doesNotMatch(plan, wrong, `${name}\n${plan}`);
  }
});
