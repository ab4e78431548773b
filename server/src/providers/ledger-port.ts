// What may be asked of the ledger network: accounts, payments, transactions. It submits only what it was given, signed.

import type { Answer } from '../base/answer.ts';
import type { Amount } from '../books/money.ts';

/** On the ledger network: the native asset has no issuer. */
export type LedgerAsset = { readonly code: string; readonly issuer: string | null };

export type LedgerBalance = {
  readonly asset: LedgerAsset;
  readonly amount: Amount;
  /** Null for the native asset. */
  readonly limit: Amount | null;
  readonly isAuthorized: boolean;
};

export type LedgerAccount = {
  readonly address: string;
  readonly sequence: bigint;
  readonly balances: readonly LedgerBalance[];
};

export type LedgerPayment = {
  /** The operation's id; a contract call may move money several times, so its parts carry a number behind it. */
  readonly id: string;
  readonly operationId: string;
  readonly kind: 'create-account' | 'payment' | 'path-payment' | 'contract-transfer';
  readonly asset: LedgerAsset;
  readonly amount: Amount;
  /** Null when the asset was made or destroyed. */
  readonly from: string | null;
  readonly to: string | null;
  readonly transactionHash: string;
  readonly at: string;
  readonly successful: boolean;
};

/** A transaction on the ledger and what the network took for it, also when it failed. */
type Included = {
  readonly hash: string;
  readonly ledger: number;
  readonly at: string;
  readonly feeCharged: Amount;
  readonly feeAccount: string;
};

export type LedgerTransaction =
  | (Included & { readonly state: 'succeeded' })
  | (Included & { readonly state: 'failed'; readonly code: string })
  /** Not in any ledger that has been read so far. */
  | { readonly state: 'missing' };

export type Concern = {
  readonly hash: string;
  /** The contract that must be called by it, or pay or be paid in it. */
  readonly contract: string;
  readonly asset?: LedgerAsset;
  /** What in all goes into the contract, or out of it. */
  readonly amount?: Amount;
};

export type NetworkInfo = {
  readonly passphrase: string;
  readonly latestLedger: number;
  readonly offersFriendbot: boolean;
};

export type LedgerNetwork = {
  readonly passphrase: string;
  networkInfo(): Promise<Answer<NetworkInfo>>;
  /** Yes with null: the account does not exist. */
  account(address: string): Promise<Answer<LedgerAccount | null>>;
  /** Oldest first, after the cursor; the answer's cursor is where to go on. An account that does not exist has none. */
  payments(of: {
    address: string;
    cursor?: string | null;
    limit?: number;
    order?: 'asc' | 'desc';
  }): Promise<Answer<{ payments: readonly LedgerPayment[]; cursor: string | null; isLast: boolean }>>;
  transaction(hash: string): Promise<Answer<LedgerTransaction>>;
  /** What a transaction really moved, in the order of its operations; new accounts are among them. */
  paymentsOf(hash: string): Promise<Answer<readonly LedgerPayment[]>>;
  /** Only what it was given, unchanged. The same envelope may be submitted again. */
  submit(signedEnvelope: string): Promise<Answer<{ hash: string; ledger: number }>>;
  latestLedger(): Promise<Answer<{ sequence: number; closedAt: string }>>;
  /** In the smallest unit, per operation. */
  feeStats(): Promise<Answer<{ baseFee: bigint; usualFee: bigint; highFee: bigint }>>;
  /** Only on networks that offer it; a no elsewhere. */
  friendbot(address: string): Promise<Answer<null>>;
  /** Yes: it is on the ledger, succeeded, and is about exactly this. */
  verifyTransactionConcerns(concern: Concern): Promise<Answer<null>>;
};
