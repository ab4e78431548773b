// A fee bump of one of our transactions, stored before it is submitted. The ledger shows what the transaction did under the hash of the
// bump, so that hash has to be known as our own.

import type { Amount } from '../../books/money.ts';
import { formatExact } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import { ActionRefused } from './action-owners.ts';

type LedgerBump = {
  /** The hash of the bump. */
  readonly id: string;
  readonly transactionId: string;
  /** Empty where only the ledger knew it. */
  readonly envelope: string;
  /** The highest fee per operation; where only the ledger knew it, what the transaction cost. */
  readonly bid: Amount;
  readonly createdAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    ledgerBumps: LedgerBump;
  }
  interface Lookups {
    ledgerBumps: Record<never, string>;
  }
}

export const LEDGER_BUMPS = table('ledgerBumps', {
  notFound: 'INTERNAL_ERROR',
  sql: 'ledger_bumps',
  columns: ['id', 'transactionId', 'envelope', 'bid', 'createdAt'],
  lookups: {},
});

type RecordBumpInput = Pick<LedgerBump, 'id' | 'transactionId' | 'envelope' | 'bid'> & { readonly payer: string };

/** Refused once the outcome of the transaction is known. */
export const recordBump = command<RecordBumpInput, null>({
  name: 'record-bump',
  needs: ({ id, transactionId }) => ({
    rows: [
      { table: 'ledgerTransactions', id: transactionId },
      { table: 'ledgerBumps', id },
    ],
  }),
  decide({ payer, ...bump }, work) {
    const { state } = work.get('ledgerTransactions', bump.transactionId);
    if (state !== 'SIGNED') throw new ActionRefused(`The transaction is ${state}.`);
    if (work.find('ledgerBumps', bump.id)) return null;
    work.put('ledgerBumps', { ...bump, createdAt: work.now });
    work.audit({
      action: 'LEDGER_TRANSACTION_BUMPED',
      resourceType: 'LedgerTransaction',
      resourceId: bump.transactionId,
      after: { bumpId: bump.id, payer, bid: formatExact(bump.bid) },
    });
    return null;
  },
});
