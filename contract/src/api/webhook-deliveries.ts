// The log of webhook deliveries: each event for each endpoint, with every attempt to send it.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { CreatedBetween, Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

const WEBHOOK_DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const;

export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

const Attempt = Type.Object({
  at: Timestamp('When the request was sent.'),
  status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null when there was none.' })),
  durationMs: Type.Integer({ description: 'From the request to the answer or the failure.' }),
  error: Nullable(Type.String({ description: 'Why it did not count as delivered; null for a delivered one.' })),
  responseHead: Nullable(Type.String({ description: 'The beginning of the answer; null when there was none.' })),
  requestId: Type.String({ description: 'The header `x-request-id` of the request, for the logs of both sides.' }),
});

const Status = Type.Enum(WEBHOOK_DELIVERY_STATUSES, {
  description: '`PENDING`: it will be tried at `nextAttemptAt`. `FAILED`: it was given up; retry it by hand.',
});

const record = {
  id: Id('webhookDelivery', 'Id of the delivery.'),
  endpointId: Id('webhookEndpoint', 'The endpoint that gets the event.'),
  eventId: Type.String({ description: 'Id of the event; the header `webhook-id`.' }),
  eventType: Type.String({ description: 'Type of the event.' }),
  aggregateId: Type.String({ description: 'Id of the resource that produced the event.' }),
  status: Status,
  attemptCount: Type.Integer({ description: 'How often it was sent.' }),
  lastStatus: Nullable(Type.Integer({ description: 'HTTP status of the last answer; null when there was none.' })),
  nextAttemptAt: Nullable(Timestamp('When it is tried next; null unless it is PENDING.')),
  deliveredAt: Nullable(Timestamp('When it was first delivered.')),
  createdAt: Timestamp('When the event occurred.'),
  updatedAt: Timestamp('When the last attempt was recorded, or a retry was asked for.'),
};

export const WebhookDeliveryRecord = Type.Object(record);

export const WebhookDeliveryWithAttempts = Type.Object({
  ...record,
  attempts: Type.Array(Attempt, { description: `Oldest first; only the newest ${LIMITS.webhookAttempts} are kept.` }),
});

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Id of the delivery.' }) });

const TAG = 'Webhooks out';

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/webhook-deliveries',
  access: 'read',
  tag: TAG,
  summary: 'List webhook deliveries',
  description:
    'Newest first. An event that waits for its first attempt is not listed yet: see `backlog` of the endpoint.',
  query: Strict({
    ...Page,
    endpointId: Type.Optional(Text(64, 'Only deliveries to this endpoint.')),
    eventId: Type.Optional(Text(64, 'Only deliveries of this event.')),
    eventType: Type.Optional(Text(LIMITS.nameLength, 'Only deliveries of events of this type.')),
    status: Type.Optional(Status),
    ...CreatedBetween,
  }),
  status: 200,
  wrapping: 'list',
  data: WebhookDeliveryRecord,
  errors: [],
});

export const getWebhookDelivery = endpoint({
  method: 'GET',
  path: '/webhook-deliveries/:id',
  access: 'read',
  tag: TAG,
  summary: 'Get a webhook delivery',
  description: 'The delivery with its attempts.',
  params,
  status: 200,
  wrapping: 'plain',
  data: WebhookDeliveryWithAttempts,
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND'],
});

export const retryWebhookDelivery = endpoint({
  method: 'POST',
  path: '/webhook-deliveries/:id/retry',
  access: 'write',
  tag: TAG,
  summary: 'Retry a webhook delivery',
  description: 'Sends it again at once, also when it was delivered. If it fails it is tried again as a new one is.',
  params,
  status: 202,
  wrapping: 'plain',
  data: WebhookDeliveryRecord,
  errors: ['WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});
