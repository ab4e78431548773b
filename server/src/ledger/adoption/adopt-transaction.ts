// Adopts a transaction that is on the ledger and that our rows do not know, because the database is older than the ledger. It is
// recorded as if it had just been sent, for the requests that it was matched with, and is settled like every other one afterwards.

import { command, type UnitOfWork } from '../../commit/command.ts';
import { isWithdrawal } from '../transactions/action-owners.ts';
import type { LedgerAction, LedgerTransaction } from '../transactions/ledger-transaction.ts';
import { paymentIdsOf, TransactionOpen } from '../transactions/record-transaction.ts';

type AdoptInput = Pick<LedgerTransaction, 'id' | 'source' | 'sequence' | 'envelope' | 'validUntil' | 'actions'>;

const withdrawalIdsOf = (actions: readonly LedgerAction[]): string[] =>
  actions.filter(isWithdrawal).map(({ withdrawalId }) => withdrawalId);

/** The requests are in progress until the transaction is settled, so that nothing else carries them out. */
const begin = (work: UnitOfWork, { id, actions }: AdoptInput): void => {
  for (const paymentId of paymentIdsOf(actions)) {
    const payment = work.get('treasuryPayments', paymentId);
    if (payment.state !== 'QUEUED') continue;
    work.put('treasuryPayments', { ...payment, state: 'SENT', transactionId: id, updatedAt: work.now });
  }
  for (const withdrawalId of withdrawalIdsOf(actions)) {
    const withdrawal = work.get('withdrawals', withdrawalId);
    if (withdrawal.transactionId !== null) continue;
    work.put('withdrawals', { ...withdrawal, transactionId: id, updatedAt: work.now });
  }
};

/** Returns the row as it is when another process adopted it first. */
export const adoptTransaction = command<AdoptInput, LedgerTransaction>({
  name: 'adopt-transaction',
  needs: ({ id, source, actions }) => ({
    rows: [
      { table: 'ledgerTransactions', id },
      { table: 'ledgerTransactions', by: 'open', value: source },
      ...paymentIdsOf(actions).map((paymentId) => ({ table: 'treasuryPayments', id: paymentId }) as const),
      ...withdrawalIdsOf(actions).map((withdrawalId) => ({ table: 'withdrawals', id: withdrawalId }) as const),
    ],
  }),
  decide(input, work) {
    const known = work.find('ledgerTransactions', input.id);
    if (known) return known;
    if (work.findBy('ledgerTransactions', { by: 'open', value: input.source })) {
      throw new TransactionOpen('Another transaction of this wallet is open.');
    }
    begin(work, input);
    const { id, source, actions } = input;
    const adopted: LedgerTransaction = {
      ...input,
      purpose: 'adopted',
      state: 'SIGNED',
      failure: null,
      ending: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('ledgerTransactions', adopted);
    work.audit({
      action: 'LEDGER_TRANSACTION_ADOPTED',
      resourceType: 'LedgerTransaction',
      resourceId: id,
      after: { source, sequence: input.sequence, actions },
    });
    return adopted;
  },
});
