// A webhook endpoint as it is stored, and how far its deliveries are. The endpoint changes by requests; its cursor changes with every
// recorded delivery, so the two are rows of their own.

import type {
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_PAYLOADS,
  WEBHOOK_SIGNATURES,
} from '@holdfast/contract/api/webhook-endpoints.ts';
import { eventTypesOf } from '@holdfast/contract/events.ts';
import type { Need } from '../../commit/command.ts';
import type { Reaction } from '../../commit/reactions.ts';
import { table } from '../../commit/tables.ts';

export type WebhookEndpoint = {
  readonly id: string;
  readonly state: 'live' | 'deleted';
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly isEnabled: boolean;
  /** Null exactly while it is enabled. */
  readonly disabledReason: (typeof WEBHOOK_DISABLED_REASONS)[number] | null;
  readonly payload: (typeof WEBHOOK_PAYLOADS)[number];
  readonly signature: (typeof WEBHOOK_SIGNATURES)[number];
  readonly publicKey: string | null;
  readonly sealedSecret: string;
  /** The secret before the last rotation, which signs too until the overlap ends. */
  readonly previousSealedSecret: string | null;
  readonly previousExpiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type WebhookCursor = {
  /** The id of the endpoint. */
  readonly id: string;
  /** Every event up to this position was attempted or did not match. */
  readonly position: bigint;
  /** A sender that began before a replay does not move the cursor any more. */
  readonly replays: number;
  /** Events that left the stream before they could be sent. */
  readonly missed: bigint;
  /** In a row, without a success in between. */
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    webhookEndpoints: WebhookEndpoint;
    webhookCursors: WebhookCursor;
  }
  interface Lookups {
    webhookEndpoints: { state: string };
    webhookCursors: Record<never, string>;
  }
}

export const WEBHOOK_ENDPOINTS = table('webhookEndpoints', {
  notFound: 'WEBHOOK_ENDPOINT_NOT_FOUND',
  sql: 'webhook_endpoints',
  columns: [
    'id',
    'state',
    'url',
    'events',
    'description',
    'isEnabled',
    'disabledReason',
    'payload',
    'signature',
    'publicKey',
    'sealedSecret',
    'previousSealedSecret',
    'previousExpiresAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: { state: { sql: 't.state', value: (row) => row.state } },
});

export const WEBHOOK_CURSORS = table('webhookCursors', {
  notFound: 'INTERNAL_ERROR',
  sql: 'webhook_cursors',
  columns: [
    'id',
    'position',
    'replays',
    'missed',
    'failures',
    'failingSince',
    'lastSuccessAt',
    'lastFailureAt',
    'updatedAt',
  ],
  lookups: {},
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'webhook-endpoint-changed': Readonly<Record<never, never>>;
  }
}

/** Every process reads the endpoints of the marketplace again. Also after a failure, because the commit may have happened. */
export const endpointsChanged = (): readonly Reaction[] => [{ name: 'webhook-endpoint-changed', payload: {} }];

export const LIVE: Need = { table: 'webhookEndpoints', by: 'state', value: 'live' };

/** The event types that the endpoint gets; null for all of them. */
export const typesOf = ({ events }: Pick<WebhookEndpoint, 'events'>): readonly string[] | null => {
  const types = events.map((filter) => eventTypesOf(filter) ?? null);
  return types.includes(null) ? null : [...new Set((types as string[][]).flat())];
};

/** A new cursor, before anything was sent. */
export const newCursor = (of: Pick<WebhookCursor, 'id' | 'position' | 'updatedAt'>): WebhookCursor => ({
  ...of,
  replays: 0,
  missed: 0n,
  failures: 0,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
});
