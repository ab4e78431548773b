// A deadline of an order: something that has to happen at a time. The row is committed with the state that it belongs to. A deadline that is
// DONE never changes again. One that is CANCELED can return, and the row of a reminder is used again: so the rows of an order are few.

import type { DeadlineKind, DeadlineStatus } from '@holdfast/contract/states.ts';
import { table } from '../../commit/tables.ts';

export type Deadline = {
  readonly id: string;
  readonly orderId: string;
  readonly kind: DeadlineKind;
  /** What it is about: the dispute, the milestone, or of a reminder the id of its deadline. Empty: the order. */
  readonly subject: string;
  /** Of a reminder: the kind of its deadline. */
  readonly ofKind: DeadlineKind | null;
  readonly milestoneRef: string | null;
  /** On the clock of deadlines: with simulators theirs. */
  readonly at: string;
  readonly status: DeadlineStatus;
  /** How often its work was certainly refused: each refusal leads to another row. */
  readonly attempts: number;
  /** Why, the last time. */
  readonly failure: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Neither passed nor canceled. */
export const isLive = ({ status }: Deadline): boolean => status === 'PENDING' || status === 'HELD';

declare module '../../commit/tables.ts' {
  interface Tables {
    deadlines: Deadline;
  }
  interface Lookups {
    deadlines: { order: string };
  }
}

export const DEADLINES = table('deadlines', {
  notFound: 'DEADLINE_NOT_FOUND',
  sql: 'deadlines',
  columns: [
    'id',
    'orderId',
    'kind',
    'subject',
    'ofKind',
    'milestoneRef',
    'at',
    'status',
    'attempts',
    'failure',
    'createdAt',
    'updatedAt',
  ],
  lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
});
