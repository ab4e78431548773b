// Breaks: differences between the books and an outside system. They are observations: nothing here moves money. A break whose
// difference is gone stays stored as resolved. A break of the kind `escrow-event` is only an alert: an event of the escrow provider that
// was not booked, which says nothing about the books.

import { ALERT_KIND, type BreakKind } from '@holdfast/contract/api/reconciliation.ts';
import type pg from 'pg';
import { type Amount, formatExact, minus, ZERO } from '../../books/money.ts';

export type BreakId = { readonly marketplaceId: string; readonly kind: BreakKind; readonly subject: string };

export type Compared = { readonly expected: Amount; readonly actual: Amount };

export type SeenBreak = BreakId & Compared;

export const keyOf = ({ marketplaceId, kind, subject }: BreakId): string => `${marketplaceId} ${kind} ${subject}`;

const differenceOf = ({ expected, actual }: Compared): Amount => minus(actual, expected);

export const differs = (compared: Compared): boolean => differenceOf(compared) !== ZERO;

/** True when an earlier comparison saw the same difference. Only then does a difference count. */
export const isSeenIn = (earlier: readonly SeenBreak[], seen: SeenBreak): boolean =>
  earlier.some((one) => keyOf(one) === keyOf(seen) && differenceOf(one) === differenceOf(seen));

export type BreakSummary = {
  readonly open: readonly { readonly kind: BreakKind; readonly count: number }[];
  /** Of the breaks that concern the books; null when none is open. */
  readonly oldestAt: string | null;
};

// A resolved break that is seen again starts with a new age.
const SEEN = `insert into breaks as b
    (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at)
  values ($1, $2, $3, $4, $5, $6, now(), now())
  on conflict (marketplace_id, kind, subject) do update
    set expected = excluded.expected, actual = excluded.actual, difference = excluded.difference,
      first_seen_at = case when b.resolved_at is null then b.first_seen_at else excluded.first_seen_at end,
      last_seen_at = excluded.last_seen_at, resolved_at = null`;

const RESOLVE = `update breaks set resolved_at = now()
  where marketplace_id = $1 and kind = $2 and subject = $3 and resolved_at is null`;

const OPEN = `select marketplace_id as "marketplaceId", kind, subject from breaks where resolved_at is null`;

const SUMMARY = `select kind, count(*)::integer as count, min(first_seen_at) as "oldestAt"
  from breaks where resolved_at is null group by kind order by kind`;

// An alert whose event is no longer set aside is over, however that came about.
const RESOLVE_ALERTS = `update breaks b set resolved_at = now() where b.kind = '${ALERT_KIND}' and b.resolved_at is null
  and not exists (select 1 from webhook_events e
    where e.marketplace_id = b.marketplace_id and e.id = b.subject and e.state = 'SET_ASIDE')`;

const idOf = ({ marketplaceId, kind, subject }: BreakId) => [marketplaceId, kind, subject];

export const createBreaks = (pool: pg.Pool) => ({
  async see(seen: SeenBreak): Promise<void> {
    const { expected, actual } = seen;
    const shown = [expected, actual, minus(actual, expected)].map(formatExact);
    await pool.query(SEEN, [...idOf(seen), ...shown]);
  },

  async resolve(gone: BreakId): Promise<void> {
    await pool.query(RESOLVE, idOf(gone));
  },

  /** Resolves the alerts about events that are no longer set aside. */
  async resolveAlerts(): Promise<void> {
    await pool.query(RESOLVE_ALERTS);
  },

  async listOpen(): Promise<BreakId[]> {
    return (await pool.query<BreakId>(OPEN)).rows;
  },

  /** Of all marketplaces. */
  async summary(): Promise<BreakSummary> {
    const { rows } = await pool.query<{ kind: BreakKind; count: number; oldestAt: string }>(SUMMARY);
    const ofBooks = rows.filter(({ kind }) => kind !== ALERT_KIND);
    const oldestAt = ofBooks.map((row) => row.oldestAt).sort()[0] ?? null;
    return { open: rows.map(({ kind, count }) => ({ kind, count })), oldestAt };
  },
});

export type Breaks = ReturnType<typeof createBreaks>;
