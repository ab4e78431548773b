// Webhook endpoints and their deliveries as tables, lists of fields and lines.

import type {
  WebhookDeliveryRecord,
  WebhookDeliveryWithAttempts,
  WebhookEndpointRecord,
  WebhookEndpointWithHealth,
} from '@holdfast/sdk';
import { clockOf, dayOf } from '../times.ts';
import { counted } from './counted.ts';
import type { Out } from './out.ts';
import { cut, cutMiddle, harmless, type Paint } from './paint.ts';
import type { Column } from './table.ts';

type Attempt = WebhookDeliveryWithAttempts['attempts'][number];
type Health = WebhookEndpointWithHealth['health'];

const COLOURS: Readonly<Record<string, 'green' | 'yellow' | 'red'>> = {
  ACTIVE: 'green',
  DELIVERED: 'green',
  FAILING: 'yellow',
  PENDING: 'yellow',
  DISABLED: 'red',
  FAILED: 'red',
};

const painted = (paint: Paint, status: string, text: string): string => {
  const colour = COLOURS[status];
  return colour ? paint[colour](text) : text;
};

export const endpointColumns = ({ paint }: Out): readonly Column<WebhookEndpointRecord>[] => [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status, paint: (text, { status }) => painted(paint, status, text) },
  { title: 'url', of: ({ url }) => url, flexible: true },
  { title: 'events', of: ({ events }) => events.join(','), flexible: true },
  { title: 'description', of: ({ description }) => description, flexible: true, minor: true },
  { title: 'created', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

export const deliveryColumns = ({ paint }: Out): readonly Column<WebhookDeliveryRecord>[] => [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status, paint: (text, { status }) => painted(paint, status, text) },
  { title: 'answer', align: 'right', of: answerOf },
  { title: 'attempts', align: 'right', of: ({ attemptCount }) => String(attemptCount) },
  { title: 'event', of: ({ eventType }) => eventType },
  { title: 'endpoint', of: ({ endpointId }) => endpointId },
  { title: 'event id', of: ({ eventId }) => eventId, minor: true },
  { title: 'next attempt', of: ({ nextAttemptAt }) => nextAttemptAt && clockOf(nextAttemptAt), minor: true },
  { title: 'occurred', of: ({ createdAt }) => clockOf(createdAt), minor: true },
];

const answerOf = ({ lastStatus }: WebhookDeliveryRecord): string | null =>
  lastStatus === null ? null : String(lastStatus);

const lengthOf = (ms: number | null): string =>
  ms === null || ms < 10_000
    ? `${ms} ms`
    : ms < 600_000
      ? `${(ms / 1_000).toFixed(0)} s`
      : `${(ms / 60_000).toFixed(0)} min`;

const lengthsOf = ({ p50, p99 }: Health['durationMs']): string | null =>
  p50 === null ? null : `${lengthOf(p50)}, 99 of 100 within ${lengthOf(p99)}`;

const healthFacts = (health: Health): [string, string | null][] => [
  [
    'last 24 hours',
    health.successRate === null
      ? 'no deliveries'
      : `${counted(health.deliveries, 'delivery')}, ${(health.successRate * 100).toFixed(1)} % delivered`,
  ],
  ['answers after', lengthsOf(health.durationMs)],
  ['delivered after', lengthsOf(health.delayMs)],
  ['waiting', `${health.backlog} new, ${health.pending} to be tried again`],
  ['given up', String(health.failed)],
  ['missed', health.missed === 0 ? null : `${counted(health.missed, 'event')} left the stream before sending`],
  ['failing since', dayOf(health.failingSince)],
  ['last success', dayOf(health.lastSuccessAt)],
  ['last failure', dayOf(health.lastFailureAt)],
];

export const endpointFacts = (endpoint: WebhookEndpointRecord): [string, string | null][] => [
  ['id', endpoint.id],
  ['url', endpoint.url],
  ['events', endpoint.events.join(', ')],
  ['description', endpoint.description],
  [
    'status',
    endpoint.disabledReason === null ? endpoint.status : `${endpoint.status} (${REASONS[endpoint.disabledReason]})`,
  ],
  ['payload', endpoint.payload],
  ['signature', endpoint.signature],
  ['public key', endpoint.publicKey],
  ['old secret until', dayOf(endpoint.previousSecretExpiresAt)],
  ['created', dayOf(endpoint.createdAt)],
];

const REASONS: Readonly<Record<NonNullable<WebhookEndpointRecord['disabledReason']>, string>> = {
  REQUESTED: 'by request',
  GONE: 'the receiver answered 410',
  FAILED_FOR_DAYS: 'deliveries failed for days',
};

export const showEndpoint = (out: Out, endpoint: WebhookEndpointWithHealth): void => {
  out.facts(endpointFacts(endpoint));
  out.line('');
  out.facts(healthFacts(endpoint.health));
};

const ATTEMPTS: readonly Column<Attempt>[] = [
  { title: 'at', of: ({ at }) => clockOf(at) },
  { title: 'answer', align: 'right', of: ({ status }) => (status === null ? null : String(status)) },
  { title: 'ms', align: 'right', of: ({ durationMs }) => String(durationMs) },
  { title: 'why not delivered', of: ({ error }) => error, flexible: true },
  { title: 'response', of: ({ responseHead }) => responseHead, flexible: true },
  { title: 'request id', of: ({ requestId }) => requestId, minor: true },
];

export const showDelivery = (out: Out, delivery: WebhookDeliveryWithAttempts): void => {
  out.facts([
    ['id', delivery.id],
    ['status', delivery.status],
    ['event', `${delivery.eventType} ${delivery.eventId}`],
    ['about', delivery.aggregateId],
    ['endpoint', delivery.endpointId],
    ['attempts', String(delivery.attemptCount)],
    ['next attempt', delivery.nextAttemptAt && clockOf(delivery.nextAttemptAt)],
    ['delivered', delivery.deliveredAt && clockOf(delivery.deliveredAt)],
    ['occurred', clockOf(delivery.createdAt)],
  ]);
  if (delivery.attempts.length === 0) return;
  out.line('');
  out.table(delivery.attempts, ATTEMPTS);
};

/** What the receiver answered to one attempt. */
export const showAttempt = (out: Out, attempt: Attempt): void =>
  out.facts([
    ['result', attempt.error === null ? 'delivered' : 'not delivered'],
    ['answer', attempt.status === null ? 'none' : String(attempt.status)],
    ['duration', `${attempt.durationMs} ms`],
    ['why', attempt.error],
    ['response', attempt.responseHead],
    ['request id', attempt.requestId],
  ]);

const STATUS_WIDTH = 9;
const TYPE_WIDTH = 30;
const ID_WIDTH_MIN = 13;

/** One line for a log that goes on. */
export const deliveryLine = (delivery: WebhookDeliveryRecord, { paint, room }: Pick<Out, 'paint' | 'room'>): string => {
  const { status, attemptCount, eventType, id } = delivery;
  const isNarrow = room !== null && room < 110;
  const line = [
    paint.dim(clockOf(delivery.updatedAt)),
    painted(paint, status, status.padEnd(STATUS_WIDTH)),
    (answerOf(delivery) ?? '–').padStart(3),
    cut(harmless(eventType), TYPE_WIDTH).padEnd(TYPE_WIDTH),
    isNarrow ? cutMiddle(id, ID_WIDTH_MIN) : id,
    attemptCount > 1 ? `attempt ${attemptCount}` : '',
  ].join('  ');
  return line.trimEnd();
};
