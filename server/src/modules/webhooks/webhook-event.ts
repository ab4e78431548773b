// What an outside system told us, stored once per its own event id. Only a processed one is a duplicate.

export type WebhookProvider = 'escrow-provider' | 'payment-provider';

export type WebhookEvent = {
  /** Provider and the provider's event id, joined by a colon. */
  readonly id: string;
  readonly provider: WebhookProvider;
  readonly type: string;
  readonly state: 'PROCESSED' | 'FAILED';
  /** Whether its signature was checked; without one it is only a hint. */
  readonly signed: boolean;
  /** The order, top-up or withdrawal it is about; null when none was found. */
  readonly subjectId: string | null;
  readonly failure: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const webhookEventId = (provider: WebhookProvider, eventId: string): string => `${provider}:${eventId}`;
