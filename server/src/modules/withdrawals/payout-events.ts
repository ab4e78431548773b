// What the payment provider tells about payments out: finds the withdrawal, whatever marketplace it is in, and submits. A
// signed word is believed, within what the withdrawal itself says.

import { idPattern } from '@holdfast/contract/ids.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { EventHandler, PaymentEvent } from '../webhooks/payment-events.ts';
import { takePayout } from './apply-payout.ts';
import type { PayoutNews } from './payout-update.ts';
import type { PlacedWithdrawal, WithdrawalReads } from './queries.ts';

export type PayoutEventParts = {
  readonly submit: Submit;
  readonly reads: Pick<WithdrawalReads, 'findAnywhere' | 'findByPayout'>;
  /** Where users see to what the provider asks of them. */
  readonly actionUrl: string | null;
  /** Told what was strange and did no harm. */
  onOddity(message: string, details: Record<string, unknown>): void;
};

type PayoutEvent = Extract<PaymentEvent, { kind: 'payout' }>;

const WITHDRAWAL_ID = new RegExp(idPattern('withdrawal'));

export const createPayoutEvents = ({
  submit,
  reads,
  actionUrl,
  onOddity,
}: PayoutEventParts): EventHandler<'payout'> => {
  const find = async ({ code, id }: PayoutEvent): Promise<PlacedWithdrawal | null> => {
    for (const ours of [code, id]) {
      const found = ours !== null && WITHDRAWAL_ID.test(ours) ? await reads.findAnywhere(ours) : null;
      if (found) return found;
    }
    return reads.findByPayout(id);
  };

  const newsOf = (event: PayoutEvent, withdrawalId: string, currency: string | null): PayoutNews => ({
    status: event.state,
    // Some senders put our own id there.
    payoutId: event.id === withdrawalId ? null : event.id,
    amount: event.amount,
    currency,
    fee: null,
    reason: event.reason,
    errorCode: event.reasonCode,
    actionUrl,
  });

  return async (event, { told, currency, context }) => {
    const placed = await find(event);
    if (!placed) return { kind: 'unmatched', reason: 'There is no such withdrawal.' };
    const { marketplaceId, withdrawal } = placed;
    const { id: withdrawalId, status } = withdrawal;
    const news = newsOf(event, withdrawalId, currency);
    const { outcome, reason } = await runCommand(submit, {
      command: takePayout,
      input: { withdrawalId, news, told: { ...told, subjectId: withdrawalId } },
      context: { ...context, marketplaceId },
    });
    const about = { eventId: told.id, type: event.type, withdrawalId, status };
    if (outcome === 'mismatch') onOddity('a payment event does not fit its withdrawal', { ...about, reason });
    if (outcome === 'out-of-order') onOddity('a payment event came late and changed nothing', about);
    if (outcome === 'duplicate') return { kind: 'duplicate' };
    return { kind: outcome === 'mismatch' ? 'failed' : 'processed' };
  };
};
