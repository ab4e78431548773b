// Webhook endpoints of the marketplace, and the log of what was sent to them.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import { ROUTES } from '../printed/routes.ts';
import type {
  ListWebhookDeliveriesQuery,
  WebhookDeliveryRecord,
  WebhookDeliveryWithAttempts,
} from '../printed/webhook-deliveries.ts';
import type {
  CreatedWebhookEndpoint,
  CreateWebhookEndpointInput,
  ListWebhookEndpointsQuery,
  ReplayWebhookEventsResult,
  RetryFailedDeliveriesResult,
  RotatedWebhookSecret,
  TestWebhookEndpointResult,
  UpdateWebhookEndpointInput,
  WebhookEndpointRecord,
  WebhookEndpointWithHealth,
} from '../printed/webhook-endpoints.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const webhookEndpointResource = (transport: Transport) => ({
  /** Creates an endpoint. This answer is the only place that shows its secret. */
  create: (input: CreateWebhookEndpointInput, options?: CallOptions): Promise<CreatedWebhookEndpoint> =>
    transport.call(ROUTES.createWebhookEndpoint, { body: input }, options),

  list: (query: ListWebhookEndpointsQuery = {}, options?: CallOptions): List<WebhookEndpointRecord> =>
    listing(transport, ROUTES.listWebhookEndpoints, { query, options }),

  /** The endpoint with its health: what succeeded, how long it took, and what waits. */
  get: (id: string, options?: CallOptions): Promise<WebhookEndpointWithHealth> =>
    transport.call(ROUTES.getWebhookEndpoint, { params: { id } }, options),

  /** Changes only the fields that are given. */
  update: <O extends CallOptions>(
    id: string,
    input: UpdateWebhookEndpointInput,
    options?: O,
  ): Promise<MaybePreview<WebhookEndpointRecord, O>> =>
    transport.change<WebhookEndpointRecord, O>(ROUTES.updateWebhookEndpoint, { params: { id }, body: input }, options),

  delete: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<WebhookEndpointRecord, O>> =>
    transport.change<WebhookEndpointRecord, O>(ROUTES.deleteWebhookEndpoint, { params: { id } }, options),

  /** Makes a new secret; deliveries are signed with both for a while. */
  rotateSecret: (id: string, options?: CallOptions): Promise<RotatedWebhookSecret> =>
    transport.call(ROUTES.rotateWebhookSecret, { params: { id } }, options),

  /** Sends a test event. Read the delivery to see the answer. */
  test: (id: string, options?: CallOptions): Promise<TestWebhookEndpointResult> =>
    transport.call(ROUTES.testWebhookEndpoint, { params: { id } }, options),

  /** Sends all events since a time, or after an event, once more. */
  replay: (id: string, since: string, options?: CallOptions): Promise<ReplayWebhookEventsResult> =>
    transport.call(ROUTES.replayWebhookEvents, { params: { id }, body: { since } }, options),

  /** Tries every delivery again that was given up or waits, for events since a time. */
  retryFailed: (id: string, since: string, options?: CallOptions): Promise<RetryFailedDeliveriesResult> =>
    transport.call(ROUTES.retryFailedDeliveries, { params: { id }, body: { since } }, options),
});

export const webhookDeliveryResource = (transport: Transport) => ({
  list: (query: ListWebhookDeliveriesQuery = {}, options?: CallOptions): List<WebhookDeliveryRecord> =>
    listing(transport, ROUTES.listWebhookDeliveries, { query, options }),

  /** The delivery with its attempts. */
  get: (id: string, options?: CallOptions): Promise<WebhookDeliveryWithAttempts> =>
    transport.call(ROUTES.getWebhookDelivery, { params: { id } }, options),

  /** Sends it again at once, also when it was delivered. */
  retry: (id: string, options?: CallOptions): Promise<WebhookDeliveryRecord> =>
    transport.call(ROUTES.retryWebhookDelivery, { params: { id } }, options),
});
