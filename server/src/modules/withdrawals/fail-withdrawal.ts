// Ends a withdrawal that certainly was not and will not be paid: its money goes back. It must never be submitted while a payment
// may still succeed.

import { command } from '../../commit/command.ts';
import { PaymentInProgress } from './ledger-payments.ts';
import { withdrawalRow } from './machine.ts';
import { isEnded, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type FailInput = { readonly withdrawalId: string; readonly reason: string; readonly code: string | null };

/** A withdrawal that has ended already is returned as it is. */
export const failWithdrawal = command<FailInput, Withdrawal>({
  name: 'fail-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, reason, code }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (isEnded(withdrawal)) return withdrawal;
    const { status: from, address, transactionId } = withdrawal;
    // A signed payment may still be included in the ledger.
    if (address !== null && transactionId !== null) throw new PaymentInProgress();
    const row = withdrawalRow({ from, on: address === null ? 'payout.failed' : 'ledger.refused' });
    return moveWithdrawal(work, withdrawal, { row, reason, code });
  },
});
