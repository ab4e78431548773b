// Books the payment of one milestone that the contract has made without a request of ours, or of which the request was forgotten. The
// caller has made sure that the contract has paid. An operation that runs on the order finds the payment on its own.

import { ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { completeMilestoneOn } from '../orders/complete-milestone.ts';
import { liveEscrow, viewOf } from '../orders/order-work.ts';
import { milestoneOf } from '../orders/paid-milestones.ts';
import { requestedMilestone } from '../orders/requests.ts';
import { type DoneCall, isCalled, putEscrow } from './escrow.ts';
import { recordMilestoneRequest, settleMilestone } from './pay-milestone.ts';

type Adopted = { readonly orderId: string; readonly ref: string; readonly kind: 'release' | 'refund' };

const REASON = 'The escrow provider reported it.';

/** The calls of a release. A refund is adopted only by our own resolution, which is recorded. */
const recordRelease = (work: UnitOfWork, { orderId, place }: { orderId: string; place: number }): void => {
  const escrow = liveEscrow(viewOf(work, orderId));
  const calls = (['change-status', 'approve', 'release'] as const).map(
    (call): DoneCall => ({ call, milestone: place }),
  );
  const fresh = calls.filter((call) => !isCalled(escrow, call));
  if (fresh.length > 0) putEscrow(work, { ...escrow, calls: [...escrow.calls, ...fresh] });
};

/** A released milestone counts as completed: the contract pays only what the buyer has approved. */
export const adoptMilestone = (work: UnitOfWork, { orderId, ref, kind }: Adopted): void => {
  const { status, place } = milestoneOf(viewOf(work, orderId), ref);
  if (kind === 'release' && status === 'OPEN') completeMilestoneOn(work, { orderId, ref });
  const { milestone } = requestedMilestone(work, { view: viewOf(work, orderId), ref, on: `${kind}.milestone` });
  recordMilestoneRequest(work, { orderId, milestone, kind, reason: REASON, operationId: null });
  if (kind === 'release') recordRelease(work, { orderId, place });
  const { amount } = milestone;
  const shares = kind === 'release' ? { seller: amount, buyer: ZERO } : { seller: ZERO, buyer: amount };
  settleMilestone(work, { view: viewOf(work, orderId), ref, on: `${kind}.confirmed`, ...shares });
};
