// Reads for deposits and reconciliation: which wallets to follow, which payments are our own, and what the books hold at an address. It
// only reads.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { walletHolding } from '../../books/accounts.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { readAcross } from '../../postgres/answering.ts';
import { ofMarketplace, sendByMarketplace } from '../../postgres/by-marketplace.ts';
import { ownedBy, type Wallet } from '../keys/wallet.ts';
import type { LedgerTransaction } from '../transactions/ledger-transaction.ts';
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
  /** One was rejected, and the ledger may still include it until then. Null: none was. */
  readonly rejectedUntil: string | null;
};

/** The part of a ledger payment that decides whether it is our own. */
export type SeenPayment = {
  readonly id: string;
  readonly transactionHash: string;
  readonly from: string | null;
  /** The wallet that received it. */
  readonly address: string;
};

/** Our wallet or contract sent it in a transaction that the books do not know, or that has ended in the books without an effect. */
export type UnsettledOrigin = 'unexplained' | NonNullable<LedgerTransaction['ending']>;

/**
 * `recorded`: it is in the books. `own`: our transaction or contract made it. `foreign`: a contract of no order made it, in a known
 * transaction of ours; this is a deposit.
 */
export type Origin = 'recorded' | 'own' | 'foreign' | UnsettledOrigin;

/** `called`: a contract of ours made it, in a transaction that no row knows. The ledger says whether that is a transaction of ours. */
type KnownOrigin = Origin | 'called';

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

const CUSTODIAL = `select ${WALLET} where (t.marketplace_id, t.id) > ($1, $2) and t.type = 'INVISIBLE'
  order by t.marketplace_id, t.id limit $3`;

const AT_PLACES = `select ${WALLET} join unnest($1::text[], $2::text[]) k (marketplace_id, id)
  on t.marketplace_id = k.marketplace_id and t.id = k.id
  where t.type = 'INVISIBLE' and ${ofMarketplace('t.marketplace_id', 3)}`;

const AT_ADDRESSES = `select ${WALLET} where t.address = any($1) and t.type = 'INVISIBLE'`;

// Our payment to an outside address is a deposit when that address is a wallet of this marketplace. A payment of our escrow contract is
// never a deposit, whichever account sent the transaction. A payment of our wallet or contract by a transaction that no row knows is booked
// when that transaction is adopted. The rows may have a transaction as rejected or expired that is on the ledger: its payment is booked
// when it is settled again. The contract of an order that the books have lost pays as an outsider does: its calls were adopted without an
// escrow. The ledger shows a bumped transaction under the hash of its bump.
const ORIGINS = `select p.id, case
      when exists (select 1 from deposits d where d.marketplace_id = $1 and d.id = p.id) then 'recorded'
      when t.state <> 'FAILED' and not t.actions @> jsonb_build_array(jsonb_build_object('type', 'pay', 'to', p.address, 'outside', true))
        and (not p.is_contract or t.actions @> '[{"type": "escrow"}]') then 'own'
      when t.state = 'FAILED' and (p.is_contract or p.is_wallet) then t.ending
      when t.id is null and p.is_wallet then 'unexplained'
      when exists (select 1 from escrows e where e.provider_contract_id = p.payer and e.marketplace_id = $1)
        then case when t.id is null then 'called' else 'own' end
      when p.is_contract and t.id is not null then 'foreign'
    end as origin
  from (select s.id, s.payer, s.address, coalesce(b.transaction_id, s.hash) as hash, coalesce(starts_with(s.payer, 'C'), false) as is_contract,
      exists (select 1 from wallets w where w.marketplace_id = $1 and w.address = s.payer and w.type = 'INVISIBLE') as is_wallet
    from unnest($2::text[], $3::text[], $4::text[], $5::text[]) s (id, hash, payer, address)
    left join ledger_bumps b on b.marketplace_id = $1 and b.id = s.hash) p
  left join ledger_transactions t on t.marketplace_id = $1 and t.id = p.hash`;

