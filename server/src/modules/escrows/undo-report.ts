// Undoes what a false report of the escrow provider has booked: a payout that the contract never made, or a funding that never arrived. The
// caller has made sure of that. The money goes back the way it came, and no user is left with less than nothing.

import { transition } from '../../base/machine.ts';
import { partFee } from '../../books/fees.ts';
import { type Amount, formatAmount, minus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, availableChange, balanceOf, reservedChange } from '../../commit/money.ts';
import { addReservation } from '../balances/reservation.ts';
import { MILESTONE_MACHINE } from '../orders/milestone-machine.ts';
import type { Milestone, Order, OrderView } from '../orders/order.ts';
import { liveEscrow, orderRow, putOrder, viewOf } from '../orders/order-work.ts';
import { type Paid, paidSoFar } from '../orders/paid-milestones.ts';
import { type CallIdentity, callKey, type DoneCall, type Escrow, escrowRow, putEscrow } from './escrow.ts';

type Taken = {
  readonly order: Order;
  readonly userId: string;
  readonly amount: Amount;
  readonly name: 'release_reversal' | 'refund_reversal';
};

/** Who was paid by the report, and how much. */
export const paidByReport = ({ order }: Pick<OrderView, 'order'>): { userId: string; amount: Amount; fee: Amount } => {
  const { buyerId, sellerId, amount, finalStatus } = order;
  if (finalStatus !== 'RELEASED') return { userId: buyerId, amount, fee: ZERO };
  const fee = partFee(order, { before: ZERO, part: amount });
  return { userId: sellerId, amount: minus(amount, fee), fee };
};

const takeBack = (work: UnitOfWork, { order, userId, amount, name }: Taken): void => {
  if (amount === ZERO) return;
  const key = { userId, currency: order.currency };
  const before = balanceOf(work, key);
  work.move(name, { ...key, amount, orderId: order.id, reference: order.id });
  const after = balanceOf(work, key);
  const shown = formatAmount(amount);
  work.emit({
    type: 'balance.debited',
    aggregateId: userId,
    userId,
    payload: {
      ...key,
      amount: shown,
      destination: 'escrow',
      destinationId: order.id,
      ...availableChange(before, after),
    },
  });
  work.audit({
    action: 'BALANCE_DEBITED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount: shown, orderId: order.id },
  });
};

type Undone = { readonly orderId: string; readonly reason: string };

/** `onLedger`: the calls of the contract that the ledger shows. */
type UndonePayout = Undone & { readonly onLedger: readonly CallIdentity[] };

const OF_PAYOUT: ReadonlySet<DoneCall['call']> = new Set(['change-status', 'approve', 'release', 'dispute', 'resolve']);

/** Without the calls of a payout that only a report has shown. They would count as done, and the real payout would make none of them. */
const shownCalls = (
  { calls }: Escrow,
  { onLedger, places }: { readonly onLedger: readonly CallIdentity[]; readonly places: readonly number[] | 'all' },
): readonly DoneCall[] => {
  const shown = new Set(onLedger.map(callKey));
  const isUndone = (milestone: number | null): boolean =>
    places === 'all' || (milestone !== null && places.includes(milestone));
  return calls.filter((one) => !OF_PAYOUT.has(one.call) || !isUndone(one.milestone) || shown.has(callKey(one)));
};

type UndoneMilestones = UndonePayout & { readonly places: readonly number[] };

/** A milestone as it was before its payment. */
const unpaid = (milestone: Milestone): Milestone => {
  const on = milestone.completedAt === null ? 'correction.reopened' : 'correction.unpaid';
  const { to: status } = transition(MILESTONE_MACHINE, { from: milestone.status, on });
  return { ...milestone, status, releasedAmount: null, refundedAmount: null, fee: null };
};

/** What the books paid for these milestones; the seller's part is without the fee. */
export const paidFor = ({ milestones }: Pick<OrderView, 'milestones'>, places: readonly number[]): Paid => {
  const { seller, buyer, fee } = paidSoFar(milestones.filter(({ place }) => places.includes(place)));
  return { seller: minus(seller, fee), buyer, fee };
};

