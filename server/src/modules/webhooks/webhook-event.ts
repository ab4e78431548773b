// An event of an outside system and its outcome, stored once for each event id of the provider. An event that could not be applied is
// stored as failed and may be sent again; only an event that was applied counts as a duplicate.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import type { EscrowClaim } from './escrow-claims.ts';

export type WebhookProvider = 'escrow-provider' | 'payment-provider';

/** What the event says, apart from its type and its order. */
export type StoredClaim = Omit<EscrowClaim, 'type'>;

export type WebhookEvent = {
  /** Provider and the provider's event id, joined by a colon. */
  readonly id: string;
  readonly provider: WebhookProvider;
  readonly type: string;
  /** PENDING: kept and checked again. SET_ASIDE: the outside systems contradict it, or could not be asked for a day. */
  readonly state: 'PROCESSED' | 'FAILED' | 'PENDING' | 'SET_ASIDE';
  /** Whether its signature was checked. An unsigned event is only a hint. */
  readonly signed: boolean;
  /** The order, top-up or withdrawal of the event; null when none was found. */
  readonly subjectId: string | null;
  readonly failure: string | null;
  readonly attempts: number;
  /** How many of the attempts the outside systems contradicted. */
  readonly contradictions: number;
  /** The content of an event that is checked again. */
  readonly claim: StoredClaim | null;
  /** When it is checked again; null: never. */
  readonly nextAttemptAt: string | null;
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
  columns: [
    'id',
    'provider',
    'type',
    'state',
    'signed',
    'subjectId',
    'failure',
    'attempts',
    'contradictions',
    'claim',
    'nextAttemptAt',
    'createdAt',
    'updatedAt',
  ],
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
  /** Only for an event that is checked again. */
  readonly next?: Pick<WebhookEvent, 'state' | 'claim' | 'contradictions' | 'nextAttemptAt'>;
};

const ACTIONS = {
  PROCESSED: 'WEBHOOK_TAKEN',
  FAILED: 'WEBHOOK_FAILED',
  PENDING: 'WEBHOOK_KEPT',
  SET_ASIDE: 'WEBHOOK_SET_ASIDE',
} as const;

export const storeEvent = (work: UnitOfWork, { received, failure, next }: StoredEvent): void => {
  const known = work.find('webhookEvents', received.id);
  const event: WebhookEvent = {
    ...received,
    state: next?.state ?? (failure === null ? 'PROCESSED' : 'FAILED'),
    claim: next?.claim ?? null,
    nextAttemptAt: next?.nextAttemptAt ?? null,
    failure: failure?.slice(0, LIMITS.reasonLength) ?? null,
    attempts: (known?.attempts ?? 0) + 1,
    contradictions: next?.contradictions ?? known?.contradictions ?? 0,
    createdAt: known?.createdAt ?? work.now,
    updatedAt: work.now,
  };
  work.put('webhookEvents', event);
  const { type, signed, subjectId, state, attempts } = event;
  work.audit({
    action: ACTIONS[state],
    resourceType: 'WebhookEvent',
    resourceId: received.id,
    before: known === undefined ? undefined : { state: known.state },
    after: { type, signed, subjectId, state, attempts, failure: event.failure },
    result: failure === null ? 'SUCCESS' : 'FAILURE',
  });
};

/** An operator has explained an event that was kept or set aside: it is not checked any more. */
export const failKeptEvent = (
  work: UnitOfWork,
  { id, failure }: { readonly id: string; readonly failure: string },
): void => {
  const known = work.find('webhookEvents', id);
  if (known?.state !== 'PENDING' && known?.state !== 'SET_ASIDE') return;
  const { provider, type, signed, subjectId } = known;
  storeEvent(work, { received: { id, provider, type, signed, subjectId }, failure });
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
