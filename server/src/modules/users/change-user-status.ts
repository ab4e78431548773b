// Suspends a user or lets one come back. A suspended user keeps the money but starts and receives nothing new.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { balanceOf, type Purse, purseNeeds, type UserReply } from '../../commit/money.ts';
import { USER_MACHINE, type UserTrigger } from './machine.ts';
import type { User } from './user.ts';

const changeStatus = (on: UserTrigger, action: AuditAction) =>
  command<Purse & { reason: string | null }, UserReply>({
    name: `${on}-user`,
    needs: (input) => purseNeeds(input, []),
    decide(input, desk) {
      const { userId, reason } = input;
      const user = desk.get('users', userId);
      const changed: User = { ...user, status: step(USER_MACHINE, { from: user.status, on }), updatedAt: desk.now };
      desk.put('users', changed);
      desk.audit({
        action,
        resourceType: 'User',
        resourceId: userId,
        before: { status: user.status },
        after: { status: changed.status, reason },
      });
      return { user: changed, balance: balanceOf(desk, input) };
    },
  });

export const suspendUser = changeStatus('suspend', 'USER_SUSPENDED');

export const reactivateUser = changeStatus('reactivate', 'USER_REACTIVATED');
