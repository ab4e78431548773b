// The ledger network as the rest of the server sees it: accounts, payments, transactions. It submits only signed envelopes.

import type { Answer } from '../base/answer.ts';
import type { Amount } from '../books/money.ts';
import type { Priority } from './waiting-line.ts';

/** An asset of the ledger network. The native asset has no issuer. */
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
  /** The id of the operation. A contract call may move money several times, so its parts carry a number behind the id. */
  readonly id: string;
  readonly operationId: string;
  readonly kind: 'create-account' | 'payment' | 'path-payment' | 'contract-transfer';
  readonly asset: LedgerAsset;
  readonly amount: Amount;
  /** Null when the asset was issued or burned. */
  readonly from: string | null;
  readonly to: string | null;
  readonly transactionHash: string;
  readonly at: string;
  readonly successful: boolean;
};

/** A transaction on the ledger with the fee that the network charged, also when it failed. */
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
  /** The contract that the transaction must call, pay or be paid by. */
  readonly contract: string;
  readonly asset?: LedgerAsset;
  /** The total amount into the contract, or out of it. */
  readonly amount?: Amount;
};

type NetworkInfo = {
  readonly passphrase: string;
  readonly latestLedger: number;
  readonly offersFriendbot: boolean;
};

export type LedgerNetwork = {
  readonly passphrase: string;
  networkInfo(): Promise<Answer<NetworkInfo>>;
  /** Yes with null: the account does not exist. */
  account(address: string): Promise<Answer<LedgerAccount | null>>;
  /** Oldest first, after the cursor; the returned cursor is that of the next page. A missing account has no payments. */
  payments(of: {
    address: string;
    cursor?: string | null;
    limit?: number;
    order?: 'asc' | 'desc';
  }): Promise<Answer<{ payments: readonly LedgerPayment[]; cursor: string | null; isLast: boolean }>>;
  transaction(hash: string): Promise<Answer<LedgerTransaction>>;
  /** What the transaction moved, in the order of its operations, including new accounts. */
  paymentsOf(hash: string): Promise<Answer<readonly LedgerPayment[]>>;
  /** Submits the envelope unchanged. The same envelope may be submitted again. */
  submit(signedEnvelope: string): Promise<Answer<{ hash: string; ledger: number }>>;
  latestLedger(): Promise<Answer<{ sequence: number; closedAt: string }>>;
  /** In the smallest unit, per operation. */
  feeStats(): Promise<Answer<{ baseFee: bigint; usualFee: bigint; highFee: bigint }>>;
  /** Only on networks that offer it; a no elsewhere. */
  friendbot(address: string): Promise<Answer<null>>;
  /** Yes: the transaction is on the ledger, succeeded, and concerns exactly this. */
  verifyTransactionConcerns(concern: Concern): Promise<Answer<null>>;
  /** The same network, for requests that wait behind those of a higher priority. */
  withPriority(priority: Priority): LedgerNetwork;
};
