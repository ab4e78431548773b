// What the postings of the books come to: all of them, or those since an entry of the audit chain. Both give the sums by place and the
// accounts that differ from their postings. The cost of the second depends on what was posted since, not on the length of the history.

import type pg from 'pg';
import type { ChainEnd } from './checkpoints.ts';
import type { Found } from './proof-checks.ts';

/** For statements over `accounts a`. `$1` is the marketplace. Adds `w`, the wallets of the platform: there are only a few. */
const JOIN_PLATFORM_WALLETS = `left join (
    select w.address, w.owner from wallets w where w.marketplace_id = $1 and w.owner <> 'user'
  ) w on a.id like 'wallet:%' and w.address = split_part(a.id, ':', 2)`;

/**
 * The place of the account `a`: whose the money is, or where it is. Null for an account that belongs to none. Checkpoints keep sums by these
 * names: a migration that changes them has to delete the checkpoints.
 */
const PLACE = `case
    when a.user_id is not null then 'user_' || split_part(a.id, ':', 2)
    when a.id like 'ord\\_%:escrow:%' then 'in_escrow'
    when a.id like 'platform:fees:%' then 'platform_fees'
    when a.id like 'payment-float-owed:%' then 'payment_float_owed'
    when a.id like 'operator:escrow-surplus:%' then 'escrow_surplus'
    when a.id like 'operator:late-topups:%' then 'late_topups'
    when a.id like 'operator:adjustments:%' then 'operator_adjustments'
    when a.id like 'operator:opening-balances:%' then 'opening_balances'
    when a.id like 'wallet:%' then case w.owner
      when 'treasury' then 'treasury_wallet' when 'platform' then 'platform_wallet' else 'user_wallets' end
    when a.id like 'contract:%' then 'contracts'
    when a.id like 'payment-float:%' then 'payment_float'
    when a.id like 'network:fees:%' then 'network_fees'
    end`;

export type PlaceSum = {
  readonly currency: string;
  readonly side: 'claim' | 'holding';
  /** Null for accounts that belong to no place. */
  readonly place: string | null;
  readonly units: bigint;
};

/** Of postings whose account has no row. */
export const UNKNOWN_CURRENCY = 'unknown';

const keyOf = ({ currency, side, place }: PlaceSum): string => JSON.stringify([currency, side, place]);

