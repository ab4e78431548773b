// Opens the parts that all modules use: database, committer, keys and the event stream. Like compose.ts it decides nothing.

import type pg from 'pg';
import type { Clock } from './base/instant.ts';
import { createCommitter } from './commit/committer.ts';
import { migrate } from './commit/migrate.ts';
import { createPreviews } from './commit/preview/preview.ts';
import { createReactions } from './commit/reactions.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { createAuthenticator, type KeyAuthenticator } from './modules/api-keys/authenticator.ts';
import { createApiKeyReads } from './modules/api-keys/queries.ts';
import { createTokens } from './modules/api-keys/tokens.ts';
import { createUseRecorder, saveApiKeyUses } from './modules/api-keys/use-recorder.ts';
import { createSessionAuthenticator, type SessionAuthenticator } from './modules/operator-sessions/authenticator.ts';
import { createSessionReads } from './modules/operator-sessions/queries.ts';
import type { Log } from './observability/logs.ts';
import type { createMetrics } from './observability/metrics.ts';
import { type Connection, openLane, openPool, openPreviewPool } from './postgres/connection.ts';
import { isDistributed } from './postgres/distributed.ts';
import { guardPool } from './postgres/guarded-pool.ts';
import { openHeavyReads } from './postgres/heavy-reads.ts';
import { createLostNodes, type LostNodes } from './postgres/lost-nodes.ts';
import { createNotifier, type Notifier } from './postgres/notifier.ts';
import { TABLES } from './registry.ts';
import { eventsAfter, findStart, listEvents } from './stream/event-queries.ts';
import { createStream } from './stream/sse.ts';

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'masterKey' | 'jwtSecrets'>;
  readonly connection: Connection;
  readonly log: Log;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly clock: Clock;
  hasDatabaseEnded?(): boolean;
  /** The clock of deadlines, where it is another one. */
  readonly deadlineClock: Clock | null;
  onTrouble(message: string, error: unknown): void;
};

const LANES = 4;
const DATABASE_PATIENCE_MS = 10_000;
const KEY_USES_EVERY_MS = 10_000;
/** Few, so that previews never take the database from the commits. */
const PREVIEWS = { atOnce: 2, waitingMax: 64, timeoutMs: 5_000 };

export type Core = Awaited<ReturnType<typeof openCore>>;

const openKeys = (pool: pg.Pool, { config, secrets, clock, onTrouble }: Options) => {
  const keys = createApiKeyReads(pool);
  const uses = createUseRecorder({
    save: (batch) => saveApiKeyUses(pool, batch),
    clock,
    intervalMs: KEY_USES_EVERY_MS,
    onTrouble,
  });
  const tokens = createTokens({ jwtSecrets: secrets.jwtSecrets, ttlMs: config.keys.tokenTtlMs, clock });
  const authenticator = createAuthenticator({
    masterKey: secrets.masterKey,
    tokens,
    findKey: keys.find,
    writeIncludes: config.keys.writeIncludes,
    clock,
    onUse: uses.note,
  });
  return { keys, uses, tokens, authenticator };
};

const openSessions = (pool: pg.Pool, { config, clock, onTrouble }: Options) => {
  const sessions = createSessionReads(pool);
  const sessionUses = createUseRecorder({
    save: sessions.saveUses,
    clock,
    intervalMs: KEY_USES_EVERY_MS,
    onTrouble,
  });
  const sessionAuthenticator = createSessionAuthenticator({
    find: sessions.findChecked,
    clock,
    idleMs: config.operators.sessionIdleMs,
    onUse: sessionUses.note,
  });
  return { sessions, sessionUses, sessionAuthenticator };
};

type StreamParts = {
  readonly pool: pg.Pool;
  readonly authenticator: KeyAuthenticator;
  readonly sessionAuthenticator: SessionAuthenticator;
  readonly notifier: Notifier;
};

