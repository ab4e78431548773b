// The one comparison of the books with the ledger, to 10^-7. Every wallet and every escrow contract must hold on the ledger what its
// accounts in the books say. What outsiders paid into a contract is on the ledger only, until it is booked as a gain. All tests and tools
// that compare the two use this function.

import { exactUnits } from './decimals.ts';

/** The part of the sandbox's `GET /control/state` that is compared. */
export type LedgerState = {
  readonly accounts: readonly { readonly address: string; readonly balances: Readonly<Record<string, string>> }[];
  readonly contracts: readonly { readonly contractId: string; readonly balances: Readonly<Record<string, string>> }[];
  /** What an outsider has paid into contracts. */
  readonly outsidePayments?: readonly { readonly contractId: string; readonly asset: Asset; readonly amount: string }[];
};

type Asset = 'USDC' | 'XLM';
type Sql = (text: string, values: unknown[]) => Promise<readonly Record<string, string>[]>;

export type Comparison = {
  /** Sees the tables of one database, or only those rows that are to be compared. */
  readonly sql: Sql;
  /** What the sandbox describes, over HTTP or in this process. */
  readonly state: unknown;
  /** Without it every marketplace is compared. */
  readonly marketplaceId?: string;
  /** The ledger serves this database only, so the books must know every contract on it. */
  readonly isOwnLedger?: boolean;
};

/** In units of 10^-7. `ledger` is null when an active wallet does not exist on the ledger. */
export type Difference = {
  readonly address: string;
  readonly asset: Asset;
  readonly books: bigint;
  readonly ledger: bigint | null;
};

// Several book currencies, for example USD and USDC, are one asset on the ledger. Holdings are negative in the books.
const BOOKS = `select split_part(id, ':', 2) as address, case when currency = 'XLM' then 'XLM' else 'USDC' end as asset,
    (-sum(balance))::text as units
  from accounts where (id like 'wallet:%' or id like 'contract:%') and ($1::text is null or marketplace_id = $1)
  group by 1, 2`;

// What the books have taken in of the payments of outsiders into a contract. A posting to a holding is negative.
const GAINS = `select split_part(account_id, ':', 2) as address,
    case when account_id like '%:XLM' then 'XLM' else 'USDC' end as asset, (-sum(amount))::text as units
  from postings where move = 'contract_gain' and account_id like 'contract:%' and ($1::text is null or marketplace_id = $1)
  group by 1, 2`;

const WALLETS = `select address from wallets
  where type = 'INVISIBLE' and status = 'ACTIVE' and ($1::text is null or marketplace_id = $1)`;

const CONTRACTS = `select provider_contract_id as address from escrows
  where provider_contract_id is not null and ($1::text is null or marketplace_id = $1)`;

const ASSETS: readonly Asset[] = ['USDC', 'XLM'];

const assetOf = (ledgerName: string): Asset => (ledgerName === 'native' ? 'XLM' : 'USDC');

type Holdings = Map<string, Partial<Record<Asset, bigint>>>;

/** Every account and contract on the ledger with its balances. */
const readLedger = ({ accounts, contracts }: LedgerState): Holdings => {
  const holders = [
    ...accounts.map(({ address, balances }) => ({ address, balances })),
    ...contracts.map(({ contractId, balances }) => ({ address: contractId, balances })),
  ];
  return new Map(
    holders.map(({ address, balances }) => {
      const amounts = Object.entries(balances).map(([name, amount]) => [assetOf(name), exactUnits(amount)]);
      return [address, Object.fromEntries(amounts)];
    }),
  );
};

const keyOf = (address: string, asset: string): string => `${address} ${asset}`;

/** What the sandbox's outsider paid into each contract, less what the books have taken in. By address and asset. */
const readUnbooked = async (
  { sql, state }: Comparison,
  marketplaceId: string | null,
): Promise<ReadonlyMap<string, bigint>> => {
  const unbooked = new Map<string, bigint>();
  const add = (key: string, units: bigint) => unbooked.set(key, (unbooked.get(key) ?? 0n) + units);
  for (const { contractId, asset, amount } of (state as LedgerState).outsidePayments ?? []) {
    add(keyOf(contractId, asset), exactUnits(amount));
  }
  for (const { address, asset, units } of await sql(GAINS, [marketplaceId])) {
    add(keyOf(address!, asset!), -BigInt(units!));
  }
  return unbooked;
};

const readBooks = async (sql: Sql, marketplaceId: string | null): Promise<Holdings> => {
  const holdings: Holdings = new Map();
  for (const { address, asset, units } of await sql(BOOKS, [marketplaceId])) {
    holdings.set(address!, { ...holdings.get(address!), [asset!]: BigInt(units!) });
  }
  return holdings;
};

/** What one asset holds at one address on the ledger of `state`; 0 when the address does not exist. */
export const heldOnLedger = (state: unknown, { address, asset }: { address: string; asset: Asset }): bigint =>
  readLedger(state as LedgerState).get(address)?.[asset] ?? 0n;

/** Each address and asset for which books and ledger differ. An empty list means that they agree. */
export const compareBooksWithLedger = async (comparison: Comparison): Promise<Difference[]> => {
  const { sql, state, marketplaceId, isOwnLedger = false } = comparison;
  const scope = marketplaceId ?? null;
  const ledger = readLedger(state as LedgerState);
  const books = await readBooks(sql, scope);
  const unbooked = await readUnbooked(comparison, scope);
  const wallets = new Set((await sql(WALLETS, [scope])).map(({ address }) => address!));
  const contracts = (await sql(CONTRACTS, [scope])).map(({ address }) => address!);
  const allContracts = isOwnLedger ? (state as LedgerState).contracts.map(({ contractId }) => contractId) : [];
  const addresses = new Set([...books.keys(), ...wallets, ...contracts, ...allContracts]);
  const differences: Difference[] = [];
  for (const address of addresses) {
    for (const asset of ASSETS) {
      const inBooks = books.get(address)?.[asset] ?? 0n;
      const onLedger = ledger.get(address)?.[asset] ?? 0n;
      const isMissing = wallets.has(address) && !ledger.has(address);
      const outside = unbooked.get(keyOf(address, asset)) ?? 0n;
      // Other third parties may have paid too. Their payments are not listed, only booked.
      const notBooked = outside > 0n ? outside : 0n;
      if (inBooks + notBooked === onLedger && !isMissing) continue;
      differences.push({ address, asset, books: inBooks, ledger: isMissing ? null : onLedger });
    }
  }
  return differences;
};

export const describeDifference = ({ address, asset, books, ledger }: Difference): string =>
  `${address}:${asset}: ${books} in the books, ${ledger ?? 'no account'} on the ledger`;