/** One sum for each currency, side and place, in the order of their names. A sum of zero stays: it has had postings. */
export const addSums = (...parts: readonly (readonly PlaceSum[])[]): PlaceSum[] => {
  const sums = new Map<string, PlaceSum>();
  for (const sum of parts.flat()) {
    const key = keyOf(sum);
    sums.set(key, { ...sum, units: (sums.get(key)?.units ?? 0n) + sum.units });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
};

/** One sum for each currency. */
export const sumsByCurrency = (sums: readonly PlaceSum[]): PlaceSum[] =>
  addSums(sums.map(({ currency, units }) => ({ currency, side: 'claim', place: null, units })));

/** The same sums have the same text. */
export const formatSums = (sums: readonly PlaceSum[]): string =>
  JSON.stringify(addSums(sums).map(({ currency, side, place, units }) => [currency, side, place, String(units)]));

export const parseSums = (text: string): PlaceSum[] =>
  (JSON.parse(text) as [string, PlaceSum['side'], string | null, string][]).map(([currency, side, place, units]) => ({
    currency,
    side,
    place,
    units: BigInt(units),
  }));

const total = <Row>(rows: readonly Row[], of: (row: Row) => bigint): bigint =>
  rows.reduce((sum, row) => sum + of(row), 0n);

// Sums are read as text: the driver has no exact parser for numeric, and a sum must not pass through a float.
// Archived postings count with what they came to. They are older than every checkpoint. `opening` is the balance before the first posting that
// is not archived: null if there is none. `jumps` are postings that do not continue from the one before, and numbers that are missing. The
// window has the order of the primary key, and its groups are those of the sums: one sort at most. The planner sees this because the condition
// is repeated around the window.
const ACCOUNTS = `with derived as (
    select marketplace_id, account_id, sum(sum) as sum, sum(count) as count, max(last) as last,
      sum(sum_until) as sum_until, sum(count_until) as count_until,
      sum(jumps) as jumps, max(opening) as opening, sum(archived) as archived
    from (
      select marketplace_id, account_id, sum(amount) as sum, count(*) as count, max(seq) as last,
        sum(amount) filter (where audit_seq <= $2) as sum_until, count(*) filter (where audit_seq <= $2) as count_until,
        count(*) filter (where before + amount <> balance_after) + max(seq) - min(seq) + 1 - count(*) as jumps,
        min(balance_after - amount) filter (where before is null) as opening, 0 as archived
      from (
        select marketplace_id, account_id, seq, amount, balance_after, audit_seq,
          lag(balance_after) over (partition by marketplace_id, account_id order by seq) as before
        from postings where ($1::text is null or marketplace_id = $1)
      ) w where ($1::text is null or marketplace_id = $1) group by 1, 2
      union all
      select marketplace_id, account_id, balance, postings, postings, balance, postings, 0, null, balance
      from archived_accounts where ($1::text is null or marketplace_id = $1) and postings > 0
    ) p group by 1, 2
  )
  select a.currency, a.side, ${PLACE} as place, coalesce(sum(a.balance), 0)::text as balance,
    coalesce(sum(d.sum), 0)::text as "postingSum", coalesce(sum(d.count), 0)::text as postings,
    coalesce(sum(d.sum_until), 0)::text as "sumUntil", coalesce(sum(d.count_until), 0)::text as "postingsUntil",
    count(*) as accounts,
    count(*) filter (where d.sum is distinct from a.balance or d.count <> a.postings or d.last <> a.postings
      or d.jumps > 0 or d.opening <> d.archived) as differing
  from (select * from accounts where ($1::text is null or marketplace_id = $1)) a
  full join derived d on d.marketplace_id = a.marketplace_id and d.account_id = a.id
  ${JOIN_PLATFORM_WALLETS}
  group by 1, 2, 3`;

type AccountRow = {
  currency: string | null;
  side: PlaceSum['side'] | null;
  place: string | null;
  balance: string;
  postingSum: string;
  postings: string;
  sumUntil: string;
  postingsUntil: string;
  accounts: bigint;
  differing: bigint;
};

const sumsOf = (rows: readonly AccountRow[], unitsOf: (row: AccountRow) => string): PlaceSum[] =>
  addSums(
    rows.map((row) => ({
      currency: row.currency ?? UNKNOWN_CURRENCY,
      side: row.side ?? 'claim',
      place: row.place,
      units: BigInt(unitsOf(row)),
    })),
  );

type EveryPosting = Pick<Found, 'sums' | 'postings' | 'accounts' | 'checkedAt'> & {
  readonly now: { readonly sums: readonly PlaceSum[]; readonly postings: bigint; readonly accounts: bigint };
  /** The same at the audit entry that was asked for. */
  readonly until: { readonly sums: readonly PlaceSum[]; readonly postings: bigint };
};

type AskedAll = { readonly marketplaceId: string | null; readonly until: bigint };

export const readAllPostings = async (
  client: pg.PoolClient,
  { marketplaceId, until }: AskedAll,
): Promise<EveryPosting> => {
  const { rows } = await client.query<AccountRow>(ACCOUNTS, [marketplaceId, until]);
  const time = await client.query<{ now: string }>('select now() as now');
  const sums = sumsOf(rows, (row) => row.postingSum);
  const accounts = total(rows, (row) => row.accounts);
  return {
    sums: sumsOf(rows, (row) => row.balance),
    postings: sumsByCurrency(sums),
    accounts: { differing: total(rows, (row) => row.differing), read: accounts },
    checkedAt: time.rows[0]!.now,
    now: { sums, postings: total(rows, (row) => BigInt(row.postings)), accounts },
    until: {
      sums: sumsOf(
        rows.filter((row) => row.postingsUntil !== '0'),
        (row) => row.sumUntil,
      ),
      postings: total(rows, (row) => BigInt(row.postingsUntil)),
    },
  };
};

type RecentPostings = {
  readonly sums: readonly PlaceSum[];
  readonly postings: bigint;
  readonly touched: bigint;
  readonly opened: bigint;
  readonly differing: bigint;
  /** Reserved balances that were posted to. */
  readonly reserved: readonly string[];
};

// A posting has the time of its audit entry. Clocks may be set back, so the earliest entry is not always the first.
const TIMES = `select min(e.occurred_at) as "from", max(e.occurred_at) as "to" from audit_entries e
  where e.marketplace_id = $1 and e.seq > $2 and e.seq <= $3`;

// `opening` is the balance before the first of the recent postings. The posting before must have left this balance.
const RECENT = `with recent as materialized (
    select p.account_id, p.seq, p.amount, p.balance_after, lag(p.balance_after) over (partition by p.account_id order by p.seq) as before
    from postings p where p.marketplace_id = $1 and p.audit_seq > $2 and p.posted_at between $3 and $4
  ), touched as materialized (
    select r.account_id, sum(r.amount) as sum, count(*) as count, min(r.seq) as first, max(r.seq) as last,
      min(r.balance_after - r.amount) filter (where r.before is null) as opening,
      count(*) filter (where r.before + r.amount <> r.balance_after) as jumps
    from recent r group by r.account_id
  )
  select a.currency, a.side, ${PLACE} as place, sum(t.sum)::text as units, sum(t.count)::text as postings,
    count(*) as touched, count(*) filter (where t.first = 1) as opened,
    count(*) filter (where a.id is null or a.balance <> t.opening + t.sum or a.postings <> t.last
      or t.count <> t.last - t.first + 1 or t.jumps > 0 or t.opening <> coalesce(o.balance_after, 0)
      or (t.first > 1 and o.audit_seq is null) or o.audit_seq > $2) as differing,
    coalesce(array_agg(t.account_id) filter (where split_part(t.account_id, ':', 2) = 'reserved'), '{}') as reserved
  from touched t
  left join lateral (select o.balance_after, o.audit_seq from postings o
    where o.marketplace_id = $1 and o.account_id = t.account_id and o.seq = t.first - 1
    union all select b.balance, 0 from archived_accounts b
    where b.marketplace_id = $1 and b.account_id = t.account_id and b.postings = t.first - 1 and b.postings > 0 offset 0) o on true
  left join lateral (select a.* from accounts a where a.marketplace_id = $1 and a.id = t.account_id offset 0) a on true
  ${JOIN_PLATFORM_WALLETS}
  group by 1, 2, 3`;

type Times = { readonly from: string | null; readonly to: string | null };

type RecentRow = {
  currency: string | null;
  side: PlaceSum['side'];
  place: string | null;
  units: string;
  postings: string;
  touched: bigint;
  opened: bigint;
  differing: bigint;
  reserved: string[];
};

type Asked = { readonly marketplaceId: string; readonly after: bigint; readonly end: ChainEnd };

/** The postings after an audit entry. The client is in a snapshot in which the audit chain ends at `end`. */
export const readRecentPostings = async (client: pg.PoolClient, asked: Asked): Promise<RecentPostings> => {
  const { marketplaceId, after, end } = asked;
  const { from, to } = (await client.query<Times>(TIMES, [marketplaceId, after, end.seq])).rows[0]!;
  const values = [marketplaceId, after, from, to];
  const rows = from === null ? [] : (await client.query<RecentRow>(RECENT, values)).rows;
  return {
    sums: addSums(
      rows.map(({ currency, side, place, units }) => ({
        currency: currency ?? UNKNOWN_CURRENCY,
        side: side ?? 'claim',
        place,
        units: BigInt(units),
      })),
    ),
    postings: total(rows, (row) => BigInt(row.postings)),
    touched: total(rows, (row) => row.touched),
    opened: total(rows, (row) => row.opened),
    differing: total(rows, (row) => row.differing),
    reserved: rows.flatMap((row) => row.reserved),
  };
};
