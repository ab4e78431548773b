// What these routes take and give.
// Printed from contract/src/api/webhook-deliveries.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type WebhookDeliveryRecord = {
  /** Id of the delivery. */
  id: string;
  /** The endpoint that gets the event. */
  endpointId: string;
  /** Id of the event; the header `webhook-id`. */
  eventId: string;
  /** Type of the event. */
  eventType: string;
  /** Id of the resource that produced the event. */
  aggregateId: string;
  /** `PENDING`: it will be tried at `nextAttemptAt`. `FAILED`: it was given up; retry it by hand. */
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** How often it was sent. */
  attemptCount: number;
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null;
  /** When it is tried next; null unless it is PENDING. */
  nextAttemptAt: string | null;
  /** When it was first delivered. */
  deliveredAt: string | null;
  /** When the event occurred. */
  createdAt: string;
  /** When the last attempt was recorded, or a retry was asked for. */
  updatedAt: string;
};

export type WebhookDeliveryWithAttempts = {
  /** Id of the delivery. */
  id: string;
  /** The endpoint that gets the event. */
  endpointId: string;
  /** Id of the event; the header `webhook-id`. */
  eventId: string;
  /** Type of the event. */
  eventType: string;
  /** Id of the resource that produced the event. */
  aggregateId: string;
  /** `PENDING`: it will be tried at `nextAttemptAt`. `FAILED`: it was given up; retry it by hand. */
  status: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** How often it was sent. */
  attemptCount: number;
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null;
  /** When it is tried next; null unless it is PENDING. */
  nextAttemptAt: string | null;
  /** When it was first delivered. */
  deliveredAt: string | null;
  /** When the event occurred. */
  createdAt: string;
  /** When the last attempt was recorded, or a retry was asked for. */
  updatedAt: string;
  /** Oldest first; only the newest 30 are kept. */
  attempts: {
    /** When the request was sent. */
    at: string;
    /** HTTP status of the answer; null when there was none. */
    status: number | null;
    /** From the request to the answer or the failure. */
    durationMs: number;
    /** Why it did not count as delivered; null for a delivered one. */
    error: string | null;
    /** The beginning of the answer; null when there was none. */
    responseHead: string | null;
    /** The header `x-request-id` of the request, for the logs of both sides. */
    requestId: string;
  }[];
};

export type ListWebhookDeliveriesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only deliveries to this endpoint. */
  endpointId?: string;
  /** Only deliveries of this event. */
  eventId?: string;
  /** Only deliveries of events of this type. */
  eventType?: string;
  /** `PENDING`: it will be tried at `nextAttemptAt`. `FAILED`: it was given up; retry it by hand. */
  status?: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
};
