// Reads for the escrow provider's webhook and for the jobs: the order of a contract or an order id in any marketplace, stored and kept
// events, and open escrows.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { findAcross, readAcross } from '../../postgres/answering.ts';
import { ESCROWS, type Escrow } from '../escrows/escrow.ts';
import { MARKETPLACE_HOLDING } from '../orders/queries.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-event.ts';

/** An order and its marketplace. */
export type OrderPlace = { readonly marketplaceId: string; readonly orderId: string };

/** An event that is checked again. */
export type KeptEvent = { readonly marketplaceId: string; readonly event: WebhookEvent };

export type OpenEscrow = { readonly marketplaceId: string; readonly escrow: Escrow };

/** Includes escrows that were set aside: their events are stored in the same marketplace. */
const OF_CONTRACT = `select distinct t.marketplace_id as "marketplaceId", t.order_id as "orderId" from escrows t
  where t.provider_contract_id = $1`;

const EVENT = `select ${selected(WEBHOOK_EVENTS)} from webhook_events t where t.marketplace_id = $1 and t.id = $2`;

// Compared with the server's clock, which wrote the times. No check is postponed for two hours, so a later time was written before the
// clock was set back. PENDING comes before SET_ASIDE: events without confirmation must not hold up fresh ones.
const KEPT = `select t.marketplace_id as "marketplaceId", ${selected(WEBHOOK_EVENTS)} from webhook_events t
  where t.next_attempt_at <= $2 or t.next_attempt_at > $2::timestamptz + interval '2 hours'
  order by t.state, t.next_attempt_at limit $1`;

/** Without orders that have a running operation: the operation reads the contract. The list of states is there for the index. */
const OPEN = `select t.marketplace_id as "marketplaceId", ${selected(ESCROWS)} from escrows t
  join orders o on o.marketplace_id = t.marketplace_id and o.id = t.order_id
  where (t.marketplace_id, t.id) > ($1, $2) and not t.set_aside and o.operation_id is null
    and t.status in ('CREATED', 'FUNDING', 'FUNDED')
    and (t.status in ('CREATED', 'FUNDING') and o.status = 'ESCROW_FUNDING'
      or t.status = 'FUNDED' and o.status = 'IN_PROGRESS')
  order by t.marketplace_id, t.id limit $3`;

const HALF_DONE = `select 1 from operations where marketplace_id = $1 and order_id = $2 and state = 'FAILED'
  and kind not in ('create-escrow', 'fund-escrow') limit 1`;

type OpenRow = Escrow & { marketplaceId: string };

export const createEscrowReads = (pool: pg.Pool) => ({
  async ordersOfContract(contractId: string): Promise<OrderPlace[]> {
    return (await pool.query<OrderPlace>({ name: 'orders-of-contract', text: OF_CONTRACT, values: [contractId] })).rows;
  },

  async placeOf(orderId: string): Promise<OrderPlace | null> {
    const rows = await findAcross<{ id: string }>(pool, { text: MARKETPLACE_HOLDING, values: [orderId] });
    return rows[0] ? { marketplaceId: rows[0].id, orderId } : null;
  },

  async findEvent(marketplaceId: string, id: string): Promise<WebhookEvent | null> {
    const values = [marketplaceId, id];
    return (await pool.query<WebhookEvent>({ name: 'webhook-event', text: EVENT, values })).rows[0] ?? null;
  },

  /** Events of all marketplaces that are due for another check: fresh ones before those set aside, the longest due first. */
  async listKept(limit: number, now: string): Promise<KeptEvent[]> {
    const rows = await readAcross<WebhookEvent & { marketplaceId: string }>(pool, { text: KEPT, values: [limit, now] });
    return rows.map(({ marketplaceId, ...event }) => ({ marketplaceId, event }));
  },

  /** Whether a settlement of the order has failed: what its contract has paid then belongs to the request that finishes it. */
  async isHalfDone(marketplaceId: string, orderId: string): Promise<boolean> {
    const values = [marketplaceId, orderId];
    return (await pool.query({ name: 'half-done', text: HALF_DONE, values })).rows.length > 0;
  },

  /** Of all marketplaces, after the given one. */
  async listOpen(after: OpenEscrow | null, limit: number): Promise<OpenEscrow[]> {
    const values = [after?.marketplaceId ?? '', after?.escrow.id ?? '', limit];
    const rows = await readAcross<OpenRow>(pool, { name: 'open-escrows', text: OPEN, values });
    return rows.map(({ marketplaceId, ...escrow }) => ({ marketplaceId, escrow }));
  },
});

export type EscrowReads = ReturnType<typeof createEscrowReads>;
