// Remembers the last sequence number of our wallets, from answers of the ledger and from our own transactions that it included, so that an
// account is not read before each transaction. A remembered number is a proposal and no proof: the rows are compared with it before it is
// signed, and the ledger accepts each number once. It must be forgotten whenever an outcome is not a clear success.

import type { LedgerAccount } from '../../providers/ports.ts';
import type { LedgerTransaction } from './ledger-transaction.ts';

export type KnownNumbers = {
  /** The number that the wallet used last. Null: the ledger has to be asked. */
  find(address: string): bigint | null;
  /** The ledger has shown the account. An answer that is older than what is remembered changes nothing. */
  see(account: Pick<LedgerAccount, 'address' | 'sequence'>): void;
  /** A transaction of this process succeeded on the ledger and is in the books. */
  confirm(transaction: Pick<LedgerTransaction, 'source' | 'sequence'>): void;
  forget(address: string): void;
};

/** Some megabytes. The address that was learned first is dropped first, which costs one read. */
const ADDRESSES_MAX = 20_000;

export const createKnownNumbers = (): KnownNumbers => {
  const known = new Map<string, bigint>();

  const remember = (address: string, sequence: bigint): void => {
    if ((known.get(address) ?? 0n) > sequence) return;
    known.delete(address);
    known.set(address, sequence);
    const [first] = known.keys();
    if (known.size > ADDRESSES_MAX && first !== undefined) known.delete(first);
  };

  return {
    find: (address) => known.get(address) ?? null,
    see: ({ address, sequence }) => remember(address, sequence),
    confirm: ({ source, sequence }) => remember(source, BigInt(sequence)),
    forget: (address) => void known.delete(address),
  };
};
