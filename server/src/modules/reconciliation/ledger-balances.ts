// Compares the ledger balance of an address with the books. A comparison counts only when nothing moved: no transaction in progress,
// and the same books before and after the ledger was read.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pause } from '../../base/wait.ts';
import { type Amount, minus, plus, ZERO } from '../../books/money.ts';
import { sameAsset } from '../../ledger/deposits/arrivals.ts';
import type { Deposits } from '../../ledger/deposits/deposits.ts';
import { type LedgerCursor, laterOf, ledgerOf } from '../../ledger/deposits/ledger-cursor.ts';
import type { DepositReads, FollowedWallet, Holding, Position } from '../../ledger/deposits/queries.ts';
import { type Asset, assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork } from '../../providers/ports.ts';
import type { LedgerObservation } from '../balances/sync-balance.ts';
import type { Compared } from './breaks.ts';

type BalanceRequest = { readonly marketplaceId: string; readonly userId: string; readonly currency: Currency };

type Comparison =
  | {
      readonly kind: 'seen';
      readonly assets: Readonly<Record<Asset, Compared>>;
      readonly holdings: readonly Holding[];
      /** The ledger that the balances are of. Null: there is no account. */
      readonly ledger: number | null;
    }
  /** Something moves at the address right now. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Waits until no transaction of the address is in progress; false when one still is after `withinMs`. */
type Settled = (of: { marketplaceId: string; address: string; withinMs: number }) => Promise<boolean>;

type LedgerBalanceOptions = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly reads: Pick<DepositReads, 'ofUser' | 'find' | 'position'>;
  /** How far the payments of the network have been read. */
  readonly cursor: Pick<LedgerCursor, 'read'>;
  readonly deposits: Pick<Deposits, 'pollNow' | 'arePending' | 'isOwnMissing'>;
  readonly settled: Settled;
  readonly settlement: LedgerAsset;
  readonly waitMs?: number;
  /** Time between the two comparisons that must agree: longer than one page of the ledger may lag behind another. */
  readonly betweenComparisonsMs?: number;
};

const WAIT_MS = 5_000;
const ATTEMPTS = 5;

const balanceOf = (account: LedgerAccount | null, matches: (asset: LedgerAsset) => boolean): Amount =>
  account?.balances.find(({ asset }) => matches(asset))?.amount ?? ZERO;

const inAsset = (holdings: readonly Holding[], asset: Asset): Holding[] =>
  holdings.filter(({ currency }) => assetOf(currency) === asset);

const sumOf = (holdings: readonly Holding[]): Amount => holdings.reduce((sum, { amount }) => plus(sum, amount), ZERO);

const isSame = (a: Position, b: Position): boolean =>
  a.holdings.every((one, i) => one.amount === b.holdings[i]!.amount && one.touchedAt === b.holdings[i]!.touchedAt);

const timeout = (): DomainError => new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'ledger-network' } });

const inProgress = (): DomainError =>
  new DomainError('INVALID_STATE', {
    message: 'A transaction of this wallet is in progress. Sync again when it has settled.',
    details: { currentState: 'TRANSACTION_IN_FLIGHT', allowedActions: [] },
  });

/** One comparison of a wallet, without waiting. */
const compareOnce = async (
  { network, reads, cursor, settlement }: LedgerBalanceOptions,
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
  return { kind: 'seen', assets, holdings: after.holdings, ledger: answer.value?.ledger ?? null };
};

/** Repeats the comparison until nothing moves, as long as a caller would wait. */
const compareAtRest = async (
  options: LedgerBalanceOptions,
  { wallet, untilMs }: { wallet: FollowedWallet; untilMs: number },
): Promise<Comparison> => {
  const { marketplaceId, address } = wallet;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const withinMs = Math.max(0, untilMs - performance.now());
    if (!(await options.settled({ marketplaceId, address, withinMs }))) return { kind: 'busy' };
    const comparison = await compareOnce(options, wallet);
    if (comparison.kind !== 'busy') return comparison;
  }
  return { kind: 'busy' };
};

