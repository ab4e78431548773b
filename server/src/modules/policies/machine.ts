// The states of a deadline. An operator can hold, resume, extend and trigger one; time passes it, and a state that it does not belong to
// cancels it. It returns when that state comes back, and the row of a reminder is used again for another time.

import type { DeadlineStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export const DEADLINE_MACHINE = {
  subject: 'the deadline',
  status: 400,
  rows: [
    { from: 'PENDING', on: 'time.reached', to: 'DONE', emits: ['order.deadline_passed', 'order.deadline_reminder'] },
    { from: 'PENDING', on: 'trigger', to: 'DONE', emits: ['order.deadline_passed', 'order.deadline_reminder'] },
    { from: 'HELD', on: 'trigger', to: 'DONE', emits: ['order.deadline_passed', 'order.deadline_reminder'] },
    { from: 'PENDING', on: 'hold', to: 'HELD' },
    { from: 'HELD', on: 'resume', to: 'PENDING' },
    { from: 'PENDING', on: 'extend', to: 'PENDING' },
    { from: 'HELD', on: 'extend', to: 'HELD' },
    { from: 'PENDING', on: 'order.changed', to: 'CANCELED' },
    { from: 'HELD', on: 'order.changed', to: 'CANCELED' },
    { from: 'CANCELED', on: 'order.returned', to: 'PENDING' },
    { from: 'PENDING', on: 'reminder.moved', to: 'PENDING' },
    { from: 'CANCELED', on: 'reminder.moved', to: 'PENDING' },
    { from: 'DONE', on: 'reminder.moved', to: 'PENDING' },
  ],
} as const satisfies Machine<
  DeadlineStatus,
  'time.reached' | 'trigger' | 'hold' | 'resume' | 'extend' | 'order.changed' | 'order.returned' | 'reminder.moved'
>;
