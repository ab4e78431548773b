// Webhook endpoints: addresses of a marketplace that get its events as signed requests. The secret is shown once, in the answer that makes
// it.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

const WEBHOOK_ENDPOINT_STATUSES = ['ACTIVE', 'FAILING', 'DISABLED'] as const;

export const WEBHOOK_PAYLOADS = ['full', 'thin'] as const;

export const WEBHOOK_SIGNATURES = ['v1', 'v1a'] as const;

export const WEBHOOK_DISABLED_REASONS = ['REQUESTED', 'GONE', 'FAILED_FOR_DAYS'] as const;

/** The type of the event that `POST /webhook-endpoints/{id}/test` sends. It is not on the event stream. */
export const WEBHOOK_TEST_TYPE = 'webhook.test';

const Url = Type.String({
  minLength: 1,
  maxLength: LIMITS.urlLength,
  description:
    'The address that gets the events. `https` is needed, unless the server allows private addresses. It has no user name and no fragment.',
  examples: ['https://shop.example/webhooks/holdfast'],
});

const EventFilters = Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.nameLength }), {
  minItems: 1,
  maxItems: LIMITS.streamFilters,
  uniqueItems: true,
  description: 'Event types, prefixes such as `order.*`, or `*` for all events. An unknown type is refused.',
  examples: [['order.*', 'withdrawal.completed']],
});

const Description = Type.String({
  maxLength: LIMITS.reasonLength,
  description: 'A text for people: which system listens there.',
  examples: ['Order service'],
});

const Enabled = Type.Boolean({
  description: 'Whether events are sent. Events of the time while it is off are sent when it is on again.',
});

const Payload = Type.Enum(WEBHOOK_PAYLOADS, {
  description:
    '`full`: the event as on the stream. `thin`: the same without `payload`, so that nothing but ids leaves the server.',
});

const Signature = Type.Enum(WEBHOOK_SIGNATURES, {
  description:
    '`v1`: HMAC-SHA256 with a shared secret. `v1a`: ed25519; the server keeps the private key, and you verify with the public key.',
});

const Percentile = Nullable(Type.Number({ description: 'Milliseconds; null when there was none.' }));

const Latency = (description: string) => Type.Object({ p50: Percentile, p99: Percentile }, { description });

export const WebhookHealth = Type.Object({
  deliveries: Type.Integer({
    description: 'Deliveries of the last 24 hours that were attempted; at most the newest 1,000 are counted.',
  }),
  successRate: Nullable(
    Type.Number({ description: 'The part of them that was delivered, from 0 to 1; null when there was none.' }),
  ),
  durationMs: Latency('How long the receiver took to answer.'),
  delayMs: Latency('From the event to its delivery, retries included.'),
  backlog: Type.Integer({
    description:
      'Events that were not attempted yet. Those outside the filter count too, until the endpoint passes them: for a few seconds, or while it fails or is disabled.',
  }),
  pending: Type.Integer({ description: 'Deliveries that failed and will be tried again; counted up to 10,000.' }),
  failed: Type.Integer({ description: 'Deliveries that were given up; counted up to 10,000.' }),
  missed: Type.Integer({ description: 'Events that left the event stream before they could be sent.' }),
  failingSince: Nullable(Timestamp('When the first of the present failures was; null while deliveries succeed.')),
  lastSuccessAt: Nullable(Timestamp('When a delivery last succeeded.')),
  lastFailureAt: Nullable(Timestamp('When a delivery last failed.')),
});

const record = {
  id: Id('webhookEndpoint', 'Id of the endpoint.'),
  url: Type.String({ description: 'The address that gets the events.' }),
  events: Type.Array(Type.String(), { description: 'Event types, prefixes such as `order.*`, or `*`.' }),
  description: Nullable(Type.String({ description: 'The text that was given.' })),
  enabled: Type.Boolean({ description: 'Whether events are sent.' }),
  status: Type.Enum(WEBHOOK_ENDPOINT_STATUSES, {
    description:
      '`FAILING`: the last deliveries failed, and only a few are tried until one succeeds. `DISABLED`: nothing is sent.',
  }),
  disabledReason: Nullable(
    Type.Enum(WEBHOOK_DISABLED_REASONS, {
      description: 'Why nothing is sent: it was requested, the receiver answered 410, or deliveries failed for days.',
    }),
  ),
  payload: Payload,
  signature: Signature,
  publicKey: Nullable(Type.String({ description: 'For `v1a`: the key that verifies, `whpk_` and base64.' })),
  previousSecretExpiresAt: Nullable(
    Timestamp('Until then deliveries are also signed with the secret before the last rotation.'),
  ),
  createdAt: Timestamp('When the endpoint was created. It gets the events after this time.'),
  updatedAt: Timestamp('When the endpoint was last changed.'),
};

export const WebhookEndpointRecord = Type.Object(record);

export const WebhookEndpointWithHealth = Type.Object({ ...record, health: WebhookHealth });

const Secret = Type.String({
  description:
    'Verifies deliveries: `whsec_` and base64, or for `v1a` the public key. A shared secret is shown only once: save it now.',
});

export const CreatedWebhookEndpoint = Type.Object({ ...record, secret: Secret });

