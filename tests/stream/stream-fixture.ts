// A site for stream tests: a notifier connection, a stream and an HTTP server on a real port. Several sites on one database stand
// for several server processes. Keys are a plain list here; everything else is the code of the server.

import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { type Clock, systemClock } from '../../server/src/base/instant.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { type Committer, createCommitter } from '../../server/src/commit/committer.ts';
import { buildApp } from '../../server/src/http/app.ts';
import type { Caller } from '../../server/src/http/caller.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { eventRoutes } from '../../server/src/modules/events/routes.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { openLane, openPool } from '../../server/src/postgres/connection.ts';
import { createNotifier, type Notifier } from '../../server/src/postgres/notifier.ts';
import { TABLES } from '../../server/src/registry.ts';
import { eventsAfter, findStart, listEvents } from '../../server/src/stream/event-queries.ts';
import { createStream, type Stream, type StreamOptions } from '../../server/src/stream/sse.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase, type TestDatabase } from '../../tools/test-database/database.ts';

export type Counts = { open: number; sent: number; cutOff: number };

export type Site = {
  url: string;
  port: number;
  pool: pg.Pool;
  notifier: Notifier;
  stream: Stream;
  counts: Counts;
  close(): Promise<void>;
};

type SiteOptions = Partial<StreamOptions> & { keys?: Map<string, Caller> };

export const keyOf = (marketplaceId: string, scopes: Caller['scopes'] = ['read']): Caller => ({
  type: 'api_key',
  keyId: `key_${marketplaceId}`,
  keyName: marketplaceId,
  scopes,
  marketplaceId,
});

export const KEYS = (): Map<string, Caller> =>
  new Map([
    ['shop', keyOf('mkt_shop')],
    ['other', keyOf('mkt_other')],
    ['none', keyOf('mkt_shop', [])],
  ]);

export const newDatabase = async (t: TestContext): Promise<TestDatabase> => {
  const database = await createDatabase();
  afterwards(t, () => database.drop());
  return database;
};

export const openSite = async (t: TestContext, database: TestDatabase, options: SiteOptions = {}): Promise<Site> => {
  const { keys = KEYS(), ...overrides } = options;
  const quiet = () => {};
  const pool = openPool(database.connection, { max: 4, onError: quiet });
  const notifier = createNotifier({ connection: database.connection, onTrouble: quiet });
  const counts: Counts = { open: 0, sent: 0, cutOff: 0 };
  const stream = createStream({
    eventsAfter: (request) => eventsAfter(pool, request),
    listEvents: (page) => listEvents(pool, page),
    findStart: (request) => findStart(pool, request),
    stillValid: (credential) => keys.has(credential),
    watch: {
      opened: () => void counts.open++,
      closed: () => void counts.open--,
      sent: (count) => {
        counts.sent += count;
      },
      cutOff: () => void counts.cutOff++,
    },
    onTrouble: quiet,
    clock: systemClock,
    pingMs: 30_000,
    bufferMax: 1_000,
    connectionsMax: 1_000,
    ...overrides,
  });
  notifier.on('holdfast_events', stream.refresh);
  notifier.on('holdfast_keys', stream.recheckKeys);
  notifier.onGap(stream.refreshAll);

  const app = await buildApp({
    routes: eventRoutes({ stream }),
    submit: () => Promise.reject(new Error('this server has no writes')),
    findAnswer: async () => null,
    authenticate: (bearer) => keys.get(bearer) ?? null,
    limiter: memoryLimiter({ windowMs: 60_000, now: Date.now }),
    rateLimit: { max: 100_000, windowMs: 60_000 },
    logger: pino({ level: 'silent' }),
    bodyLimitBytes: 64 * 1024,
    trustProxy: false,
    corsOrigins: [],
    idempotencyRetentionHours: 24,
    shutdownGraceMs: 2_000,
    version: '0.1.0',
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await stream.close();
      await app.close();
      await notifier.close();
      await pool.end();
    })();
    return closing;
  };
  afterwards(t, close);
  return { url, port: Number(new URL(url).port), pool, notifier, stream, counts, close };
};

