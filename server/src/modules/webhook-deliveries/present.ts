// A webhook delivery in replies.

import type { WebhookDelivery } from './delivery.ts';

export const presentDelivery = (delivery: WebhookDelivery) => ({
  id: delivery.id,
  endpointId: delivery.endpointId,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  aggregateId: delivery.aggregateId,
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  lastStatus: delivery.lastStatus,
  nextAttemptAt: delivery.nextAttemptAt,
  deliveredAt: delivery.deliveredAt,
  createdAt: delivery.createdAt,
  updatedAt: delivery.updatedAt,
});

export const presentWithAttempts = (delivery: WebhookDelivery) => ({
  ...presentDelivery(delivery),
  attempts: delivery.attempts.map((attempt) => ({ ...attempt })),
});
