// The webhooks of the escrow provider and of the payment provider. A signature is checked once, over the received bytes
// and before the event is applied. The payment that an event names decides which secret counts, so its body is read before.

import { takeEscrowWebhook, takePaymentWebhook } from '@holdfast/contract/api/webhooks.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Delivery, type Route, receive } from '../../http/route.ts';
import type { Log } from '../../observability/logs.ts';
import type { EscrowEvents, ReceivedEscrowEvent } from './escrow-events.ts';
import type { EventOutcome, PaymentEvent, PaymentEvents } from './payment-events.ts';
import type { WebhookProvider } from './webhook-event.ts';

type EscrowParts = {
  readonly escrowEvents: Pick<EscrowEvents, 'receive'>;
  /** Whether the escrow provider signed these bytes; always false where no secret is shared with it. */
  verify(delivery: { readonly signature: string; readonly rawBody: Buffer }): boolean;
  readonly log: Pick<Log, 'warn'>;
  readonly counter?: WebhookCounter;
};

type WebhookOutcome = EventOutcome | ReceivedEscrowEvent['outcome'] | 'refused';

/** Counts the outcomes of webhooks. */
export type WebhookCounter = { count(provider: WebhookProvider, outcome: WebhookOutcome): void };

const ESCROW_PROVIDER = 'escrow-provider';

/** Several signatures arrive as one text with a comma, which never matches. */
const signatureOf = ({ headers }: Delivery): string | null => {
  const signature = headers['x-escrow-signature'];
  return signature === undefined ? null : String(signature);
};

/** A sender may write an absent value as null or as an empty text. */
const presentOrNull = (text: string | null | undefined): string | null => text || null;

/** An event without a signature is only a hint. */
export const escrowWebhookRoutes = ({ escrowEvents, verify, log, counter }: EscrowParts): Route[] => [
  receive(takeEscrowWebhook, {
    check(delivery) {
      const signature = signatureOf(delivery);
      if (signature === null || verify({ signature, rawBody: delivery.rawBody })) return;
      counter?.count(ESCROW_PROVIDER, 'refused');
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID');
    },
    async answer({ body: { type, event_id: eventId, data }, requestId }, delivery) {
      const signed = signatureOf(delivery) !== null;
      const received = await escrowEvents.receive({
        eventId,
        type,
        signed,
        requestId,
        orderId: presentOrNull(data?.order_id),
        contractId: presentOrNull(data?.contract_id),
        amount: presentOrNull(data?.amount),
        currency: presentOrNull(data?.currency),
        buyerAddress: presentOrNull(data?.buyer_address),
        sellerAddress: presentOrNull(data?.seller_address),
        transactionHash: presentOrNull(data?.transaction_hash),
        milestoneRef: presentOrNull(data?.milestone_ref),
      });
      // A flood of hints must not become a flood of log lines; the metrics count them.
      if (!signed && received.outcome !== 'ignored')
        log.warn({ requestId, provider: ESCROW_PROVIDER }, 'a webhook arrived without a signature and is only a hint');
      counter?.count(ESCROW_PROVIDER, received.outcome);
      return { status: 'ok' as const, processed: received.processed };
    },
  }),
];

/** `unchecked`: there is no secret to check with. */
export type PaymentVerdict =
  | { readonly kind: 'genuine' | 'unchecked' }
  | { readonly kind: 'forged'; readonly reason: string };

type PaymentParts = {
  readonly events: Pick<PaymentEvents, 'receive'>;
  /** Checks the signature with the secret of the account that the event is about. */
  verify(delivery: Delivery, event: PaymentEvent | null): Promise<PaymentVerdict>;
  /** Null: the body cannot be read. */
  read(rawBody: Buffer, messageId: string | null): PaymentEvent | null;
  readonly log: Pick<Log, 'warn'>;
  readonly counter?: WebhookCounter;
};

const PAYMENT_PROVIDER = 'payment-provider';

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

/** Events are accepted without a check only where no secret is shared, on a developer's own machine. */
export const paymentWebhookRoutes = ({ events, verify, read, log, counter }: PaymentParts): Route[] => {
  const eventOf = (delivery: Delivery) => read(delivery.rawBody, messageIdOf(delivery));
  // From the check of a request to its answer. Each request has its own headers.
  const verified = new WeakMap<Delivery['headers'], { event: PaymentEvent | null; verdict: PaymentVerdict }>();
  return [
    receive(takePaymentWebhook, {
      async check(delivery) {
        const event = eventOf(delivery);
        const verdict = await verify(delivery, event);
        verified.set(delivery.headers, { event, verdict });
        if (verdict.kind !== 'forged') return;
        counter?.count(PAYMENT_PROVIDER, 'refused');
        throw new DomainError('WEBHOOK_SIGNATURE_INVALID', { details: { reason: verdict.reason } });
      },
      async answer({ body, requestId }, delivery) {
        const { event, verdict } = verified.get(delivery.headers)!;
        const signed = verdict.kind === 'genuine';
        if (!signed) {
          log.warn(
            { requestId, provider: PAYMENT_PROVIDER },
            'a webhook was accepted without a check of its signature',
          );
        }
        const currency = typeof body.data?.currency === 'string' ? body.data.currency : null;
        const received = { signed, currency, requestId };
        const outcome = event === null ? 'failed' : await events.receive(event, received);
        counter?.count(PAYMENT_PROVIDER, outcome);
        return answerOf(outcome);
      },
    }),
  ];
};
