// Reads for deposits and reconciliation: which wallets to follow, which payments are our own, and what the books hold at an address. It
// only reads.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { walletHolding } from '../../books/accounts.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { ownedBy, type Wallet } from '../keys/wallet.ts';
import { payingTo } from '../transactions/queries.ts';

/** The part of a custodial wallet that deposits need. */
export type FollowedWallet = Pick<Wallet, 'id' | 'owner' | 'userId' | 'address' | 'status' | 'paymentsCursor'> & {
  readonly marketplaceId: string;
};

export type Holding = { readonly currency: Currency; readonly amount: Amount; readonly touchedAt: string | null };

/** What the books hold at an address at one moment. */
export type Position = {
  readonly holdings: readonly Holding[];
  /** A transaction from this address, or one that may pay it, is open. */
  readonly inFlight: boolean;
};

/** The part of a ledger payment that decides whether it is our own. */
export type SeenPayment = { readonly id: string; readonly transactionHash: string; readonly from: string | null };

type Place = { readonly marketplaceId: string; readonly id: string };
type At = { readonly marketplaceId: string; readonly address: string };

// Without the sealed secret.
const WALLET = `t.marketplace_id as "marketplaceId", t.id, t.owner, t.user_id as "userId", t.address, t.status,
  t.payments_cursor as "paymentsCursor" from wallets t`;

// A platform wallet is followed before it is active: its money must be in the books before it pays the first fee.
const FOLLOWED = `select ${WALLET} where (t.marketplace_id, t.id) > ($1, $2) and t.type = 'INVISIBLE'
  and (t.status = 'ACTIVE' or t.owner <> 'user') order by t.marketplace_id, t.id limit $3`;

const FIND = `select ${WALLET} where t.marketplace_id = $1 and t.id = $2 and t.type = 'INVISIBLE'`;

const OF_USER = `select ${WALLET} where t.marketplace_id = $1 and t.owner || ':' || coalesce(t.user_id, '') = $2
  and t.type = 'INVISIBLE' order by t.id limit 1`;

// Our payment to an outside address is a deposit when that address is a wallet of this marketplace. A payment of our escrow contract is
// never a deposit, whichever account sent the transaction.
const OWN = `select p.id from unnest($2::text[], $3::text[], $4::text[]) p (id, hash, payer)
  where exists (select 1 from ledger_transactions t where t.marketplace_id = $1 and t.id = p.hash
      and not t.actions @> $5::jsonb)
    or exists (select 1 from escrows e where e.provider_contract_id = p.payer and e.marketplace_id = $1)`;

const POSITION = `select
    (select coalesce(jsonb_object_agg(a.id, jsonb_build_array(a.balance::text, to_char(a.touched_at,
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))), '{}') from accounts a where a.marketplace_id = $1 and a.id = any($2)) as accounts,
    exists (select 1 from ledger_transactions t where t.marketplace_id = $1 and t.state = 'SIGNED'
      and (t.source = $3 or t.actions @> any($4::jsonb[]))) as "inFlight"`;

type PositionRow = { accounts: Record<string, [balance: string, touchedAt: string | null]>; inFlight: boolean };

export const createDepositReads = (pool: pg.Pool) => ({
  /** Wallets to follow, of all marketplaces, after the one given. */
  async followed(after: Place | null, limit: number): Promise<FollowedWallet[]> {
    const values = [after?.marketplaceId ?? '', after?.id ?? '', limit];
    return (await pool.query<FollowedWallet>({ name: 'followed-wallets', text: FOLLOWED, values })).rows;
  },

  async find({ marketplaceId, id }: Place): Promise<FollowedWallet | null> {
    const values = [marketplaceId, id];
    return (await pool.query<FollowedWallet>({ name: 'followed-wallet', text: FIND, values })).rows[0] ?? null;
  },

  async ofUser(marketplaceId: string, userId: string): Promise<FollowedWallet | null> {
    const values = [marketplaceId, ownedBy('user', userId)];
    return (await pool.query<FollowedWallet>({ name: 'custodial-wallet', text: OF_USER, values })).rows[0] ?? null;
  },

  /** The payments that our transactions or our contracts made. */
  async own({ marketplaceId, address }: At, payments: readonly SeenPayment[]): Promise<Set<string>> {
    if (payments.length === 0) return new Set();
    const outside = JSON.stringify([{ type: 'pay', to: address, outside: true }]);
    const of = (field: keyof SeenPayment) => payments.map((payment) => payment[field]);
    const values = [marketplaceId, of('id'), of('transactionHash'), of('from'), outside];
    const { rows } = await pool.query<{ id: string }>({ name: 'own-payments', text: OWN, values });
    return new Set(rows.map(({ id }) => id));
  },

  async position({ marketplaceId, address }: At): Promise<Position> {
    const ids = CURRENCIES.map((currency) => walletHolding(address, currency).id);
    const values = [marketplaceId, ids, address, payingTo(address)];
    const { rows } = await pool.query<PositionRow>({ name: 'position', text: POSITION, values });
    const { accounts, inFlight } = rows[0]!;
    const holdings = CURRENCIES.map((currency, i) => {
      const [balance, touchedAt] = accounts[ids[i]!] ?? ['0', null];
      // Holdings are stored below zero.
      return { currency, amount: fromUnits(-BigInt(balance)), touchedAt };
    });
    return { holdings, inFlight };
  },
});

export type DepositReads = ReturnType<typeof createDepositReads>;
