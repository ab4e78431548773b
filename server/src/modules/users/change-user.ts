// Changes a user: suspends or reactivates the user, or links an account at the payment provider.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { type BalanceKey, balanceNeeds, balanceOf } from '../../commit/money.ts';
import { USER_MACHINE, type UserTrigger } from './machine.ts';
import { masked, type User, type UserReply } from './user.ts';

/** A suspended user keeps the money, but cannot start or receive anything new. */
const changeStatus = (on: UserTrigger, action: AuditAction) =>
  command<BalanceKey & { reason: string | null }, UserReply>({
    name: `${on}-user`,
    needs: (input) => balanceNeeds(input, []),
    decide(input, work) {
      const { userId, reason } = input;
      const user = work.get('users', userId);
      const changed: User = { ...user, status: step(USER_MACHINE, { from: user.status, on }), updatedAt: work.now };
      work.put('users', changed);
      work.audit({
        action,
        resourceType: 'User',
        resourceId: userId,
        before: { status: user.status },
        after: { status: changed.status, reason },
      });
      return { user: changed, balance: balanceOf(work, input) };
    },
  });

export const suspendUser = changeStatus('suspend', 'USER_SUSPENDED');
export const reactivateUser = changeStatus('reactivate', 'USER_REACTIVATED');

/** Linking the same account again changes nothing and gives the same reply. */
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
    work.emit({
      type: 'user.payment_account_linked',
      aggregateId: userId,
      userId,
      payload: { userId, paymentAccountUserId, linkedAt: work.now },
    });
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
