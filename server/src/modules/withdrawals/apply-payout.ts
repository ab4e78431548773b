// Applies reports of the payment provider about a withdrawal: answers, webhooks and polls. The stored row decides, so a
// payment that is reported several times leaves the reserved balance once, or goes back once. A signed event is trusted as far as
// it matches the withdrawal.

import { idPattern } from '@holdfast/contract/ids.ts';
import { type Context, command, runCommand, type Submit, type UnitOfWork } from '../../commit/command.ts';
import type { EventHandler, PaymentEvent } from '../webhooks/payment-events.ts';
import { isDuplicate, type ReceivedEvent, storeEvent } from '../webhooks/webhook-event.ts';
import { findWithdrawalRow, PAYOUT_TRIGGERS } from './machine.ts';
import { isPayoutEnd, mismatchOf, type PayoutUpdate } from './payout-update.ts';
import type { PlacedWithdrawal, WithdrawalReads } from './queries.ts';
import { isEnded, isUnderWay, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type ApplyInput = {
  readonly withdrawalId: string;
  readonly update: PayoutUpdate;
  /** The webhook that carried the update; stored in the same commit. */
  readonly webhook?: ReceivedEvent;
};

type AppliedPayout = {
  readonly withdrawal: Withdrawal;
  /** `out-of-order`: the withdrawal is in a state that the update cannot follow. `mismatch`: the update is about another payment. */
  readonly outcome: 'applied' | 'unchanged' | 'out-of-order' | 'duplicate' | 'mismatch';
  /** Why the update is about another payment. */
  readonly reason?: string;
};

const PROVIDER = 'payment-provider';

type Reported = { readonly withdrawal: Withdrawal; readonly update: PayoutUpdate };

/** From now on the payout is read by the provider's id. A withdrawal that is not committed cannot have a payout yet. */
const recordPayoutId = (work: UnitOfWork, { withdrawal, update: { payoutId } }: Reported): Withdrawal => {
  if (payoutId === null || withdrawal.providerPayoutId !== null || !isUnderWay(withdrawal)) return withdrawal;
  const recorded: Withdrawal = { ...withdrawal, providerPayoutId: payoutId, updatedAt: work.now };
  work.put('withdrawals', recorded);
  work.audit({
    action: 'WITHDRAWAL_PAYOUT_MADE',
    resourceType: 'Withdrawal',
    resourceId: withdrawal.id,
    userId: withdrawal.userId,
    before: { providerPayoutId: null },
    after: { status: withdrawal.status, providerPayoutId: payoutId },
  });
  return recorded;
};

/** A payout that we cancelled ourselves has failed, for the reason that was recorded. */
const withRefusal = ({ withdrawal: { refusal }, update }: Reported): PayoutUpdate => {
  if (refusal === null || update.status !== 'WITHDRAWAL_CANCELED') return update;
  return { ...update, status: 'WITHDRAWAL_FAILED', reason: refusal.reason, errorCode: refusal.code };
};

/** Applies a report of the provider to a withdrawal; the row decides whether it changes anything. */
export const applyUpdate = (work: UnitOfWork, reported: Reported): AppliedPayout => {
  const { withdrawal } = reported;
  const update = withRefusal(reported);
  const { status, payoutId, errorCode: code, actionUrl } = update;
  if (isEnded(withdrawal)) {
    return { withdrawal, outcome: withdrawal.status === status ? 'unchanged' : 'out-of-order' };
  }
  const mismatch = mismatchOf(withdrawal, update);
  if (mismatch !== null) return { withdrawal, outcome: 'mismatch', reason: mismatch };
  const on = PAYOUT_TRIGGERS[status];
  const row = on && findWithdrawalRow({ from: withdrawal.status, on });
  if (row) {
    const by = row.to === 'WITHDRAWAL_CANCELED' ? { canceledBy: PROVIDER } : {};
    // An amount that differs has passed the check only when it is certain.
    const executed = row.to === 'WITHDRAWAL_COMPLETED' ? (update.amount ?? withdrawal.amount) : withdrawal.amount;
    const change = { withdrawal, row, payoutId, reason: update.reason, code, actionUrl, executed, ...by };
    const moved = moveWithdrawal(work, change);
    return { withdrawal: moved, outcome: 'applied' };
  }
  const recorded = recordPayoutId(work, { withdrawal, update });
  if (recorded !== withdrawal) return { withdrawal: recorded, outcome: 'applied' };
  const isExpected = status === withdrawal.status || status === 'WITHDRAWAL_CREATED';
  return { withdrawal, outcome: isExpected ? 'unchanged' : 'out-of-order' };
};

export const applyPayout = command<ApplyInput, AppliedPayout>({
  name: 'take-payout',
  needs: ({ withdrawalId, webhook }) => ({
    rows: [
      { table: 'withdrawals', id: withdrawalId },
      ...(webhook ? [{ table: 'webhookEvents', id: webhook.id } as const] : []),
    ],
  }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, update, webhook }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (webhook && isDuplicate(work.find('webhookEvents', webhook.id), webhook)) {
      return { withdrawal, outcome: 'duplicate' };
    }
    const applied = applyUpdate(work, { withdrawal, update });
    if (webhook) storeEvent(work, { received: webhook, failure: applied.reason ?? null });
    return applied;
  },
  reactions({ reply }) {
    if (reply?.outcome !== 'applied' || reply.withdrawal.executed === null) return [];
    return [{ name: 'payout-over-another-amount', payload: { withdrawalId: reply.withdrawal.id } }];
  },
});