/** The contract has not paid these milestones as the books say: their money is in escrow again, and the order is IN_PROGRESS. */
export const undoMilestones = (work: UnitOfWork, { orderId, reason, places, onLedger }: UndoneMilestones): void => {
  const view = viewOf(work, orderId);
  const { order } = view;
  const { to, moves, emits } = orderRow(view, 'correction.reopened');
  const { seller, buyer, fee } = paidFor(view, places);
  takeBack(work, { order, userId: order.sellerId, amount: seller, name: moves[0] });
  takeBack(work, { order, userId: order.buyerId, amount: buyer, name: moves[2] });
  const { currency } = order;
  if (fee > ZERO) work.move(moves[1], { orderId, currency, amount: fee, reference: orderId });
  const undone = view.milestones.filter(({ place }) => places.includes(place));
  for (const milestone of undone) work.put('milestones', unpaid(milestone));
  const known = liveEscrow(view);
  const { to: status } = escrowRow(known, 'correction.reopened');
  const calls = shownCalls(known, { onLedger, places });
  putEscrow(work, { ...known, status, calls, releasedAt: null, refundedAt: null });
  putOrder(work, { ...order, status: to, finalStatus: null });
  const payload = { orderId, escrowId: known.id };
  work.emit({ type: emits[0], aggregateId: orderId, userId: order.buyerId, payload });
  work.audit({
    action: 'ORDER_REOPENED',
    resourceType: 'Order',
    resourceId: orderId,
    userId: order.buyerId,
    before: { status: order.status, finalStatus: order.finalStatus },
    after: {
      status: to,
      milestones: undone.map(({ ref }) => ref),
      sellerAmount: formatAmount(seller),
      buyerAmount: formatAmount(buyer),
      platformFee: formatAmount(fee),
      reason,
    },
  });
};

/** The contract has paid nothing, although the order is closed: it is IN_PROGRESS again, with its money in escrow. */
export const reopenOrder = (work: UnitOfWork, { orderId, reason, onLedger }: UndonePayout): void => {
  const view = viewOf(work, orderId);
  const { order } = view;
  const { to, moves, emits } = orderRow(view, 'correction.reopened');
  const { userId, amount, fee } = paidByReport(view);
  const isReleased = order.finalStatus === 'RELEASED';
  takeBack(work, { order, userId, amount, name: isReleased ? moves[0] : moves[2] });
  const { currency } = order;
  if (fee > ZERO) work.move(moves[1], { orderId, currency, amount: fee, reference: orderId });
  const known = liveEscrow(view);
  const { to: status } = escrowRow(known, 'correction.reopened');
  const calls = shownCalls(known, { onLedger, places: 'all' });
  const escrow = putEscrow(work, { ...known, status, calls, releasedAt: null, refundedAt: null });
  putOrder(work, { ...order, status: to, finalStatus: null });
  const payload = { orderId, escrowId: escrow.id };
  work.emit({ type: emits[0], aggregateId: orderId, userId: order.buyerId, payload });
  work.audit({
    action: 'ORDER_REOPENED',
    resourceType: 'Order',
    resourceId: orderId,
    userId: order.buyerId,
    before: { status: order.status, finalStatus: order.finalStatus },
    after: { status: to, amount: formatAmount(order.amount), platformFee: formatAmount(fee), reason },
  });
};

/** The contract was never funded, although the order is IN_PROGRESS: the buyer's money is reserved again. */
export const unfundOrder = (work: UnitOfWork, { orderId, reason }: Undone): void => {
  const view = viewOf(work, orderId);
  const { order } = view;
  const { buyerId: userId, currency, amount } = order;
  const { to, moves, emits } = orderRow(view, 'correction.unfunded');
  const key = { userId, currency };
  const before = balanceOf(work, key);
  work.move(moves[0], { ...key, amount, orderId, reference: orderId });
  addReservation(work, { ...key, amount, orderId });
  const after = balanceOf(work, key);
  const shown = formatAmount(amount);
  work.emit({
    type: 'balance.reserved',
    aggregateId: userId,
    userId,
    payload: { ...key, amount: shown, orderId, ...reservedChange(before, after) },
  });
  const known = liveEscrow(view);
  const escrow = putEscrow(work, { ...known, status: escrowRow(known, 'correction.unfunded').to, fundedAt: null });
  putOrder(work, { ...order, status: to });
  const providerContractId = escrow.providerContractId ?? '';
  const payload = { orderId, escrowId: escrow.id, providerContractId, amount: shown };
  work.emit({ type: emits[0], aggregateId: orderId, userId, payload });
  work.audit({
    action: 'ESCROW_UNFUNDED',
    resourceType: 'Escrow',
    resourceId: escrow.id,
    userId,
    before: { orderStatus: order.status, status: known.status },
    after: { orderStatus: to, status: escrow.status, orderId, amount: shown, reason },
  });
};
