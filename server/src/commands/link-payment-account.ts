// Ties a user to an account at the payment provider. Linking the same account again is the same answer.

import { masked } from '../domain/personal.ts';
import type { User } from '../domain/user.ts';
import { command } from './command.ts';

export const linkPaymentAccount = command<{ userId: string; paymentAccountUserId: string }, User>({
  name: 'link-payment-account',
  needs: ({ userId }) => ({ rows: [{ table: 'users', id: userId }] }),
  decide({ userId, paymentAccountUserId }, desk) {
    const user = desk.get('users', userId);
    if (user.paymentAccountUserId === paymentAccountUserId) return user;
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
    return linked;
  },
});
