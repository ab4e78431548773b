// Wallets that the ledger has shown as sender or receiver since they were last compared with the books: reconciliation compares these
// first, so that its requests follow what happens and not how many wallets there are. This is no state of the books, so no command
// writes it: a mark that is lost only delays a comparison.

import type pg from 'pg';
import { readAcross } from '../../postgres/answering.ts';
import { ofMarketplace, sendByMarketplace } from '../../postgres/by-marketplace.ts';

type Place = { readonly marketplaceId: string; readonly id: string };

const MARK = `insert into moved_wallets as t (marketplace_id, id, moved_at)
  select k.marketplace_id, k.id, now() from unnest($1::text[], $2::text[]) k (marketplace_id, id)
  on conflict (marketplace_id, id) do update set moved_at = excluded.moved_at`;

const LIST = `select t.marketplace_id as "marketplaceId", t.id, t.moved_at::text as "movedAt" from moved_wallets t
  order by t.moved_at limit $1`;

// A wallet that has moved since it was listed stays.
const CLEAR = `delete from moved_wallets t using unnest($1::text[], $2::text[], $3::timestamptz[]) k (marketplace_id, id, moved_at)
  where t.marketplace_id = k.marketplace_id and t.id = k.id and t.moved_at = k.moved_at and ${ofMarketplace('t.marketplace_id', 4)}`;

export type MovedWallet = Place & { readonly movedAt: string };

export const createMovedWallets = (pool: pg.Pool) => {
  const columnsOf = (places: readonly Place[]) => [
    places.map(({ marketplaceId }) => marketplaceId),
    places.map(({ id }) => id),
  ];
  return {
    async mark(places: readonly Place[]): Promise<void> {
      const once = [...new Map(places.map((one) => [`${one.marketplaceId}/${one.id}`, one])).values()];
      if (once.length === 0) return;
      const send = async (part: readonly Place[]): Promise<never[]> =>
        (await pool.query<never>({ name: 'mark-moved', text: MARK, values: columnsOf(part) })).rows;
      await sendByMarketplace(pool, { items: once, send });
    },

    /** Those that have waited longest, of all marketplaces. */
    async list(limit: number): Promise<MovedWallet[]> {
      return readAcross<MovedWallet>(pool, { name: 'moved-wallets', text: LIST, values: [limit] });
    },

    async clear(moved: readonly MovedWallet[]): Promise<void> {
      if (moved.length === 0) return;
      const send = async (part: readonly MovedWallet[], marketplaceId: string | null): Promise<never[]> => {
        const values = [...columnsOf(part), part.map(({ movedAt }) => movedAt), marketplaceId];
        return (await pool.query<never>({ name: 'clear-moved', text: CLEAR, values })).rows;
      };
      await sendByMarketplace(pool, { items: moved, send });
    },
  };
};

export type MovedWallets = ReturnType<typeof createMovedWallets>;
