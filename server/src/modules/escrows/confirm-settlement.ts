// The contract has paid: an order is released, refunded, or its dispute is resolved as it was decided.

import { step } from '../../base/machine.ts';
import { formatAmount, fromUnits, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { DISPUTE_MACHINE } from '../disputes/machine.ts';
import type { OrderView } from '../orders/order-view.ts';
import { onOrder, viewOf } from '../orders/order-work.ts';
import { noteRequest } from './begin-settlement.ts';
import { type Settlement, settleOrder } from './settle-order.ts';

type OrderAsk = { readonly orderId: string };

/** An outside system may tell of the end of something that nobody here asked for: then it is asked for now. */
const requested = (work: UnitOfWork, orderId: string, kind: 'release' | 'refund'): OrderView => {
  const view = viewOf(work, orderId);
  if (view.order.status !== 'IN_PROGRESS') return view;
  const reason = 'The escrow provider reported it.';
  const status = noteRequest(work, view, { kind, reason });
  return { ...view, order: { ...view.order, status } };
};

export const confirmRelease = (work: UnitOfWork, { orderId }: OrderAsk): void => {
  const view = requested(work, orderId, 'release');
  const paid = { seller: view.order.amount, buyer: ZERO };
  settleOrder(work, view, { on: 'release.confirmed', finalStatus: 'RELEASED', ...paid });
};

export const confirmRefund = (work: UnitOfWork, { orderId }: OrderAsk): void => {
  const view = requested(work, orderId, 'refund');
  const paid = { seller: ZERO, buyer: view.order.amount };
  settleOrder(work, view, { on: 'refund.confirmed', finalStatus: 'REFUNDED', ...paid });
};

const OUTCOMES = {
  FULL_RELEASE: { on: 'dispute.released', finalStatus: 'RELEASED' },
  FULL_REFUND: { on: 'dispute.refunded', finalStatus: 'REFUNDED' },
  SPLIT: { on: 'dispute.split', finalStatus: 'SPLIT' },
} as const satisfies Record<string, Pick<Settlement, 'on' | 'finalStatus'>>;

/** Its decision is in the operation that carried it out. */
const confirmResolution = (work: UnitOfWork, { orderId }: OrderAsk): void => {
  const view = viewOf(work, orderId);
  const { operation, dispute } = view;
  const decision = operation?.ask.decision;
  if (!operation || !dispute || !decision) throw new Error('a dispute is resolved only by its own operation');
  const { ask } = operation;
  const seller = fromUnits(BigInt(ask.sellerUnits ?? '0'));
  const buyer = fromUnits(BigInt(ask.buyerUnits ?? '0'));
  settleOrder(work, view, { ...OUTCOMES[decision], seller, buyer });
  const note = ask.note ?? null;
  work.put('disputes', {
    ...dispute,
    status: step(DISPUTE_MACHINE, { from: dispute.status, on: 'resolve' }),
    resolutionDecision: decision,
    decisionNote: note,
    sellerAmount: seller,
    buyerAmount: buyer,
    resolvedAt: work.now,
    updatedAt: work.now,
  });
  work.emit(
    'dispute.resolved',
    dispute.id,
    {
      ...{ disputeId: dispute.id, orderId, decision, resolvedBy: ask.actor.id, resolvedAt: work.now },
      ...(note === null ? {} : { decisionNote: note }),
      ...{ buyerAmount: formatAmount(buyer), sellerAmount: formatAmount(seller) },
    },
    { userId: view.order.buyerId },
  );
  work.audit({
    action: 'DISPUTE_RESOLVED',
    resourceType: 'Dispute',
    resourceId: dispute.id,
    userId: view.order.buyerId,
    before: { status: dispute.status },
    after: { status: 'RESOLVED', decision, note, sellerAmount: formatAmount(seller), buyerAmount: formatAmount(buyer) },
  });
};

const confirm = (name: string, decide: (work: UnitOfWork, ask: OrderAsk) => void) =>
  command<OrderAsk, void>({ name, ...onOrder, decide: (ask, work) => decide(work, ask) });

export const confirmReleaseCommand = confirm('confirm-release', confirmRelease);

export const confirmRefundCommand = confirm('confirm-refund', confirmRefund);

export const confirmResolutionCommand = confirm('confirm-resolution', confirmResolution);
