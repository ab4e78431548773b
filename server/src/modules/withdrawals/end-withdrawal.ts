// The commands for a withdrawal that is not paid: fail, expire, and record why a payout is cancelled. Money goes back only when no
// payment of the withdrawal can succeed any more.

import { parseInstant } from '../../base/instant.ts';
import { type Context, command, runCommand, type Submit } from '../../commit/command.ts';
import { PaymentInProgress } from './ledger-payments.ts';
import { findWithdrawalRow, withdrawalRow } from './machine.ts';
import { timedOut } from './payout-update.ts';
import { isEnded, isUnderWay, type Refusal, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type FailInput = { readonly withdrawalId: string; readonly reason: string; readonly code: string | null };

/** Ends a withdrawal that certainly was not and will not be paid. A withdrawal that has ended already is returned as it is. */
export const failWithdrawal = command<FailInput, Withdrawal>({
  name: 'fail-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, reason, code }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (isEnded(withdrawal)) return withdrawal;
    const { status: from, address, transactionId, providerPayoutId } = withdrawal;
    // A signed payment may still be included in the ledger, and another process may commit the payout that it has created.
    if ((address === null ? providerPayoutId : transactionId) !== null) throw new PaymentInProgress();
    const row = withdrawalRow({ from, on: address === null ? 'payout.failed' : 'ledger.refused' });
    return moveWithdrawal(work, { withdrawal, row, reason, code });
  },
});

type Failing = { readonly context: Context; readonly withdrawal: Withdrawal } & Refusal;

/** Fails the withdrawal. When another process has begun a payment since, only the outside system says how it ends. */
export const failUnlessPaying = async (
  submit: Submit,
  { context, withdrawal, reason, code }: Failing,
): Promise<Withdrawal> => {
  const input = { withdrawalId: withdrawal.id, reason, code };
  try {
    return await runCommand(submit, { command: failWithdrawal, input, context });
  } catch (error) {
    if (error instanceof PaymentInProgress) throw timedOut(withdrawal, error.message);
    throw error;
  }
};

type ExpireInput = { readonly withdrawalId: string; readonly expiryMs: number };

const isOver = ({ createdAt }: Withdrawal, { now, expiryMs }: { now: string; expiryMs: number }): boolean =>
  (parseInstant(now) ?? 0) >= (parseInstant(createdAt) ?? 0) + expiryMs * 1_000;

/**
 * Cancels a withdrawal that was not committed in time. Submit it only after catch-up.ts has compared the withdrawal with the outside
 * systems: then none of them knows it, and its money can go back. A withdrawal that is committed, is being paid on the ledger or has
 * ended is returned as it is.
 */
export const expireWithdrawal = command<ExpireInput, Withdrawal>({
  name: 'expire-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, expiryMs }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    const row = findWithdrawalRow({ from: withdrawal.status, on: 'time.over' });
    if (!row || withdrawal.transactionId !== null || !isOver(withdrawal, { now: work.now, expiryMs }))
      return withdrawal;
    return moveWithdrawal(work, { withdrawal, row, canceledBy: 'system', reason: 'It was not committed in time.' });
  },
});

/**
 * Records why a payout is cancelled at the payment provider, before the cancellation is requested. The process that receives the
 * report of the cancellation reads the reason from the row. The state of the withdrawal stays unchanged.
 */
export const recordRefusal = command<{ readonly withdrawalId: string; readonly refusal: Refusal }, Withdrawal>({
  name: 'call-off-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  decide({ withdrawalId, refusal }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (!isUnderWay(withdrawal) || withdrawal.refusal !== null) return withdrawal;
    const recorded: Withdrawal = { ...withdrawal, refusal, updatedAt: work.now };
    work.put('withdrawals', recorded);
    work.audit({
      action: 'WITHDRAWAL_CALLED_OFF',
      resourceType: 'Withdrawal',
      resourceId: withdrawalId,
      userId: withdrawal.userId,
      before: { status: withdrawal.status },
      after: { status: withdrawal.status, ...refusal },
    });
    return recorded;
  },
});
