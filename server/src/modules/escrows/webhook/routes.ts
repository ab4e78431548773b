// Webhook routes: what outside systems tell by themselves. A signature is checked over the bytes as they came and before
// anything else; what comes without one is only a hint, and treated so by whoever takes it.

import { takeEscrowWebhook } from '@holdfast/contract/api/webhooks.ts';
import { DomainError } from '../../../base/domain-error.ts';
import { type Delivery, type Route, receive } from '../../../http/route.ts';
import type { Log } from '../../../observability/logs.ts';
import type { EscrowEvents } from './escrow-events.ts';

type Parts = {
  readonly escrowEvents: Pick<EscrowEvents, 'take'>;
  /** Whether the escrow provider signed these bytes; never, when we share no secret with it. */
  verify(delivery: { readonly signature: string; readonly rawBody: Buffer }): boolean;
  readonly log: Pick<Log, 'warn'>;
  /** Told what became of each. */
  readonly watch?: WebhookWatch;
};

export type WebhookOutcome = 'processed' | 'duplicate' | 'failed' | 'refused';

export type WebhookWatch = { told(provider: 'escrow-provider', outcome: WebhookOutcome): void };

const PROVIDER = 'escrow-provider';

/** Several of them are one text with a comma, and fit nothing. */
const signatureOf = ({ headers }: Delivery): string | null => {
  const signature = headers['x-escrow-signature'];
  return signature === undefined ? null : String(signature);
};

/** Others write nothing as null or as an empty text. */
const told = (text: string | null | undefined): string | null => text || null;

export const webhookRoutes = ({ escrowEvents, verify, log, watch }: Parts): Route[] => [
  receive(takeEscrowWebhook, {
    check(delivery) {
      const signature = signatureOf(delivery);
      if (signature === null || verify({ signature, rawBody: delivery.rawBody })) return;
      watch?.told(PROVIDER, 'refused');
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID');
    },
    async answer({ body: { type, event_id: eventId, data }, requestId }, delivery) {
      const signed = signatureOf(delivery) !== null;
      if (!signed) log.warn({ requestId, provider: PROVIDER }, 'a webhook came without a signature and is only a hint');
      const { processed, duplicate } = await escrowEvents.take({
        eventId,
        type,
        signed,
        requestId,
        orderId: told(data?.order_id),
        contractId: told(data?.contract_id),
        amount: told(data?.amount),
        currency: told(data?.currency),
        buyerAddress: told(data?.buyer_address),
        sellerAddress: told(data?.seller_address),
        transactionHash: told(data?.transaction_hash),
        milestoneRef: told(data?.milestone_ref),
      });
      watch?.told(PROVIDER, outcomeOf(processed, duplicate));
      return { status: 'ok' as const, processed };
    },
  }),
];

const outcomeOf = (processed: boolean, duplicate: boolean): WebhookOutcome => {
  if (duplicate) return 'duplicate';
  return processed ? 'processed' : 'failed';
};
