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
  /** The ledger that this state of the account is of. */
  readonly ledger: number;
  readonly sequence: bigint;
  readonly balances: readonly LedgerBalance[];
  /** How much of the native asset cannot be spent: the reserve of the account and of what it sponsors. */
  readonly locked: Amount;
  /** The account demands a memo with every payment (SEP-29). */
  readonly requiresMemo: boolean;
  /** The keys that may sign for the account, with their weight. */
  readonly signers: readonly { readonly key: string; readonly weight: number }[];
  /** The weight that a payment needs. */
  readonly mediumThreshold: number;
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

/** An account that was merged into another one: its whole native balance moved. The list of payments does not say how much that was. */
export type LedgerMerge = Pick<LedgerPayment, 'id' | 'transactionHash' | 'at' | 'successful'> & {
  readonly from: string;
  readonly to: string;
};

type PaymentPage = {
  readonly payments: readonly LedgerPayment[];
  readonly merges: readonly LedgerMerge[];
  /** Of the next page. */
  readonly cursor: string | null;
  readonly isLast: boolean;
};

/** A record of the network that cannot be read, with every account address in it. */
type UnreadRecord = { readonly id: string; readonly addresses: readonly string[] };

export type NetworkPage = PaymentPage & { readonly unread: readonly UnreadRecord[]; readonly records: number };

type PageQuery = { cursor?: string | null; limit?: number; order?: 'asc' | 'desc' };

/** A transaction on the ledger with the fee that the network charged, also when it failed. */
type Included = {
  readonly hash: string;
  readonly ledger: number;
  readonly at: string;
  readonly feeCharged: Amount;
  readonly feeAccount: string;
  /** The hash of the fee bump that wraps it; null when none does. The ledger shows its payments under this hash. */
  readonly bumpHash: string | null;
};

export type LedgerTransaction =
  | (Included & { readonly state: 'succeeded' })
  | (Included & { readonly state: 'failed'; readonly code: string })
  /** Not in any ledger that has been read so far. */
  | { readonly state: 'missing' };

/** A transaction in the history of an account, with its signed envelope. */
export type AccountTransaction = {
  /** Of the inner transaction, where a fee bump wraps it. */
  readonly hash: string;
  /** Position in the ledger: a later transaction has a higher one. */
  readonly cursor: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly envelope: string;
  readonly successful: boolean;
  readonly at: string;
};

export type Concern = {
  readonly hash: string;
  /** The contract that the transaction must call, pay or be paid by. */
  readonly contract: string;
  readonly asset?: LedgerAsset;
  /** The total amount into the contract, or out of it. */
  readonly amount?: Amount;
};

/** What a contract holds of an asset; `token` is the contract of the asset. */
export type ContractHolding = { readonly contractId: string; readonly token: string };

type NetworkInfo = {
  readonly passphrase: string;
  readonly latestLedger: number;
  /** The oldest ledger that the server still knows. */
  readonly oldestLedger: number;
  readonly offersFriendbot: boolean;
};

/** Fees per operation in the smallest unit: what was charged, and what was bid, in the last ledgers. */
type FeeStats = {
  /** The lowest fee of the last ledger. */
  readonly baseFee: bigint;
  /** Half of the transactions were charged at least this. */
  readonly usualFee: bigint;
  /** Seven and nine of ten bid at most this. */
  readonly bidFee: bigint;
  readonly urgentFee: bigint;
};

export type TransactionWithPayments = {
  readonly transaction: LedgerTransaction;
  readonly payments: readonly LedgerPayment[];
};

export type LedgerNetwork = {
  readonly passphrase: string;
  networkInfo(): Promise<Answer<NetworkInfo>>;
  /**
   * Yes with null: the account does not exist. An answer of a node that lags behind what the network has shown before, such as the
   * latest ledger, is unknown, and so is one that is older than the ledger `from`.
   */
  account(address: string, of?: { readonly from?: bigint }): Promise<Answer<LedgerAccount | null>>;
  /** Oldest first, after the cursor; the returned cursor is that of the next page. A missing account has no payments. */
  payments(of: PageQuery & { address: string }): Promise<Answer<PaymentPage>>;
  /** The same of the whole network. A cursor that is older than the history of the server begins at the start of that history. */
  networkPayments(page: PageQuery): Promise<Answer<NetworkPage>>;
  /** What the operation credited to the address in the native asset; null when its effects show no such credit. */
  mergedAmount(operation: { id: string; to: string }): Promise<Answer<Amount | null>>;
  /** The payments of one ledger after the cursor. */
  ledgerPayments(of: { ledger: bigint; cursor: string }): Promise<Answer<NetworkPage>>;
  /** What the merged account had, by the result of the transaction; null when the operation is not a merge that succeeded. */
  mergeResult(operation: { id: string; transactionHash: string }): Promise<Answer<Amount | null>>;
  /** The newest operations of the account that move its money and are in no list of payments, such as a clawback. */
  otherMoves(address: string): Promise<Answer<readonly { readonly id: string; readonly type: string }[]>>;
  transaction(hash: string): Promise<Answer<LedgerTransaction>>;
  /** The transactions that involve an account, also failed ones, newest first, before the cursor. A missing account has none. */
  transactionsOf(of: {
    address: string;
    cursor: string | null;
  }): Promise<Answer<{ transactions: readonly AccountTransaction[]; isLast: boolean }>>;
  /** The transaction and what it moved, in one request. A missing one moved nothing. */
  transactionWithPayments(hash: string): Promise<Answer<TransactionWithPayments>>;
  /** What the transaction moved, in the order of its operations, including new accounts. */
  paymentsOf(hash: string): Promise<Answer<readonly LedgerPayment[]>>;
  /** Submits the envelope unchanged. The same envelope may be submitted again. */
  submit(signedEnvelope: string): Promise<Answer<{ hash: string; ledger: number }>>;
  latestLedger(): Promise<Answer<{ sequence: number; closedAt: string }>>;
  /** The hash of the code that the contract runs now, in hex. Yes with null: no such contract, or it has no code of its own. */
  contractCode(contractId: string): Promise<Answer<string | null>>;
  /** Yes with null: the ledger has no such balance, or has put it into its archive. */
  contractBalance(holding: ContractHolding): Promise<Answer<Amount | null>>;
  /** In the smallest unit, per operation. */
  feeStats(): Promise<Answer<FeeStats>>;
  /** Only on networks that offer it; a no elsewhere. */
  friendbot(address: string): Promise<Answer<null>>;
  /** Yes: the transaction is on the ledger, succeeded, and concerns exactly this. */
  verifyTransactionConcerns(concern: Concern): Promise<Answer<null>>;
  /** The same network, for requests that wait behind those of a higher priority. */
  withPriority(priority: Priority): LedgerNetwork;
};
