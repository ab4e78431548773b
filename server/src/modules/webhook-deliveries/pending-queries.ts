// Reads of deliveries that will be tried again, for the sender. Each costs what it finds, however long the log is. It only reads.

import type pg from 'pg';
import type { SentEvent } from './delivery.ts';

/** What the sender needs of a delivery that will be tried again. */
export type PendingDelivery = SentEvent & {
  readonly id: string;
  readonly tries: number;
  readonly nextAttemptAt: string;
};

export type DueDelivery = PendingDelivery & { readonly endpointId: string };

const PENDING_COLUMNS = `t.id, t.event_id as "eventId", t.event_type as "eventType", t.aggregate_id as "aggregateId",
    t.position, t.created_at as "createdAt", t.tries, t.next_attempt_at as "nextAttemptAt"`;

const PENDING_OF = `select ${PENDING_COLUMNS} from webhook_deliveries t
  where t.marketplace_id = $1 and t.endpoint_id = $2 and t.status = 'PENDING'`;

// Each part has a partial index. The number of tries is that of the index.
const PENDING = `(${PENDING_OF} and t.tries < 3 order by t.id limit $4)
  union all (${PENDING_OF} and t.tries >= 3 and t.next_attempt_at <= $3 order by t.next_attempt_at, t.id limit $4)`;

const WAITING = `${PENDING_OF} and t.status <> 'DELIVERED' order by t.id limit $3`;

const DUE = `select d.*, e.id as "endpointId" from unnest($2::text[]) e (id) cross join lateral (
    select ${PENDING_COLUMNS} from webhook_deliveries t
    where t.marketplace_id = $1 and t.endpoint_id = e.id and t.status = 'PENDING' and t.next_attempt_at <= $3
    order by t.next_attempt_at, t.id limit $4) d`;

type OfEndpoint = { readonly marketplaceId: string; readonly endpointId: string; readonly limit: number };

type OfEndpoints = {
  readonly marketplaceId: string;
  readonly endpointIds: readonly string[];
  readonly dueBy: string;
  /** For each endpoint. */
  readonly limit: number;
};

export const createPendingReads = (pool: pg.Pool) => ({
  /** Those that hold later events of their resource back, in order, and of the others those that are due by then. */
  async pending(of: OfEndpoint & { readonly dueBy: string }): Promise<PendingDelivery[]> {
    const values = [of.marketplaceId, of.endpointId, of.dueBy, of.limit];
    return (await pool.query<PendingDelivery>(PENDING, values)).rows;
  },

  /** All that will be tried again, whenever they are due, oldest first. */
  async waiting({ marketplaceId, endpointId, limit }: OfEndpoint): Promise<PendingDelivery[]> {
    return (await pool.query<PendingDelivery>(WAITING, [marketplaceId, endpointId, limit])).rows;
  },

  /** Those of several endpoints that are due by then, each endpoint's in the order of their times. */
  async due({ marketplaceId, endpointIds, dueBy, limit }: OfEndpoints): Promise<DueDelivery[]> {
    return (await pool.query<DueDelivery>(DUE, [marketplaceId, endpointIds, dueBy, limit])).rows;
  },
});

export type PendingReads = ReturnType<typeof createPendingReads>;
