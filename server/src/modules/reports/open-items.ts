// Open items by age: each kind by an index of its open records, with the money that the books have for it. It only reads.

import {
  AGE_BUCKETS,
  OPEN_ITEM_KINDS,
  type OpenItemKind,
  type OpenItemsReport,
} from '@holdfast/contract/api/finance-reports.ts';
import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import type { Static } from 'typebox';
import { fromUnits } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { CsvTable } from '../../http/csv-answer.ts';
import { inSnapshot } from '../../postgres/connection.ts';

type OpenItems = Static<typeof OpenItemsReport>;

const named = (prefix: string, names: readonly string[]): string =>
  names.map((name) => `'${prefix}${name}'`).join(', ');

/** Each gives the id, the time, the currency and the units of its items. `$1` is the marketplace. */
const ITEMS: Readonly<Record<Exclude<OpenItemKind, 'orders_in_escrow'>, string>> = {
  // A dispute of a milestone is about its share, any other about all that is in escrow.
  disputes: `select t.id, t.created_at as since, o.currency, coalesce(m.amount, a.balance, 0) as units
    from disputes t join orders o on o.marketplace_id = $1 and o.id = t.order_id
    left join milestones m on m.marketplace_id = $1 and m.order_id = t.order_id and m.ref = t.milestone_ref
    left join accounts a on a.marketplace_id = $1 and a.id = o.id || ':escrow:' || o.currency
    where t.marketplace_id = $1 and t.status in ('OPEN', 'UNDER_REVIEW')`,
  withdrawals: `select t.id, t.created_at as since, t.currency, t.amount - t.paid as units from withdrawals t
    where t.marketplace_id = $1
      and t.status in (${named('WITHDRAWAL_', ['CREATED', 'COMMITTED', 'PENDING', 'PENDING_USER_ACTION'])})`,
  topups: `select t.id, t.created_at as since, t.currency, t.amount as units from topups t
    where t.marketplace_id = $1 and t.status in (${named('TOPUP_', ['CREATED', 'AWAITING_USER_CONFIRMATION', 'PROCESSING'])})`,
  // Stored as text with seven decimal places. A break does not name a currency of the books.
  breaks: `select t.kind || ':' || t.subject as id, t.first_seen_at as since, null as currency,
      (t.difference::numeric * 10000000)::bigint as units
    from breaks t where t.marketplace_id = $1 and t.resolved_at is null`,
};

/** The ages but the youngest one, each by the days after which an item belongs to it. The oldest age is first. */
const AGE_DAYS = [90, 30, 7, 1];

// Comparing times is faster than computing days from their difference. The inner `select` computes the limits once for all items.
const AGE = `${AGE_DAYS.length} - width_bucket(i.since, (select array[${AGE_DAYS.map(
  (days) => `$2::timestamptz - interval '${days * 24} hours' + interval '1 microsecond'`,
).join()}]))`;

// One statement gives the sums of each age and the oldest items, so both are of the same items.
const statementOf = (items: string): string => `with items as materialized (
    select i.* from (${items}) i where i.since <= $2
  )
  select ${AGE} as age, null as id, null as since, i.currency, count(*)::integer as count, sum(i.units)::text as units
    from items i group by 1, 4
  union all
  (select null, i.id, i.since, i.currency, 1, i.units::text from items i order by i.since, i.id collate "C" limit $3)`;

const SINCE = 'coalesce(e.funded_at, e.created_at)';

/** Only the contract of a live escrow can have money. The index `escrows_live` is in the order of the time and has all columns. */
const LIVE = `select e.order_id as id, e.currency, ${SINCE} as since from escrows e
  where e.marketplace_id = $1 and not e.set_aside and e.status not in ('CREATING', 'RELEASED', 'REFUNDED')`;

const HELD = 'from accounts a where a.marketplace_id = $1 and a.balance > 0';

const ACCOUNT = `i.id || ':escrow:' || i.currency`;

const daysAgo = (days: number | undefined): string =>
  days === undefined ? `'-infinity'::timestamptz` : `$2::timestamptz - interval '${days * 24} hours'`;

