// Tells of every withdrawal that was created committed, once it is durable: somebody has to pay it. A missed word costs only
// time, because a job looks for what is committed and not paid.

import type { Context, Submit } from '../../commit/command.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { isUnderWay, type Withdrawal } from './withdrawal.ts';

type Tell = (context: Context, withdrawal: Withdrawal) => void;

export const tellNewWithdrawals =
  (submit: Submit, tell: Tell): Submit =>
  async (submission) => {
    const outcome = await submit(submission);
    if (outcome.kind === 'reply' && (submission.command as unknown) === createWithdrawal) {
      const withdrawal = outcome.reply as unknown as Withdrawal;
      if (isUnderWay(withdrawal)) tell(submission.context, withdrawal);
    }
    return outcome;
  };
