// Claims the funding of an escrow. The escrow goes to FUNDING and the order's reservation is locked, so that the money cannot be spent
// while a payment into the contract may be open.

import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { lockReservation } from '../balances/reservation.ts';
import type { Operation } from '../operations/operation.ts';
import { beginOperation } from '../operations/operation-work.ts';
import type { Order, OrderView } from '../orders/order.ts';
import { liveEscrow, onOrder, putOrder, viewOf } from '../orders/order-work.ts';
import { requestedRow } from '../orders/requests.ts';
import { type Escrow, escrowRow, putEscrow } from './escrow.ts';

type StartInput = { readonly orderId: string };

const begin = (work: UnitOfWork, view: OrderView): Escrow => {
  requestedRow(work, { view, on: 'fund_escrow' });
  const { order } = view;
  const escrow = liveEscrow(view);
  lockReservation(work, { userId: order.buyerId, currency: order.currency, orderId: order.id, locked: true });
  const { to, emits } = escrowRow(escrow, 'fund');
  const funding = putEscrow(work, { ...escrow, status: to });
  const escrowId = escrow.id;
  const orderId = order.id;
  work.emit({
    type: emits[0],
    aggregateId: escrowId,
    userId: order.buyerId,
    payload: {
      escrowId,
      orderId,
      providerContractId: escrow.providerContractId ?? '',
      amount: formatAmount(escrow.amount),
    },
  });
  return funding;
};

type Funding = { readonly order: Order; readonly escrow: Escrow };

const audit = (work: UnitOfWork, { order, escrow }: Funding): void =>
  work.audit({
    action: 'ESCROW_FUNDING_REQUESTED',
    resourceType: 'Escrow',
    resourceId: escrow.id,
    userId: order.buyerId,
    before: { status: 'CREATED' },
    after: { status: escrow.status, orderId: order.id, amount: formatAmount(order.amount), currency: order.currency },
  });

export const startFunding = command<StartInput, Operation>({
  name: 'start-funding',
  ...onOrder,
  decide({ orderId }, work) {
    const view = viewOf(work, orderId);
    const escrow = begin(work, view);
    const { walletId } = escrow.buyer;
    const operation = beginOperation(work, { order: view.order, kind: 'fund-escrow', escrowId: escrow.id, walletId });
    putOrder(work, { ...view.order, operationId: operation.id });
    audit(work, { order: view.order, escrow });
    return operation;
  },
});

/** The provider reported that funding has begun: no operation of ours runs for it. */
export const recordFundingStarted = (work: UnitOfWork, { orderId }: StartInput): void => {
  const view = viewOf(work, orderId);
  audit(work, { order: view.order, escrow: begin(work, view) });
};
