// Compares the ledger balance of an address with the books. A comparison counts only when nothing moved: no transaction in progress,
// and the same books before and after the ledger was read. After a rejected transaction a difference does not count either.

import { type Amount, plus, ZERO } from '../../books/money.ts';
import { sameAsset } from '../../ledger/deposits/arrivals.ts';
import { type LedgerCursor, laterOf, ledgerOf } from '../../ledger/deposits/ledger-cursor.ts';
import type { DepositReads, FollowedWallet, Holding, Position } from '../../ledger/deposits/queries.ts';
import { type Asset, assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork } from '../../providers/ports.ts';
import { type Compared, differs } from './breaks.ts';

export type Comparison =
  | {
      readonly kind: 'seen';
      readonly assets: Readonly<Record<Asset, Compared>>;
      readonly holdings: readonly Holding[];
      /** The ledger that the balances are of. Null: there is no account. */
      readonly ledger: number | null;
      /** The number of the newest transaction of the account. Null: there is no account. */
      readonly sequence: bigint | null;
    }
  /** Something moves at the address right now. */
  | { readonly kind: 'busy' }
  /** The balances differ, and a rejected transaction may be the reason: the ledger may include it until then. */
  | { readonly kind: 'uncertain'; readonly until: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export type ComparisonOptions = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly reads: Pick<DepositReads, 'position'>;
  /** How far the payments of the network have been read. */
  readonly cursor: Pick<LedgerCursor, 'read'>;
  readonly settlement: LedgerAsset;
};

const balanceOf = (account: LedgerAccount | null, matches: (asset: LedgerAsset) => boolean): Amount =>
  account?.balances.find(({ asset }) => matches(asset))?.amount ?? ZERO;

export const inAsset = (holdings: readonly Holding[], asset: Asset): Holding[] =>
  holdings.filter(({ currency }) => assetOf(currency) === asset);

const sumOf = (holdings: readonly Holding[]): Amount => holdings.reduce((sum, { amount }) => plus(sum, amount), ZERO);

const isSame = (a: Position, b: Position): boolean =>
  a.holdings.every((one, i) => one.amount === b.holdings[i]!.amount && one.touchedAt === b.holdings[i]!.touchedAt);

/** One comparison of a wallet, without waiting and without booking anything. */
export const compareBalances = async (
  { network, reads, cursor, settlement }: ComparisonOptions,
  wallet: FollowedWallet,
): Promise<Comparison> => {
  const before = await reads.position(wallet);
  if (before.inFlight) return { kind: 'busy' };
  // The books have the payments up to here. A server that knows less of the ledger shows no loss, but the past.
  const reached = laterOf(wallet.paymentsCursor, (await cursor.read())?.cursor ?? '0');
  const answer = await network.account(wallet.address, { from: ledgerOf(reached) });
  if (answer.kind !== 'yes') return { kind: 'unknown', reason: answer.reason };
  // A transaction that was signed and settled in between: the ledger may have shown the state before or after it.
  const after = await reads.position(wallet);
  if (after.inFlight || !isSame(before, after)) return { kind: 'busy' };
  const compared = (asset: Asset, matches: (one: LedgerAsset) => boolean): Compared => ({
    expected: sumOf(inAsset(after.holdings, asset)),
    actual: balanceOf(answer.value, matches),
  });
  const assets = {
    USDC: compared('USDC', (one) => sameAsset(one, settlement)),
    XLM: compared('XLM', (one) => one.issuer === null),
  };
  const until = after.rejectedUntil ?? before.rejectedUntil;
  if (until !== null && Object.values(assets).some(differs)) return { kind: 'uncertain', until };
  const { ledger = null, sequence = null } = answer.value ?? {};
  return { kind: 'seen', assets, holdings: after.holdings, ledger, sequence };
};
