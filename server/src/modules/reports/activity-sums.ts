// Maintained sums of the activity report: whole days, and the hours of the last day, as of one audit entry. What was recorded since has the
// times of the audit entries since, so everything before the earliest of them is read from the sums and the rest from the records. This is
// exact also when clocks differ. See docs/decisions/0019-activity-sums.md.

import { ACTIVITY_DAYS } from '@holdfast/contract/api/reports.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { CLOCKS_DIFFER_MS } from '../../base/ulid.ts';
import { inSnapshot, PATIENT } from '../../postgres/connection.ts';
import { type Figure, type FigureRow, type RecordRange, readRecords, type WithArchived } from './activity-records.ts';

/** `earliest`: the earliest time of what changed since the mark; null when nothing did. */
type Mark = { readonly auditSeq: bigint; readonly hoursFrom: string; readonly earliest: string | null };

const MARK = `select m.audit_seq as "auditSeq", m.hours_from as "hoursFrom" from activity_marks m where m.marketplace_id = $1`;
// A statement of its own: with the number as a value the planner knows that few entries follow it. An order that was reopened no longer counts
// at its first end, which is after its creation, also by a clock that was set back.
const EARLIEST = `select least(min(e.occurred_at), min(o.created_at) - interval '${CLOCKS_DIFFER_MS} ms') as earliest from audit_entries e
  left join lateral (select t.created_at from orders t
    where t.marketplace_id = $1 and t.id = e.resource_id and e.action = 'ORDER_REOPENED' offset 0) o on true
  where e.marketplace_id = $1 and e.seq > $2`;

const readMark = async (client: pg.PoolClient, marketplaceId: string): Promise<Mark | null> => {
  const mark = (await client.query<Omit<Mark, 'earliest'>>(MARK, [marketplaceId])).rows[0];
  if (mark === undefined) return null;
  const { rows } = await client.query<Pick<Mark, 'earliest'>>(EARLIEST, [marketplaceId, mark.auditSeq]);
  return { ...mark, earliest: rows[0]?.earliest ?? null };
};

// Clocks may be ahead, so the range ends after tomorrow.
const BOUNDS = `select date_trunc('day', now()) as today, date_trunc('day', now()) + interval '2 days' as "end",
    date_trunc('day', now()) - make_interval(days => $2) as first, date_trunc('day', $3::timestamptz) as "earliestDay",
    date_trunc('hour', $3::timestamptz) as "earliestHour",
    coalesce((select h.audit_seq from marketplaces h where h.marketplace_id = $1), 0) as "auditSeq"`;

type Bounds = {
  readonly today: string;
  readonly end: string;
  readonly first: string;
  readonly earliestDay: string | null;
  readonly earliestHour: string | null;
  readonly auditSeq: bigint;
};

const readBounds = async (
  client: pg.PoolClient,
  { marketplaceId, earliest }: { marketplaceId: string; earliest: string | null },
): Promise<Bounds> => (await client.query<Bounds>(BOUNDS, [marketplaceId, ACTIVITY_DAYS.max, earliest])).rows[0]!;

/** Times of the database have one format and sort as text. */
const earlier = (one: string, other: string): string => (one < other ? one : other);
const later = (one: string, other: string): string => (one > other ? one : other);

const NEVER = 'infinity';

/** The time from which records have to be read. */
const liveFrom = ({ hoursFrom }: Mark, { earliestDay, earliestHour }: Bounds): string | null => {
  if (earliestHour === null || earliestDay === null) return null;
  return earliestHour >= hoursFrom ? earliestHour : earliestDay;
};

// The buckets of a figure as one text: a report of many days would otherwise have thousands of rows.
const STORED = `select date_trunc('day', t.begins_at) as at, t.figure, sum(t.units::numeric)::text as units,
    string_agg(t.bucket || ':' || t.count, ',') as buckets
  from activity_sums t where t.marketplace_id = $1 and t.currency = $2
    and ((t.span = 'day' and t.begins_at >= $3 and t.begins_at < least($4::timestamptz, $5::timestamptz))
      or (t.span = 'hour' and t.begins_at >= $4 and t.begins_at >= $3 and t.begins_at < $5::timestamptz))
  group by 1, 2`;

type Stored = { readonly at: string; readonly figure: Figure; readonly units: string; readonly buckets: string };

const rowsOf = ({ at, figure, units, buckets }: Stored, currency: Currency): FigureRow[] =>
  buckets.split(',').map((text, place) => {
    const [bucket, count] = text.split(':').map(Number) as [number, number];
    return { at, currency, figure, bucket, count, units: place === 0 ? units : '0' };
  });

