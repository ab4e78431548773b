// Compares what the ledger shows at an address with what the books have there. Only a moment at which nothing moved is
// compared: not while a transaction is on its way, and not when the books changed while the ledger was asked.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, minus, plus, ZERO } from '../../books/money.ts';
import { type Deposits, sameAsset } from '../../ledger/deposits/deposits.ts';
import type { DepositReads, FollowedWallet, Holding, Position } from '../../ledger/deposits/queries.ts';
import { type Asset, assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork } from '../../providers/ports.ts';
import type { LedgerObservation } from '../balances/sync-balance.ts';

type Ask = { readonly marketplaceId: string; readonly userId: string; readonly currency: Currency };

export type Compared = { readonly expected: Amount; readonly actual: Amount };

export type Comparison =
  | { readonly kind: 'seen'; readonly assets: Readonly<Record<Asset, Compared>>; readonly holdings: readonly Holding[] }
  /** Something moves there right now. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Waits until no transaction of the address is on its way; false when one still is. */
export type Settled = (of: { marketplaceId: string; address: string; withinMs: number }) => Promise<boolean>;

export type LedgerBalances = ReturnType<typeof createLedgerBalances>;

export type LedgerBalanceOptions = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly reads: Pick<DepositReads, 'ofUser' | 'position'>;
  readonly deposits: Pick<Deposits, 'pollNow' | 'arePending'>;
  readonly settled: Settled;
  readonly settlement: LedgerAsset;
  readonly waitMs?: number;
  /** Time between the two looks that must agree: longer than one page of the ledger may lag behind another. */
  readonly betweenLooksMs?: number;
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const timeout = (): DomainError => new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'ledger-network' } });

const onItsWay = (): DomainError =>
  new DomainError('INVALID_STATE', {
    message: 'A transaction of this wallet is on its way. Sync again when it has settled.',
    details: { currentState: 'TRANSACTION_IN_FLIGHT', allowedActions: [] },
  });

export const createLedgerBalances = (options: LedgerBalanceOptions) => {
  const { network, reads, deposits, settled, settlement, waitMs = WAIT_MS, betweenLooksMs = 0 } = options;

  const compare = async (wallet: FollowedWallet): Promise<Comparison> => {
    const before = await reads.position(wallet);
    if (before.inFlight) return { kind: 'busy' };
    const answer = await network.account(wallet.address);
    if (answer.kind !== 'yes') return { kind: 'unknown', reason: answer.reason };
    // Signed, sent and settled meanwhile: then what the ledger showed may be of either side of it.
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
    return { kind: 'seen', assets, holdings: after.holdings };
  };

  /** Tries until a moment without movement is met, for as long as somebody would wait. */
  const compareAtRest = async (wallet: FollowedWallet, untilMs: number): Promise<Comparison> => {
    const { marketplaceId, address } = wallet;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const withinMs = Math.max(0, untilMs - performance.now());
      if (!(await settled({ marketplaceId, address, withinMs }))) return { kind: 'busy' };
      const comparison = await compare(wallet);
      if (comparison.kind !== 'busy') return comparison;
    }
    return { kind: 'busy' };
  };

  /** For sync, which books what it sees: whatever could still be on its way into the books is taken in or waited for. */
  const compareForSync = async (wallet: FollowedWallet, asset: Asset) => {
    const { marketplaceId, id: walletId } = wallet;
    const untilMs = performance.now() + waitMs;
    let lastDifference: Amount | null = null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if ((await deposits.pollNow({ marketplaceId, walletId })).kind !== 'yes') throw timeout();
      const comparison = await compareAtRest(wallet, untilMs);
      if (comparison.kind === 'unknown') throw timeout();
      if (comparison.kind === 'busy') throw onItsWay();
      const { expected, actual } = comparison.assets[asset];
      const difference = minus(actual, expected);
      if (difference === ZERO) return comparison;
      const pending = await deposits.arePending(wallet);
      if (pending.kind !== 'yes') throw timeout();
      // One answer of the ledger is not enough to give or take money: the same difference must be seen twice.
      if (!pending.value && difference === lastDifference) return comparison;
      lastDifference = pending.value ? null : difference;
      if (betweenLooksMs > 0) await pause(betweenLooksMs);
    }
    throw onItsWay();
  };

  return {
    compare,

    /** What sync decides on; null when nothing of the user's is on the ledger. */
    async observe({ marketplaceId, userId, currency }: Ask): Promise<LedgerObservation | null> {
      const wallet = await reads.ofUser(marketplaceId, userId);
      if (wallet === null || wallet.status !== 'ACTIVE') return null;
      const asset = assetOf(currency);
      const { assets, holdings } = await compareForSync(wallet, asset);
      return { address: wallet.address, actual: assets[asset].actual, holdings: inAsset(holdings, asset) };
    },

    /** Read-only. */
    async verify({ marketplaceId, userId, currency }: Ask) {
      const wallet = await reads.ofUser(marketplaceId, userId);
      const asset = assetOf(currency);
      if (wallet === null || wallet.status !== 'ACTIVE') {
        return { address: wallet?.address ?? '', asset, actual: ZERO, expected: ZERO, atAddress: ZERO };
      }
      const comparison = await compareAtRest(wallet, performance.now() + waitMs);
      if (comparison.kind !== 'seen') {
        const message =
          comparison.kind === 'busy'
            ? 'A transaction of this wallet is on its way, so there is nothing certain to compare. Try again shortly.'
            : 'The ledger network could not be read. Try again shortly.';
        throw new DomainError('VERIFICATION_FAILED', { message });
      }
      const atAddress = comparison.holdings.find((holding) => holding.currency === currency)?.amount ?? ZERO;
      return { address: wallet.address, asset, ...comparison.assets[asset], atAddress };
    },
  };
};

const LOOK_AGAIN_MS = 50;

/** Asks the books until the address is at rest, or the time is over. */
export const waitUntilSettled =
  (reads: Pick<DepositReads, 'position'>): Settled =>
  async ({ withinMs, ...place }) => {
    const end = performance.now() + withinMs;
    while ((await reads.position(place)).inFlight) {
      if (performance.now() >= end) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    return true;
  };
