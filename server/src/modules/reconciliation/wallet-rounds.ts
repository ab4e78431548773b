// Decides which wallets one run of reconciliation compares with the ledger: those with an open break, those that the ledger has shown
// since their last comparison, and the next ones of a round through all wallets. A comparison costs a request, so their number is
// limited: it does not grow with the number of wallets. A longer list only makes the round take more runs.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import type { MovedWallet, MovedWallets } from '../../ledger/deposits/moved-wallets.ts';
import type { DepositReads, FollowedWallet } from '../../ledger/deposits/queries.ts';
import { unlessLost } from '../../postgres/answering.ts';

type Place = { readonly marketplaceId: string; readonly id: string };

type WalletRound = {
  readonly wallets: readonly FollowedWallet[];
  readonly moved: readonly MovedWallet[];
  /** Where the round through all wallets continues; null: at the beginning. */
  readonly next: Place | null;
};

export type WalletRounds = {
  /** The addresses have an open break. */
  take(addresses: readonly string[]): Promise<WalletRound>;
  /** The wallets in `unsure` could not be compared, and are compared again in the next run. */
  finish(round: WalletRound, unsure: readonly FollowedWallet[]): Promise<void>;
};

type Options = {
  readonly pool: pg.Pool;
  readonly reads: Pick<DepositReads, 'followed' | 'atAddresses' | 'atPlaces'>;
  readonly moved: MovedWallets;
  /** How many wallets one run compares. */
  readonly walletsMax: number;
};

const ROUND = [DEFAULT_MARKETPLACE, 'wallets-compared'];

const READ = 'select t.place from ledger_cursors t where t.marketplace_id = $1 and t.id = $2';

const MOVE = `insert into ledger_cursors (marketplace_id, id, cursor, caught_up, place, updated_at) values ($1, $2, 0, true, $3, now())
  on conflict (marketplace_id, id) do update set place = excluded.place, updated_at = excluded.updated_at`;

const keyOf = ({ marketplaceId, id }: Place): string => `${marketplaceId}/${id}`;

const placeOf = (text: string | null | undefined): Place | null => {
  if (!text) return null;
  const end = text.indexOf('/');
  return { marketplaceId: text.slice(0, end), id: text.slice(end + 1) };
};

export const createWalletRounds = ({ pool, reads, moved, walletsMax }: Options): WalletRounds => {
  /** The next wallets of the round, from the beginning again after the last one. */
  const nextOf = async (place: Place | null, limit: number) => {
    const page = await reads.followed(place, limit);
    if (page.length >= limit) return { wallets: page, next: page.at(-1)! };
    const again = place === null ? [] : await reads.followed(null, limit - page.length);
    return { wallets: [...page, ...again], next: again.at(-1) ?? null };
  };

  return {
    async take(addresses) {
      // An open break and a wallet that moved are compared first, and a quarter is left for the others.
      const quarter = Math.ceil(walletsMax / 4);
      const broken = await unlessLost(() => reads.atAddresses(addresses.slice(0, quarter)), [])();
      const marked = await moved.list(Math.max(1, walletsMax - quarter - broken.length));
      const first = [...broken, ...(await reads.atPlaces(marked))];
      const { rows } = await pool.query<{ place: string | null }>(READ, ROUND);
      const limit = Math.max(1, walletsMax - first.length);
      const { wallets, next } = await nextOf(placeOf(rows[0]?.place), limit);
      const once = new Map([...first, ...wallets].map((wallet) => [keyOf(wallet), wallet]));
      return { wallets: [...once.values()], moved: marked, next };
    },

    async finish({ moved: marked, next }, unsure) {
      await moved.clear(marked);
      await moved.mark(unsure);
      await pool.query(MOVE, [...ROUND, next === null ? null : keyOf(next)]);
    },
  };
};
