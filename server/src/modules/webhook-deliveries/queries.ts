// Reads of webhook deliveries: the log, and the figures of an endpoint. It only reads.

import type { WebhookDeliveryStatus } from '@holdfast/contract/api/webhook-deliveries.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIndex, conditions, createdBetween, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { WEBHOOK_DELIVERIES, type WebhookDelivery } from './delivery.ts';

type DeliveryFilter = {
  readonly endpointId?: string;
  readonly eventId?: string;
  readonly eventType?: string;
  readonly status?: WebhookDeliveryStatus;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

type OpenSince = {
  readonly marketplaceId: string;
  readonly endpointId: string;
  readonly since: string;
  readonly limit: number;
};

const SELECT = `select ${selected(WEBHOOK_DELIVERIES)} from webhook_deliveries t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;

// A test event has its text in the row.
const ENVELOPE = `select coalesce(t.envelope, e.envelope) as envelope from webhook_deliveries t
  left join events e on e.marketplace_id = $1 and e.marketplace_id = t.marketplace_id and e.position = t.position
  where t.marketplace_id = $1 and t.id = $2`;

// Without a try it is being sent already, so that a request for the next ones does not find the same ones.
const OPEN_SINCE = `select t.id from webhook_deliveries t
  where t.marketplace_id = $1 and t.endpoint_id = $2 and t.status <> 'DELIVERED' and t.status in ('PENDING', 'FAILED')
    and t.tries > 0 and t.created_at >= $3 order by t.id limit $4`;

const OLDEST = 'select t.position from events t where t.marketplace_id = $1 order by t.position limit 1';

// The text of an event begins with its id. The time in an id is that of the event, or a little later.
const POSITION_OF = `select t.position from events t
  where t.marketplace_id = $1 and t.occurred_at between $2 and $3 and starts_with(t.envelope, $4) limit 1`;

const POSITION_BEFORE = `select t.position from events t where t.marketplace_id = $1 and t.occurred_at < $2
  order by t.occurred_at desc limit 1`;

const COUNT_EVENTS = `select count(*)::integer as count from (select 1 from events t
  where t.marketplace_id = $1 and t.position > $2 and ($3::text[] is null or t.event_type = any($3)) limit $4) c`;

const FIGURES = `select count(*)::integer as deliveries,
    count(*) filter (where r.status = 'DELIVERED')::integer as delivered,
    percentile_disc(array[0.5, 0.99]) within group (order by r.last_duration_ms) as durations,
    percentile_disc(array[0.5, 0.99]) within group (
      order by (extract(epoch from r.delivered_at - r.created_at) * 1000)::integer)
      filter (where r.delivered_at is not null) as delays
  from (select t.status, t.last_duration_ms, t.delivered_at, t.created_at from webhook_deliveries t
    where t.marketplace_id = $1 and t.endpoint_id = $2 and t.id >= $3 and t.attempt_count > 0
    order by t.id desc limit 1000) r`;

const COUNT_OPEN = `select count(*)::integer as count from (select 1 from webhook_deliveries t
  where t.marketplace_id = $1 and t.endpoint_id = $2 and t.status <> 'DELIVERED' and t.status = $3 limit $4) c`;

// Of all marketplaces. The partial index has only deliveries that are open. Nothing is sent to a disabled or deleted endpoint.
const COUNT_PENDING = `select count(*)::integer as count from (select 1 from webhook_deliveries t
  join webhook_endpoints e on e.marketplace_id = t.marketplace_id and e.id = t.endpoint_id and e.state = 'live' and e.is_enabled
  where t.status <> 'DELIVERED' and t.status = 'PENDING' limit $1) c`;

type EndpointFigures = {
  readonly deliveries: number;
  readonly delivered: number;
  /** The median and the 99th percentile, in milliseconds. */
  readonly durations: readonly (number | null)[] | null;
  readonly delays: readonly (number | null)[] | null;
};

/** Counts stop here: a larger number tells an operator nothing more. */
const COUNT_MAX = 10_000;
const PENDING_MAX = 100_000;

export const createDeliveryReads = (pool: pg.Pool) => {
  const count = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ count: number }>(text, [...values, COUNT_MAX])).rows[0]!.count;

  const position = async (text: string, values: unknown[]): Promise<number | null> => {
    const { rows } = await pool.query<{ position: bigint }>(text, values);
    return rows[0] ? Number(rows[0].position) : null;
  };

  return {
    async find(marketplaceId: string, id: string): Promise<WebhookDelivery | null> {
      return (await pool.query<WebhookDelivery>(FIND, [marketplaceId, id])).rows[0] ?? null;
    },

    async list(request: PageRequest & DeliveryFilter): Promise<PageOf<WebhookDelivery>> {
      const { status } = request;
      const filtered = conditions(request.marketplaceId, [
        ['t.id < ?', request.cursor],
        byIndex('t.endpoint_id', request.endpointId),
        byIndex('t.event_id', request.eventId),
        byIndex('t.event_type', request.eventType),
        // Nearly all deliveries are delivered. The index of the others is partial.
        status === 'DELIVERED' ? ['t.status = ?', status, null] : ["t.status <> 'DELIVERED' and t.status = ?", status],
        ...createdBetween('webhookDelivery', request),
      ]);
      return readPage<WebhookDelivery>(pool, { select: SELECT, ...filtered, limit: request.limit });
    },

    /** The text of the event of a delivery; null when it is no longer kept. */
    async envelope(marketplaceId: string, deliveryId: string): Promise<string | null> {
      const { rows } = await pool.query<{ envelope: string | null }>(ENVELOPE, [marketplaceId, deliveryId]);
      return rows[0]?.envelope ?? null;
    },

    /** Deliveries that are not delivered, of events since a time, oldest first. */
    async openSince(of: OpenSince): Promise<string[]> {
      const values = [of.marketplaceId, of.endpointId, of.since, of.limit];
      return (await pool.query<{ id: string }>(OPEN_SINCE, values)).rows.map((row) => row.id);
    },

    /** The position of the first event that is still kept; null when there is none. */
    oldestPosition: (marketplaceId: string): Promise<number | null> => position(OLDEST, [marketplaceId]),

    /** The position of an event whose time is in this range; null when it is not there. */
    positionOf: (of: { marketplaceId: string; eventId: string; from: string; to: string }): Promise<number | null> =>
      position(POSITION_OF, [of.marketplaceId, of.from, of.to, `{"eventId":"${of.eventId}"`]),

    /** The position of the last event before a time; null when no event is older. */
    positionBefore: (marketplaceId: string, at: string): Promise<number | null> =>
      position(POSITION_BEFORE, [marketplaceId, at]),

    /** Events of these types after a position, counted up to a limit. */
    countEvents: (of: { marketplaceId: string; after: number; types: readonly string[] | null }): Promise<number> =>
      count(COUNT_EVENTS, [of.marketplaceId, of.after, of.types]),

    /** Of the newest deliveries since the one with this id. */
    async figures(of: { marketplaceId: string; endpointId: string; sinceId: string }): Promise<EndpointFigures> {
      return (await pool.query<EndpointFigures>(FIGURES, [of.marketplaceId, of.endpointId, of.sinceId])).rows[0]!;
    },

    /** Deliveries of all marketplaces that wait for a retry, counted up to a limit, for metrics. */
    async countPending(): Promise<number> {
      const values = [PENDING_MAX];
      return (await readAcross<{ count: number }>(pool, { text: COUNT_PENDING, values }))[0]!.count;
    },

    countOpen: (of: { marketplaceId: string; endpointId: string; status: 'PENDING' | 'FAILED' }): Promise<number> =>
      count(COUNT_OPEN, [of.marketplaceId, of.endpointId, of.status]),
  };
};

export type DeliveryReads = ReturnType<typeof createDeliveryReads>;
