// Reads for whoever hears from the escrow provider: which order a contract or an order id belongs to, whatever the
// marketplace, which events were taken, and which escrows are open. It only reads.

import type pg from 'pg';
import { selected } from '../../commit/table-sql.ts';
import { MARKETPLACE_HOLDING } from '../orders/queries.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../webhooks/webhook-event.ts';
import { ESCROWS, type Escrow } from './escrow.ts';

/** An order and where it is. */
export type OrderPlace = { readonly marketplaceId: string; readonly orderId: string };

export type OpenEscrow = { readonly marketplaceId: string; readonly escrow: Escrow };

/** Those set aside too: an event about them was taken in the same place. */
const OF_CONTRACT = `select distinct t.marketplace_id as "marketplaceId", t.order_id as "orderId" from escrows t
  where t.provider_contract_id = $1`;

const EVENT = `select ${selected(WEBHOOK_EVENTS)} from webhook_events t where t.marketplace_id = $1 and t.id = $2`;

/** What is being carried out for an order is not to be disturbed. */
const OPEN = `select t.marketplace_id as "marketplaceId", ${selected(ESCROWS)} from escrows t
  join orders o on o.marketplace_id = t.marketplace_id and o.id = t.order_id
  where (t.marketplace_id, t.id) > ($1, $2) and not t.set_aside and o.operation_id is null
    and (t.status in ('CREATED', 'FUNDING') and o.status = 'ESCROW_FUNDING'
      or t.status = 'FUNDED' and o.status = 'IN_PROGRESS')
  order by t.marketplace_id, t.id limit $3`;

type OpenRow = Escrow & { marketplaceId: string };

export const createEscrowReads = (pool: pg.Pool) => ({
  async ordersOfContract(contractId: string): Promise<OrderPlace[]> {
    return (await pool.query<OrderPlace>({ name: 'orders-of-contract', text: OF_CONTRACT, values: [contractId] })).rows;
  },

  async placeOf(orderId: string): Promise<OrderPlace | null> {
    const { rows } = await pool.query<{ id: string }>(MARKETPLACE_HOLDING, [orderId]);
    return rows[0] ? { marketplaceId: rows[0].id, orderId } : null;
  },

  async findEvent(marketplaceId: string, id: string): Promise<WebhookEvent | null> {
    const values = [marketplaceId, id];
    return (await pool.query<WebhookEvent>({ name: 'webhook-event', text: EVENT, values })).rows[0] ?? null;
  },

  /** Of all marketplaces, after the one given. */
  async listOpen(after: OpenEscrow | null, limit: number): Promise<OpenEscrow[]> {
    const values = [after?.marketplaceId ?? '', after?.escrow.id ?? '', limit];
    const { rows } = await pool.query<OpenRow>({ name: 'open-escrows', text: OPEN, values });
    return rows.map(({ marketplaceId, ...escrow }) => ({ marketplaceId, escrow }));
  },
});

export type EscrowReads = ReturnType<typeof createEscrowReads>;
