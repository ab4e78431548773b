// What becomes of the treasury's payments when the transaction that carried them is settled.

import type { LedgerTransaction } from '../domain/ledger-transaction.ts';
import { type Amount, formatExact, fromUnits } from '../domain/money.ts';
import type { TreasuryPayment } from '../domain/treasury-payment.ts';
import type { Desk } from './command.ts';
import { paymentIdsOf } from './record-transaction.ts';

/** Still to be paid. */
export const isOpen = ({ state }: TreasuryPayment): boolean => state === 'QUEUED' || state === 'SENT';

/** The transaction succeeded: each is done, unless another amount was paid than was asked for. */
export const endPayments = (desk: Desk, { id, actions }: LedgerTransaction, paid: readonly (Amount | null)[]): void => {
  for (const [index, action] of actions.entries()) {
    if (action.type === 'trust' || action.paymentId === null) continue;
    const payment = desk.get('treasuryPayments', action.paymentId);
    if (payment.state === 'DONE') continue;
    const amount = paid[index] ?? null;
    const isWrong = amount !== null && amount !== fromUnits(BigInt(action.units));
    desk.put('treasuryPayments', {
      ...payment,
      state: isWrong ? 'FAILED' : 'DONE',
      transactionId: id,
      failure: isWrong ? `the ledger paid ${formatExact(amount)}` : null,
      updatedAt: desk.now,
    });
  }
};

/**
 * It did not happen. One whose time ran out is nobody's fault and waits again as it was. After a failure in company each
 * is sent alone; what failed alone is over, but for an activation, which every wallet needs sooner or later.
 */
export const returnPayments = (
  desk: Desk,
  { id, actions }: LedgerTransaction,
  { reason, isExpired }: { reason: string; isExpired: boolean },
): void => {
  const ids = paymentIdsOf(actions);
  for (const paymentId of ids) {
    const payment = desk.get('treasuryPayments', paymentId);
    // Another transaction has it by now, or has paid it.
    if (payment.state !== 'SENT' || payment.transactionId !== id) continue;
    const isOver = !isExpired && ids.length === 1 && payment.kind === 'pay';
    desk.put('treasuryPayments', {
      ...payment,
      state: isOver ? 'FAILED' : 'QUEUED',
      alone: payment.alone || !isExpired,
      transactionId: isOver ? id : null,
      failure: reason,
      updatedAt: desk.now,
    });
  }
};
