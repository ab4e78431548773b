// Ends a withdrawal that certainly was not paid and will not be: its money goes back. Whoever is not certain must not ask
// for this.

import { DomainError } from '../../base/domain-error.ts';
import { rowOf } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { WITHDRAWAL_MACHINE } from './machine.ts';
import { isEnded, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal } from './withdrawal-work.ts';

type FailInput = { readonly withdrawalId: string; readonly reason: string; readonly code: string | null };

/** What is signed may still come onto the ledger, whoever signed it. */
const refuseOnItsWay = ({ address, transactionId }: Withdrawal): void => {
  if (address === null || transactionId === null) return;
  throw new DomainError('INVALID_STATE', {
    message: 'A payment of this withdrawal is on its way to the ledger.',
    details: { currentState: 'PAYMENT_OPEN', allowedActions: [] },
  });
};

/** One that has ended meanwhile is answered as it is. */
export const failWithdrawal = command<FailInput, Withdrawal>({
  name: 'fail-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId, reason, code }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (isEnded(withdrawal)) return withdrawal;
    refuseOnItsWay(withdrawal);
    const on = withdrawal.address === null ? 'payout.failed' : 'ledger.refused';
    rowOf(WITHDRAWAL_MACHINE, { from: withdrawal.status, on });
    return moveWithdrawal(work, withdrawal, { status: 'WITHDRAWAL_FAILED', reason, code });
  },
});
