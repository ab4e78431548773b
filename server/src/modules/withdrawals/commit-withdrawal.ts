// Claims a withdrawal for paying out. From here on it may be paid, so nothing goes back before it certainly is not; whoever
// asks a second time is refused by its state.

import { rowOf } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { WITHDRAWAL_MACHINE } from './machine.ts';
import { isUnderWay, type Withdrawal } from './withdrawal.ts';
import { withdrawalNeedsNext } from './withdrawal-money.ts';
import { moveWithdrawal, refuseSuspended } from './withdrawal-work.ts';

/** So that whoever meets one under way can see by what. */
const underWay = (withdrawal: Withdrawal) =>
  isUnderWay(withdrawal)
    ? { operation: { id: withdrawal.id, kind: 'withdrawal', state: 'RUNNING', startedAt: withdrawal.committedAt } }
    : {};

export const commitWithdrawal = command<{ readonly withdrawalId: string }, Withdrawal>({
  name: 'commit-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  needsNext: ({ withdrawalId }, work) => withdrawalNeedsNext(work, withdrawalId),
  decide({ withdrawalId }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    const { status: from } = withdrawal;
    rowOf(WITHDRAWAL_MACHINE, { from, on: 'commit', details: underWay(withdrawal) });
    refuseSuspended(work, withdrawal.userId);
    return moveWithdrawal(work, withdrawal, { status: 'WITHDRAWAL_COMMITTED' });
  },
});
