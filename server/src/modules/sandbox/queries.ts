// Reads which payins, payouts, accounts and contracts of the sandbox belong to a marketplace.

import type pg from 'pg';

type OwnWallet = {
  readonly address: string;
  readonly owner: 'user' | 'treasury' | 'platform';
  readonly userId: string | null;
};

export type OwnRecords = {
  readonly topups: ReadonlySet<string>;
  readonly withdrawals: ReadonlySet<string>;
  readonly orders: ReadonlySet<string>;
  readonly wallets: ReadonlyMap<string, OwnWallet>;
};

type RecordsRequest = {
  readonly marketplaceId: string;
  readonly topups: readonly string[];
  readonly withdrawals: readonly string[];
  readonly orders: readonly string[];
  readonly addresses: readonly string[];
};

const owned = (table: string): string => `select id from ${table} where marketplace_id = $1 and id = any($2)`;

const WALLETS = `select address, owner, user_id as "userId" from wallets
  where marketplace_id = $1 and address = any($2)`;

const byEitherId = (table: string, providerId: string): string =>
  `select id from ${table} where marketplace_id = $1 and id = $2
   union all select id from ${table} where marketplace_id = $1 and ${providerId} = $2`;

const TOPUP = byEitherId('topups', 'provider_payin_id');

const WITHDRAWAL = byEitherId('withdrawals', 'provider_payout_id');

const RECEIVES = `select 1 where exists (select 1 from wallets where marketplace_id = $1 and address = $2)
  or exists (select 1 from escrows where marketplace_id = $1 and provider_contract_id = $2)`;

const HAS_ESCROW = 'select id from escrows where marketplace_id = $1 and order_id = $2 limit 1';

export const createSandboxOwners = (pool: pg.Pool) => {
  const idsIn = async (
    table: string,
    { marketplaceId, ids }: { marketplaceId: string; ids: readonly string[] },
  ): Promise<Set<string>> => {
    const { rows } = await pool.query<{ id: string }>(owned(table), [marketplaceId, ids]);
    return new Set(rows.map(({ id }) => id));
  };
  const one = async (text: string, values: readonly string[]): Promise<string | null> =>
    (await pool.query<{ id: string }>(text, [...values])).rows[0]?.id ?? null;

  return {
    async records({ marketplaceId, topups, withdrawals, orders, addresses }: RecordsRequest): Promise<OwnRecords> {
      const { rows } = await pool.query<OwnWallet>(WALLETS, [marketplaceId, addresses]);
      return {
        topups: await idsIn('topups', { marketplaceId, ids: topups }),
        withdrawals: await idsIn('withdrawals', { marketplaceId, ids: withdrawals }),
        orders: await idsIn('orders', { marketplaceId, ids: orders }),
        wallets: new Map(rows.map((wallet) => [wallet.address, wallet])),
      };
    },

    /** True when the order has an escrow, or had one that was set aside. */
    async hasEscrow(marketplaceId: string, orderId: string): Promise<boolean> {
      return (await one(HAS_ESCROW, [marketplaceId, orderId])) !== null;
    },

    /** Finds a top-up by our id or the provider's; null when the marketplace has no such top-up. */
    topup: (marketplaceId: string, id: string): Promise<string | null> => one(TOPUP, [marketplaceId, id]),

    withdrawal: (marketplaceId: string, id: string): Promise<string | null> => one(WITHDRAWAL, [marketplaceId, id]),

    /** True when a wallet or contract of the marketplace has this address. */
    async receivesAt(marketplaceId: string, address: string): Promise<boolean> {
      return (await pool.query(RECEIVES, [marketplaceId, address])).rowCount === 1;
    },
  };
};

export type SandboxOwners = ReturnType<typeof createSandboxOwners>;
