// The state of the ledger: accounts, contracts, transactions and their operations, with the lists by account for its pages. Only the
// commit of a draft and the log change it.

import type { Slice, Table } from '../state.ts';
import { parseAmount } from './amounts.ts';
import type { AssetName } from './assets.ts';

// `authorized` is false when the issuer has withdrawn the permission to hold its asset.
// `sponsor` is the account that locks the reserve instead of the holder.
type Trustline = { balance: bigint; limit: bigint; authorized?: boolean; sponsor?: string };

export type Account = {
  address: string;
  sequence: bigint;
  native: bigint;
  lines: Record<AssetName, Trustline>;
  // The data entries of the account: values in base64.
  data?: Record<string, string>;
  // The account that locks the reserve of this account instead of it.
  sponsor?: string;
  // How many reserves this account locks for others.
  sponsoring?: number;
  ledger: number;
  changedAt: number;
};

export type Contract = {
  address: string;
  // The program that runs when the contract is called.
  program: string;
  // The hash of its code in hex. Null: the contract is of the ledger itself.
  code: string | null;
  balances: Record<AssetName, bigint>;
  data: unknown;
  creator: string | null;
  createdAt: number;
  changedAt: number;
};

export type Transaction = {
  hash: string;
  // Also the paging token: the number of the ledger and the position in it, as one number that only grows.
  id: string;
  successful: boolean;
  ledger: number;
  at: number;
  source: string;
  sequence: bigint;
  feeAccount: string;
  feeCharged: bigint;
  feeMax: bigint;
  // Of the inner transaction for a fee bump.
  inner: { hash: string; feeMax: bigint; signatures: string[] } | null;
  operations: string[];
  envelope: string;
  result: string;
  codes: { transaction: string; inner_transaction?: string; operations?: string[] };
  memo: { type: string; value: string | null };
  signatures: string[];
  timeBounds: { min: string; max: string } | null;
  // The message of a contract's refusal. The real network does not report it.
  reason: string | null;
};

export type Operation = {
  id: string;
  hash: string;
  successful: boolean;
  at: number;
  source: string;
  type: string;
  typeNumber: number;
  payment: boolean;
  participants: string[];
  // What a merged account had.
  merged?: bigint | null;
  // The fields of the answer that depend on the type.
  detail: Record<string, unknown>;
};

export type Store = {
  accounts: Table<Account>;
  // The account as it was at an earlier moment.
  accountAt: AccountAt;
  contracts: Table<Contract>;
  transactions: Table<Transaction>;
  operations: Table<Operation>;
  meta: Table<number>;
  // Ids of operations and hashes of transactions, oldest first.
  payments: Map<string, string[]>;
  // Of all accounts.
  allPayments: string[];
  history: Map<string, string[]>;
  // Contracts by creator, oldest first.
  creations: Map<string, string[]>;
  create(contract: Contract): void;
  // A fee bump is also found by the hash of its inner transaction.
  find(hash: string): Transaction | undefined;
  record(transaction: Transaction, operations: Operation[]): void;
  index(): void;
};

export function openStore(slice: Slice): Store {
  const transactions = slice.table<Transaction>('transactions');
  const operations = slice.table<Operation>('operations');
  const payments = new Map<string, string[]>();
  const allPayments: string[] = [];
  const history = new Map<string, string[]>();
  const creations = new Map<string, string[]>();
  const wrappers = new Map<string, string>();

  const enlist = (transaction: Transaction, steps: Operation[]) => {
    if (transaction.inner !== null) wrappers.set(transaction.inner.hash, transaction.hash);
    const involved = new Set([transaction.source, transaction.feeAccount]);
    for (const step of steps) {
      if (step.payment && step.successful) allPayments.push(step.id);
      for (const address of step.participants) {
        involved.add(address);
        if (step.payment && step.successful) push(payments, address, step.id);
      }
    }
    for (const address of involved) push(history, address, transaction.hash);
  };

  const contracts = slice.table<Contract>('contracts');

  return {
    ...keepEarlier(slice.table<Account>('accounts')),
    contracts,
    creations,
    create(contract) {
      contracts.set(contract.address, contract);
      if (contract.creator !== null) push(creations, contract.creator, contract.address);
    },
    transactions,
    operations,
    meta: slice.table<number>('meta'),
    payments,
    allPayments,
    history,
    find: (hash) => transactions.get(hash) ?? transactions.get(wrappers.get(hash) ?? ''),
    record(transaction, steps) {
      transactions.set(transaction.hash, transaction);
      for (const step of steps) operations.set(step.id, step);
      enlist(transaction, steps);
    },
    index() {
      payments.clear();
      allPayments.length = 0;
      history.clear();
      wrappers.clear();
      creations.clear();
      for (const { creator, address } of contracts.values()) if (creator !== null) push(creations, creator, address);
      for (const transaction of transactions.values()) {
        enlist(
          transaction,
          transaction.operations.map((id) => operations.get(id)!),
        );
      }
    },
  };
}

function push(lists: Map<string, string[]>, address: string, id: string): void {
  const list = lists.get(address);
  if (list === undefined) lists.set(address, [id]);
  else list.push(id);
}

type Change = { from?: string; to?: string; amount: string };

// The total that one contract received and the receivers that it paid, from all operations of the ledger.
export function movesOf(store: Store, contract: string): { received: bigint; paid: Set<string> } {
  let received = 0n;
  const paid = new Set<string>();
  for (const { successful, detail } of store.operations.values()) {
    if (!successful) continue;
    for (const { from, to, amount } of (detail.asset_balance_changes ?? []) as Change[]) {
      if (to === contract) received += parseAmount(amount) ?? 0n;
      if (from === contract && to !== undefined) paid.add(to);
    }
  }
  return { received, paid };
}

type AccountAt = (address: string, atMs: number) => Account | undefined;

const KEPT_MS = 15 * 60_000;

// The accounts with their earlier versions of the last minutes, for a node that lags. The versions are only in memory: after a start a
// lagging node shows the accounts as they are.
function keepEarlier(table: Table<Account>): { accounts: Table<Account>; accountAt: AccountAt } {
  const versions = new Map<string, Account[]>();
  const accounts: Table<Account> = {
    get: table.get,
    has: table.has,
    delete: table.delete,
    values: table.values,
    keys: table.keys,
    get size() {
      return table.size;
    },
    set(address, account) {
      const before = table.get(address);
      if (before !== undefined && before.changedAt !== account.changedAt) {
        const earlier = versions.get(address) ?? [];
        const isRecent = ({ changedAt }: Account) => changedAt > account.changedAt - KEPT_MS;
        // One older version says what the account was before the recent ones.
        const first = earlier.findIndex(isRecent);
        versions.set(address, [...earlier.slice(first === -1 ? -1 : Math.max(first - 1, 0)), before]);
      }
      table.set(address, account);
    },
  };
  return {
    accounts,
    accountAt(address, atMs) {
      const now = table.get(address);
      if (now === undefined || now.changedAt <= atMs) return now;
      return versions.get(address)?.findLast(({ changedAt }) => changedAt <= atMs);
    },
  };
}
