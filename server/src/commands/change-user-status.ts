// Suspends a user or lets one come back. A suspended user keeps the money but starts and receives nothing new.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { step } from '../domain/machine.ts';
import type { User } from '../domain/user.ts';
import { USER_MACHINE, type UserTrigger } from '../domain/user-machine.ts';
import { command } from './command.ts';

const changeStatus = (on: UserTrigger, action: AuditAction) =>
  command<{ userId: string; reason: string | null }, User>({
    name: `${on}-user`,
    needs: ({ userId }) => ({ rows: [{ table: 'users', id: userId }] }),
    decide({ userId, reason }, desk) {
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
      return changed;
    },
  });

export const suspendUser = changeStatus('suspend', 'USER_SUSPENDED');

export const reactivateUser = changeStatus('reactivate', 'USER_REACTIVATED');