const openStream = ({ config, metrics, clock, onTrouble }: Options, parts: StreamParts) => {
  const { pool, authenticator, sessionAuthenticator, notifier } = parts;
  const stream = createStream({
    eventsAfter: (request) => eventsAfter(pool, request),
    listEvents: (page) => listEvents(pool, page),
    findStart: (request) => findStart(pool, request),
    stillValid: async (credential) =>
      (await authenticator.authenticate(credential)) !== null ||
      (await sessionAuthenticator.authenticate(credential)) !== null,
    watch: metrics.stream,
    onTrouble,
    clock,
    ...config.events,
  });
  notifier.on('holdfast_events', stream.refresh);
  notifier.on('holdfast_keys', (ids) => {
    authenticator.forget(ids);
    sessionAuthenticator.forget(ids);
    stream.recheckKeys();
  });
  notifier.onGap(() => {
    authenticator.forgetAll();
    sessionAuthenticator.forgetAll();
    stream.refreshAll();
    stream.recheckKeys();
  });
  return stream;
};

type CommitterParts = { readonly notifier: Notifier; readonly lostNodes: LostNodes };

const openCommitter = (
  { config, connection, metrics, clock, deadlineClock, hasDatabaseEnded, onTrouble }: Options,
  { notifier, lostNodes }: CommitterParts,
) => {
  const reactions = createReactions(onTrouble);
  reactions.on('api-key-changed', ({ keyId }) => notifier.notify('holdfast_keys', [keyId]));
  // Sessions are forgotten with the keys, by the id of their operator.
  reactions.on('operator-changed', ({ operatorId }) => notifier.notify('holdfast_keys', [operatorId]));
  const committer = createCommitter({
    tables: TABLES,
    reactions,
    connect: () => openLane(connection),
    lostNodes,
    clock,
    deadlineClock,
    lanes: LANES,
    groupMax: config.committer.groupMax,
    queueMax: config.committer.queueMax,
    patienceMs: DATABASE_PATIENCE_MS,
    ...(hasDatabaseEnded ? { hasEnded: hasDatabaseEnded } : {}),
    watch: metrics.committer,
    onEvents: (marketplaceIds) => notifier.notify('holdfast_events', marketplaceIds),
    onTrouble,
  });
  metrics.committer.watchQueue(() => committer.queued);
  return { committer, reactions };
};

export const openCore = async (options: Options) => {
  const { config, connection, log, metrics, clock, deadlineClock, onTrouble } = options;
  const onError = (error: Error): void => onTrouble('an idle database connection ended', error);
  const pool = openPool(connection, { max: config.database.poolMax, onError });
  const { applied } = await migrate({ pool });
  if (applied.length > 0) log.info({ applied }, 'the database schema was brought up to date');

  const heavyReads = openHeavyReads(connection, { ...config.heavyReads, onError });
  const notifier = createNotifier({ connection, onTrouble });
  const previewPool = openPreviewPool(connection, { max: PREVIEWS.atOnce, timeoutMs: PREVIEWS.timeoutMs, onError });
  const lostNodes = createLostNodes({ connect: () => openLane(connection), onTrouble });
  if (await isDistributed(pool)) {
    guardPool(pool, lostNodes);
    guardPool(previewPool, lostNodes);
    lostNodes.watch();
  }
  const { committer, reactions } = openCommitter(options, { notifier, lostNodes });
  const { keys, uses, tokens, authenticator } = openKeys(pool, options);
  const { sessions, sessionUses, sessionAuthenticator } = openSessions(pool, options);
  const stream = openStream(options, { pool, authenticator, sessionAuthenticator, notifier });

  return {
    pool,
    heavyReads,
    previews: createPreviews({ pool: previewPool, tables: TABLES, clock, deadlineClock, ...PREVIEWS }),
    committer,
    reactions,
    keys,
    uses,
    tokens,
    authenticator,
    sessions,
    sessionAuthenticator,
    stream,
    notifier,
    metrics,
    clock,
    deadlineClock: deadlineClock ?? clock,
    onTrouble,
    /** Only after all modules are closed. */
    async close(): Promise<void> {
      await committer.close();
      await uses.close();
      await sessionUses.close();
      await notifier.close();
      await heavyReads.close();
      await previewPool.end();
      await pool.end();
    },
  };
};