export type Writer = {
  committer: Committer;
  addUser(marketplaceId: string, externalUserId?: string): Promise<string>;
  credit(marketplaceId: string, userId: string): Promise<void>;
};

/** Writes through the real committer. `notifier` announces new events; with null no notification is sent. */
export const openWriter = (
  t: TestContext,
  database: TestDatabase,
  options: { notifier?: Notifier | null; clock?: Clock } = {},
): Writer => {
  const committer = createCommitter({
    tables: TABLES,
    connect: () => openLane(database.connection),
    clock: options.clock ?? systemClock,
    groupMax: 512,
    queueMax: 10_000,
    lanes: 2,
    patienceMs: 10_000,
    watch: { committed() {}, refused() {}, retried() {} },
    onEvents: (ids) => options.notifier?.notify('holdfast_events', ids),
    onTrouble() {},
  });
  afterwards(t, () => committer.close());
  let users = 0;
  const contextOf = (marketplaceId: string) =>
    ({ marketplaceId, actor: { type: 'system', id: 'test' }, requestId: 'req_test' }) as const;
  return {
    committer,
    async addUser(marketplaceId, externalUserId = `u${++users}`) {
      const input = {
        baseCurrency: 'USD',
        externalUserId,
        email: null,
        type: 'BOTH',
        metadata: {},
      } as const;
      const outcome = await committer.submit({ command: createUser, input, context: contextOf(marketplaceId) });
      if (outcome.kind !== 'reply') throw new Error('expected a fresh answer');
      return outcome.reply.user.id;
    },
    async credit(marketplaceId, userId) {
      const input = { userId, currency: 'USD', amount: fromUnits(10_000_000n) } as const;
      await committer.submit({ command: creditBalance, input, context: contextOf(marketplaceId) });
    },
  };
};

/** Every event of a marketplace as it is stored. */
export const storedEvents = async (pool: pg.Pool, marketplaceId: string) =>
  listEvents(pool, { marketplaceId, after: 0, upTo: 1e15, types: null, resources: null, limit: 1e6 });

/** Inserts events of mkt_shop directly into the table, each a millisecond after the one before. */
export const insertEvents = async (
  { pool }: Site,
  { count, filler = 0 }: { count: number; filler?: number },
): Promise<void> => {
  const { rows } = await pool.query<{ position: string }>(
    `update marketplaces set event_position = event_position + $1, event_at = (event_at at time zone 'UTC' + $1 * interval '1 ms') at time zone 'UTC'
     where marketplace_id = 'mkt_shop' returning event_position - $1 as position`,
    [count],
  );
  await pool.query(
    `insert into events select 'mkt_shop', $2 + n, m.event_at - ($1 - n) * interval '1 ms', 'balance.credited', 'Balance',
       'usr_1', '{"metadata":{"position":' || $2 + n || ',"filler":"' || repeat('x', $3) || '"}}'
     from marketplaces m, generate_series(1, $1) n where m.marketplace_id = 'mkt_shop'`,
    [count, Number(rows[0]!.position), filler],
  );
};

export const openAll = async (t: TestContext, options: SiteOptions & { clock?: Clock } = {}) => {
  const { clock = systemClock, ...siteOptions } = options;
  const database = await newDatabase(t);
  const site = await openSite(t, database, siteOptions);
  const writer = openWriter(t, database, { notifier: site.notifier, clock });
  return { database, site, writer };
};

/** Waits until the stream of the site has at most `count` connections. */
export const connectionsLeft = async (site: Site, count: number): Promise<void> => {
  while (site.stream.connections > count) await nextTurn();
};

const LISTENING = `select pid from pg_stat_activity where datname = current_database()
  and application_name = 'holdfast-notifier' and query <> '' and state = 'idle'`;

/** Waits until `count` notifier connections listen in the database of the site. Returns the ids of their backends. */
export const notifiersListening = async (site: Site, count: number): Promise<number[]> => {
  for (;;) {
    const { rows } = await site.pool.query<{ pid: number }>(LISTENING);
    if (rows.length >= count) return rows.map((row) => row.pid);
  }
};
