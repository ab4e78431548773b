// The states of a user: who may be suspended and who may be reactivated.

import type { UserStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export type UserTrigger = 'suspend' | 'reactivate';

export const USER_MACHINE: Machine<UserStatus, UserTrigger> = {
  subject: 'the user',
  rows: [
    { from: 'ACTIVE', on: 'suspend', to: 'SUSPENDED' },
    { from: 'PENDING_VERIFICATION', on: 'suspend', to: 'SUSPENDED' },
    { from: 'SUSPENDED', on: 'reactivate', to: 'ACTIVE' },
  ],
};
