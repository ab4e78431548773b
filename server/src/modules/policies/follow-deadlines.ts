// Makes the deadlines of an order follow its state, in the commit that changes the state: new ones are PENDING, pointless ones CANCELED.
// Does nothing for an order without a policy.

import { durationMs } from '../../base/duration.ts';
import { laterBy } from '../../base/instant.ts';
import { step } from '../../base/machine.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import type { Order } from '../orders/order.ts';
import { type Deadline, isLive } from './deadline.ts';
import { DEADLINE_MACHINE } from './machine.ts';
import type { PolicyRules } from './policy.ts';
import { mayReturn, wantedDeadlines } from './wanted-deadlines.ts';

/** The rows that the deadlines of an order depend on. */
export const policyNeeds = ({ policyId, orderId }: { policyId: string; orderId: string }): Need[] => [
  { table: 'policies', id: policyId },
  { table: 'deadlines', by: 'order', value: orderId },
];

const byTime = (a: Deadline, b: Deadline): number => {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

/** Earliest first. */
export const deadlinesOf = (work: UnitOfWork, orderId: string): Deadline[] =>
  work.listBy('deadlines', { by: 'order', value: orderId }).sort(byTime);

export const putDeadline = (work: UnitOfWork, deadline: Deadline): Deadline => {
  const changed = { ...deadline, updatedAt: work.now };
  work.put('deadlines', changed);
  return changed;
};

const cancel = (work: UnitOfWork, deadline: Deadline): void =>
  void putDeadline(work, {
    ...deadline,
    status: step(DEADLINE_MACHINE, { from: deadline.status, on: 'order.changed' }),
  });

type NewDeadline = Pick<Deadline, 'orderId' | 'kind' | 'subject' | 'ofKind' | 'milestoneRef' | 'at'>;

const add = (work: UnitOfWork, deadline: NewDeadline): void =>
  work.put('deadlines', {
    id: work.newId('deadline'),
    ...deadline,
    status: 'PENDING',
    attempts: 0,
    failure: null,
    createdAt: work.now,
    updatedAt: work.now,
  });

/** The schema has checked the durations. */
const msOf = (duration: string): number => durationMs(duration)!;

type Named = Pick<Deadline, 'kind' | 'subject'>;

const isSame = (a: Named, b: Named): boolean => a.kind === b.kind && a.subject === b.subject;

type Restored = { readonly order: Order; readonly deadline: Deadline; readonly after: string };

/** Its state came back. A later time that an operator has set stays. */
const restore = (work: UnitOfWork, { order, deadline, after }: Restored): void => {
  const at = laterBy(work.deadlineNow, msOf(after));
  const { kind, at: before, status, milestoneRef } = deadline;
  const restored = putDeadline(work, {
    ...deadline,
    status: step(DEADLINE_MACHINE, { from: status, on: 'order.returned' }),
    at: at > before ? at : before,
  });
  work.audit({
    action: 'DEADLINE_RESTORED',
    resourceType: 'Order',
    resourceId: order.id,
    userId: order.buyerId,
    before: { kind, at: before, status },
    after: { kind, at: restored.at, status: restored.status, ...(milestoneRef === null ? {} : { milestoneRef }) },
  });
};

const followState = (work: UnitOfWork, { order, rules }: { order: Order; rules: PolicyRules }): void => {
  const { id: orderId } = order;
  const milestones = work.listBy('milestones', { by: 'order', value: orderId });
  const wanted = wantedDeadlines(rules, { order, milestones });
  const known = deadlinesOf(work, orderId).filter(({ kind }) => kind !== 'reminder');
  for (const deadline of known.filter(isLive)) {
    const isWanted = wanted.some((each) => isSame(each, deadline));
    // An operator's hold outlasts a state that can come back.
    const isKept = deadline.status === 'HELD' && mayReturn(deadline, order);
    if (!isWanted && !isKept) cancel(work, deadline);
  }
  for (const { kind, subject, milestoneRef, after } of wanted) {
    const same = known.filter((deadline) => isSame(deadline, { kind, subject }));
    const last = same.sort((a, b) => a.attempts - b.attempts).at(-1);
    // A deadline passes once: one that is DONE does not begin again. One that was canceled does, when its state comes back.
    if (last?.status === 'CANCELED') restore(work, { order, deadline: last, after });
    else if (!last)
      add(work, { orderId, kind, subject, ofKind: null, milestoneRef, at: laterBy(work.deadlineNow, msOf(after)) });
  }
};

/** The row that a reminder takes first. One that is due belongs to a deadline that still stands: it is moved last. */
const rowsToMove = (work: UnitOfWork, rows: readonly Deadline[]): Deadline[] => {
  const rank = ({ status, at }: Deadline): number => {
    if (status === 'CANCELED') return 0;
    if (status === 'DONE') return 2;
    return at > work.deadlineNow ? 1 : 3;
  };
  return [...rows].sort((a, b) => rank(a) - rank(b));
};

type Reminding = { readonly deadline: Deadline; readonly rows: readonly Deadline[]; readonly times: readonly string[] };

/** A deadline has at most one row for each duration of `remindBefore`: a reminder at another time takes a row that is not needed. */
const remindOf = (work: UnitOfWork, { deadline, rows, times }: Reminding): void => {
  const isInTime = ({ at, status }: Deadline): boolean => times.includes(at) && status !== 'CANCELED';
  const free = rowsToMove(
    work,
    rows.filter((row) => !isInTime(row)),
  );
  const { id: subject, orderId, kind: ofKind, milestoneRef, status: of } = deadline;
  for (const at of times.filter((time) => !rows.some((row) => row.at === time && isInTime(row)))) {
    const row = free.shift();
    if (row)
      putDeadline(work, { ...row, at, status: step(DEADLINE_MACHINE, { from: row.status, on: 'reminder.moved' }) });
    else add(work, { orderId, kind: 'reminder', subject, ofKind, milestoneRef, at });
  }
  for (const row of free.filter(isLive)) {
    const isDue = of === 'PENDING' && row.at <= work.deadlineNow;
    if (!isDue) cancel(work, row);
  }
};

/** Only a PENDING deadline has reminders, and only in the future. One that is tried again was announced before. */
const followReminders = (work: UnitOfWork, { order, rules }: { order: Order; rules: PolicyRules }): void => {
  const { remindBefore = [] } = rules;
  if (remindBefore.length === 0) return;
  const all = deadlinesOf(work, order.id);
  for (const deadline of all.filter(({ kind }) => kind !== 'reminder')) {
    const rows = all.filter(({ kind, subject }) => kind === 'reminder' && subject === deadline.id);
    const isAnnounced = deadline.status === 'PENDING' && deadline.attempts === 0;
    const times = isAnnounced ? remindBefore.map((before) => laterBy(deadline.at, -msOf(before))) : [];
    remindOf(work, { deadline, rows, times: [...new Set(times)].filter((at) => at > work.deadlineNow) });
  }
};

export const followDeadlines = (work: UnitOfWork, order: Order): void => {
  if (order.policyId === null) return;
  const { rules } = work.get('policies', order.policyId);
  followState(work, { order, rules });
  followReminders(work, { order, rules });
};
