// Links a user to an account at the payment provider. Linking the same account again changes nothing and gives the same reply.

import { command } from '../../commit/command.ts';
import { type BalanceKey, balanceNeeds, balanceOf } from '../../commit/money.ts';
import { masked, type User, type UserReply } from './user.ts';

export const linkPaymentAccount = command<BalanceKey & { paymentAccountUserId: string }, UserReply>({
  name: 'link-payment-account',
  needs: (input) => balanceNeeds(input, []),
  decide(input, work) {
    const { userId, paymentAccountUserId } = input;
    const user = work.get('users', userId);
    const balance = balanceOf(work, input);
    if (user.paymentAccountUserId === paymentAccountUserId) return { user, balance };
    const linked: User = {
      ...user,
      paymentAccountUserId,
      paymentAccountLinkedAt: work.now,
      updatedAt: work.now,
    };
    work.put('users', linked);
    work.emit('user.payment_account_linked', userId, { userId, paymentAccountUserId, linkedAt: work.now }, { userId });
    work.audit({
      action: 'USER_PAYMENT_ACCOUNT_LINKED',
      resourceType: 'User',
      resourceId: userId,
      before: { paymentAccountUserId: masked(user.paymentAccountUserId) },
      after: { paymentAccountUserId: masked(paymentAccountUserId) },
    });
    return { user: linked, balance };
  },
});
