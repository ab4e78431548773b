// Keeps a signed transaction before it is sent, takes the treasury's payments in it out of the queue, and notes it on the
// rows of the escrow or the withdrawal that it is for. Refused while another transaction of the same wallet is on its way:
// their sequence numbers would clash.

import { DomainError } from '../../base/domain-error.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { beginCall, escrowCallNeeds } from '../../modules/escrows/call-rows.ts';
import { escrowActionIn } from '../../modules/escrows/escrow-payments.ts';
import { beginPayment, withdrawalIdsOf } from '../../modules/withdrawals/ledger-payments.ts';
import { type LedgerAction, type LedgerTransaction, numberOf } from './ledger-transaction.ts';

export type RecordTransactionInput = Pick<
  LedgerTransaction,
  'id' | 'source' | 'sequence' | 'purpose' | 'envelope' | 'validUntil' | 'actions'
>;

/** The treasury's payments that the actions carry out. */
export const paymentIdsOf = (actions: readonly LedgerAction[]): string[] =>
  actions.flatMap((action) => ('paymentId' in action && action.paymentId !== null ? [action.paymentId] : []));

const REJECTED = 'rejected: ';

/** Why a transaction failed that is in no ledger: the network refused it, or its time was over. */
export const rejectedFor = (reason: string): string => `${REJECTED}${reason}`;
export const EXPIRED = 'expired before it was in a ledger';

/** Refused before it was in any ledger. The envelope itself may still be good. */
export const isRejected = ({ state, failure }: LedgerTransaction): boolean =>
  state === 'FAILED' && failure !== null && failure.startsWith(REJECTED);

/** It has its number for good, or may still get it. */
const hasNumber = (transaction: LedgerTransaction): boolean =>
  !isRejected(transaction) && !(transaction.state === 'FAILED' && transaction.failure === EXPIRED);

const refuse = (message: string, currentState: string): never => {
  throw new DomainError('INVALID_STATE', { message, details: { currentState, allowedActions: [] } });
};

/** Another process may have sent them already: then this transaction must never be sent. */
const takeFromQueue = (work: UnitOfWork, { id, actions }: RecordTransactionInput): void => {
  for (const paymentId of paymentIdsOf(actions)) {
    const payment = work.get('treasuryPayments', paymentId);
    if (payment.state !== 'QUEUED') refuse('A payment in this transaction is no longer waiting.', payment.state);
    work.put('treasuryPayments', { ...payment, state: 'SENT', transactionId: id, updatedAt: work.now });
  }
};

export const recordTransaction = command<RecordTransactionInput, LedgerTransaction>({
  name: 'record-transaction',
  needs(input) {
    const call = escrowActionIn(input.actions);
    return {
      rows: [
        { table: 'ledgerTransactions', id: input.id },
        { table: 'ledgerTransactions', by: 'open', value: input.source },
        { table: 'ledgerTransactions', by: 'number', value: numberOf(input) },
        ...paymentIdsOf(input.actions).map((paymentId) => ({ table: 'treasuryPayments', id: paymentId }) as const),
        ...(call ? escrowCallNeeds(call) : []),
        ...withdrawalIdsOf(input.actions).map((withdrawalId) => ({ table: 'withdrawals', id: withdrawalId }) as const),
      ],
    };
  },
  decide(input, work) {
    const { id, source, purpose, actions, validUntil } = input;
    // What leaves our addresses is booked as what it was for.
    if (actions.some((action) => action.type === 'pay' && action.outside && !action.withdrawalId)) {
      throw new Error('a payment to an outsider cannot be booked when this transaction is settled');
    }
    // Another process was first: with this very envelope, drawn up in the same second, with its number, or with the next.
    const others = work.listBy('ledgerTransactions', 'number', numberOf(input));
    if (others.some(hasNumber) || work.findBy('ledgerTransactions', 'open', source)) {
      refuse('Another transaction of this wallet was first.', 'TRANSACTION_OPEN');
    }
    takeFromQueue(work, input);
    const call = escrowActionIn(actions);
    if (call) beginCall(work, call, id);
    for (const withdrawalId of withdrawalIdsOf(actions)) beginPayment(work, withdrawalId, id);
    const transaction: LedgerTransaction = {
      ...input,
      state: 'SIGNED',
      failure: null,
      // One that was refused before may be taken up again.
      createdAt: work.find('ledgerTransactions', id)?.createdAt ?? work.now,
      updatedAt: work.now,
    };
    work.put('ledgerTransactions', transaction);
    work.audit({
      action: 'LEDGER_TRANSACTION_SIGNED',
      resourceType: 'LedgerTransaction',
      resourceId: id,
      after: { source, purpose, validUntil, actions },
    });
    return transaction;
  },
});
