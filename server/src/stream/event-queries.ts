// Reads the events of marketplaces in their order, and trims what is older than the history that is kept. Positions are
// gapless and become visible in order, because each is given under the lock of its marketplace's head, which is held
// until the commit: whoever sees a position sees all before it, so "position > last" never skips one.

import type pg from 'pg';
import { formatInstant } from '../base/instant.ts';

export type StoredEvent = {
  readonly marketplaceId: string;
  readonly position: number;
  readonly occurredAt: string;
  readonly eventType: string;
  readonly aggregateType: string;
  readonly envelope: string;
};

export type EventCursor = { readonly marketplaceId: string; readonly position: number };

export type EventPage = {
  readonly marketplaceId: string;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive; bounds how far a page with rare matches searches. */
  readonly upTo: number;
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly limit: number;
};

const COLUMNS = 'e.marketplace_id, e.position, e.occurred_at, e.event_type, e.aggregate_type, e.envelope';

const EVENTS_AFTER = `select e.* from unnest($1::text[], $2::bigint[]) c (marketplace_id, position)
  cross join lateral (
    select ${COLUMNS} from events e where e.marketplace_id = c.marketplace_id and e.position > c.position
    order by e.position limit $3
  ) e order by e.marketplace_id, e.position`;

const LIST_EVENTS = `select ${COLUMNS} from events e
  where e.marketplace_id = $1 and e.position > $2 and e.position <= $3
    and ($4::text[] is null or e.event_type = any($4)) and ($5::text[] is null or e.aggregate_type = any($5))
  order by e.position limit $6`;

// When everything up to the cursor is trimmed, the place is right before the first that is kept.
const FIND_PLACE = `select p.head, p.after, e.occurred_at from (
    select h.head, case when $2::timestamptz is null then h.head else coalesce(
      (select position from events where marketplace_id = $1 and occurred_at <= $2 order by occurred_at desc limit 1),
      (select position - 1 from events where marketplace_id = $1 order by position limit 1),
      h.head) end as after
    from (select coalesce((select event_position from marketplaces where marketplace_id = $1), 0) as head) h
  ) p left join events e on e.marketplace_id = $1 and e.position = p.after`;

/** Before everything: also right when the event at a place is trimmed, because then all before it are. */
const BEGINNING = formatInstant(0);

// Oldest first, so that what remains is always the end of the history without a gap.
const TRIM_EVENTS = `delete from events where marketplace_id = $1 and position = any(array(
    select position from events where marketplace_id = $1 and occurred_at < $2 order by occurred_at limit $3))`;

type Row = {
  marketplace_id: string;
  position: bigint;
  occurred_at: string;
  event_type: string;
  aggregate_type: string;
  envelope: string;
};

const toEvent = (row: Row): StoredEvent => ({
  marketplaceId: row.marketplace_id,
  position: Number(row.position),
  occurredAt: row.occurred_at,
  eventType: row.event_type,
  aggregateType: row.aggregate_type,
  envelope: row.envelope,
});

/** What came after each cursor, at most `limit` for each marketplace; a marketplace's events are together and in order. */
export const eventsAfter = async (
  pool: pg.Pool,
  ask: { cursors: readonly EventCursor[]; limit: number },
): Promise<StoredEvent[]> => {
  const values = [ask.cursors.map((c) => c.marketplaceId), ask.cursors.map((c) => c.position), ask.limit];
  const { rows } = await pool.query<Row>({ name: 'events-after', text: EVENTS_AFTER, values });
  return rows.map(toEvent);
};

export const listEvents = async (pool: pg.Pool, page: EventPage): Promise<StoredEvent[]> => {
  const values = [page.marketplaceId, page.after, page.upTo, page.types, page.resources, page.limit];
  const { rows } = await pool.query<Row>({ name: 'list-events', text: LIST_EVENTS, values });
  return rows.map(toEvent);
};

/** The newest position, and the one that a cursor stands at, which without a cursor is the newest, with its cursor. */
export const findPlace = async (
  pool: pg.Pool,
  ask: { marketplaceId: string; cursorMicros: number | null },
): Promise<{ head: number; after: number; cursor: string }> => {
  const cursor = ask.cursorMicros === null ? null : formatInstant(ask.cursorMicros);
  const values = [ask.marketplaceId, cursor];
  const { rows } = await pool.query({ name: 'find-place', text: FIND_PLACE, values });
  const { head, after, occurred_at } = rows[0];
  return { head: Number(head), after: Number(after), cursor: occurred_at ?? BEGINNING };
};

/** Removes what happened before a time, a batch per statement, and says how many it were. */
export const trimEvents = async (pool: pg.Pool, options: { olderThan: string; batch: number }): Promise<number> => {
  const { rows } = await pool.query<{ marketplace_id: string }>('select marketplace_id from marketplaces');
  let trimmed = 0;
  for (const { marketplace_id } of rows) {
    let removed: number;
    do {
      const values = [marketplace_id, options.olderThan, options.batch];
      removed = (await pool.query({ name: 'trim-events', text: TRIM_EVENTS, values })).rowCount ?? 0;
      trimmed += removed;
    } while (removed === options.batch);
  }
  return trimmed;
};
