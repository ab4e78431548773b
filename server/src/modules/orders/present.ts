// Presents an order with its escrow, dispute and operation: field by field, so that wallets, hashes and the steps of an operation are
// never shown.

import { type Amount, formatAmount, minus } from '../../books/money.ts';
import type { Dispute } from '../disputes/dispute.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import type { Deadline } from '../policies/deadline.ts';
import type { Milestone, OrderView, PolicyName } from './order.ts';
import { isPaid, leftOf, paidSoFar } from './paid-milestones.ts';
import { sharesOf } from './shares.ts';

const shownOrNull = (amount: Amount | null): string | null => (amount === null ? null : formatAmount(amount));

/** Hundredths of a percent as a percentage. */
const presentFee = (bps: number): string => `${Math.trunc(bps / 100)}.${String(bps % 100).padStart(2, '0')}`;

/** What only a milestone has that was paid or disputed on its own. */
const presentOwn = ({ releasedAmount, refundedAmount, fee, disputeId }: Milestone) => ({
  ...(releasedAmount === null ? {} : { releasedAmount: formatAmount(releasedAmount) }),
  ...(refundedAmount === null ? {} : { refundedAmount: formatAmount(refundedAmount) }),
  ...(fee === null ? {} : { fee: formatAmount(fee) }),
  ...(disputeId === null ? {} : { disputeId }),
});

export const presentMilestone = (milestone: Milestone) => ({
  ref: milestone.ref,
  title: milestone.title,
  amount: formatAmount(milestone.amount),
  status: milestone.status,
  completedAt: milestone.completedAt,
  ...presentOwn(milestone),
});

const presentPaid = (view: Pick<OrderView, 'order' | 'milestones'>) => {
  if (!view.milestones.some(isPaid)) return {};
  const { seller, buyer, fee } = paidSoFar(view.milestones);
  return {
    paid: {
      seller: formatAmount(minus(seller, fee)),
      buyer: formatAmount(buyer),
      fee: formatAmount(fee),
      left: formatAmount(leftOf(view)),
    },
  };
};

const presentEscrow = (escrow: Escrow) => ({
  id: escrow.id,
  providerContractId: escrow.providerContractId,
  contractType: escrow.contractType,
  status: escrow.status,
  amount: formatAmount(escrow.amount),
  terms: escrow.terms,
  fundedAt: escrow.fundedAt,
  releasedAt: escrow.releasedAt,
  refundedAt: escrow.refundedAt,
  createdAt: escrow.createdAt,
  updatedAt: escrow.updatedAt,
});

/** Without its order. */
export const presentDispute = (dispute: Dispute) => ({
  id: dispute.id,
  orderId: dispute.orderId,
  ...(dispute.milestoneRef === null ? {} : { milestoneRef: dispute.milestoneRef }),
  openedBy: dispute.openedBy,
  reason: dispute.reason,
  evidence: dispute.evidence && [...dispute.evidence],
  status: dispute.status,
  assignedTo: dispute.assignedTo,
  resolutionDecision: dispute.resolutionDecision,
  decisionNote: dispute.decisionNote,
  sellerAmount: shownOrNull(dispute.sellerAmount),
  buyerAmount: shownOrNull(dispute.buyerAmount),
  createdAt: dispute.createdAt,
  updatedAt: dispute.updatedAt,
  resolvedAt: dispute.resolvedAt,
});

const presentOperation = ({ id, kind, state, createdAt, attempts }: Operation) => ({
  id,
  kind,
  state,
  startedAt: createdAt,
  attempts,
});

/** `platformFee` is the specification's name of the percentage. */
const presentShares = (view: Pick<OrderView, 'order' | 'milestones' | 'dispute'>) => {
  const percent = presentFee(view.order.platformFeeBps);
  const { fee, seller, buyer } = sharesOf(view);
  return {
    platformFee: percent,
    platformFeePercent: percent,
    platformFeeAmount: formatAmount(fee),
    sellerNet: formatAmount(seller),
    buyerRefund: formatAmount(buyer),
  };
};

const presentPolicy = ({ id, name, policyVersion: version }: PolicyName) => ({ id, name, version });

/** Refusals only where there were some. */
export const presentDeadline = ({ kind, at, status, milestoneRef, ofKind: of, attempts, failure }: Deadline) => ({
  kind,
  at,
  status,
  milestoneRef,
  of,
  ...(attempts === 0 ? {} : { attempts }),
  ...(failure === null ? {} : { failure }),
});

export const presentOrder = ({ order, milestones, escrow, dispute, operation, policy, deadlines }: OrderView) => ({
  id: order.id,
  status: order.status,
  finalStatus: order.finalStatus,
  amount: formatAmount(order.amount),
  currency: order.currency,
  buyerId: order.buyerId,
  sellerId: order.sellerId,
  title: order.title,
  description: order.description,
  clientOrderRef: order.clientOrderRef,
  metadata: order.metadata,
  ...presentShares({ order, milestones, dispute }),
  escrow: escrow && presentEscrow(escrow),
  dispute: dispute && presentDispute(dispute),
  milestones: milestones.map(presentMilestone),
  ...presentPaid({ order, milestones }),
  operation: operation && presentOperation(operation),
  policy: policy && presentPolicy(policy),
  deadlines: deadlines.map(presentDeadline),
  createdAt: order.createdAt,
  updatedAt: order.updatedAt,
});
