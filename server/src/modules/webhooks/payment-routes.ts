// The payment provider's webhook. Its signature is checked over the received bytes and before anything else. Events are accepted without
// a check only where no secret is shared, on a developer's own machine.

import { takePaymentWebhook } from '@holdfast/contract/api/payment-webhook.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Delivery, type Route, receive } from '../../http/route.ts';
import type { Log } from '../../observability/logs.ts';
import type { EventOutcome, PaymentEvent, PaymentEvents } from './payment-events.ts';

type Parts = {
  readonly events: Pick<PaymentEvents, 'take'>;
  /** Returns why the provider did not sign these bytes; null when it did. Null itself: there is no secret to check with. */
  readonly verify: ((delivery: Delivery) => string | null) | null;
  /** Null: the body cannot be read. */
  read(rawBody: Buffer, messageId: string | null): PaymentEvent | null;
  readonly log: Pick<Log, 'warn'>;
  /** Receives the outcome of each. */
  readonly watch?: { told(provider: 'payment-provider', outcome: EventOutcome | 'refused'): void };
};

const PROVIDER = 'payment-provider';

/** The three headers share the provider's prefix. */
const messageIdOf = ({ headers }: Delivery): string | null => {
  const name = Object.keys(headers).find((each) => {
    const prefix = each.endsWith('-id') ? each.slice(0, -'id'.length) : null;
    return prefix !== null && `${prefix}timestamp` in headers && `${prefix}signature` in headers;
  });
  const id = name === undefined ? undefined : headers[name];
  return typeof id === 'string' ? id : null;
};

const answerOf = (outcome: EventOutcome) => {
  if (outcome === 'duplicate') return { status: 'ok' as const, duplicate: true };
  return { status: 'ok' as const, processed: outcome === 'processed' };
};

export const paymentWebhookRoutes = ({ events, verify, read, log, watch }: Parts): Route[] => [
  receive(takePaymentWebhook, {
    check(delivery) {
      const reason = verify === null ? null : verify(delivery);
      if (reason === null) return;
      watch?.told(PROVIDER, 'refused');
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID', { details: { reason } });
    },
    async answer({ body, requestId }, delivery) {
      if (verify === null) {
        log.warn({ requestId, provider: PROVIDER }, 'a webhook was accepted without a check of its signature');
      }
      const event = read(delivery.rawBody, messageIdOf(delivery));
      const currency = typeof body.data?.currency === 'string' ? body.data.currency : null;
      const received = { signed: verify !== null, currency, requestId };
      const outcome = event === null ? 'failed' : await events.take(event, received);
      watch?.told(PROVIDER, outcome);
      return answerOf(outcome);
    },
  }),
];
