// Remembers the last sequence number of our wallets, from answers of the ledger and from our own transactions that it included, so that an
// account is not read before each transaction. A remembered number is a proposal and no proof: the rows are compared with it before it is
// signed, and the ledger accepts each number once. It must be forgotten whenever an outcome is not a clear success.

import { type Amount, minus, ZERO } from '../../books/money.ts';
import type { LedgerAccount } from '../../providers/ports.ts';
import { assetOf } from '../keys/wallet.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';

type KnownAccount = {
  /** The number that was used last. */
  readonly sequence: bigint;
  /** The account can spend at least this much of the native asset. Null: not known. */
  readonly spendable: Amount | null;
};

type Confirmed = {
  readonly transaction: Pick<LedgerTransaction, 'source' | 'sequence' | 'actions'>;
  readonly fee: Amount;
  readonly feeAccount: string;
};

export type KnownNumbers = {
  find(address: string): KnownAccount | null;
  /** The ledger has shown the account. An answer that is older than what is remembered changes nothing. */
  see(account: Pick<LedgerAccount, 'address' | 'sequence' | 'balances' | 'locked'>): void;
  /** A transaction of this process succeeded on the ledger and is in the books. */
  confirm(confirmed: Confirmed): void;
  forget(address: string): void;
};

/** Some megabytes. The address that was learned first is dropped first, which costs one read. */
const ADDRESSES_MAX = 20_000;

/** Such a transaction changes what its source can spend of the native asset by more than its fee. */
const movesNative = (action: LedgerAction): boolean => {
  if (action.type === 'pay') return action.asset === 'XLM';
  return action.type === 'escrow' ? assetOf(action.currency) === 'XLM' : true;
};

const spendableOf = ({ balances, locked }: Pick<LedgerAccount, 'balances' | 'locked'>): Amount =>
  minus(balances.find(({ asset }) => asset.issuer === null)?.amount ?? ZERO, locked);

const spendableAfter = (before: KnownAccount | null, { transaction, fee, feeAccount }: Confirmed): Amount | null => {
  const { source, sequence, actions } = transaction;
  // Where a transaction in between is not known here, its fee is not known either.
  const isNext = before !== null && before.sequence + 1n >= BigInt(sequence);
  if (!isNext || before.spendable === null || actions.some(movesNative)) return null;
  return feeAccount === source ? minus(before.spendable, fee) : before.spendable;
};

export const createKnownNumbers = (): KnownNumbers => {
  const known = new Map<string, KnownAccount>();

  const remember = (address: string, account: KnownAccount): void => {
    known.delete(address);
    known.set(address, account);
    const [first] = known.keys();
    if (known.size > ADDRESSES_MAX && first !== undefined) known.delete(first);
  };

  return {
    find: (address) => known.get(address) ?? null,
    see(account) {
      const { address, sequence } = account;
      if ((known.get(address)?.sequence ?? 0n) > sequence) return;
      remember(address, { sequence, spendable: spendableOf(account) });
    },
    confirm(confirmed) {
      const { source, sequence } = confirmed.transaction;
      const before = known.get(source) ?? null;
      const last = BigInt(sequence);
      remember(source, {
        sequence: before !== null && before.sequence > last ? before.sequence : last,
        spendable: spendableAfter(before, confirmed),
      });
    },
    forget(address) {
      known.delete(address);
    },
  };
};
