// Tells of every custodial wallet that a new user was given, once it is committed: somebody has to activate it. A missed
// word costs only time, because a job looks for what is still PENDING.

import type { Submit } from '../../commit/command.ts';
import { type CreateUserReply, createUser } from '../../modules/users/create-user.ts';
import type { Wallet } from '../keys/wallet.ts';

type Tell = (marketplaceId: string, wallet: Wallet) => void;

export const tellNewWallets =
  (submit: Submit, tell: Tell): Submit =>
  async (submission) => {
    const outcome = await submit(submission);
    if (outcome.kind === 'reply' && (submission.command as unknown) === createUser) {
      const { wallet } = outcome.reply as unknown as CreateUserReply;
      if (wallet) tell(submission.context.marketplaceId, wallet);
    }
    return outcome;
  };
