// Reads of wallets. Only the reads that say so return a sealed secret.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { ownedBy, WALLETS, type Wallet, type WalletOwner } from './wallet.ts';

const ALL = `select ${selected(WALLETS)} from wallets t`;
const SELECT = `${ALL} where t.marketplace_id = $1`;
const OF_OWNER = `(t.owner || ':' || coalesce(t.user_id, '')) = $2`;

export type SealedWallet = { readonly id: string; readonly address: string; readonly sealedSecret: string };

const walletPages = (pool: pg.Pool) => ({
  /** All wallets of a user, newest first, without their secrets. */
  async listOfUser(request: PageRequest & { userId: string }): Promise<PageOf<Wallet>> {
    const { where, values } = conditions(request.marketplaceId, [
      [`(t.owner || ':' || coalesce(t.user_id, '')) = ?`, ownedBy('user', request.userId)],
      ['t.id < ?', request.cursor],
    ]);
    const page = await readPage<Wallet>(pool, { select: ALL, where, values, limit: request.limit });
    return { ...page, rows: page.rows.map((wallet) => ({ ...wallet, sealedSecret: null })) };
  },
});

export const createWalletReads = (pool: pg.Pool) => ({
  ...walletPages(pool),

  /** With its sealed secret, for the signer. */
  find: shareReads<Wallet>(pool, { text: `select ${selected(WALLETS)} from ${byIds('wallets')}` }),

  async findByAddress(marketplaceId: string, address: string): Promise<Wallet | null> {
    const { rows } = await pool.query<Wallet>(`${SELECT} and t.address = $2`, [marketplaceId, address]);
    return rows[0] ?? null;
  },

  /** A user's primary wallet, and whether the user exists. */
  async ofUser(marketplaceId: string, userId: string): Promise<{ exists: boolean; wallet: Wallet | null }> {
    const { rows } = await pool.query<Wallet>(`${SELECT} and ${OF_OWNER} and t.is_primary`, [
      marketplaceId,
      ownedBy('user', userId),
    ]);
    if (rows[0]) return { exists: true, wallet: rows[0] };
    const user = await pool.query('select 1 from users where marketplace_id = $1 and id = $2', [marketplaceId, userId]);
    return { exists: user.rowCount === 1, wallet: null };
  },

  /** A user's custodial wallet, primary or not. */
  async custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null> {
    const { rows } = await pool.query<Wallet>(
      `${SELECT} and ${OF_OWNER} and t.type = 'INVISIBLE' order by t.id limit 1`,
      [marketplaceId, ownedBy('user', userId)],
    );
    return rows[0] ?? null;
  },

  /** The treasury, or the platform's wallet. */
  async ofPlatform(marketplaceId: string, owner: Exclude<WalletOwner, 'user'>): Promise<Wallet | null> {
    const { rows } = await pool.query<Wallet>(`${SELECT} and ${OF_OWNER}`, [marketplaceId, ownedBy(owner, null)]);
    return rows[0] ?? null;
  },

  /** The active platform wallets of all marketplaces. */
  async platforms(): Promise<{ marketplaceId: string; wallet: Wallet }[]> {
    const text = `select t.marketplace_id as "marketplaceId", ${selected(WALLETS)} from wallets t
       where t.owner = 'platform' and t.status = 'ACTIVE' order by t.marketplace_id`;
    const rows = await readAcross<Wallet & { marketplaceId: string }>(pool, { text });
    return rows.map(({ marketplaceId, ...wallet }) => ({ marketplaceId, wallet }));
  },

  /** How many secrets each key-encryption key has sealed, by marketplace. */
  async countBySeal(): Promise<{ marketplaceId: string; keyId: string; wallets: number }[]> {
    const { rows } = await pool.query<{ marketplaceId: string; keyId: string; wallets: number }>(
      `select marketplace_id as "marketplaceId", split_part(sealed_secret, '.', 2) as "keyId", count(*)::int as wallets
       from wallets where sealed_secret is not null group by 1, 2 order by 1, 2`,
    );
    return rows;
  },

  /** The next wallets, by id, whose sealed secret does not have this prefix. */
  async listSealedOtherwise(ask: {
    marketplaceId: string;
    prefix: string;
    afterId: string;
    limit: number;
  }): Promise<SealedWallet[]> {
    const { rows } = await pool.query<SealedWallet>(
      `select id, address, sealed_secret as "sealedSecret" from wallets
       where marketplace_id = $1 and id > $2 and sealed_secret is not null and not starts_with(sealed_secret, $3)
       order by id limit $4`,
      [ask.marketplaceId, ask.afterId, ask.prefix, ask.limit],
    );
    return rows;
  },
});

export type WalletReads = ReturnType<typeof createWalletReads>;
