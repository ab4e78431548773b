// Routes of webhook deliveries: the log, and requests to send something again or a test event.

import * as api from '@holdfast/contract/api/webhook-deliveries.ts';
import * as endpointApi from '@holdfast/contract/api/webhook-endpoints.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { act, list, type Route, read, write } from '../../http/route.ts';
import { typesOf, type WebhookEndpoint } from '../webhook-endpoints/endpoint.ts';
import type { EndpointReads } from '../webhook-endpoints/queries.ts';
import type { WebhookDelivery } from './delivery.ts';
import { presentDelivery, presentWithAttempts } from './present.ts';
import type { DeliveryReads } from './queries.ts';
import { replayEvents, retryDeliveries, sendTest } from './request-deliveries.ts';
import { positionSince, timeSince } from './since.ts';

type Parts = {
  readonly reads: DeliveryReads;
  readonly endpoints: Pick<EndpointReads, 'find'>;
  readonly submit: Submit;
  /** Where an endpoint without a cursor begins. */
  startOf(of: { readonly marketplaceId: string; readonly createdAt: string }): Promise<number>;
};

/** The test event has the form of every event. */
const testEnvelope =
  (endpointId: string) =>
  ({ id, at, marketplaceId }: { id: string; at: string; marketplaceId: string }): string =>
    JSON.stringify({
      eventId: id,
      eventType: endpointApi.WEBHOOK_TEST_TYPE,
      occurredAt: at,
      aggregateId: endpointId,
      aggregateType: 'WebhookEndpoint',
      payload: { endpointId, message: 'This is a test event. Nothing has happened.' },
      metadata: { marketplaceId },
    });

export const webhookDeliveryRoutes = ({ reads, endpoints, submit, startOf }: Parts): Route[] => {
  const findEndpoint = async ({ marketplaceId }: Context, id: string): Promise<WebhookEndpoint> => {
    const endpoint = await endpoints.find(marketplaceId, id);
    if (!endpoint) throw new DomainError('WEBHOOK_ENDPOINT_NOT_FOUND');
    return endpoint;
  };

  const find = async ({ marketplaceId }: Context, id: string): Promise<WebhookDelivery> => {
    const delivery = await reads.find(marketplaceId, id);
    if (!delivery) throw new DomainError('WEBHOOK_DELIVERY_NOT_FOUND');
    return delivery;
  };

  const again = [
    act(endpointApi.replayWebhookEvents, async ({ params: { id }, body: { since }, context }) => {
      const { marketplaceId } = context;
      const endpoint = await findEndpoint(context, id);
      const position = await positionSince(reads, { marketplaceId, since });
      const startPosition = await startOf({ marketplaceId, createdAt: endpoint.createdAt });
      await runCommand(submit, { command: replayEvents, input: { endpointId: id, position, startPosition }, context });
      return { events: await reads.countEvents({ marketplaceId, after: position, types: typesOf(endpoint) }) };
    }),
    act(endpointApi.retryFailedDeliveries, async ({ params: { id }, body, context }) => {
      const { marketplaceId } = context;
      await findEndpoint(context, id);
      const since = timeSince(body.since);
      const limit = LIMITS.webhookRetries;
      const open = await reads.openSince({ marketplaceId, endpointId: id, since, limit: limit + 1 });
      const deliveryIds = open.slice(0, limit);
      await runCommand(submit, { command: retryDeliveries, input: { endpointId: id, deliveryIds }, context });
      return { deliveries: deliveryIds.length, hasMore: open.length > limit };
    }),
    act(api.retryWebhookDelivery, async ({ params: { id }, context }) => {
      const { endpointId } = await find(context, id);
      const input = { endpointId, deliveryIds: [id] };
      const [delivery] = await runCommand(submit, { command: retryDeliveries, input, context });
      return presentDelivery(delivery!);
    }),
  ];

  return [
    ...again,
    write(endpointApi.testWebhookEndpoint, {
      command: sendTest,
      input: ({ params: { id } }) => ({
        endpointId: id,
        eventType: endpointApi.WEBHOOK_TEST_TYPE,
        envelope: testEnvelope(id),
      }),
      present: ({ id }) => ({ deliveryId: id }),
    }),
    list(api.listWebhookDeliveries, async ({ query, context }) => {
      const page = await reads.list(pageRequest('webhookDelivery', { query, context }));
      return { items: page.rows.map(presentDelivery), nextCursor: page.nextCursor };
    }),
    read(api.getWebhookDelivery, async ({ params: { id }, context }) => presentWithAttempts(await find(context, id))),
  ];
};
