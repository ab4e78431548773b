// Ends a dispute that the contract has already paid out, without an operation of ours: the order or its milestone is settled with the
// shares that the ledger shows.

import type { DisputeDecision } from '@holdfast/contract/states.ts';
import { transition } from '../../base/machine.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { settleMilestone } from '../escrows/pay-milestone.ts';
import { settleOrder } from '../escrows/settle-order.ts';
import { viewOf } from '../orders/order-work.ts';
import { DISPUTE_MACHINE } from './machine.ts';
import { OUTCOMES, recordResolution } from './resolve-dispute.ts';

type Adopted = {
  readonly orderId: string;
  readonly disputeId: string;
  readonly seller: Amount;
  readonly buyer: Amount;
  readonly note: string;
};

const decisionOf = ({ seller, buyer }: Pick<Adopted, 'seller' | 'buyer'>): DisputeDecision => {
  if (buyer === ZERO) return 'FULL_RELEASE';
  return seller === ZERO ? 'FULL_REFUND' : 'SPLIT';
};

export const adoptResolution = (work: UnitOfWork, { orderId, disputeId, seller, buyer, note }: Adopted): void => {
  const dispute = work.get('disputes', disputeId);
  const row = transition(DISPUTE_MACHINE, { from: dispute.status, on: 'resolution.adopted' });
  const decision = decisionOf({ seller, buyer });
  const { milestoneRef: ref } = dispute;
  const view = viewOf(work, orderId);
  if (ref === null) settleOrder(work, { view, ...OUTCOMES[decision], seller, buyer });
  else settleMilestone(work, { view, ref, on: OUTCOMES[decision].on, seller, buyer });
  recordResolution(work, { dispute, row, decision, seller, buyer, note, resolvedBy: work.context.actor.id });
};
