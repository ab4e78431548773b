// Records why a payout is cancelled at the payment provider, before the cancellation is requested. Any process that learns of the
// cancellation can then name the reason. The state of the withdrawal stays unchanged.

import { command } from '../../commit/command.ts';
import { isUnderWay, type Refusal, type Withdrawal } from './withdrawal.ts';

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
