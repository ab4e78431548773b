// Notes why a withdrawal is taken back at the payment provider, before the provider is asked to: whoever hears first that it
// is cancelled there can then say why it failed. The withdrawal itself stays what it is.

import { command } from '../../commit/command.ts';
import { isUnderWay, type Refusal, type Withdrawal } from './withdrawal.ts';

export const callOffWithdrawal = command<{ readonly withdrawalId: string; readonly refusal: Refusal }, Withdrawal>({
  name: 'call-off-withdrawal',
  needs: ({ withdrawalId }) => ({ rows: [{ table: 'withdrawals', id: withdrawalId }] }),
  decide({ withdrawalId, refusal }, work) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (!isUnderWay(withdrawal) || withdrawal.refusal !== null) return withdrawal;
    const noted: Withdrawal = { ...withdrawal, refusal, updatedAt: work.now };
    work.put('withdrawals', noted);
    work.audit({
      action: 'WITHDRAWAL_CALLED_OFF',
      resourceType: 'Withdrawal',
      resourceId: withdrawalId,
      userId: withdrawal.userId,
      before: { status: withdrawal.status },
      after: { status: withdrawal.status, ...refusal },
    });
    return noted;
  },
});
