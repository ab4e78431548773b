// Commits a withdrawal for payment. From here on it may be paid at any moment, so its money goes back only when it certainly was
// not paid. A second commit is refused by the state.

import { command } from '../../commit/command.ts';
import { requireFloat } from '../float/float.ts';
import { withdrawalRow } from './machine.ts';
import { isFromFloat, isUnderWay, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal, refuseSuspended } from './withdrawal-work.ts';

/** Details of the refusal: which operation is in progress. */
const operationOf = (withdrawal: Withdrawal) =>
  isUnderWay(withdrawal)
    ? { operation: { id: withdrawal.id, kind: 'withdrawal', state: 'RUNNING', startedAt: withdrawal.committedAt } }
    : {};

export const commitWithdrawal = command<{ readonly withdrawalId: string }, Withdrawal>({
  name: 'commit-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    const row = withdrawalRow({ from: withdrawal.status, on: 'commit', details: operationOf(withdrawal) });
    refuseSuspended(work, withdrawal.userId);
    if (isFromFloat(withdrawal)) requireFloat(work, withdrawal.amount);
    return moveWithdrawal(work, { withdrawal, row });
  },
});
