// Keeps a signed transaction before it is sent, and takes the treasury's payments in it out of the queue. Refused while
// another transaction of the same wallet is on its way: their sequence numbers would clash.

import { Fault } from '../domain/fault.ts';
import type { LedgerAction, LedgerTransaction } from '../domain/ledger-transaction.ts';
import { command, type Desk } from './command.ts';

export type RecordTransactionInput = Pick<
  LedgerTransaction,
  'id' | 'source' | 'purpose' | 'envelope' | 'validUntil' | 'actions'
>;

/** The treasury's payments that the actions carry out. */
export const paymentIdsOf = (actions: readonly LedgerAction[]): string[] =>
  actions.flatMap((action) => ('paymentId' in action && action.paymentId !== null ? [action.paymentId] : []));

const refuse = (message: string, currentState: string): never => {
  throw new Fault('INVALID_STATE', { message, details: { currentState, allowedActions: [] } });
};

/** Another process may have sent them meanwhile: then this transaction must never leave the house. */
const takeFromQueue = (desk: Desk, { id, actions }: RecordTransactionInput): void => {
  for (const paymentId of paymentIdsOf(actions)) {
    const payment = desk.get('treasuryPayments', paymentId);
    if (payment.state !== 'QUEUED') refuse('A payment in this transaction is no longer waiting.', payment.state);
    desk.put('treasuryPayments', { ...payment, state: 'SENT', transactionId: id, updatedAt: desk.now });
  }
};

export const recordTransaction = command<RecordTransactionInput, LedgerTransaction>({
  name: 'record-transaction',
  needs: ({ id, source, actions }) => ({
    rows: [
      { table: 'ledgerTransactions', id },
      { table: 'ledgerTransactions', by: 'open', value: source },
      ...paymentIdsOf(actions).map((paymentId) => ({ table: 'treasuryPayments', id: paymentId }) as const),
    ],
  }),
  decide(input, desk) {
    const { id, source, purpose, actions, validUntil } = input;
    // What leaves our addresses needs a move of its own, which the books do not have here.
    if (actions.some((action) => action.type === 'pay' && action.outside)) {
      throw new Error('a payment to an outsider cannot be booked when this transaction is settled');
    }
    if (desk.find('ledgerTransactions', id)) refuse('This transaction is kept already.', 'SIGNED');
    if (desk.findBy('ledgerTransactions', 'open', source)) {
      refuse('Another transaction of this wallet is on its way.', 'TRANSACTION_OPEN');
    }
    takeFromQueue(desk, input);
    const transaction: LedgerTransaction = {
      ...input,
      state: 'SIGNED',
      failure: null,
      createdAt: desk.now,
      updatedAt: desk.now,
    };
    desk.put('ledgerTransactions', transaction);
    desk.audit({
      action: 'LEDGER_TRANSACTION_SIGNED',
      resourceType: 'LedgerTransaction',
      resourceId: id,
      after: { source, purpose, validUntil, actions },
    });
    return transaction;
  },
});