declare module '../../commit/reactions.ts' {
  interface Reactions {
    /** The provider paid another amount than the withdrawal's. It is booked as it was paid. */
    'payout-over-another-amount': { readonly withdrawalId: string };
  }
}

type PayoutEventParts = {
  readonly submit: Submit;
  readonly reads: Pick<WithdrawalReads, 'findAnywhere' | 'findByPayout'>;
  /** Where users complete the actions that the provider requires. */
  readonly actionUrl: string | null;
  /** Reads the payout at the provider, in the background. */
  check(context: Context, withdrawal: Withdrawal): void;
  /** Logs an unexpected event that changed nothing. */
  onUnexpected(message: string, details: Record<string, unknown>): void;
};

type PayoutEvent = Extract<PaymentEvent, { kind: 'payout' }>;

const WITHDRAWAL_ID = new RegExp(idPattern('withdrawal'));

/** Finds the withdrawal of an event in any marketplace. */
export const payoutFinder =
  (reads: PayoutEventParts['reads']) =>
  async ({ code, id }: PayoutEvent): Promise<PlacedWithdrawal | null> => {
    for (const ownId of [code, id]) {
      const found = ownId !== null && WITHDRAWAL_ID.test(ownId) ? await reads.findAnywhere(ownId) : null;
      if (found) return found;
    }
    return reads.findByPayout(id);
  };

/** The handler of payout events: finds the withdrawal and submits the update. */
export const createPayoutEvents = ({
  submit,
  reads,
  actionUrl,
  check,
  onUnexpected,
}: PayoutEventParts): EventHandler<'payout'> => {
  const find = payoutFinder(reads);

  const updateOf = (
    event: PayoutEvent,
    { withdrawalId, currency }: { withdrawalId: string; currency: string | null },
  ): PayoutUpdate => ({
    status: event.state,
    // Some senders use our id as the id of the payment.
    payoutId: event.id === withdrawalId ? null : event.id,
    amount: event.amount,
    isAmountCertain: false,
    currency,
    fee: null,
    reason: event.reason,
    errorCode: event.reasonCode,
    actionUrl,
  });

  return async (event, { received, currency, context }) => {
    const placed = await find(event);
    if (!placed) return { kind: 'unmatched', reason: 'No withdrawal matches the event.' };
    const { marketplaceId, withdrawal } = placed;
    const { id: withdrawalId, status } = withdrawal;
    const update = updateOf(event, { withdrawalId, currency });
    const { outcome, reason } = await runCommand(submit, {
      command: applyPayout,
      input: { withdrawalId, update, webhook: { ...received, subjectId: withdrawalId } },
      context: { ...context, marketplaceId },
    });
    const about = { eventId: received.id, type: event.type, withdrawalId, status };
    // The provider's own record decides about an amount.
    if (outcome === 'mismatch' && isPayoutEnd(event.state)) check({ ...context, marketplaceId }, withdrawal);
    if (outcome === 'mismatch') onUnexpected('a payment event does not match its withdrawal', { ...about, reason });
    if (outcome === 'out-of-order') onUnexpected('a payment event came late and changed nothing', about);
    if (outcome === 'duplicate') return { kind: 'duplicate' };
    return { kind: outcome === 'mismatch' ? 'failed' : 'processed' };
  };
};
