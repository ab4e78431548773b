// An event of an outside system, stored once for each event id of the provider.

import { table } from '../../commit/tables.ts';

export type WebhookProvider = 'escrow-provider' | 'payment-provider';

export type WebhookEvent = {
  /** Provider and the provider's event id, joined by a colon. */
  readonly id: string;
  readonly provider: WebhookProvider;
  readonly type: string;
  readonly state: 'PROCESSED' | 'FAILED';
  /** Whether its signature was checked. An unsigned event is only a hint. */
  readonly signed: boolean;
  /** The order, top-up or withdrawal of the event; null when none was found. */
  readonly subjectId: string | null;
  readonly failure: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const webhookEventId = (provider: WebhookProvider, eventId: string): string => `${provider}:${eventId}`;

declare module '../../commit/tables.ts' {
  interface Tables {
    webhookEvents: WebhookEvent;
  }
  interface Lookups {
    webhookEvents: Record<never, string>;
  }
}

export const WEBHOOK_EVENTS = table('webhookEvents', {
  notFound: 'INTERNAL_ERROR',
  sql: 'webhook_events',
  columns: ['id', 'provider', 'type', 'state', 'signed', 'subjectId', 'failure', 'attempts', 'createdAt', 'updatedAt'],
  lookups: {},
});
