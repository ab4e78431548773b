// The commands behind the requests to send something again, or to send a test event. They change rows; the sender finds them.

import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import { enabledEndpoint } from '../webhook-endpoints/change-endpoint.ts';
import { endpointsChanged, newCursor } from '../webhook-endpoints/endpoint.ts';
import { newDelivery, retried, type WebhookDelivery } from './delivery.ts';

type TestInput = {
  readonly endpointId: string;
  /** The text of the event, made from its id and time. */
  envelope(event: { readonly id: string; readonly at: string; readonly marketplaceId: string }): string;
  readonly eventType: string;
};

export const sendTest = command<TestInput, WebhookDelivery>({
  name: 'send-webhook-test',
  needs: ({ endpointId: id }) => ({ rows: [{ table: 'webhookEndpoints', id }] }),
  decide({ endpointId, envelope, eventType }, work) {
    enabledEndpoint(work, endpointId);
    const eventId = work.newId('event');
    const { marketplaceId } = work.context;
    const delivery = newDelivery(
      {
        id: work.newId('webhookDelivery'),
        endpointId,
        eventId,
        eventType,
        aggregateId: endpointId,
        position: null,
        envelope: envelope({ id: eventId, at: work.now, marketplaceId }),
        createdAt: work.now,
      },
      work.now,
    );
    work.put('webhookDeliveries', delivery);
    work.audit({
      action: 'WEBHOOK_TEST_REQUESTED',
      resourceType: 'WebhookEndpoint',
      resourceId: endpointId,
      after: { deliveryId: delivery.id },
    });
    return delivery;
  },
  reactions: endpointsChanged,
});

type RetryInput = { readonly endpointId: string; readonly deliveryIds: readonly string[] };

/** Tries these deliveries of one endpoint again, at once. */
export const retryDeliveries = command<RetryInput, WebhookDelivery[]>({
  name: 'retry-webhook-deliveries',
  needs: ({ endpointId, deliveryIds }) => ({
    rows: [
      { table: 'webhookEndpoints', id: endpointId },
      ...deliveryIds.map((id) => ({ table: 'webhookDeliveries', id }) as const),
    ],
  }),
  decide({ endpointId, deliveryIds }, work) {
    enabledEndpoint(work, endpointId);
    const deliveries = deliveryIds.map((id) => {
      const delivery = work.get('webhookDeliveries', id);
      if (delivery.endpointId !== endpointId) throw new DomainError('WEBHOOK_DELIVERY_NOT_FOUND');
      return retried(delivery, work.now);
    });
    for (const delivery of deliveries) work.put('webhookDeliveries', delivery);
    work.audit({
      action: 'WEBHOOK_RETRY_REQUESTED',
      resourceType: 'WebhookEndpoint',
      resourceId: endpointId,
      after: { deliveries: deliveries.length, first: deliveryIds[0] ?? null },
    });
    return deliveries;
  },
  reactions: endpointsChanged,
});

type ReplayInput = {
  readonly endpointId: string;
  /** Events after it are sent again. */
  readonly position: number;
  /** Where the cursor would begin if it has no row yet. */
  readonly startPosition: number;
};

export const replayEvents = command<ReplayInput, null>({
  name: 'replay-webhook-events',
  needs: ({ endpointId: id }) => ({
    rows: [
      { table: 'webhookEndpoints', id },
      { table: 'webhookCursors', id },
    ],
  }),
  decide({ endpointId, position, startPosition }, work) {
    enabledEndpoint(work, endpointId);
    const cursor =
      work.find('webhookCursors', endpointId) ??
      newCursor({ id: endpointId, position: BigInt(startPosition), updatedAt: work.now });
    work.put('webhookCursors', {
      ...cursor,
      // A replay never skips an event that was not sent yet.
      position: BigInt(position) < cursor.position ? BigInt(position) : cursor.position,
      replays: cursor.replays + 1,
      updatedAt: work.now,
    });
    work.audit({
      action: 'WEBHOOK_REPLAY_REQUESTED',
      resourceType: 'WebhookEndpoint',
      resourceId: endpointId,
      before: { position: String(cursor.position) },
      after: { position: String(position) },
    });
    return null;
  },
  reactions: endpointsChanged,
});
