// Applies payout events of the payment provider: finds the withdrawal in any marketplace and submits the update. A signed event is
// trusted as far as it matches the withdrawal.

import { idPattern } from '@holdfast/contract/ids.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { EventHandler, PaymentEvent } from '../webhooks/payment-events.ts';
import { applyPayout } from './apply-payout.ts';
import type { PayoutUpdate } from './payout-update.ts';
import type { PlacedWithdrawal, WithdrawalReads } from './queries.ts';

export type PayoutEventParts = {
  readonly submit: Submit;
  readonly reads: Pick<WithdrawalReads, 'findAnywhere' | 'findByPayout'>;
  /** Where users complete the actions that the provider requires. */
  readonly actionUrl: string | null;
  /** Receives what was unusual and did no harm. */
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

  const updateOf = (event: PayoutEvent, withdrawalId: string, currency: string | null): PayoutUpdate => ({
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
    if (!placed) return { kind: 'unmatched', reason: 'No withdrawal matches the event.' };
    const { marketplaceId, withdrawal } = placed;
    const { id: withdrawalId, status } = withdrawal;
    const update = updateOf(event, withdrawalId, currency);
    const { outcome, reason } = await runCommand(submit, {
      command: applyPayout,
      input: { withdrawalId, update, webhook: { ...told, subjectId: withdrawalId } },
      context: { ...context, marketplaceId },
    });
    const about = { eventId: told.id, type: event.type, withdrawalId, status };
    if (outcome === 'mismatch') onOddity('a payment event does not match its withdrawal', { ...about, reason });
    if (outcome === 'out-of-order') onOddity('a payment event came late and changed nothing', about);
    if (outcome === 'duplicate') return { kind: 'duplicate' };
    return { kind: outcome === 'mismatch' ? 'failed' : 'processed' };
  };
};
