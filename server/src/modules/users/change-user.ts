// Suspends or reactivates a user.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { type BalanceKey, balanceNeeds, balanceOf } from '../../commit/money.ts';
import { USER_MACHINE, type UserTrigger } from './machine.ts';
import type { User, UserReply } from './user.ts';

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