type FiguresRequest = WithArchived & {
  readonly marketplaceId: string;
  readonly currency: Currency;
  readonly from: string;
};

/** The figures of each day since `from`, which is the beginning of a day. The client is in a snapshot. */
export const readFigures = async (client: pg.PoolClient, request: FiguresRequest): Promise<FigureRow[]> => {
  const { marketplaceId, currency, from, archived } = request;
  const mark = await readMark(client, marketplaceId);
  const bounds = await readBounds(client, { marketplaceId, earliest: mark?.earliest ?? null });
  const records = (since: string) =>
    readRecords(client, { marketplaceId, currency, span: 'day', from: later(from, since), to: bounds.end, archived });
  if (mark === null) return records(from);
  const live = liveFrom(mark, bounds);
  const values = [marketplaceId, currency, from, mark.hoursFrom, live ?? NEVER];
  const stored = (await client.query<Stored>(STORED, values)).rows.flatMap((row) => rowsOf(row, currency));
  return live === null ? stored : [...stored, ...(await records(live))];
};

// A process that has kept the sums in the meantime has moved the mark: then nothing is written. Rows of the slices that were read again are
// replaced, and removed where the records have nothing any more: the end of an order that was reopened.
const KEEP = `with mark as (
    insert into activity_marks as m (marketplace_id, audit_seq, hours_from) values ($1, $2, $3)
    on conflict (marketplace_id) do update set audit_seq = excluded.audit_seq, hours_from = excluded.hours_from
      where m.audit_seq = $4 returning 1
  ), gone as (
    delete from activity_sums s where s.marketplace_id = $1 and exists (select from mark)
      and ((s.span = 'hour' and s.begins_at < $3) or s.begins_at < $5)
  ), found as (
    select * from json_to_recordset($6)
      r (currency text, span text, at timestamptz, figure text, bucket integer, count bigint, units numeric)
  ), slices as (
    select * from json_to_recordset($7) r (span text, "from" timestamptz, "to" timestamptz)
  ), taken_back as (
    delete from activity_sums s using slices r where s.marketplace_id = $1 and exists (select from mark)
      and s.span = r.span and s.begins_at >= r."from" and s.begins_at < r."to" and not exists (select from found f
        where f.currency = s.currency and f.span = s.span and f.at = s.begins_at and f.figure = s.figure and f.bucket = s.bucket)
  )
  insert into activity_sums (marketplace_id, currency, span, begins_at, figure, bucket, count, units)
  select $1, r.currency, r.span, r.at, r.figure, r.bucket, sum(r.count), sum(r.units)::text
  from found r where exists (select from mark) group by 2, 3, 4, 5, 6
  on conflict (marketplace_id, currency, span, begins_at, figure, bucket) do update set count = excluded.count, units = excluded.units`;

type Slice = Pick<RecordRange, 'span' | 'from' | 'to'>;

/** The days and hours that have to be read again: those with records since the mark, and those that became whole days. */
const staleSlices = (mark: Mark | null, bounds: Bounds): Slice[] => {
  const { today, end, first, earliestDay, earliestHour } = bounds;
  const isSameDay = mark?.hoursFrom === today;
  const days = mark === null ? first : earlier(mark.hoursFrom, earliestDay ?? mark.hoursFrom);
  const hours = isSameDay ? later(today, earliestHour ?? end) : today;
  const slices: Slice[] = [
    { span: 'day', from: later(first, days), to: today },
    { span: 'hour', from: hours, to: end },
  ];
  return slices.filter(({ from, to }) => from < to);
};

/** Brings the sums of one marketplace up to date. */
export const keepActivitySums = async (
  pool: pg.Pool,
  { marketplaceId, archived }: WithArchived & { readonly marketplaceId: string },
): Promise<void> => {
  const { mark, bounds, slices, rows } = await inSnapshot(pool, async (client) => {
    await client.query(PATIENT);
    const mark = await readMark(client, marketplaceId);
    const bounds = await readBounds(client, { marketplaceId, earliest: mark?.earliest ?? null });
    const rows: (FigureRow & Pick<Slice, 'span'>)[] = [];
    const slices = staleSlices(mark, bounds);
    for (const slice of slices) {
      const found = await readRecords(client, { marketplaceId, currency: null, ...slice, archived });
      rows.push(...found.map((row) => ({ ...row, span: slice.span })));
    }
    return { mark, bounds, slices, rows };
  });
  const { auditSeq, today, first } = bounds;
  if (mark?.auditSeq === auditSeq && mark.hoursFrom === today) return;
  const texts = [rows, slices].map((read) => JSON.stringify(read));
  await pool.query(KEEP, [marketplaceId, auditSeq, today, mark?.auditSeq ?? null, first, ...texts]);
};
