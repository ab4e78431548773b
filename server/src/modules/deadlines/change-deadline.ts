// What an operator does to a deadline: hold it, resume it, or extend it. The reason goes to the audit trail. Its reminders follow.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { DeadlineKind } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { step } from '../../base/machine.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { OrderView } from '../orders/order.ts';
import { onOrder, viewOf } from '../orders/order-work.ts';
import { type Deadline, isLive } from '../policies/deadline.ts';
import { followDeadlines, putDeadline } from '../policies/follow-deadlines.ts';
import { DEADLINE_MACHINE } from '../policies/machine.ts';

export type NamedDeadline = {
  readonly orderId: string;
  readonly kind: Exclude<DeadlineKind, 'reminder'>;
  /** Of an inspection, and of the decision about a disputed milestone. */
  readonly milestoneRef: string | null;
  readonly reason: string | null;
};

/** The one that still stands, or the last one. */
export const namedDeadline = ({ deadlines }: OrderView, { kind, milestoneRef }: NamedDeadline): Deadline => {
  const named = deadlines.filter((each) => each.kind === kind && each.milestoneRef === milestoneRef);
  const deadline = named.find(isLive) ?? named.at(-1);
  if (!deadline) throw new DomainError('DEADLINE_NOT_FOUND');
  return deadline;
};

type Change = {
  readonly on: 'hold' | 'resume' | 'extend';
  readonly action: AuditAction;
  readonly until?: string;
};

const change = (work: UnitOfWork, input: NamedDeadline & Change): OrderView => {
  const { orderId, on, action, until, reason } = input;
  const view = viewOf(work, orderId);
  const deadline = namedDeadline(view, input);
  const status = step(DEADLINE_MACHINE, { from: deadline.status, on });
  const { kind, at, milestoneRef } = deadline;
  if (until !== undefined && until <= at) {
    throw validationError([`until must be later than ${at}, when the deadline passes now`]);
  }
  if (until !== undefined && until <= work.deadlineNow) throw validationError(['until must be in the future']);
  const { id } = putDeadline(work, { ...deadline, status, at: until ?? at });
  followDeadlines(work, view.order);
  // One that is resumed in a state that does not want it, such as during the dispute of a milestone, is canceled at once.
  const changed = work.get('deadlines', id);
  work.audit({
    action,
    resourceType: 'Order',
    resourceId: orderId,
    userId: view.order.buyerId,
    before: { kind, at, status: deadline.status },
    after: {
      kind,
      at: changed.at,
      status: changed.status,
      ...(milestoneRef === null ? {} : { milestoneRef }),
      ...(reason === null ? {} : { reason }),
    },
  });
  return viewOf(work, orderId);
};

const changeCommand = (on: 'hold' | 'resume', action: AuditAction) =>
  command<NamedDeadline, OrderView>({
    name: `${on}-deadline`,
    ...onOrder,
    decide: (input, work) => change(work, { ...input, on, action }),
  });

export const holdDeadline = changeCommand('hold', 'DEADLINE_HELD');

/** A deadline whose time was reached while it was held is due at once. */
export const resumeDeadline = changeCommand('resume', 'DEADLINE_RESUMED');

/** Ten years, as for the durations of a policy. */
const EXTENDED_MAX_MS = 3_653 * 86_400_000;

export const extendDeadline = command<NamedDeadline & { readonly until: string }, OrderView>({
  name: 'extend-deadline',
  ...onOrder,
  decide(input, work) {
    if (input.until > laterBy(work.deadlineNow, EXTENDED_MAX_MS)) {
      throw validationError(['until must be at most ten years from now']);
    }
    return change(work, { ...input, on: 'extend', action: 'DEADLINE_EXTENDED' });
  },
});
