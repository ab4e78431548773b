// Compares wallets with the books for reconciliation. A deposit that the watcher has not booked yet is not a break, as long as the
// watcher makes progress.

import type { FollowedWallet } from '../../ledger/deposits/queries.ts';
import { type Compared, differs, isSeenIn, type SeenBreak } from './breaks.ts';

export type WalletCheckOptions = {
  compare(
    wallet: FollowedWallet,
  ): Promise<
    | { readonly kind: 'seen'; readonly assets: { readonly USDC: Compared; readonly XLM: Compared } }
    | { readonly kind: 'busy' | 'uncertain' | 'unknown' }
  >;
  /** Yes with true when the ledger shows deposits that are not in the books yet: then the watcher is behind. */
  arePending(
    wallet: FollowedWallet,
  ): Promise<{ readonly kind: 'yes'; readonly value: boolean } | { kind: 'no' | 'unknown' }>;
  /** Why the ledger may differ, in a sentence; null when nothing shows it. */
  explain?(wallet: FollowedWallet): Promise<string | null>;
  /** How far the deposits of the wallet have been read. */
  readTo(wallet: FollowedWallet): Promise<string>;
  /** How long the watcher's cursor may stay unchanged before its pending deposits are a break. */
  readonly depositPatienceMs: number;
  /** A clock that does not jump with the wall clock. */
  steadyMs(): number;
};

/** How long a wallet may have pending deposits without a pause. */
const PENDING_MAX_MS = 3_600_000;

type Behind = { readonly cursor: string; readonly unchangedSince: number; readonly pendingSince: number };

const placeOf = ({ marketplaceId, id }: FollowedWallet): string => `${marketplaceId}/${id}`;

export const createWalletChecks = (options: WalletCheckOptions) => {
  const { compare, arePending, explain, readTo, depositPatienceMs, steadyMs } = options;
  /** Wallets with pending deposits at the last check: the watcher's cursor, and since when the cursor is unchanged. */
  const behind = new Map<string, Behind>();

  /** Null: the wallet cannot be compared now, so the earlier result stays. */
  const check = async (wallet: FollowedWallet): Promise<SeenBreak[] | null> => {
    const comparison = await compare(wallet);
    if (comparison.kind !== 'seen') return null;
    const { marketplaceId, address: subject } = wallet;
    const { USDC, XLM } = comparison.assets;
    return [
      { marketplaceId, kind: 'wallet-usdc', subject, ...USDC },
      { marketplaceId, kind: 'wallet-xlm', subject, ...XLM },
    ];
  };

  /**
   * True while the watcher may still book the pending deposits. Measured by time and not by the number of checks: two checks may follow
   * each other at once, one at the start and one on schedule. When the cursor has changed, another deposit is pending. A wallet that
   * always has pending deposits is compared after PENDING_MAX_MS.
   */
  const isWatcherExpected = async (wallet: FollowedWallet): Promise<boolean> => {
    const cursor = await readTo(wallet);
    const now = steadyMs();
    const known = behind.get(placeOf(wallet));
    const unchangedSince = known?.cursor === cursor ? known.unchangedSince : now;
    const pendingSince = known?.pendingSince ?? now;
    const isExpected = now - unchangedSince < depositPatienceMs && now - pendingSince < PENDING_MAX_MS;
    behind.set(placeOf(wallet), { cursor, unchangedSince, pendingSince: isExpected ? pendingSince : now });
    return isExpected;
  };

  return {
    check,

    /** The breaks of the first check that a second check confirms. */
    async confirm(wallet: FollowedWallet, first: readonly SeenBreak[]): Promise<SeenBreak[]> {
      const pending = await arePending(wallet);
      if (pending.kind !== 'yes') return [];
      if (!pending.value) behind.delete(placeOf(wallet));
      else if (await isWatcherExpected(wallet)) return [];
      const second = (await check(wallet)) ?? [];
      const confirmed = second.filter((seen) => isSeenIn(first, seen));
      const reason = confirmed.some(differs) ? ((await explain?.(wallet)) ?? null) : null;
      return confirmed.map((seen) => (reason !== null && differs(seen) ? { ...seen, reason } : seen));
    },

    /** The wallet agrees with the books: forgets its pending deposits. */
    clear(wallet: FollowedWallet): void {
      behind.delete(placeOf(wallet));
    },
  };
};
