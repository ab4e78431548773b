// Ties a user to an account at the payment provider. Linking the same account again is the same answer.

import { command } from '../../commit/command.ts';
import { balanceOf, type Purse, purseNeeds, type UserReply } from '../../commit/money.ts';
import { masked } from './personal-data.ts';
import type { User } from './user.ts';

export const linkPaymentAccount = command<Purse & { paymentAccountUserId: string }, UserReply>({
  name: 'link-payment-account',
  needs: (input) => purseNeeds(input, []),
  decide(input, desk) {
    const { userId, paymentAccountUserId } = input;
    const user = desk.get('users', userId);
    const balance = balanceOf(desk, input);
    if (user.paymentAccountUserId === paymentAccountUserId) return { user, balance };
    const linked: User = {
      ...user,
      paymentAccountUserId,
      paymentAccountLinkedAt: desk.now,
      updatedAt: desk.now,
    };
    desk.put('users', linked);
    desk.emit('user.payment_account_linked', userId, { userId, paymentAccountUserId, linkedAt: desk.now }, { userId });
    desk.audit({
      action: 'USER_PAYMENT_ACCOUNT_LINKED',
      resourceType: 'User',
      resourceId: userId,
      before: { paymentAccountUserId: masked(user.paymentAccountUserId) },
      after: { paymentAccountUserId: masked(paymentAccountUserId) },
    });
    return { user: linked, balance };
  },
});
