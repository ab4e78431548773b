// What sync and verify see of the ledger: sync books the difference to the books, so it first brings into the books what may still come.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pause } from '../../base/wait.ts';
import { type Amount, minus, ZERO } from '../../books/money.ts';
import type { Adoption } from '../../ledger/adoption/adoption.ts';
import type { Deposits } from '../../ledger/deposits/deposits.ts';
import type { DepositReads, FollowedWallet } from '../../ledger/deposits/queries.ts';
import { type Asset, assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import type { LedgerObservation } from '../balances/sync-balance.ts';
import { type Comparison, type ComparisonOptions, compareBalances, inAsset } from './compare-balances.ts';

type BalanceRequest = { readonly marketplaceId: string; readonly userId: string; readonly currency: Currency };

/** Waits until no transaction of the address is in progress; false when one still is after `withinMs`. */
type Settled = (of: { marketplaceId: string; address: string; withinMs: number }) => Promise<boolean>;

type LedgerBalanceOptions = ComparisonOptions & {
  readonly reads: Pick<DepositReads, 'ofUser' | 'find' | 'position'>;
  readonly deposits: Pick<Deposits, 'pollNow' | 'arePending' | 'isOwnMissing'>;
  readonly adoption: Pick<Adoption, 'isKnown' | 'adopt' | 'isHeld'>;
  readonly settled: Settled;
  readonly waitMs?: number;
  /** Time between the two comparisons that must agree: longer than one page of the ledger may lag behind another. */
  readonly betweenComparisonsMs?: number;
};

const WAIT_MS = 5_000;
const ATTEMPTS = 5;

const timeout = (): DomainError => new DomainError('PROVIDER_TIMEOUT', { details: { provider: 'ledger-network' } });

const IN_PROGRESS = 'A transaction of this wallet is in progress. Sync again when it has settled.';

const inProgress = (message = IN_PROGRESS): DomainError =>
  new DomainError('INVALID_STATE', {
    message,
    details: { currentState: 'TRANSACTION_IN_FLIGHT', allowedActions: [] },
  });

/** The ledger shows the certain outcome half a minute after that time, and a job looks for it once a minute. */
const afterRejection = ({ until }: { readonly until: string }): string =>
  'The balances on the ledger and in the books differ, and a transaction of this wallet that the ledger rejected may be the reason: ' +
  `the ledger may include it until ${until}. Nothing was changed. Try again two minutes after that time.`;

const walletHeld = (): DomainError =>
  new DomainError('INVALID_STATE', {
    message:
      'The ledger has a payment of this wallet that nothing in the books explains, so the wallet is held and nothing is booked. ' +
      'An operator sees the payment with `holdfast payments status` and releases the wallet. Then sync again.',
    details: { currentState: 'WALLET_HELD', allowedActions: [] },
  });

/** Repeats the comparison until nothing moves, as long as a caller would wait. */
const compareAtRest = async (
  options: LedgerBalanceOptions,
  { wallet, untilMs }: { wallet: FollowedWallet; untilMs: number },
): Promise<Comparison> => {
  const { marketplaceId, address } = wallet;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const withinMs = Math.max(0, untilMs - performance.now());
    if (!(await options.settled({ marketplaceId, address, withinMs }))) return { kind: 'busy' };
    const comparison = await compareBalances(options, wallet);
    if (comparison.kind !== 'busy') return comparison;
  }
  return { kind: 'busy' };
};

/**
 * Adopts what the wallet has paid and the books do not know, as after a restore: a sync would book the payment as a loss of the user, and
 * its settlement would book it again. True: the books may have changed.
 */
const adoptMissing = async (
  { adoption }: LedgerBalanceOptions,
  { wallet, sequence }: { readonly wallet: FollowedWallet; readonly sequence: bigint | null },
): Promise<boolean> => {
  const place = { marketplaceId: wallet.marketplaceId, source: wallet.address };
  if (sequence === null || (await adoption.isKnown(place, sequence))) return false;
  const adopted = await adoption.adopt(place);
  if (adoption.isHeld(adopted)) throw walletHeld();
  if (adopted.kind !== 'yes') throw inProgress();
  return true;
};

/** Whether the ledger shows deposits that are not in the books yet. Refuses while a payment of ours to the wallet is missing there. */
const arePending = async ({ deposits }: LedgerBalanceOptions, wallet: FollowedWallet): Promise<boolean> => {
  const pending = await deposits.arePending(wallet);
  if (pending.kind !== 'yes') throw timeout();
  // The settlement of that transaction would book the same money again.
  const missing = await deposits.isOwnMissing(wallet);
  if (missing.kind !== 'yes') throw timeout();
  if (missing.value) throw inProgress();
  return pending.value;
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
    if (comparison.kind === 'uncertain') throw inProgress(afterRejection(comparison));
    const { expected, actual } = comparison.assets[asset];
    const difference = minus(actual, expected);
    if (difference === ZERO) return comparison;
    const isAdopted = await adoptMissing(options, { wallet, sequence: comparison.sequence });
    const mayChange = isAdopted || (await arePending(options, wallet));
    // One answer of the ledger is not enough to give or take money: the same difference must be seen twice.
    if (!mayChange && difference === lastDifference) return comparison;
    lastDifference = mayChange ? null : difference;
    if (betweenComparisonsMs > 0) await pause(betweenComparisonsMs);
  }
  throw inProgress();
};

const unverified = (comparison: Exclude<Comparison, { kind: 'seen' }>): DomainError => {
  const messages = {
    busy: 'A transaction of this wallet is in progress, so the balances cannot be compared. Try again in a few seconds.',
    unknown: 'The ledger network could not be read. Try again in a few seconds.',
  };
  const message = comparison.kind === 'uncertain' ? afterRejection(comparison) : messages[comparison.kind];
  return new DomainError('VERIFICATION_FAILED', { message });
};

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
      if (comparison.kind !== 'seen') throw unverified(comparison);
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
