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
import { wantedDeadlines } from './wanted-deadlines.ts';

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

const followState = (work: UnitOfWork, { order, rules }: { order: Order; rules: PolicyRules }): void => {
  const { id: orderId } = order;
  const milestones = work.listBy('milestones', { by: 'order', value: orderId });
  const wanted = wantedDeadlines(rules, { order, milestones });
  const known = deadlinesOf(work, orderId).filter(({ kind }) => kind !== 'reminder');
  const isSame = (a: Pick<Deadline, 'kind' | 'subject'>, b: Pick<Deadline, 'kind' | 'subject'>): boolean =>
    a.kind === b.kind && a.subject === b.subject;
  for (const deadline of known.filter(isLive)) {
    if (!wanted.some((each) => isSame(each, deadline))) cancel(work, deadline);
  }
  // A deadline passes once: one that is DONE does not begin again. One that was canceled does, when its state comes back.
  const isThere = (each: Pick<Deadline, 'kind' | 'subject'>): boolean =>
    known.some((deadline) => isSame(each, deadline) && deadline.status !== 'CANCELED');
  for (const { kind, subject, milestoneRef, after } of wanted.filter((each) => !isThere(each))) {
    add(work, { orderId, kind, subject, ofKind: null, milestoneRef, at: laterBy(work.deadlineNow, msOf(after)) });
  }
};

/** Only a PENDING deadline has reminders, and only in the future. One that is tried again was announced before. */
const followReminders = (work: UnitOfWork, { order, rules }: { order: Order; rules: PolicyRules }): void => {
  const { remindBefore = [] } = rules;
  if (remindBefore.length === 0) return;
  const all = deadlinesOf(work, order.id);
  const wanted = all
    .filter(({ kind, status, attempts }) => kind !== 'reminder' && status === 'PENDING' && attempts === 0)
    .flatMap((deadline) => remindBefore.map((before) => ({ deadline, at: laterBy(deadline.at, -msOf(before)) })))
    .filter(({ at }) => at > work.deadlineNow);
  const reminders = all.filter(({ kind }) => kind === 'reminder');
  for (const reminder of reminders.filter(isLive)) {
    const isWanted = wanted.some(({ deadline, at }) => deadline.id === reminder.subject && at === reminder.at);
    // One that is due belongs to a deadline that still stands: it is carried out.
    const isDue =
      reminder.at <= work.deadlineNow && all.some(({ id, status }) => id === reminder.subject && status === 'PENDING');
    if (!isWanted && !isDue) cancel(work, reminder);
  }
  for (const { deadline, at } of wanted) {
    const isThere = reminders.some(
      ({ subject, at: known, status }) => subject === deadline.id && known === at && status !== 'CANCELED',
    );
    if (isThere) continue;
    const { id: subject, orderId, kind: ofKind, milestoneRef } = deadline;
    add(work, { orderId, kind: 'reminder', subject, ofKind, milestoneRef, at });
  }
};

export const followDeadlines = (work: UnitOfWork, order: Order): void => {
  if (order.policyId === null) return;
  const { rules } = work.get('policies', order.policyId);
  followState(work, { order, rules });
  followReminders(work, { order, rules });
};
