// Treasury payments in commands: how one is queued, and how it ends when its transaction is settled.

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

/** The transaction succeeded: each payment is done, unless the ledger paid another amount. */
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
 * The transaction did not happen. After it expired, its payments are queued again unchanged. When a batch fails, each payment is retried
 * in its own transaction. A payment that failed in its own transaction has failed, except an activation, which every wallet needs.
 */
export const returnPayments = (
  work: UnitOfWork,
  { id, actions }: LedgerTransaction,
  { reason, isExpired }: { reason: string; isExpired: boolean },
): void => {
  const ids = paymentIdsOf(actions);
  for (const paymentId of ids) {
    const payment = work.get('treasuryPayments', paymentId);
    // Another transaction has sent or paid it since.
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
