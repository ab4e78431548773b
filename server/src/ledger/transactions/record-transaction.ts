// Records a signed transaction before it is sent, takes its treasury payments out of the queue, and marks the rows that it is
// for. Refused while another transaction of the same wallet is open: both would use the same sequence number.

import { InternalRefusal } from '../../base/domain-error.ts';
import { type Command, command, type UnitOfWork } from '../../commit/command.ts';
import { type ActionOwners, ActionRefused, ownedActions } from './action-owners.ts';
import { type LedgerAction, type LedgerTransaction, numberOf } from './ledger-transaction.ts';

type RecordTransactionInput = Pick<
  LedgerTransaction,
  'id' | 'source' | 'sequence' | 'purpose' | 'envelope' | 'validUntil' | 'actions'
>;

/** Another transaction of the wallet was recorded first. Its outcome has to be known before the next one is built. */
export class TransactionOpen extends InternalRefusal {}

/** The treasury payments that the actions carry out. */
export const paymentIdsOf = (actions: readonly LedgerAction[]): string[] =>
  actions.flatMap((action) => ('paymentId' in action && action.paymentId !== null ? [action.paymentId] : []));

/** The transaction uses its sequence number, or may still use it. */
const hasSequence = ({ ending }: LedgerTransaction): boolean => ending !== 'rejected' && ending !== 'expired';

/** Another process may have sent them already: then this transaction must never be sent. */
const takeFromQueue = (work: UnitOfWork, { id, actions }: RecordTransactionInput): void => {
  for (const paymentId of paymentIdsOf(actions)) {
    const payment = work.get('treasuryPayments', paymentId);
    if (payment.state !== 'QUEUED') throw new ActionRefused(`The treasury payment ${paymentId} is ${payment.state}.`);
    work.put('treasuryPayments', { ...payment, state: 'SENT', transactionId: id, updatedAt: work.now });
  }
};

export type RecordTransaction = Command<RecordTransactionInput, LedgerTransaction>;

export const createRecordTransaction = (owners: ActionOwners): RecordTransaction =>
  command({
    name: 'record-transaction',
    needs(input) {
      return {
        rows: [
          { table: 'ledgerTransactions', id: input.id, isNew: true },
          { table: 'ledgerTransactions', by: 'open', value: input.source },
          { table: 'ledgerTransactions', by: 'number', value: numberOf(input), isNew: true },
          ...paymentIdsOf(input.actions).map((paymentId) => ({ table: 'treasuryPayments', id: paymentId }) as const),
          ...ownedActions(owners, input.actions).flatMap((owned) => owned.beginNeeds()),
        ],
      };
    },
    decide(input, work) {
      const { id, source, purpose, actions, validUntil } = input;
      // A payment that leaves our addresses is booked by the withdrawal that it is for.
      if (actions.some((action) => action.type === 'pay' && action.outside && !action.withdrawalId)) {
        throw new Error('a payment to an outside address names no withdrawal, so it could not be booked');
      }
      // Another process was first: with the same envelope, built in the same second, with its sequence number, or with the next.
      const others = work.listBy('ledgerTransactions', { by: 'number', value: numberOf(input) });
      if (others.some(hasSequence) || work.findBy('ledgerTransactions', { by: 'open', value: source })) {
        throw new TransactionOpen('Another transaction of this wallet was recorded first.');
      }
      takeFromQueue(work, input);
      for (const owned of ownedActions(owners, actions)) owned.begin(work, id);
      const transaction: LedgerTransaction = {
        ...input,
        state: 'SIGNED',
        ending: null,
        failure: null,
        // A transaction that was refused before may be recorded again.
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
