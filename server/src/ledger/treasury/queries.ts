// Reads of treasury payments, of wallets that wait for activation, of promised amounts and of treasury balances. It only reads.

import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { walletHolding } from '../../books/accounts.ts';
import { type Amount, fromUnits, minus, negated } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIds, byKeys } from '../../postgres/by-keys.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { lockedBy } from '../../providers/ledger-reserve.ts';
import { type Asset, assetOf, WALLETS, type Wallet } from '../keys/wallet.ts';
import { TREASURY_PAYMENTS, type TreasuryPayment } from './treasury-payment.ts';

const SELECT = `select ${selected(TREASURY_PAYMENTS)} from treasury_payments t where t.marketplace_id = $1`;

type Of = { readonly marketplaceId: string; readonly walletId: string; readonly kind: TreasuryPayment['kind'] };

type PromiseAsk = {
  readonly marketplaceId: string;
  readonly walletId: string;
  readonly address: string;
  readonly asset: Asset;
  /** The requesting operation or withdrawal: its own promise does not count. */
  readonly operationId: string;
};

export type Promised = {
  readonly all: Amount;
  readonly older: Amount;
  /** What the books hold at the address in the asset. Null: not read. */
  readonly held: Amount | null;
};

type Waiting = {
  readonly limit: number;
  readonly day: string;
  /** Of each marketplace. */
  readonly max: number | null;
  /** All marketplaces together have reached their limit: only wallets of the marketplaces themselves are listed. */
  readonly isFull: boolean;
};

type WaitingWallet = { readonly marketplaceId: string; readonly walletId: string };

export type TreasuryBalance = {
  readonly marketplaceId: string;
  readonly isActive: boolean;
  readonly usdc: Amount;
  /** Without what is locked as the reserve of other wallets. */
  readonly xlm: Amount;
};

const amountOf = (payment: TreasuryPayment): TreasuryPayment => ({ ...payment, amount: fromUnits(payment.amount) });

const FIND = `select ${selected(TREASURY_PAYMENTS)} from ${byIds('treasury_payments')}`;
const OPEN = `select k.key, ${selected(TREASURY_PAYMENTS)} from ${byKeys('treasury_payments', {
  key: `(t.wallet_id || ':' || t.kind)`,
  where: `t.state in ('QUEUED', 'SENT')`,
})}`;

const QUEUED = `${SELECT} and t.state = 'QUEUED' and not t.alone order by t.id limit $2`;
// The payment that was tried longest ago comes first, so that one that cannot succeed does not delay the others.
const QUEUED_ALONE = `${SELECT} and t.state = 'QUEUED' and t.alone order by t.kind desc, t.updated_at limit 1`;

// A marketplace that has reached its limit of the day is left out, so that it delays no other one.
const WAITING = `select w.marketplace_id as "marketplaceId", w.id as "walletId" from wallets w
  where w.status = 'PENDING' and w.activation_requested_at is not null and w.type = 'INVISIBLE' and w.owner <> 'treasury'
    and not exists (select 1 from treasury_payments t where t.marketplace_id = w.marketplace_id
      and (t.wallet_id || ':' || t.kind) = w.id || ':activate' and t.state in ('QUEUED', 'SENT'))
    and not exists (select 1 from activation_days d where d.marketplace_id = w.marketplace_id and d.id = $2
      and d.activations >= $3 and w.owner = 'user')
    and not ($4 and w.owner = 'user')
  order by w.activation_requested_at limit $1`;

const PLACES = 'select places from activation_totals where marketplace_id = $1 and id = $2';

const NETWORK_FEES = `select coalesce(sum(balance), 0)::bigint as paid from accounts where id = 'network:fees:XLM'`;

const WAITING_COUNT = `select count(*)::int as wallets from wallets w
  where w.status = 'PENDING' and w.activation_requested_at is not null`;

/** The largest number that the database compares a count with. */
const NO_LIMIT = 2_147_483_647;

// An operation has paid what its fundings on the ledger have moved. After their prefixes all ids sort by time.
const PROMISED = `select coalesce(sum(p.amount), 0)::bigint as all,
    coalesce(sum(p.amount) filter (where substr(p.id, 5) < substr($3, 5)), 0)::bigint as older,
    (select coalesce(-sum(a.balance), 0)::bigint from accounts a where a.marketplace_id = $1 and a.id = any($5)) as held
  from (
    select o.id, greatest(o.amount - f.paid, 0) as amount, o.currency
    from operations o left join escrows e on e.marketplace_id = o.marketplace_id and e.id = o.escrow_id
    cross join lateral (select coalesce(sum(coalesce((c ->> 'units')::bigint, e.amount)), 0)::bigint as paid
      from jsonb_array_elements(e.calls) c where c ->> 'call' = 'fund') f
    where o.marketplace_id = $1 and o.wallet_id = $2 and o.state = 'RUNNING'
    union all
    select w.id, w.amount - w.paid, w.currency from withdrawals w
    where w.marketplace_id = $1 and w.wallet_id = $2 and w.status = 'WITHDRAWAL_COMMITTED'
  ) p where p.id <> $3 and (p.currency = 'XLM') = ($4 = 'XLM')`;

