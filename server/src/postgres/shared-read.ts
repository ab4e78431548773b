// Reads by id that share their round trips: all that arrive in one turn of the event loop, and while earlier ones are in flight, become
// one statement with an array of ids. A read is sent after it has arrived, so it never sees a snapshot that is older than itself.

import type pg from 'pg';

type SharedRead<Row> = (marketplaceId: string, id: string) => Promise<Row | null>;

type Waiting<Row> = { readonly resolve: (row: Row | null) => void; readonly reject: (error: unknown) => void };

/** By id, the reads that wait for the row. */
type Batch<Row> = Map<string, Waiting<Row>[]>;

/**
 * More are read by the next statement. If one statement had all reads of a busy moment, the server would wait while PostgreSQL executes it.
 * With 64 connections, a sixth more balances are answered with 32 ids than with 100.
 */
const BATCH_MAX = 32;
/** For each marketplace. While PostgreSQL executes one, the rows of the other are answered. */
const IN_FLIGHT_MAX = 2;

type Statement = {
  /** The marketplace is `$1`, and the ids are `$2`. */
  readonly text: string;
  /** The column with the id that was asked for. Without it, `id`. */
  readonly key?: string;
};

/** The reads of one marketplace. `read` returns the rows by id. */
const createQueue = <Row>(read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>, onIdle: () => void) => {
  let next: Batch<Row> = new Map();
  let inFlight = 0;
  let isScheduled = false;

  const takeBatch = (): Batch<Row> => {
    const all = next;
    if (all.size <= BATCH_MAX) {
      next = new Map();
      return all;
    }
    const entries = [...all];
    next = new Map(entries.slice(BATCH_MAX));
    return new Map(entries.slice(0, BATCH_MAX));
  };

  const answer = async (batch: Batch<Row>): Promise<void> => {
    try {
      const rows = await read([...batch.keys()]);
      for (const [id, all] of batch) for (const { resolve } of all) resolve(rows.get(id) ?? null);
    } catch (error) {
      for (const all of batch.values()) for (const { reject } of all) reject(error);
    }
  };

  const send = (): void => {
    isScheduled = false;
    while (inFlight < IN_FLIGHT_MAX && next.size > 0) {
      inFlight++;
      void answer(takeBatch()).then(() => {
        inFlight--;
        schedule();
      });
    }
    if (inFlight === 0) onIdle();
  };

  /** At the end of the turn, so that the other requests that have arrived in it are sent too. */
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(send);
  };

  return (id: string): Promise<Row | null> =>
    new Promise((resolve, reject) => {
      const same = next.get(id);
      if (same) same.push({ resolve, reject });
      else next.set(id, [{ resolve, reject }]);
      if (inFlight < IN_FLIGHT_MAX) schedule();
    });
};

export const shareReads = <Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  { text, key = 'id' }: Statement,
): SharedRead<Row> => {
  const queues = new Map<string, (id: string) => Promise<Row | null>>();
  const queueOf = (marketplaceId: string) =>
    createQueue<Row>(
      async (ids) => new Map((await pool.query<Row>(text, [marketplaceId, ids])).rows.map((row) => [row[key], row])),
      () => queues.delete(marketplaceId),
    );
  return (marketplaceId, id) => {
    const queue = queues.get(marketplaceId) ?? queueOf(marketplaceId);
    queues.set(marketplaceId, queue);
    return queue(id);
  };
};
