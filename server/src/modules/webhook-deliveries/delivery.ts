// One event for one webhook endpoint, with its attempts: the row, and how an attempt changes it.

import { createHash } from 'node:crypto';
import type { WebhookDeliveryStatus } from '@holdfast/contract/api/webhook-deliveries.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { laterBy, parseInstant } from '../../base/instant.ts';
import { numberedId } from '../../base/ulid.ts';
import { table } from '../../commit/tables.ts';

export type Attempt = {
  readonly at: string;
  /** HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Null: it was delivered. */
  readonly error: string | null;
  readonly responseHead: string | null;
  readonly requestId: string;
};

export type WebhookDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly aggregateId: string;
  /** Null: a test event, whose text is in `envelope`. */
  readonly position: bigint | null;
  readonly envelope: string | null;
  readonly status: WebhookDeliveryStatus;
  /** Oldest first; only the newest are kept. */
  readonly attempts: readonly Attempt[];
  readonly attemptCount: number;
  /** Attempts since the event occurred, or since a retry was asked for. */
  readonly tries: number;
  readonly lastStatus: number | null;
  readonly lastDurationMs: number | null;
  readonly nextAttemptAt: string | null;
  readonly deliveredAt: string | null;
  /** When the event occurred. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    webhookDeliveries: WebhookDelivery;
  }
  interface Lookups {
    webhookDeliveries: Record<never, string>;
  }
}

export const WEBHOOK_DELIVERIES = table('webhookDeliveries', {
  notFound: 'WEBHOOK_DELIVERY_NOT_FOUND',
  sql: 'webhook_deliveries',
  columns: [
    'id',
    'endpointId',
    'eventId',
    'eventType',
    'aggregateId',
    'position',
    'envelope',
    'status',
    'attempts',
    'attemptCount',
    'tries',
    'lastStatus',
    'lastDurationMs',
    'nextAttemptAt',
    'deliveredAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: {},
});

/** What is sent: an event of the stream, or a test event. */
export type SentEvent = Pick<WebhookDelivery, 'eventId' | 'eventType' | 'aggregateId' | 'position' | 'createdAt'>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The time after each failed attempt. After the last one the delivery is given up. */
const RETRIES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A receiver that asks for more time gets at most this. */
export const RETRY_AFTER_MAX_MS = 24 * HOUR;

const POSITION_BITS = 40n;
const HASH_BYTES = 5;

/**
 * The same event for the same endpoint always has the same id, so a delivery that is repeated after a crash finds its row. The random part
 * of the id is a hash of the endpoint and the position of the event.
 */
export const deliveryIdOf = (
  endpointId: string,
  { position, occurredAt }: { position: number; occurredAt: string },
): string => {
  const hash = BigInt(
    `0x${createHash('sha256')
      .update(endpointId)
      .digest('hex')
      .slice(0, 2 * HASH_BYTES)}`,
  );
  const ms = Math.floor(parseInstant(occurredAt)! / 1_000);
  return numberedId('webhookDelivery', { ms, number: (hash << POSITION_BITS) | BigInt(position) });
};

export const newDelivery = (
  of: SentEvent & Pick<WebhookDelivery, 'id' | 'endpointId' | 'envelope'>,
  now: string,
): WebhookDelivery => ({
  ...of,
  status: 'PENDING',
  attempts: [],
  attemptCount: 0,
  tries: 0,
  lastStatus: null,
  lastDurationMs: null,
  nextAttemptAt: now,
  deliveredAt: null,
  updatedAt: now,
});

/** Tried at once, and as often as a new delivery. */
export const retried = (delivery: WebhookDelivery, now: string): WebhookDelivery => ({
  ...delivery,
  status: 'PENDING',
  tries: 0,
  nextAttemptAt: now,
  updatedAt: now,
});

export type AttemptResult = {
  readonly attempt: Attempt;
  /** What the receiver asked for; null when it did not. */
  readonly retryAfterMs: number | null;
  /** Nothing more is tried: the receiver said that it will never accept events again, or the event has left the stream. */
  readonly ends: 'endpoint' | 'event' | null;
};

const afterFailure = ({ retryAfterMs, ends }: AttemptResult, { tries, now }: { tries: number; now: string }) => {
  const waitMs = RETRIES_MS[tries - 1];
  if (ends !== null || waitMs === undefined) return { status: 'FAILED', nextAttemptAt: null } as const;
  const longerMs = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return { status: 'PENDING', nextAttemptAt: laterBy(now, Math.max(waitMs, longerMs)) } as const;
};

export const afterAttempt = (
  delivery: WebhookDelivery,
  { result, now }: { result: AttemptResult; now: string },
): WebhookDelivery => {
  const { attempt } = result;
  const tries = delivery.tries + 1;
  const isDelivered = attempt.error === null;
  return {
    ...delivery,
    ...(isDelivered ? { status: 'DELIVERED', nextAttemptAt: null } : afterFailure(result, { tries, now })),
    attempts: [...delivery.attempts, attempt].slice(-LIMITS.webhookAttempts),
    attemptCount: delivery.attemptCount + 1,
    tries,
    lastStatus: attempt.status,
    lastDurationMs: attempt.durationMs,
    deliveredAt: delivery.deliveredAt ?? (isDelivered ? laterBy(attempt.at, attempt.durationMs) : null),
    updatedAt: now,
  };
};
