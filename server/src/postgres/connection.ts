// Connections to PostgreSQL: bigint as bigint, times as ISO text with microseconds, and an application name for pg_stat_activity.
// Nothing here knows a table.

import pg from 'pg';
import { isDistributed, PLAN_FOR_VALUES } from './distributed.ts';
import { PreparingClient } from './prepared-statements.ts';

export type Connection = pg.PoolConfig;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** '2026-11-15 09:30:00.12+00' as the server prints it in UTC, to '2026-11-15T09:30:00.120000Z'. */
const readInstant = (text: string): string => {
  const point = text.indexOf('.');
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  const fraction = point < 0 ? '' : text.slice(point + 1, text.indexOf('+', point));
  return `${seconds}.${fraction.padEnd(6, '0')}Z`;
};

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (oid === INT8) return BigInt;
    if (oid === TIMESTAMPTZ) return readInstant;
    return pg.types.getTypeParser(oid, format);
  },
};

const common = { types, application_name: 'holdfast', keepAlive: true } as const;

const CONNECT_MS = 10_000;

/**
 * The database prints times in UTC, independent of its own setting. It notices within about a minute that the machine of a server is gone. With the
 * setting of most systems it would keep the locks of that server for two hours.
 */
const EVERY_SESSION =
  '-c timezone=UTC -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';

/** A connection in use that ends between two queries emits an error. Without a listener it would end the process; the next query fails. */
const keepAlive = (pool: pg.Pool): void => void pool.on('connect', (client) => client.on('error', () => {}));

/** Without statistics these look cheap, and with the statistics of a small table they stay in use after the table has grown. */
const WITHOUT_INDEX = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin', 'material', 'memoize'].map(
  (name) => `enable_${name}`,
);

/**
 * For statements that find few rows by an index, and read pages in the order of one. Without statistics a page would be sorted from all rows
 * of the marketplace, read through a bitmap. The plan is made once per connection and fits all values. It does not depend on
 * statistics: a table that was never analysed has the same plans as one that was.
 */
const BY_INDEX = ['plan_cache_mode=force_generic_plan', ...['jit', ...WITHOUT_INDEX].map((name) => `${name}=off`)]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/**
 * For the lookups of commands, which are in the order of the one index that fits (see `byKeys`). On a table that was never analysed PostgreSQL
 * expects one row, and takes a smaller index and a sort of that row.
 */
const BY_KEY = `${BY_INDEX} -c enable_sort=off`;

const planForValues = async (client: pg.ClientBase): Promise<void> => {
  if (await isDistributed(client)) await client.query(PLAN_FOR_VALUES);
};

/** For the reads of routes and for jobs. A read of many rows has to run in a snapshot, or in a heavy pool. */
export const openPool = (connection: Connection, options: { max: number; onError(error: Error): void }): pg.Pool => {
  const pool = new pg.Pool({
    ...connection,
    ...common,
    Client: PreparingClient,
    options: `${EVERY_SESSION} ${BY_INDEX}`,
    onConnect: planForValues,
    max: options.max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
  });
  pool.on('error', options.onError);
  keepAlive(pool);
  return pool;
};

/** Neither writes nor takes more than one processor of the database for one statement. */
const BOUNDED = '-c default_transaction_read_only=on -c max_parallel_workers_per_gather=0';

/** Connections for reads that may take long. The name in pg_stat_activity says which statements are theirs. */
export const openHeavyPool = (
  connection: Connection,
  options: { max: number; timeoutMs: number; onError(error: Error): void },
): pg.Pool => {
  const pool = new pg.Pool({
    ...connection,
    ...common,
    application_name: 'holdfast heavy reads',
    options: `${EVERY_SESSION} ${BOUNDED}`,
    max: options.max,
    // The time that a read may wait for a connection.
    connectionTimeoutMillis: options.timeoutMs + CONNECT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.timeoutMs,
  });
  pool.on('error', options.onError);
  keepAlive(pool);
  return pool;
};

/** Connections for previews of commands. They read the same rows by the same indexes as a lane, and can write nothing. */
export const openPreviewPool = (
  connection: Connection,
  options: { max: number; timeoutMs: number; onError(error: Error): void },
): pg.Pool => {
  const pool = new pg.Pool({
    ...connection,
    ...common,
    application_name: 'holdfast previews',
    options: `${EVERY_SESSION} ${BY_KEY} -c default_transaction_read_only=on`,
    onConnect: planForValues,
    max: options.max,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.timeoutMs,
    // The rows of a command are loaded by several statements at once.
    pipeline: true,
  } as pg.PoolConfig);
  pool.on('error', options.onError);
  keepAlive(pool);
  return pool;
};

/** A connection for one lane of the committer. Statements are sent without waiting for the previous one. */
export const openLane = async (connection: Connection): Promise<pg.Client> => {
  const client = new pg.Client({
    ...connection,
    ...common,
    // The sets differ only in length, so one plan fits all. Planning the head's update each time took 5 % of a group's time.
    options: `${EVERY_SESSION} ${BY_KEY}`,
    pipeline: true,
    statement_timeout: 30_000,
    connectionTimeoutMillis: CONNECT_MS,
  } as pg.ClientConfig);
  // A running query is rejected with the same error. This listener only keeps the process alive when an idle connection ends.
  client.on('error', () => {});
  await client.connect();
  return client;
};

/** A snapshot is read to add up many rows, so its plans are made for their values and may scan and hash. */
const PLAN_FREELY = ['plan_cache_mode = force_custom_plan', ...WITHOUT_INDEX.map((name) => `${name} = on`)]
  .map((setting) => `set local ${setting}`)
  .join('; ');

/** For a job that reads all records of a marketplace in a snapshot: this may take longer than the usual statement timeout. */
export const PATIENT = "set local statement_timeout = '1h'";

const BEGIN = `begin isolation level repeatable read read only; ${PLAN_FREELY}`;

/** Runs several reads on the same snapshot of the database. */
export const inSnapshot = async <T>(pool: pg.Pool, read: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query(BEGIN);
    const result = await read(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
};
