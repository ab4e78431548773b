// Reads of webhook endpoints and their cursors. It only reads.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { WEBHOOK_CURSORS, WEBHOOK_ENDPOINTS, type WebhookCursor, type WebhookEndpoint } from './endpoint.ts';
import { FAILURES_MAX } from './present.ts';

const SELECT = `select ${selected(WEBHOOK_ENDPOINTS)} from webhook_endpoints t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2 and t.state = 'live'`;

const ENABLED = `${SELECT} where t.marketplace_id = $1 and t.state = 'live' and t.is_enabled order by t.id`;

// A marketplace has few endpoints, and most marketplaces have none.
const WITH_ENDPOINTS = `select distinct t.marketplace_id as "marketplaceId" from webhook_endpoints t
  where t.state = 'live' and t.is_enabled`;

// Without those that a request disabled.
const DISABLED = `select t.marketplace_id as "marketplaceId", t.id, t.disabled_reason as "disabledReason", t.updated_at as "updatedAt"
  from webhook_endpoints t where t.state = 'live' and t.disabled_reason in ('GONE', 'FAILED_FOR_DAYS')`;

export type DisabledEndpoint = Pick<WebhookEndpoint, 'id' | 'updatedAt'> & {
  readonly marketplaceId: string;
  readonly disabledReason: 'GONE' | 'FAILED_FOR_DAYS';
};

const CURSORS = `select ${selected(WEBHOOK_CURSORS)} from webhook_cursors t where t.marketplace_id = $1`;

// An event that the filter leaves out counts as backlog until the cursor has passed it, which takes seconds.
const SUMMARY = `select count(*) filter (where t.is_enabled and coalesce(c.failures, 0) < $1)::integer as active,
    count(*) filter (where t.is_enabled and c.failures >= $1)::integer as failing,
    count(*) filter (where not t.is_enabled)::integer as disabled,
    coalesce(sum(greatest(m.event_position - c.position, 0)) filter (where t.is_enabled), 0)::bigint as backlog
  from webhook_endpoints t
  join marketplaces m on m.marketplace_id = t.marketplace_id
  left join webhook_cursors c on c.marketplace_id = t.marketplace_id and c.id = t.id
  where t.state = 'live'`;

const BY_SEAL = `select t.marketplace_id as "marketplaceId", split_part(s.sealed, '.', 2) as "keyId", count(*)::integer as secrets
  from webhook_endpoints t cross join lateral unnest(array[t.sealed_secret, t.previous_sealed_secret]) s (sealed)
  where s.sealed is not null group by 1, 2 order by 1, 2`;

const SEALED_OTHERWISE = `${SELECT} where t.marketplace_id = $1
  and (not starts_with(t.sealed_secret, $2) or not starts_with(t.previous_sealed_secret, $2)) order by t.id`;

type EndpointSummary = {
  readonly active: number;
  readonly failing: number;
  readonly disabled: number;
  /** Events that the cursors of enabled endpoints have not passed. */
  readonly backlog: bigint;
};

export const createEndpointReads = (pool: pg.Pool) => ({
  /** Not a deleted one. */
  async find(marketplaceId: string, id: string): Promise<WebhookEndpoint | null> {
    return (await pool.query<WebhookEndpoint>(FIND, [marketplaceId, id])).rows[0] ?? null;
  },

  async list(request: PageRequest): Promise<PageOf<WebhookEndpoint>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.state = ?', 'live'],
      ['t.id < ?', request.cursor],
    ]);
    return readPage<WebhookEndpoint>(pool, { select: SELECT, where, values, limit: request.limit });
  },

  /** The endpoints of a marketplace to which events are sent. */
  async enabled(marketplaceId: string): Promise<WebhookEndpoint[]> {
    return (await pool.query<WebhookEndpoint>(ENABLED, [marketplaceId])).rows;
  },

  /** All marketplaces to which this server may have something to send. */
  async marketplaces(): Promise<string[]> {
    const rows = await readAcross<{ marketplaceId: string }>(pool, { text: WITH_ENDPOINTS });
    return rows.map((row) => row.marketplaceId);
  },

  /** Endpoints of all marketplaces that the sender disabled. */
  async listDisabled(): Promise<DisabledEndpoint[]> {
    return readAcross<DisabledEndpoint>(pool, { text: DISABLED });
  },

  /** The endpoints of all marketplaces by status, for metrics. */
  async summary(): Promise<EndpointSummary> {
    return (await readAcross<EndpointSummary>(pool, { text: SUMMARY, values: [FAILURES_MAX] }))[0]!;
  },

  /** By the id of their endpoint. */
  async cursors(marketplaceId: string): Promise<ReadonlyMap<string, WebhookCursor>> {
    const { rows } = await pool.query<WebhookCursor>(CURSORS, [marketplaceId]);
    return new Map(rows.map((row) => [row.id, row]));
  },

  /** How many secrets each key-encryption key has sealed, by marketplace. */
  async countBySeal(): Promise<{ marketplaceId: string; keyId: string; secrets: number }[]> {
    return (await pool.query<{ marketplaceId: string; keyId: string; secrets: number }>(BY_SEAL)).rows;
  },

  /** The endpoints of a marketplace with a secret whose seal does not have this prefix. */
  async listSealedOtherwise(marketplaceId: string, prefix: string): Promise<WebhookEndpoint[]> {
    return (await pool.query<WebhookEndpoint>(SEALED_OTHERWISE, [marketplaceId, prefix])).rows;
  },
});

export type EndpointReads = ReturnType<typeof createEndpointReads>;
