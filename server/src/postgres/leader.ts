// Lets one process at a time do some work: the one that holds a lock of the database, on a connection of its own. When that process dies
// the database drops its connection and the lock with it, and another process takes over within a second. A process that lost the lock
// without noticing may work on for a moment, so the work must be safe to do twice.

import pg from 'pg';
import type { Connection } from './connection.ts';

type Options = {
  readonly connection: Connection;
  /** The key of the lock; see pg_try_advisory_lock. */
  readonly lock: number;
  /** Ends soon after the signal is aborted. */
  lead(over: AbortSignal): Promise<void>;
  onTrouble(message: string, error: unknown): void;
};

type Leader = {
  /** Resolves when the work has ended. */
  stop(): Promise<void>;
};

const TRY_EVERY_MS = 1_000;
const HEARTBEAT_MS = 5_000;
const QUERY_TIMEOUT_MS = 5_000;
/** The database ends a session that is silent for this long: its machine is gone, and nothing else would report that. */
const SILENT_MAX_MS = 20_000;

/** Resolves early when the signal is aborted. */
export const pauseUnless = (over: AbortSignal, ms: number): Promise<void> =>
  new Promise((resolve) => {
    if (over.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      over.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.max(ms, 0));
    over.addEventListener('abort', end);
  });

const newClient = (connection: Connection): pg.Client =>
  new pg.Client({
    ...connection,
    application_name: 'holdfast-leader',
    keepAlive: true,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    options: `-c idle_session_timeout=${SILENT_MAX_MS}`,
  });

/** Does the work until it is over, as long as the connection answers. */
const leadWhileAlive = async (client: pg.Client, { lead, lost }: Pick<Options, 'lead'> & { lost: AbortController }) => {
  const heartbeat = setInterval(() => {
    client.query('select 1').catch(() => lost.abort());
  }, HEARTBEAT_MS);
  try {
    await lead(lost.signal);
  } finally {
    clearInterval(heartbeat);
  }
};

export const leadAlone = ({ connection, lock, lead, onTrouble }: Options): Leader => {
  const stopping = new AbortController();

  /** One connection: waits for the lock, leads, and lets go. */
  const term = async (): Promise<void> => {
    const client = newClient(connection);
    const lost = new AbortController();
    const lose = (): void => lost.abort();
    stopping.signal.addEventListener('abort', lose);
    client.on('error', lose);
    client.on('end', lose);
    try {
      await client.connect();
      while (!lost.signal.aborted) {
        const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lock]);
        if (rows[0]?.held) return await leadWhileAlive(client, { lead, lost });
        await pauseUnless(lost.signal, TRY_EVERY_MS);
      }
    } finally {
      stopping.signal.removeEventListener('abort', lose);
      await client.end().catch(() => {});
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await term().catch((error: unknown) => {
        if (!stopping.signal.aborted) onTrouble('the connection that holds the lock of the leader failed', error);
      });
      await pauseUnless(stopping.signal, TRY_EVERY_MS);
    }
  };
  const running = run();

  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
};
