// What a payment over the ledger leaves on the row of its withdrawal: that it is on its way, that it paid, that it came to
// nothing. At most one is on its way, so that a withdrawal is never paid twice; what the ledger says it paid is booked,
// whatever the row had come to meanwhile.

import { DomainError } from '../../base/domain-error.ts';
import { type Amount, least, minus, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { move } from '../../commit/money.ts';
import type { LedgerAction } from '../../ledger/transactions/ledger-transaction.ts';
import type { Ending } from '../../ledger/transactions/settle-transaction.ts';
import { isEnded, restOf, type Withdrawal } from './withdrawal.ts';
import { payOverLedger } from './withdrawal-money.ts';
import { moveWithdrawal, notePart } from './withdrawal-work.ts';

/** The withdrawals that the actions pay. */
export const withdrawalIdsOf = (actions: readonly LedgerAction[]): string[] =>
  actions.flatMap((action) => (action.type === 'pay' && action.withdrawalId ? [action.withdrawalId] : []));

const refuse = (message: string, currentState: string): never => {
  throw new DomainError('INVALID_STATE', { message, details: { currentState, allowedActions: [] } });
};

/** Before it is sent. Refused, it must never leave the house: two processes may pay one withdrawal. */
export const beginPayment = (work: UnitOfWork, withdrawalId: string, transactionId: string): void => {
  const withdrawal = work.get('withdrawals', withdrawalId);
  if (withdrawal.status !== 'WITHDRAWAL_COMMITTED') refuse('This withdrawal is not to be paid.', 'WITHDRAWAL_OVER');
  if (withdrawal.transactionId !== null) refuse('A payment of this withdrawal is on its way.', 'PAYMENT_OPEN');
  work.put('withdrawals', { ...withdrawal, transactionId, updatedAt: work.now });
};

type Paid = { readonly address: string; readonly amount: Amount; readonly transactionId: string };

/** The ledger paid so much. What was not set aside for it any more is the operator's loss. */
export const bookWithdrawal = (
  work: UnitOfWork,
  withdrawalId: string,
  { address, amount, transactionId }: Paid,
): void => {
  const withdrawal = work.get('withdrawals', withdrawalId);
  const part = isEnded(withdrawal) ? ZERO : least(amount, restOf(withdrawal));
  const excess = minus(amount, part);
  const { currency } = withdrawal;
  if (excess > ZERO) move(work, 'withdrawal_excess', { address, currency, amount: excess, reference: withdrawalId });
  if (part === ZERO) return;
  payOverLedger(work, withdrawal, { address, amount: part });
  if (part === restOf(withdrawal)) moveWithdrawal(work, withdrawal, { status: 'WITHDRAWAL_COMPLETED', transactionId });
  else notePart(work, withdrawal, part);
};

const isOwn = (withdrawal: Withdrawal, transactionId: string): boolean =>
  !isEnded(withdrawal) && withdrawal.transactionId === transactionId;

/**
 * A payment that the ledger took and that failed there is certainly none. One whose time ran out leaves room for another, and
 * so does one that was refused at the door: whether that can still be taken is for whoever gives up to find out.
 */
export const endPayment = (
  work: UnitOfWork,
  withdrawalId: string,
  of: { transactionId: string; ending: Ending },
): void => {
  const { transactionId, ending } = of;
  const withdrawal = work.get('withdrawals', withdrawalId);
  if (ending.kind === 'succeeded' || !isOwn(withdrawal, transactionId)) return;
  if (ending.kind === 'failed') {
    const reason = `The ledger did not carry the payment out: ${ending.reason}`;
    moveWithdrawal(work, withdrawal, { status: 'WITHDRAWAL_FAILED', reason, code: ending.reason });
    return;
  }
  work.put('withdrawals', { ...withdrawal, transactionId: null, updatedAt: work.now });
};