export const RotatedWebhookSecret = Type.Object({
  secret: Secret,
  previousSecretExpiresAt: Timestamp('Until then deliveries are signed with both secrets.'),
});

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Id of the endpoint.' }) });

const TAG = 'Webhooks out';

export const createWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/webhook-endpoints',
  access: 'write',
  tag: TAG,
  summary: 'Create a webhook endpoint',
  description: `Events of the marketplace after this moment are sent to the address: each as a POST of the event as it is on the stream,
signed as Standard Webhooks says (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). An answer of 2xx within 15 seconds means
delivered. Everything else is tried again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours; 410 disables the endpoint.

Delivery is at least once: de-duplicate by \`webhook-id\`, the id of the event. Events of one resource arrive in order while the endpoint
answers. A marketplace has at most ${LIMITS.webhookEndpoints} endpoints.`,
  body: Strict({
    url: Url,
    events: EventFilters,
    description: Type.Optional(Description),
    enabled: Type.Optional(Enabled),
    payload: Type.Optional(Payload),
    signature: Type.Optional(Signature),
  }),
  status: 201,
  wrapping: 'plain',
  data: CreatedWebhookEndpoint,
  errors: ['WEBHOOK_ENDPOINT_LIMIT'],
  idempotent: true,
  secretAnswer: true,
});

export const listWebhookEndpoints = endpoint({
  method: 'GET',
  path: '/webhook-endpoints',
  access: 'read',
  tag: TAG,
  summary: 'List webhook endpoints',
  description: 'The endpoints of the marketplace, newest first, without their secrets.',
  query: Strict(Page),
  status: 200,
  wrapping: 'list',
  data: WebhookEndpointRecord,
  errors: [],
});

export const getWebhookEndpoint = endpoint({
  method: 'GET',
  path: '/webhook-endpoints/:id',
  access: 'read',
  tag: TAG,
  summary: 'Get a webhook endpoint',
  description: 'The endpoint with its health: how many deliveries succeeded, how long they took, and what waits.',
  params,
  status: 200,
  wrapping: 'plain',
  data: WebhookEndpointWithHealth,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
});

export const updateWebhookEndpoint = endpoint({
  method: 'PATCH',
  path: '/webhook-endpoints/:id',
  access: 'write',
  tag: TAG,
  summary: 'Change a webhook endpoint',
  description:
    'Changes only the fields that are sent. `enabled: true` also ends a disabling by failures, and deliveries continue where they stopped.',
  params,
  body: Strict({
    url: Type.Optional(Url),
    events: Type.Optional(EventFilters),
    description: Type.Optional(Nullable(Description)),
    enabled: Type.Optional(Enabled),
    payload: Type.Optional(Payload),
  }),
  status: 200,
  wrapping: 'plain',
  data: WebhookEndpointRecord,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  idempotent: true,
});

export const deleteWebhookEndpoint = endpoint({
  method: 'DELETE',
  path: '/webhook-endpoints/:id',
  access: 'write',
  tag: TAG,
  summary: 'Delete a webhook endpoint',
  description: 'Nothing more is sent to it. Its deliveries stay in the log until the retention time is over.',
  params,
  status: 200,
  wrapping: 'plain',
  data: WebhookEndpointRecord,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/webhook-endpoints/:id/rotate-secret',
  access: 'write',
  tag: TAG,
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'Makes a new secret. Until `previousSecretExpiresAt` each delivery is signed with both.',
  params,
  status: 200,
  wrapping: 'plain',
  data: RotatedWebhookSecret,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  idempotent: true,
  secretAnswer: true,
});

export const testWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/webhook-endpoints/:id/test',
  access: 'write',
  tag: TAG,
  summary: 'Send a test event',
  description: `Sends one event of the type \`${WEBHOOK_TEST_TYPE}\`, whatever the filter of the endpoint is. Read the delivery to see the answer.`,
  params,
  status: 202,
  wrapping: 'plain',
  data: Type.Object({ deliveryId: Id('webhookDelivery', 'Id of the delivery.') }),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});

const Since = Text(
  LIMITS.referenceLength,
  'A time (ISO 8601), or the id of an event: everything after that event.',
  '2026-11-15T09:30:00Z',
);

export const replayWebhookEvents = endpoint({
  method: 'POST',
  path: '/webhook-endpoints/:id/replay',
  access: 'write',
  tag: TAG,
  summary: 'Send events again',
  description:
    'Sends all events since then once more, in order, and continues with new ones behind them. Events that have left the stream cannot be sent.',
  params,
  body: Strict({ since: Since }),
  status: 202,
  wrapping: 'plain',
  data: Type.Object({
    events: Type.Integer({ description: 'How many events will be sent again; counted up to 10,000.' }),
  }),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});

export const retryFailedDeliveries = endpoint({
  method: 'POST',
  path: '/webhook-endpoints/:id/retry-failed',
  access: 'write',
  tag: TAG,
  summary: 'Retry all failed deliveries',
  description: `Tries every delivery again that was given up or waits for a retry, for events since then; at most ${LIMITS.webhookRetries} in one request.`,
  params,
  body: Strict({ since: Since }),
  status: 202,
  wrapping: 'plain',
  data: Type.Object({
    deliveries: Type.Integer({ description: 'How many deliveries are tried again.' }),
    hasMore: Type.Boolean({ description: 'Whether there are more: send the request again.' }),
  }),
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});