/** Each age, with the earliest and the latest time since which its items are open. */
const RANGES = [0, ...AGE_DAYS.toReversed()].map(
  (days, age, all) => `(${age}, ${daysAgo(all[age + 1])}, ${daysAgo(days)})`,
);

/**
 * One list of keys for each age and currency reads the accounts in the order of their index; a lookup for each account takes three times as
 * long. `offset 0` keeps the lookups of the oldest orders: only as many are made as are shown.
 */
const IN_ESCROW = `select r.age, null as id, null as since, g.currency, h.count, h.units::text
    from (values ${RANGES.join()}) r (age, after, until)
    cross join lateral (select i.currency, array_agg(${ACCOUNT}) as accounts
      from (${LIVE} and ${SINCE} > r.after and ${SINCE} <= r.until) i group by 1) g
    cross join lateral (select count(*)::integer as count, sum(a.balance) as units ${HELD} and a.id = any(g.accounts)) h
    where h.count > 0
  union all
  (select null, i.id, i.since, i.currency, 1, h.balance::text
    from (select i.*, i.id collate "C" as place from (${LIVE} and ${SINCE} <= $2) i order by i.since, place) i
    cross join lateral (select a.balance ${HELD} and a.id = ${ACCOUNT} offset 0) h
    order by i.since, i.place limit $3)`;

const statementFor = (kind: OpenItemKind): string =>
  kind === 'orders_in_escrow' ? IN_ESCROW : statementOf(ITEMS[kind]);

type Row = {
  /** Null: the row is an item. */
  readonly age: number | null;
  readonly id: string | null;
  readonly since: string | null;
  readonly currency: Currency | null;
  readonly count: number;
  readonly units: string;
};

type Kind = OpenItems['kinds'][number];

const exact = (units: bigint): string => presentExact(fromUnits(units));

const countOf = (rows: readonly Row[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Differences of several balances cannot be added up. */
const amountOf = (currency: Currency | null, rows: readonly Row[]): string | null =>
  currency === null ? null : exact(rows.reduce((sum, { units }) => sum + BigInt(units), 0n));

const presentKind = (kind: OpenItemKind, rows: readonly Row[]): Kind => {
  const sums = rows.filter(({ age }) => age !== null);
  const currencies = [...CURRENCIES, null].filter((currency) => sums.some((row) => row.currency === currency));
  return {
    kind,
    count: countOf(sums),
    currencies: currencies.map((currency) => {
      const own = sums.filter((row) => row.currency === currency);
      const ages = AGE_BUCKETS.map((age, place) => {
        const ofAge = own.filter((row) => row.age === place);
        return { age, count: countOf(ofAge), amount: amountOf(currency, ofAge) };
      });
      return { currency, count: countOf(own), amount: amountOf(currency, own), ages };
    }),
    oldest: rows
      .filter(({ id }) => id !== null)
      .map(({ id, since, currency, units }) => ({ id: id!, since: since!, currency, amount: exact(BigInt(units)) })),
  };
};

type Asked = { readonly marketplaceId: string; readonly at: string; readonly limit: number };

export const createOpenItemReads = (pool: pg.Pool) => ({
  read: ({ marketplaceId, at, limit }: Asked): Promise<OpenItems> =>
    inSnapshot(pool, async (client) => {
      const kinds: Kind[] = [];
      for (const kind of OPEN_ITEM_KINDS) {
        const { rows } = await client.query<Row>(statementFor(kind), [marketplaceId, at, limit]);
        kinds.push(presentKind(kind, rows));
      }
      return { at, kinds };
    }),
});

export type OpenItemReads = ReturnType<typeof createOpenItemReads>;

export const openItemTable = ({ at, kinds }: OpenItems): CsvTable => ({
  name: `open-items-${at.slice(0, 10)}`,
  rows: [
    ['kind', 'currency', 'age', 'count', 'amount', 'id', 'since'],
    ...kinds.flatMap(({ kind, currencies, oldest }) => [
      ...currencies.flatMap(({ currency, ages }) =>
        ages.map(({ age, count, amount }) => [kind, currency, age, String(count), amount, null, null]),
      ),
      ...oldest.map(({ id, since, currency, amount }) => [kind, currency, null, '1', amount, id, since]),
    ]),
  ],
});
