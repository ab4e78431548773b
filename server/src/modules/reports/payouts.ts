// The payout report: withdrawals that were paid, that failed and that are open, by destination. Each kind is read by an index of its own. It
// only reads.

import { PAYOUT_DESTINATIONS_MAX, type PayoutReport } from '@holdfast/contract/api/finance-reports.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DestinationType } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import type { Static } from 'typebox';
import { fromUnits } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { CsvTable } from '../../http/csv-answer.ts';
import type { DayRange } from './finance-range.ts';

type Payouts = Static<typeof PayoutReport>;

const OPEN = ['CREATED', 'COMMITTED', 'PENDING', 'PENDING_USER_ACTION']
  .map((name) => `'WITHDRAWAL_${name}'`)
  .join(', ');

const sourceOf = (columns: string, where: string): string =>
  `select t.destination_type as type, t.currency, coalesce(t.address, t.email) as destination, ${columns} from withdrawals t
    where t.marketplace_id = $1 and ${where}`;

const RETURNED = `t.status in ('WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED') and t.updated_at >= $2 and t.updated_at < $3`;

// What the provider executed is what was paid, also where it is another amount than the withdrawal's. A withdrawal that has ended does not change any more, so `updated_at` is the time of its end.
const SOURCES = [
  sourceOf(
    `'paid' as part, 1 as count, coalesce(t.executed, t.amount) as units`,
    `t.status = 'WITHDRAWAL_COMPLETED' and t.completed_at >= $2 and t.completed_at < $3`,
  ),
  sourceOf(`'failed', 1, t.amount - t.paid`, RETURNED),
  // What had been paid before the rest failed.
  sourceOf(`'paid', 1, t.paid`, `${RETURNED} and t.paid > 0`),
  sourceOf(`'open', 1, t.amount - t.paid`, `t.status in (${OPEN}) and t.created_at < $3`),
].join('\n    union all ');

const PARTS = ['paid', 'failed', 'open'] as const;

const sums = (own: string): string => PARTS.map((part) => `${own.replaceAll('PART', part)}`).join(', ');

// The largest destinations are rows of their own, and all others of their group are one row.
const REPORT = `with found as (${SOURCES}),
  destinations as (
    select f.type, f.currency, f.destination, ${sums(
      `coalesce(sum(f.count) filter (where f.part = 'PART'), 0) as PART_count,
       coalesce(sum(f.units) filter (where f.part = 'PART'), 0) as PART_units`,
    )} from found f group by 1, 2, 3
  ), ranked as (
    select d.*, row_number() over (partition by d.type, d.currency
      order by d.paid_units desc, d.open_units desc, d.failed_units desc, d.destination) as place from destinations d
  )
  select r.type, r.currency, least(r.place, ${PAYOUT_DESTINATIONS_MAX + 1})::integer as place,
    min(r.destination) as destination, count(*)::integer as destinations, ${sums(
      `sum(r.PART_count)::integer as "PARTCount", sum(r.PART_units)::text as "PARTUnits"`,
    )}
  from ranked r group by 1, 2, 3 order by 1, 2, 3`;

type Row = {
  readonly type: DestinationType;
  readonly currency: Currency;
  readonly place: number;
  readonly destination: string;
  readonly destinations: number;
} & Readonly<Record<`${(typeof PARTS)[number]}Count`, number>> &
  Readonly<Record<`${(typeof PARTS)[number]}Units`, string>>;

const exact = (units: string): string => presentExact(fromUnits(BigInt(units)));

const presentParts = (row: Pick<Row, `${(typeof PARTS)[number]}${'Count' | 'Units'}`>) => ({
  paid: { count: row.paidCount, amount: exact(row.paidUnits) },
  failed: { count: row.failedCount, amount: exact(row.failedUnits) },
  open: { count: row.openCount, amount: exact(row.openUnits) },
});

const totalOf = (rows: readonly Row[]) => {
  const count = (name: `${(typeof PARTS)[number]}Count`): number => rows.reduce((sum, row) => sum + row[name], 0);
  const units = (name: `${(typeof PARTS)[number]}Units`): string =>
    String(rows.reduce((sum, row) => sum + BigInt(row[name]), 0n));
  return presentParts({
    paidCount: count('paidCount'),
    paidUnits: units('paidUnits'),
    failedCount: count('failedCount'),
    failedUnits: units('failedUnits'),
    openCount: count('openCount'),
    openUnits: units('openUnits'),
  });
};

const groupOf = (rows: readonly Row[]): Payouts['groups'][number] => {
  const { type, currency } = rows[0]!;
  const rest = rows.find(({ place }) => place > PAYOUT_DESTINATIONS_MAX);
  return {
    type,
    currency,
    ...totalOf(rows),
    destinations: rows
      .filter((row) => row !== rest)
      .map((row) => ({
        address: type === 'crypto' ? row.destination : null,
        email: type === 'crypto' ? null : row.destination,
        ...presentParts(row),
      })),
    rest: rest ? { destinations: rest.destinations, ...presentParts(rest) } : null,
  };
};

export const createPayoutReads = (pool: pg.Pool) => ({
  /** One statement, so all figures are of the same moment. */
  async read(marketplaceId: string, { from, to }: DayRange): Promise<Payouts> {
    const { rows } = await pool.query<Row>(REPORT, [marketplaceId, from, to]);
    const groups = Map.groupBy(rows, ({ type, currency }) => `${type} ${currency}`);
    return { from, to, destinationsMax: PAYOUT_DESTINATIONS_MAX, groups: [...groups.values()].map(groupOf) };
  },
});

export type PayoutReads = ReturnType<typeof createPayoutReads>;

const COLUMNS = [
  ...['type', 'currency', 'destination', 'destinations'],
  ...PARTS.flatMap((part) => [`${part}_count`, `${part}_amount`]),
];

const cellsOf = (parts: Pick<Payouts['groups'][number], (typeof PARTS)[number]>): string[] =>
  PARTS.flatMap((part) => [String(parts[part].count), parts[part].amount]);

export const payoutTable = ({ from, to, groups }: Payouts): CsvTable => ({
  name: `payouts-${from.slice(0, 10)}-${to.slice(0, 10)}`,
  rows: [
    COLUMNS,
    ...groups.flatMap(({ type, currency, destinations, rest }) => [
      ...destinations.map((each) => [type, currency, each.address ?? each.email, '1', ...cellsOf(each)]),
      ...(rest ? [[type, currency, 'others', String(rest.destinations), ...cellsOf(rest)]] : []),
    ]),
  ],
});