const POSITION = `select
    (select coalesce(jsonb_object_agg(a.id, jsonb_build_array(a.balance::text, to_char(a.touched_at,
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))), '{}') from accounts a where a.marketplace_id = $1 and a.id = any($2)) as accounts,
    exists (select 1 from ledger_transactions t where t.marketplace_id = $1 and t.state = 'SIGNED'
      and (t.source = $3 or t.actions @> any($4::jsonb[]))) as "inFlight",
    (select to_char(max(t.valid_until), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') from ledger_transactions t
      where t.marketplace_id = $1 and t.ending = 'rejected'
      and (t.source = $3 or t.actions @> any($4::jsonb[]))) as "rejectedUntil"`;

type PositionRow = Omit<Position, 'holdings'> & {
  readonly accounts: Record<string, [balance: string, touchedAt: string | null]>;
};

export const createDepositReads = (pool: pg.Pool) => ({
  /** Wallets to follow, of all marketplaces, after the one given. */
  async followed(after: Place | null, limit: number): Promise<FollowedWallet[]> {
    const values = [after?.marketplaceId ?? '', after?.id ?? '', limit];
    return readAcross<FollowedWallet>(pool, { name: 'followed-wallets', text: FOLLOWED, values });
  },

  /** Every custodial wallet, also one that is not active yet. */
  async custodial(after: Place | null, limit: number): Promise<FollowedWallet[]> {
    const values = [after?.marketplaceId ?? '', after?.id ?? '', limit];
    return (await pool.query<FollowedWallet>({ name: 'custodial-wallets', text: CUSTODIAL, values })).rows;
  },

  /** The custodial wallets at these addresses, whichever marketplace they are of. */
  async atAddresses(addresses: readonly string[]): Promise<FollowedWallet[]> {
    if (addresses.length === 0) return [];
    const values = [addresses];
    return (await pool.query<FollowedWallet>({ name: 'wallets-at-addresses', text: AT_ADDRESSES, values })).rows;
  },

  async atPlaces(places: readonly Place[]): Promise<FollowedWallet[]> {
    if (places.length === 0) return [];
    const send = async (part: readonly Place[], one: string | null): Promise<FollowedWallet[]> => {
      const values = [part.map(({ marketplaceId }) => marketplaceId), part.map(({ id }) => id), one];
      return (await pool.query<FollowedWallet>({ name: 'wallets-at-places', text: AT_PLACES, values })).rows;
    };
    return sendByMarketplace(pool, { items: places, send });
  },

  async find({ marketplaceId, id }: Place): Promise<FollowedWallet | null> {
    const values = [marketplaceId, id];
    return (await pool.query<FollowedWallet>({ name: 'followed-wallet', text: FIND, values })).rows[0] ?? null;
  },

  async ofUser(marketplaceId: string, userId: string): Promise<FollowedWallet | null> {
    const values = [marketplaceId, ownedBy('user', userId)];
    return (await pool.query<FollowedWallet>({ name: 'custodial-wallet', text: OF_USER, values })).rows[0] ?? null;
  },

  /** Those of the payments to wallets of this marketplace that are no deposits. */
  async origins(marketplaceId: string, payments: readonly SeenPayment[]): Promise<Map<string, KnownOrigin>> {
    if (payments.length === 0) return new Map();
    const of = (field: keyof SeenPayment) => payments.map((payment) => payment[field]);
    const values = [marketplaceId, of('id'), of('transactionHash'), of('from'), of('address')];
    const { rows } = await pool.query<{ id: string; origin: KnownOrigin | null }>({
      name: 'payment-origins',
      text: ORIGINS,
      values,
    });
    return new Map(rows.flatMap(({ id, origin }) => (origin === null ? [] : [[id, origin] as const])));
  },

  async position({ marketplaceId, address }: At): Promise<Position> {
    const ids = CURRENCIES.map((currency) => walletHolding(address, currency).id);
    const values = [marketplaceId, ids, address, payingTo(address)];
    const { rows } = await pool.query<PositionRow>({ name: 'position', text: POSITION, values });
    const { accounts, inFlight, rejectedUntil } = rows[0]!;
    const holdings = CURRENCIES.map((currency, i) => {
      const [balance, touchedAt] = accounts[ids[i]!] ?? ['0', null];
      // Holdings are stored below zero.
      return { currency, amount: fromUnits(-BigInt(balance)), touchedAt };
    });
    return { holdings, inFlight, rejectedUntil };
  },
});

export type DepositReads = ReturnType<typeof createDepositReads>;
