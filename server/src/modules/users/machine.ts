// The states of a user. A user of every other state can be suspended; a suspended user can be reactivated.

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
