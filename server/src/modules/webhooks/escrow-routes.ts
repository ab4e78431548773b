// The escrow provider's webhook. A signature is checked over the received bytes and before anything else. An event without a
// signature is only a hint.

import { takeEscrowWebhook } from '@holdfast/contract/api/webhooks.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Delivery, type Route, receive } from '../../http/route.ts';
import type { Log } from '../../observability/logs.ts';
import type { EscrowEvents } from './escrow-events.ts';

type Parts = {
  readonly escrowEvents: Pick<EscrowEvents, 'receive'>;
  /** Whether the escrow provider signed these bytes; always false where no secret is shared with it. */
  verify(delivery: { readonly signature: string; readonly rawBody: Buffer }): boolean;
  readonly log: Pick<Log, 'warn'>;
  /** Receives the outcome of each. */
  readonly watch?: WebhookWatch;
};

export type WebhookOutcome = 'processed' | 'duplicate' | 'failed' | 'refused';

export type WebhookWatch = { told(provider: 'escrow-provider', outcome: WebhookOutcome): void };

const PROVIDER = 'escrow-provider';

/** Several signatures arrive as one text with a comma, which never matches. */
const signatureOf = ({ headers }: Delivery): string | null => {
  const signature = headers['x-escrow-signature'];
  return signature === undefined ? null : String(signature);
};

/** A sender may write an absent value as null or as an empty text. */
const presentOrNull = (text: string | null | undefined): string | null => text || null;

export const escrowWebhookRoutes = ({ escrowEvents, verify, log, watch }: Parts): Route[] => [
  receive(takeEscrowWebhook, {
    check(delivery) {
      const signature = signatureOf(delivery);
      if (signature === null || verify({ signature, rawBody: delivery.rawBody })) return;
      watch?.told(PROVIDER, 'refused');
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID');
    },
    async answer({ body: { type, event_id: eventId, data }, requestId }, delivery) {
      const signed = signatureOf(delivery) !== null;
      if (!signed)
        log.warn({ requestId, provider: PROVIDER }, 'a webhook arrived without a signature and is only a hint');
      const { processed, duplicate } = await escrowEvents.receive({
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
      watch?.told(PROVIDER, outcomeOf(processed, duplicate));
      return { status: 'ok' as const, processed };
    },
  }),
];

const outcomeOf = (processed: boolean, duplicate: boolean): WebhookOutcome => {
  if (duplicate) return 'duplicate';
  return processed ? 'processed' : 'failed';
};
