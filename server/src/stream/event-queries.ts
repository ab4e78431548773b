// Reads the events of marketplaces in order, and deletes events that are older than the retention. Positions are gapless and become
// visible in order: each is assigned under the lock of its marketplace's head, which is held until the commit. A transaction that
// sees a position sees all earlier ones, so "position > last" never skips an event.

import type pg from 'pg';
import { formatInstant } from '../base/instant.ts';
import { readAcross } from '../postgres/answering.ts';
import { ofMarketplace, sendByMarketplace } from '../postgres/by-marketplace.ts';

export type StoredEvent = {
  readonly marketplaceId: string;
  readonly position: number;
  readonly occurredAt: string;
  readonly eventType: string;
  readonly aggregateType: string;
  readonly envelope: string;
};

type EventCursor = { readonly marketplaceId: string; readonly position: number };

type NextEvents = {
  readonly cursors: readonly EventCursor[];
  readonly limit: number;
  /** The events of a machine that does not answer are left out. On one PostgreSQL the read fails instead. */
  onFailure(error: unknown): void;
};

type EventPage = {
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
      and ${ofMarketplace('e.marketplace_id', 4)}
    order by e.position limit $3
  ) e order by e.marketplace_id, e.position`;

const LIST_EVENTS = `select ${COLUMNS} from events e
  where e.marketplace_id = $1 and e.position > $2 and e.position <= $3
    and ($4::text[] is null or e.event_type = any($4)) and ($5::text[] is null or e.aggregate_type = any($5))
  order by e.position limit $6`;

// When all events up to the cursor are deleted, the start is right before the first stored event.
const FIND_START = `select p.head, p.after, e.occurred_at from (
    select h.head, case when $2::timestamptz is null then h.head else coalesce(
      (select position from events where marketplace_id = $1 and occurred_at <= $2 order by occurred_at desc limit 1),
      (select position - 1 from events where marketplace_id = $1 order by position limit 1),
      h.head) end as after
    from (select coalesce((select event_position from marketplaces where marketplace_id = $1), 0) as head) h
  ) p left join events e on e.marketplace_id = $1 and e.position = p.after`;

/** The cursor before all events. Also correct when the event at the start position is deleted: then all earlier ones are, too. */
const BEGINNING = formatInstant(0);

// Oldest first, so that the remaining history never has a gap.
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

/** The events after each cursor, at most `limit` per marketplace. The events of a marketplace are adjacent and in order. */
export const eventsAfter = async (pool: pg.Pool, { cursors, limit, onFailure }: NextEvents): Promise<StoredEvent[]> => {
  const send = async (part: readonly EventCursor[], one: string | null): Promise<Row[]> => {
    const values = [part.map((cursor) => cursor.marketplaceId), part.map((cursor) => cursor.position), limit, one];
    return (await pool.query<Row>({ name: 'events-after', text: EVENTS_AFTER, values })).rows;
  };
  return (await sendByMarketplace(pool, { items: cursors, send, onFailure })).map(toEvent);
};

export const listEvents = async (pool: pg.Pool, page: EventPage): Promise<StoredEvent[]> => {
  const values = [page.marketplaceId, page.after, page.upTo, page.types, page.resources, page.limit];
  const { rows } = await pool.query<Row>({ name: 'list-events', text: LIST_EVENTS, values });
  return rows.map(toEvent);
};

/** The newest position of a marketplace, the position of the cursor with its time, or the newest one without a cursor. */
export const findStart = async (
  pool: pg.Pool,
  { marketplaceId, cursorMicros }: { marketplaceId: string; cursorMicros: number | null },
): Promise<{ head: number; after: number; cursor: string }> => {
  const values = [marketplaceId, cursorMicros === null ? null : formatInstant(cursorMicros)];
  const { rows } = await pool.query({ name: 'find-start', text: FIND_START, values });
  const { head, after, occurred_at } = rows[0];
  return { head: Number(head), after: Number(after), cursor: occurred_at ?? BEGINNING };
};

/** Deletes events before a time, one batch per statement. Returns the number of deleted events. */
export const trimEvents = async (pool: pg.Pool, options: { olderThan: string; batch: number }): Promise<number> => {
  const rows = await readAcross<{ marketplace_id: string }>(pool, { text: 'select marketplace_id from marketplaces' });
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
