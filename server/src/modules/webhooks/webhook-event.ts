// An event of an outside system and its outcome, stored once for each event id of the provider. An event that could not be applied is
// stored as failed and may be sent again; only an event that was applied counts as a duplicate.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
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

export type ReceivedEvent = Pick<WebhookEvent, 'id' | 'provider' | 'type' | 'signed' | 'subjectId'>;

/**
 * Whether the event was applied before. An unsigned event never counts for a signed one: otherwise any sender could occupy the
 * provider's ids, and the provider's own events under these ids would be ignored.
 */
export const isDuplicate = (
  stored: WebhookEvent | null | undefined,
  { signed }: Pick<ReceivedEvent, 'signed'>,
): boolean => stored?.state === 'PROCESSED' && (stored.signed || !signed);

type StoredEvent = {
  readonly received: ReceivedEvent;
  /** Why the event could not be applied; null when it was applied. */
  readonly failure: string | null;
};

export const storeEvent = (work: UnitOfWork, { received, failure }: StoredEvent): void => {
  const known = work.find('webhookEvents', received.id);
  const event: WebhookEvent = {
    ...received,
    state: failure === null ? 'PROCESSED' : 'FAILED',
    failure: failure?.slice(0, LIMITS.reasonLength) ?? null,
    attempts: (known?.attempts ?? 0) + 1,
    createdAt: known?.createdAt ?? work.now,
    updatedAt: work.now,
  };
  work.put('webhookEvents', event);
  const { type, signed, subjectId, state, attempts } = event;
  work.audit({
    action: failure === null ? 'WEBHOOK_TAKEN' : 'WEBHOOK_FAILED',
    resourceType: 'WebhookEvent',
    resourceId: received.id,
    before: known === undefined ? undefined : { state: known.state },
    after: { type, signed, subjectId, state, attempts, failure: event.failure },
    result: failure === null ? 'SUCCESS' : 'FAILURE',
  });
};

/** Replies whether another delivery of the event was applied before this one failed. */
export const recordFailedWebhook = command<
  { readonly received: ReceivedEvent; readonly failure: string },
  { isProcessed: boolean }
>({
  name: 'note-webhook',
  needs: ({ received }) => ({ rows: [{ table: 'webhookEvents', id: received.id }] }),
  decide({ received, failure }, work) {
    if (isDuplicate(work.find('webhookEvents', received.id), received)) return { isProcessed: true };
    storeEvent(work, { received, failure });
    return { isProcessed: false };
  },
});
