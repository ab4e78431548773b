// What the payment provider tells about payments in: finds the top-up, whatever marketplace it is in, and submits. A
// signed word is believed, within what the top-up itself says.

import { idPattern } from '@holdfast/contract/ids.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { EventHandler, PaymentEvent } from '../webhooks/payment-events.ts';
import { takePayin } from './apply-payin.ts';
import type { TopUps } from './operations.ts';
import type { PayinNews } from './payin-update.ts';
import type { PlacedTopUp, TopUpReads } from './queries.ts';

export type PayinEventParts = {
  readonly submit: Submit;
  readonly reads: Pick<TopUpReads, 'findAnywhere' | 'findByPayin'>;
  readonly topUps: Pick<TopUps, 'look' | 'isLooking'>;
  onTrouble(message: string, error: unknown): void;
  /** Told what was strange and did no harm. */
  onOddity(message: string, details: Record<string, unknown>): void;
};

type PayinEvent = Extract<PaymentEvent, { kind: 'payin' }>;

const TOPUP_ID = new RegExp(idPattern('topup'));

const newsOf = (event: PayinEvent, topupId: string, currency: string | null): PayinNews => ({
  status: event.state,
  // Some senders put our own id there.
  payinId: event.id === topupId ? null : event.id,
  amount: event.amount,
  currency,
  fee: null,
  confirmationUri: null,
  reason: event.reason,
  errorCode: event.reasonCode,
});

export const createPayinEvents = ({ submit, reads, topUps, ...tell }: PayinEventParts): EventHandler<'payin'> => {
  const find = async ({ code, id }: PayinEvent): Promise<PlacedTopUp | null> => {
    for (const ours of [code, id]) {
      const found = ours !== null && TOPUP_ID.test(ours) ? await reads.findAnywhere(ours) : null;
      if (found) return found;
    }
    return reads.findByPayin(id);
  };

  return async (event, { told, currency, context }) => {
    const placed = await find(event);
    if (!placed) return { kind: 'unmatched', reason: 'There is no such top-up.' };
    const { marketplaceId, topup } = placed;
    const here = { ...context, marketplaceId };
    const isNew = topup.status === 'TOPUP_CREATED' && event.state === 'TOPUP_AWAITING_USER_CONFIRMATION';
    // Nobody waits for the answer to its creation any more, and only the provider's record says where the payer is to go.
    if (isNew && !topUps.isLooking(topup.id)) {
      await topUps
        .look(here, topup)
        .catch((error: unknown) => tell.onTrouble('a top-up could not be looked at', error));
    }
    const { outcome, reason } = await runCommand(submit, {
      command: takePayin,
      input: {
        topupId: topup.id,
        news: newsOf(event, topup.id, currency),
        told: { ...told, subjectId: topup.id },
      },
      context: here,
    });
    const about = { eventId: told.id, type: event.type, topupId: topup.id, status: topup.status };
    if (outcome === 'misfit') tell.onOddity('a payment event does not fit its top-up', { ...about, reason });
    if (outcome === 'out-of-order') tell.onOddity('a payment event came late and changed nothing', about);
    if (outcome === 'duplicate') return { kind: 'duplicate' };
    return { kind: outcome === 'misfit' ? 'failed' : 'processed' };
  };
};
