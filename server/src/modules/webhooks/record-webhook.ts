// Keeps what an outside system told and what became of it, once per its own event id. What could not be applied is kept
// as failed and may be told again; only what was applied is a duplicate.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { WebhookEvent } from './webhook-event.ts';

export type ToldEvent = Pick<WebhookEvent, 'id' | 'provider' | 'type' | 'signed' | 'subjectId'>;

/**
 * Whether it was applied before. A hint never stands for a signed event: otherwise anybody could use up the provider's
 * ids, and what it tells under them would be passed over.
 */
export const isDuplicate = (stored: WebhookEvent | null | undefined, { signed }: Pick<ToldEvent, 'signed'>): boolean =>
  stored?.state === 'PROCESSED' && (stored.signed || !signed);

/** `failure` is null for what was applied. */
export const keepEvent = (work: UnitOfWork, told: ToldEvent, failure: string | null): void => {
  const known = work.find('webhookEvents', told.id);
  const event: WebhookEvent = {
    ...told,
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
    resourceId: told.id,
    before: known === undefined ? undefined : { state: known.state },
    after: { type, signed, subjectId, state, attempts, failure: event.failure },
    result: failure === null ? 'SUCCESS' : 'FAILURE',
  });
};

/** Answers whether it counts as taken: another delivery of it may have been applied meanwhile. */
export const noteWebhook = command<{ readonly told: ToldEvent; readonly failure: string }, { taken: boolean }>({
  name: 'note-webhook',
  needs: ({ told }) => ({ rows: [{ table: 'webhookEvents', id: told.id }] }),
  decide({ told, failure }, work) {
    if (isDuplicate(work.find('webhookEvents', told.id), told)) return { taken: true };
    keepEvent(work, told, failure);
    return { taken: false };
  },
});
