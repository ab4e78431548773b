// The events of one marketplace for its senders. The newest ones are in memory and shared by all endpoints that keep up; an endpoint that is
// far behind reads its own pages, only of the types that it gets.

import type { StoredEvent } from '../../../stream/event-queries.ts';

/** What a delivery needs of an event. */
export type OutgoingEvent = {
  readonly position: number;
  readonly occurredAt: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly aggregateId: string;
  readonly envelope: string;
};

export type EventPage = {
  readonly events: readonly OutgoingEvent[];
  /** All events up to here were looked at. */
  readonly upTo: number;
  /** How many of them had left the stream. */
  readonly missed: number;
};

type Options = {
  readonly marketplaceId: string;
  listEvents(page: {
    marketplaceId: string;
    after: number;
    upTo: number;
    types: readonly string[] | null;
    resources: null;
    limit: number;
  }): Promise<StoredEvent[]>;
  /** The first position that is still kept; null when no event is. */
  oldestPosition(): Promise<number | null>;
  /** The newest position when the senders begin. */
  readonly head: number;
};

/** An endpoint that is further behind reads its own pages. */
const KEPT = 1_000;
const PAGE = 200;
/** How far one page with rare matches searches. */
const SEARCH_MAX = 20_000;

const outgoing = ({ position, occurredAt, eventType, envelope }: StoredEvent): OutgoingEvent => {
  const { eventId, aggregateId } = JSON.parse(envelope) as { eventId: string; aggregateId: string };
  return { position, occurredAt, eventType, envelope, eventId, aggregateId };
};

export type RecentEvents = ReturnType<typeof createRecentEvents>;

export const createRecentEvents = ({ marketplaceId, listEvents, oldestPosition, head: firstHead }: Options) => {
  let kept: OutgoingEvent[] = [];
  /** Everything after this position, up to the head, is in memory. */
  let keptAfter = firstHead;
  let head = firstHead;
  let reading: Promise<void> | null = null;
  let isStale = false;

  const page = (of: { after: number; upTo: number; types: readonly string[] | null; limit: number }) =>
    listEvents({ marketplaceId, resources: null, ...of });

  const forget = (upTo: number): void => {
    if (upTo <= keptAfter) return;
    kept = kept.slice(upTo - keptAfter);
    keptAfter = Math.min(upTo, head);
  };

  const readNew = async (): Promise<void> => {
    do {
      isStale = false;
      const rows = await page({ after: head, upTo: Number.MAX_SAFE_INTEGER, types: null, limit: PAGE });
      if (rows.length === 0) continue;
      if (rows[0]!.position !== head + 1) {
        // Events left the stream unread. A sender that needs them finds that out with a page of its own.
        kept = [];
        keptAfter = rows[0]!.position - 1;
      }
      kept.push(...rows.map(outgoing));
      head = rows.at(-1)!.position;
      if (rows.length === PAGE) isStale = true;
      if (kept.length > 2 * KEPT) forget(head - KEPT);
    } while (isStale);
  };

  const fromMemory = ({
    after,
    types,
    limit,
  }: {
    after: number;
    types: ReadonlySet<string> | null;
    limit: number;
  }): EventPage => {
    const events: OutgoingEvent[] = [];
    // Positions have no gaps.
    for (const event of kept.slice(Math.max(after - keptAfter, 0))) {
      if (types !== null && !types.has(event.eventType)) continue;
      events.push(event);
      if (events.length === limit) return { events, upTo: event.position, missed: 0 };
    }
    return { events, upTo: head, missed: 0 };
  };

  return {
    get head() {
      return head;
    },

    /** No sender needs events up to here any more. */
    forget,

    /** Reads what is new. Calls while it reads share the next read. */
    refresh(): Promise<void> {
      isStale = true;
      reading ??= readNew().finally(() => {
        reading = null;
      });
      return reading;
    },

    async read(of: { after: number; types: ReadonlySet<string> | null; limit: number }): Promise<EventPage> {
      if (of.after >= keptAfter) return fromMemory(of);
      const after = Math.max(of.after, Math.min(((await oldestPosition()) ?? head + 1) - 1, head));
      const upTo = Math.min(after + SEARCH_MAX, head);
      const rows = await page({ ...of, after, upTo, types: of.types && [...of.types] });
      const last = rows.length === of.limit ? rows.at(-1)!.position : upTo;
      return { events: rows.map(outgoing), upTo: last, missed: after - of.after };
    },
  };
};
