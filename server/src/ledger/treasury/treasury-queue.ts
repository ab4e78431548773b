// The treasury's payments: how one gets into the queue, and what becomes of them when their transaction is settled.

import { type Amount, formatExact, fromUnits } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { assetOf, type Wallet } from '../keys/wallet.ts';
import type { LedgerTransaction } from '../transactions/ledger-transaction.ts';
import { paymentIdsOf } from '../transactions/record-transaction.ts';
import type { TreasuryPayment } from './treasury-payment.ts';

/** Still to be paid. */
export const isOpen = ({ state }: TreasuryPayment): boolean => state === 'QUEUED' || state === 'SENT';

type Asked = Pick<TreasuryPayment, 'kind' | 'currency' | 'amount' | 'reference'> & { readonly wallet: Wallet };

/** Puts a payment into the treasury's queue. */
export const queuePayment = (work: UnitOfWork, { wallet, ...asked }: Asked): TreasuryPayment => {
  const { id: walletId, address, userId } = wallet;
  const payment: TreasuryPayment = {
    ...asked,
    id: work.newId('treasuryPayment'),
    walletId,
    address,
    asset: assetOf(asked.currency),
    state: 'QUEUED',
    alone: false,
    transactionId: null,
    failure: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('treasuryPayments', payment);
  const { kind, currency, amount, reference } = asked;
  work.audit({
    action: 'TREASURY_PAYMENT_REQUESTED',
    resourceType: 'TreasuryPayment',
    resourceId: payment.id,
    ...(userId === null ? {} : { userId }),
    after: { kind, walletId, currency, amount: formatExact(amount), reference },
  });
  return payment;
};

/** The transaction succeeded: each is done, unless another amount was paid than was asked for. */
export const endPayments = (
  work: UnitOfWork,
  { id, actions }: LedgerTransaction,
  paid: readonly (Amount | null)[],
): void => {
  for (const [index, action] of actions.entries()) {
    if (!('paymentId' in action) || action.paymentId === null) continue;
    const payment = work.get('treasuryPayments', action.paymentId);
    if (payment.state === 'DONE') continue;
    const amount = paid[index] ?? null;
    const isWrong = amount !== null && amount !== fromUnits(BigInt(action.units));
    work.put('treasuryPayments', {
      ...payment,
      state: isWrong ? 'FAILED' : 'DONE',
      transactionId: id,
      failure: isWrong ? `the ledger paid ${formatExact(amount)}` : null,
      updatedAt: work.now,
    });
  }
};

/**
 * It did not happen. One whose time ran out is nobody's fault and waits again as it was. After a failure in company each
 * is sent alone; what failed alone is over, but for an activation, which every wallet needs sooner or later.
 */
export const returnPayments = (
  work: UnitOfWork,
  { id, actions }: LedgerTransaction,
  { reason, isExpired }: { reason: string; isExpired: boolean },
): void => {
  const ids = paymentIdsOf(actions);
  for (const paymentId of ids) {
    const payment = work.get('treasuryPayments', paymentId);
    // Another transaction has it by now, or has paid it.
    if (payment.state !== 'SENT' || payment.transactionId !== id) continue;
    const isOver = !isExpired && ids.length === 1 && payment.kind === 'pay';
    work.put('treasuryPayments', {
      ...payment,
      state: isOver ? 'FAILED' : 'QUEUED',
      alone: payment.alone || !isExpired,
      transactionId: isOver ? id : null,
      failure: reason,
      updatedAt: work.now,
    });
  }
};
