// A deadline whose work an outside system has certainly refused is tried again: another deadline stands in its place, after a pause that
// grows. After the last pause the deadline is held, and an alert asks an operator to decide. An unknown outcome never comes here.

import { laterBy } from '../../base/instant.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import type { Deadline } from './deadline.ts';
import { deadlinesOf } from './follow-deadlines.ts';

const MINUTE_MS = 60_000;

/** From a refusal to the next try. */
const PAUSES_MS = [1, 5, 30, 120, 480].map((minutes) => minutes * MINUTE_MS);

/** After so many refusals a deadline is held. */
export const REFUSALS_MAX = PAUSES_MS.length + 1;

type Refused = { readonly orderId: string; readonly deadlineId: string | undefined; readonly failure: string };

/** Does nothing for an operation that no deadline began. Before the order is put: that cancels a deadline that became pointless. */
export const retryDeadline = (work: UnitOfWork, { orderId, deadlineId, failure }: Refused): void => {
  // An order without a policy has no deadlines, and its commands do not load any.
  if (deadlineId === undefined) return;
  const refused = deadlinesOf(work, orderId).find(({ id }) => id === deadlineId);
  if (refused?.status !== 'DONE') return;
  const attempts = refused.attempts + 1;
  const pauseMs = PAUSES_MS[refused.attempts];
  const next: Deadline = {
    ...refused,
    id: work.newId('deadline'),
    at: laterBy(work.deadlineNow, pauseMs ?? 0),
    status: pauseMs === undefined ? 'HELD' : 'PENDING',
    attempts,
    failure,
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('deadlines', { ...refused, failure, updatedAt: work.now });
  work.put('deadlines', next);
  const { kind, milestoneRef, at, status } = next;
  work.audit({
    action: 'DEADLINE_REFUSED',
    resourceType: 'Order',
    resourceId: orderId,
    userId: work.get('orders', orderId).buyerId,
    before: { kind, at: refused.at, status: refused.status },
    after: { kind, at, status, attempts, reason: failure, ...(milestoneRef === null ? {} : { milestoneRef }) },
    result: 'FAILURE',
  });
};