/** For sync, which books the difference: everything that may still come into the books is applied or waited for first. */
const compareForSync = async (
  options: LedgerBalanceOptions,
  { wallet, asset }: { wallet: FollowedWallet; asset: Asset },
) => {
  const { deposits, reads, waitMs = WAIT_MS, betweenComparisonsMs = 0 } = options;
  const { marketplaceId, id: walletId } = wallet;
  const untilMs = performance.now() + waitMs;
  let lastDifference: Amount | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if ((await deposits.pollNow({ marketplaceId, walletId })).kind !== 'yes') throw timeout();
    // The poll may have moved the cursor of the wallet.
    const polled = (await reads.find({ marketplaceId, id: walletId })) ?? wallet;
    const comparison = await compareAtRest(options, { wallet: polled, untilMs });
    if (comparison.kind === 'unknown') throw timeout();
    if (comparison.kind === 'busy') throw inProgress();
    const { expected, actual } = comparison.assets[asset];
    const difference = minus(actual, expected);
    if (difference === ZERO) return comparison;
    const pending = await deposits.arePending(wallet);
    if (pending.kind !== 'yes') throw timeout();
    // The settlement of that transaction would book the same money again.
    const missing = await deposits.isOwnMissing(wallet);
    if (missing.kind !== 'yes') throw timeout();
    if (missing.value) throw inProgress();
    // One answer of the ledger is not enough to give or take money: the same difference must be seen twice.
    if (!pending.value && difference === lastDifference) return comparison;
    lastDifference = pending.value ? null : difference;
    if (betweenComparisonsMs > 0) await pause(betweenComparisonsMs);
  }
  throw inProgress();
};

const unverified = (kind: 'busy' | 'unknown'): DomainError =>
  new DomainError('VERIFICATION_FAILED', {
    message:
      kind === 'busy'
        ? 'A transaction of this wallet is in progress, so the balances cannot be compared. Try again in a few seconds.'
        : 'The ledger network could not be read. Try again in a few seconds.',
  });

export const createLedgerBalances = (options: LedgerBalanceOptions) => {
  const { reads, waitMs = WAIT_MS } = options;

  const observeWallet = async (wallet: FollowedWallet, asset: Asset): Promise<LedgerObservation> => {
    const { assets, holdings, ledger } = await compareForSync(options, { wallet, asset });
    const { expected, actual } = assets[asset];
    // Without it a payment that is found later could not be told from one that the balance has.
    if (actual > expected && ledger === null) throw timeout();
    const { id: walletId, address } = wallet;
    return { walletId, address, actual, ledger: ledger ?? 0, holdings: inAsset(holdings, asset) };
  };

  return {
    compare: (wallet: FollowedWallet): Promise<Comparison> => compareOnce(options, wallet),

    /** The input of sync; null when the user has no active wallet on the ledger. */
    async observe({ marketplaceId, userId, currency }: BalanceRequest): Promise<LedgerObservation | null> {
      const wallet = await reads.ofUser(marketplaceId, userId);
      if (wallet === null || wallet.status !== 'ACTIVE') return null;
      return observeWallet(wallet, assetOf(currency));
    },

    /** The same for any of our wallets. */
    observeWallet,

    /** Compares without booking anything. */
    async verify({ marketplaceId, userId, currency }: BalanceRequest) {
      const wallet = await reads.ofUser(marketplaceId, userId);
      const asset = assetOf(currency);
      if (wallet === null || wallet.status !== 'ACTIVE') {
        return { address: wallet?.address ?? '', asset, actual: ZERO, expected: ZERO, atAddress: ZERO };
      }
      const comparison = await compareAtRest(options, { wallet, untilMs: performance.now() + waitMs });
      if (comparison.kind !== 'seen') throw unverified(comparison.kind);
      const atAddress = comparison.holdings.find((holding) => holding.currency === currency)?.amount ?? ZERO;
      return { address: wallet.address, asset, ...comparison.assets[asset], atAddress };
    },
  };
};

const MOVES_SHOWN = 3;

/** Names what has moved money at an address and is in no list of payments, so that no deposit could be made of it. */
export const explainByOperations =
  (network: Pick<LedgerNetwork, 'otherMoves'>) =>
  async ({ address }: FollowedWallet): Promise<string | null> => {
    const found = await network.otherMoves(address);
    if (found.kind !== 'yes' || found.value.length === 0) return null;
    const shown = found.value.slice(0, MOVES_SHOWN).map(({ id, type }) => `${type} (operation ${id})`);
    return `The ledger has moved money of this wallet with operations that are no payments, the newest first: ${shown.join(', ')}.`;
  };

const CHECK_AGAIN_MS = 50;

/** Polls the books until no transaction of the address is in progress, or the time is over. */
export const waitUntilSettled =
  (reads: Pick<DepositReads, 'position'>): Settled =>
  async ({ withinMs, ...place }) => {
    const end = performance.now() + withinMs;
    while ((await reads.position(place)).inFlight) {
      if (performance.now() >= end) return false;
      await pause(CHECK_AGAIN_MS);
    }
    return true;
  };
