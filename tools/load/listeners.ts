// Streams that last as long as the run: one that stays, one that leaves and comes back with its cursor, and one that wants
// only some of the events. Each keeps a digest of what it heard, in order, to be compared with what was written.

import { createHash, type Hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Holdfast, HoldfastEvent } from '@holdfast/sdk';
import type pg from 'pg';

type Ear = { readonly name: string; readonly only: string | null; readonly hash: Hash; heard: number; last: number };

export type Heard = { readonly name: string; readonly heard: number; readonly isWhole: boolean };

export type Listeners = ReturnType<typeof openListeners>;

const BEGINNING = '2000-01-01T00:00:00Z';
/** The returning one leaves after so many. */
const STAY_EVENTS = 300;
const PAGE = 5_000;
const LOOK_MS = 50;
const PATIENCE_MS = 60_000;

const earOf = (name: string, only: string | null = null): Ear => ({
  name,
  only,
  hash: createHash('sha256'),
  heard: 0,
  last: 0,
});

const lineOf = (position: number, eventId: string): string => `${position} ${eventId}\n`;

const hear = (ear: Ear, { metadata: { position = 0 }, eventId }: HoldfastEvent): void => {
  ear.hash.update(lineOf(position, eventId));
  ear.heard++;
  ear.last = position;
};

const stay = async (client: Holdfast, { ear, signal }: { ear: Ear; signal: AbortSignal }): Promise<void> => {
  const types = ear.only === null ? {} : { types: [ear.only as HoldfastEvent['eventType']] };
  for await (const event of client.events({ since: BEGINNING, signal, ...types })) hear(ear, event);
};

const comeAndGo = async (client: Holdfast, { ear, signal }: { ear: Ear; signal: AbortSignal }): Promise<void> => {
  let cursor: string | null = null;
  const checkpoint = {
    load: () => cursor,
    save(next: string): void {
      cursor = next;
    },
  };
  while (!signal.aborted) {
    let left = STAY_EVENTS;
    for await (const event of client.events({ since: BEGINNING, checkpoint, signal })) {
      // What it leaves at is not handled, and comes again.
      if (--left === 0) break;
      hear(ear, event);
    }
  }
};

/** A stream without a filter carries no alerts. */
const WRITTEN = `select position::int as position, event_type as "eventType", envelope::jsonb ->> 'eventId' as "eventId"
  from events where marketplace_id = 'mkt_default' and aggregate_type <> 'System' and position > $1 order by position limit $2`;
type Written = { readonly position: number; readonly eventType: string; readonly eventId: string };

/** Page by page: an hour's events do not fit beside everything else. */
const digestWritten = async (pool: pg.Pool, only: string | null): Promise<string> => {
  const hash = createHash('sha256');
  for (let after = 0; ; ) {
    const { rows } = await pool.query<Written>(WRITTEN, [after, PAGE]);
    for (const { position, eventType, eventId } of rows) {
      if (only === null || eventType === only) hash.update(lineOf(position, eventId));
    }
    if (rows.length < PAGE) return hash.digest('hex');
    after = rows.at(-1)!.position;
  }
};

const lastOf = async (pool: pg.Pool, only: string | null): Promise<number> => {
  const { rows } = await pool.query<{ last: number | null }>(
    `select max(position)::int as last from events where marketplace_id = 'mkt_default' and aggregate_type <> 'System' and ($1::text is null or event_type = $1)`,
    [only],
  );
  return rows[0]?.last ?? 0;
};

export const openListeners = (client: Holdfast, pool: pg.Pool) => {
  const stop = new AbortController();
  const { signal } = stop;
  const staying = [earOf('one that stays'), earOf('one that wants credits only', 'balance.credited')];
  const leaving = earOf('one that leaves and comes back');
  const ears = [...staying, leaving];
  const troubles: string[] = [];
  const reading = Promise.all(
    [...staying.map((ear) => stay(client, { ear, signal })), comeAndGo(client, { ear: leaving, signal })].map((each) =>
      each.catch((error: unknown) => void troubles.push(String(error))),
    ),
  );

  const caughtUp = async (ear: Ear): Promise<void> => {
    const deadline = performance.now() + PATIENCE_MS;
    const last = await lastOf(pool, ear.only);
    while (ear.last < last && troubles.length === 0 && performance.now() < deadline) await pause(LOOK_MS);
  };

  return {
    troubles: troubles as readonly string[],
    heard: (): number => staying[0]!.heard,
    /** When nothing is written any more. */
    async settle(): Promise<Heard[]> {
      for (const ear of ears) await caughtUp(ear);
      stop.abort();
      await reading;
      return Promise.all(
        ears.map(async ({ name, only, hash, heard }) => ({
          name,
          heard,
          isWhole: hash.digest('hex') === (await digestWritten(pool, only)),
        })),
      );
    },
    close(): void {
      stop.abort();
    },
  };
};