const BALANCES = `select w.marketplace_id as "marketplaceId", w.status = 'ACTIVE' as "isActive", w.sponsored_reserves as reserves,
    coalesce(sum(a.balance) filter (where a.currency <> 'XLM'), 0)::bigint as usdc,
    coalesce(sum(a.balance) filter (where a.currency = 'XLM'), 0)::bigint as xlm
  from wallets w left join accounts a on a.marketplace_id = w.marketplace_id
    and a.id in ('wallet:' || w.address || ':USD', 'wallet:' || w.address || ':USDC', 'wallet:' || w.address || ':XLM')
  where w.owner = 'treasury' group by 1, 2, 3, w.id`;

/** A payment by its id, and the open payment of a wallet. */
const singleReads = (pool: pg.Pool) => {
  const byId = shareReads<TreasuryPayment>(pool, { text: FIND });
  const openOf = shareReads<TreasuryPayment & { key: string }>(pool, { text: OPEN, key: 'key' });
  return {
    async find(marketplaceId: string, id: string): Promise<TreasuryPayment | null> {
      const found = await byId(marketplaceId, id);
      return found && amountOf(found);
    },

    async findOpen({ marketplaceId, walletId, kind }: Of): Promise<TreasuryPayment | null> {
      const found = await openOf(marketplaceId, `${walletId}:${kind}`);
      if (found === null) return null;
      const { key: _, ...payment } = found;
      return amountOf(payment);
    },
  };
};

export const createTreasuryPaymentReads = (pool: pg.Pool) => {
  const list = async (text: string, values: unknown[]): Promise<TreasuryPayment[]> => {
    const { rows } = await pool.query<TreasuryPayment>(text, values);
    return rows.map(amountOf);
  };
  return {
    ...singleReads(pool),

    /** The next payments to send together; when there are none, the next payment that needs its own transaction. */
    async next(marketplaceId: string, limit: number): Promise<TreasuryPayment[]> {
      const together = await list(QUEUED, [marketplaceId, limit]);
      return together.length > 0 ? together : list(QUEUED_ALONE, [marketplaceId]);
    },

    /** The amount that other operations and withdrawals have still to pay from this wallet, and the share of the older ones. */
    async promised({ marketplaceId, walletId, address, asset, operationId }: PromiseAsk): Promise<Promised> {
      const holdings = CURRENCIES.filter((each) => assetOf(each) === asset).map(
        (each) => walletHolding(address, each).id,
      );
      const values = [marketplaceId, walletId, operationId, asset, holdings];
      const { all, older, held } = (await pool.query<Promised>(PROMISED, values)).rows[0]!;
      return { all: fromUnits(all), older: fromUnits(older), held: held === null ? null : fromUnits(held) };
    },

    /** Marketplaces with queued treasury payments. */
    async marketplaces(): Promise<string[]> {
      const text = `select distinct marketplace_id as id from treasury_payments where state = 'QUEUED'`;
      const rows = await readAcross<{ id: string }>(pool, { text });
      return rows.map(({ id }) => id);
    },

    async wallets(marketplaceId: string, ids: readonly string[]): Promise<Wallet[]> {
      const { rows } = await pool.query<Wallet>(
        `select ${selected(WALLETS)} from wallets t where t.marketplace_id = $1 and t.id = any($2)`,
        [marketplaceId, ids],
      );
      return rows;
    },

    /** Requested wallets without an open activation, oldest request first, of marketplaces below their limit of the day. */
    async waitingWallets({ limit, day, max, isFull }: Waiting): Promise<WaitingWallet[]> {
      return readAcross<WaitingWallet>(pool, { text: WAITING, values: [limit, day, max ?? NO_LIMIT, isFull] });
    },

    /** Wallets of all marketplaces that were or will be activated on this day. */
    async placesTaken(day: string): Promise<number> {
      const { rows } = await pool.query<{ places: number }>(PLACES, [DEFAULT_MARKETPLACE, day]);
      return rows[0]?.places ?? 0;
    },

    /** Wallets that were requested and are not active yet. */
    async countWaiting(): Promise<number> {
      return (await pool.query<{ wallets: number }>(WAITING_COUNT)).rows[0]!.wallets;
    },

    /** What all marketplaces have paid to the network. */
    async networkFees(): Promise<Amount> {
      return negated(fromUnits((await pool.query<{ paid: bigint }>(NETWORK_FEES)).rows[0]!.paid));
    },

    async balances(): Promise<TreasuryBalance[]> {
      const { rows } = await pool.query<TreasuryBalance & { reserves: number }>(BALANCES);
      return rows.map(({ reserves, usdc, xlm, ...treasury }) => ({
        ...treasury,
        usdc: negated(fromUnits(usdc)),
        xlm: minus(negated(fromUnits(xlm)), lockedBy(reserves)),
      }));
    },
  };
};

export type TreasuryPaymentReads = ReturnType<typeof createTreasuryPaymentReads>;
