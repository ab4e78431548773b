// Receives the payment provider's events. Each kind of event has its handler in a table. An event without a handler, and an event
// that cannot be applied, is stored as failed and applied when it is sent again.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { PaymentEvent } from '../../providers/ports.ts';
import { type ReceivedEvent, recordFailedWebhook, webhookEventId } from './webhook-event.ts';

export type { PaymentEvent } from '../../providers/ports.ts';

export type EventOutcome = 'processed' | 'duplicate' | 'failed';

/** The row that is stored for an event, the context of its command, and the currency if the body contains one. */
type EventContext = {
  readonly received: ReceivedEvent;
  readonly context: Context;
  readonly currency: string | null;
};

/** Stores the event in the commit that applies it. `unmatched`: nothing matches the event, so it is not stored. */
export type EventHandler<Kind extends PaymentEvent['kind']> = (
  event: Extract<PaymentEvent, { kind: Kind }>,
  about: EventContext,
) => Promise<{ readonly kind: EventOutcome } | { readonly kind: 'unmatched'; readonly reason: string }>;

/** The account at the provider of the payment that an event names. `providerAccount` null: the shared account. */
type EventPlace = { readonly marketplaceId: string; readonly providerAccount: string | null };

/** Null: no payment of ours matches the event. */
export type FindEventPlace<Kind extends PaymentEvent['kind']> = (
  event: Extract<PaymentEvent, { kind: Kind }>,
) => Promise<EventPlace | null>;

export type FindEventPlaces = { readonly [Kind in 'payin' | 'payout']: FindEventPlace<Kind> };

/** An event of another kind is not handled. */
export type EventHandlers = { readonly [Kind in 'payin' | 'payout']?: EventHandler<Kind> };

type PaymentEventParts = {
  readonly submit: Submit;
  readonly handlers: EventHandlers;
  /** Logs an event that could not be applied. */
  onUnexpected(message: string, details: Record<string, unknown>): void;
};

export type PaymentEvents = ReturnType<typeof createPaymentEvents>;

type Delivered = { readonly signed: boolean; readonly currency: string | null; readonly requestId: string };

const PROVIDER = 'payment-provider';

export const createPaymentEvents = ({ submit, handlers, onUnexpected }: PaymentEventParts) => {
  const recordFailure = async ({ received, context }: EventContext, failure: string): Promise<EventOutcome> => {
    onUnexpected('a payment event could not be applied; it will be applied when it is sent again', {
      eventId: received.id,
      failure,
    });
    const { isProcessed } = await runCommand(submit, {
      command: recordFailedWebhook,
      input: { received, failure },
      context,
    });
    return isProcessed ? 'duplicate' : 'failed';
  };

  const handle = async (event: PaymentEvent, about: EventContext) => {
    if (event.kind === 'payin' && handlers.payin) return handlers.payin(event, about);
    if (event.kind === 'payout' && handlers.payout) return handlers.payout(event, about);
    return { kind: 'unmatched', reason: 'Events of this type are not handled.' } as const;
  };

  return {
    async receive(event: PaymentEvent, { signed, currency, requestId }: Delivered): Promise<EventOutcome> {
      const { eventId, type } = event;
      if (eventId.length > LIMITS.referenceLength || type.length > LIMITS.nameLength) return 'failed';
      const received = {
        id: webhookEventId(PROVIDER, eventId),
        provider: PROVIDER,
        type,
        signed,
        subjectId: null,
      } as const;
      const actor = { type: 'system', id: PROVIDER } as const;
      const about = { received, currency, context: { marketplaceId: DEFAULT_MARKETPLACE, actor, requestId } };
      try {
        const outcome = await handle(event, about);
        return outcome.kind === 'unmatched' ? await recordFailure(about, outcome.reason) : outcome.kind;
      } catch (error) {
        // Any error but a refusal decided nothing, so the provider has to send the event again.
        if (!isDomainError(error) || error.status >= 500) throw error;
        return recordFailure(about, error.message);
      }
    },
  };
};
