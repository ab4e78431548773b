// An outside system told that an escrow's funding had begun, and nothing came of it: what is reserved is free again and
// the escrow can be funded as if nothing had been told.

import { formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { lockReservation } from '../balances/reservations.ts';
import { onOrder, viewOf } from '../orders/order-work.ts';
import { escrowRow, putEscrow } from './escrow-work.ts';

type LapseInput = {
  readonly orderId: string;
  /** Only when nothing has happened to the escrow since then. */
  readonly before: string;
};

export const lapseFunding = command<LapseInput, { lapsed: boolean }>({
  name: 'lapse-funding',
  ...onOrder,
  decide({ orderId, before }, work) {
    const { order, escrow, operation } = viewOf(work, orderId);
    // What we carry out ourselves ends by itself, and only by what the ledger says.
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
