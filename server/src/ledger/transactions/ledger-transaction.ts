// A transaction that we signed, stored before it is sent. At most one per source wallet is on its way.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { table } from '../../commit/tables.ts';
import type { CallName } from '../../modules/escrows/escrow.ts';
import type { Asset } from '../keys/wallet.ts';

/** What a transaction does when it succeeds. Amounts are whole units of 10^-7 as text, because this is kept as JSON. */
export type LedgerAction =
  /** An account was made with this much of the native asset, and trusts the asset. */
  | {
      readonly type: 'activate';
      readonly walletId: string;
      readonly address: string;
      readonly units: string;
      readonly paymentId: string | null;
    }
  /** The source itself now trusts the asset. */
  | { readonly type: 'trust'; readonly walletId: string }
  /** From the source to another address; the address is one of our own wallets unless `outside` is set. */
  | {
      readonly type: 'pay';
      readonly to: string;
      readonly asset: Asset;
      readonly currency: Currency;
      readonly units: string;
      readonly paymentId: string | null;
      readonly outside?: boolean;
      /** Of a payment to an outsider: what it is for. */
      readonly withdrawalId?: string;
    }
  /** One call of an order's escrow contract, on behalf of an operation. */
  | {
      readonly type: 'escrow';
      readonly operationId: string;
      readonly orderId: string;
      readonly escrowId: string;
      readonly call: CallName;
      readonly milestone: number | null;
      /** Of a deployment: where the contract will be, once it is signed. */
      readonly contractId: string | null;
      readonly currency: Currency;
      /** Our addresses that the call may move money at; whoever else is paid by it is the provider's protocol. */
      readonly addresses: readonly string[];
      /** What a funding pays in. */
      readonly units: string | null;
      /** Of a resolution. */
      readonly sellerUnits?: string;
      readonly buyerUnits?: string;
    };

export type LedgerTransaction = {
  /** Its hash. */
  readonly id: string;
  readonly source: string;
  /** The number of the source's that it uses up; the ledger takes each once. */
  readonly sequence: string;
  readonly purpose: string;
  /** The signed envelope, as it is sent and sent again. */
  readonly envelope: string;
  readonly state: 'SIGNED' | 'SUCCEEDED' | 'FAILED';
  readonly validUntil: string;
  readonly actions: readonly LedgerAction[];
  readonly failure: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Value of the `number` lookup. */
export const numberOf = ({ source, sequence }: Pick<LedgerTransaction, 'source' | 'sequence'>): string =>
  `${source}:${sequence}`;

declare module '../../commit/tables.ts' {
  interface Tables {
    ledgerTransactions: LedgerTransaction;
  }
  interface Lookups {
    ledgerTransactions: { open: string; number: string };
  }
}

/** Lookup `open`: the transaction of a source address that is not settled yet. `number`: all with one sequence number of a source. */
export const LEDGER_TRANSACTIONS = table('ledgerTransactions', {
  notFound: 'INTERNAL_ERROR',
  sql: 'ledger_transactions',
  columns: [
    'id',
    'source',
    'sequence',
    'purpose',
    'envelope',
    'state',
    'validUntil',
    'actions',
    'failure',
    'createdAt',
    'updatedAt',
  ],
  lookups: {
    open: {
      sql: 't.source',
      where: { sql: "t.state = 'SIGNED'", holds: (row) => row.state === 'SIGNED' },
      value: (row) => row.source,
    },
    number: { sql: "(t.source || ':' || t.sequence)", value: numberOf },
  },
});
