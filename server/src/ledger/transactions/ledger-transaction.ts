// A signed transaction, stored before it is submitted. At most one per source wallet is open.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { MemoType } from '@holdfast/contract/states.ts';
import { table } from '../../commit/tables.ts';
import type { CallName } from '../../modules/escrows/escrow.ts';
import type { Asset } from '../keys/wallet.ts';

/** The memo of a transaction: a text, a whole number, or 32 bytes in hexadecimal digits. */
export type LedgerMemo = { readonly type: MemoType; readonly value: string };

/** What a transaction does when it succeeds. Amounts are whole units of 10^-7 as text, because this is stored as JSON. */
export type LedgerAction =
  /** Creates an account with this much of the native asset, and its trustline. An account that exists gets its trustline only. */
  | {
      readonly type: 'activate';
      readonly walletId: string;
      readonly address: string;
      readonly units: string;
      readonly paymentId: string | null;
      /** What the source sponsors. Absent: the wallet locks its own reserve, as those of earlier versions do. */
      readonly sponsors?: 'account' | 'trustline';
    }
  /** Creates the trustline of the source itself. */
  | { readonly type: 'trust'; readonly walletId: string }
  /** Pays from the source to another address, which is one of our own wallets unless `outside` is set. */
  | {
      readonly type: 'pay';
      /** An account, or a muxed address for a payment to the outside. */
      readonly to: string;
      readonly asset: Asset;
      readonly currency: Currency;
      readonly units: string;
      readonly paymentId: string | null;
      readonly outside?: boolean;
      /** The withdrawal that a payment to an outside address is for. */
      readonly withdrawalId?: string;
      /** Of the whole transaction, so this action is its only one. */
      readonly memo?: LedgerMemo;
    }
  /** One call of an order's escrow contract, on behalf of an operation. */
  | {
      readonly type: 'escrow';
      readonly operationId: string;
      readonly orderId: string;
      readonly escrowId: string;
      readonly call: CallName;
      readonly milestone: number | null;
      /** The address of the contract; null for a deployment that is not signed yet. */
      readonly contractId: string | null;
      readonly currency: Currency;
      /** Our addresses whose balance the call may change. Any other payee is the provider's protocol. */
      readonly addresses: readonly string[];
      /** The amount of a funding. */
      readonly units: string | null;
      /** Of a funding that pays what an earlier one left open: its number, from 2. */
      readonly part?: number;
      /** The amounts of a resolution. The platform gets what others paid into the contract. */
      readonly sellerUnits?: string;
      readonly buyerUnits?: string;
      readonly platformUnits?: string;
    };

export type LedgerTransaction = {
  /** The hash of the transaction. */
  readonly id: string;
  readonly source: string;
  /** The sequence number of the source. The ledger accepts each number once. */
  readonly sequence: string;
  readonly purpose: string;
  /** The signed envelope, as it is submitted each time. */
  readonly envelope: string;
  readonly state: 'SIGNED' | 'SUCCEEDED' | 'FAILED';
  readonly validUntil: string;
  readonly actions: readonly LedgerAction[];
  /** Of a failed one. `failed`: on the ledger, without effect. `rejected`: refused by the network. `expired`: in no ledger in time. */
  readonly ending: 'failed' | 'rejected' | 'expired' | null;
  /** The reason, for people. */
  readonly failure: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The memo of the transaction with these actions. A memo belongs to one payment, so two actions cannot share a transaction with it. */
export const memoOf = (actions: readonly LedgerAction[]): LedgerMemo | null => {
  const memo = actions.map((action) => (action.type === 'pay' ? action.memo : undefined)).find((each) => each);
  if (memo && actions.length > 1) throw new Error('a payment with a memo needs a transaction of its own');
  return memo ?? null;
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
    'ending',
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
