// Undoes a funding that was only reported: the provider does not show it, so the reservation is unlocked and the escrow can be funded
// again.

import { formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { lockReservation } from '../balances/reservation.ts';
import { onOrder, viewOf } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';

type LapseInput = {
  readonly orderId: string;
  /** Does nothing when the escrow has changed since then. */
  readonly before: string;
};

export const lapseFunding = command<LapseInput, { lapsed: boolean }>({
  name: 'lapse-funding',
  ...onOrder,
  decide({ orderId, before }, work) {
    const { order, escrow, operation } = viewOf(work, orderId);
    // A funding of our own ends with its operation, by the outcome on the ledger.
    if (escrow?.status !== 'FUNDING' || operation || escrow.transactionId !== null) return { lapsed: false };
    if (escrow.updatedAt >= before) return { lapsed: false };
    const { buyerId: userId, currency } = order;
    lockReservation(work, { userId, currency, orderId, locked: false });
    const lapsed = putEscrow(work, escrow, { status: escrowRow(escrow, 'funding.failed').to });
    work.audit({
      action: 'ESCROW_FUNDING_FAILED',
      resourceType: 'Escrow',
      resourceId: escrow.id,
      userId,
      before: { status: escrow.status },
      after: { status: lapsed.status, orderId, amount: formatAmount(escrow.amount), reason: 'nothing was paid in' },
      result: 'FAILURE',
    });
    return { lapsed: true };
  },
});
