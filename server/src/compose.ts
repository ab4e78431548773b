// Puts the parts of one server together, and takes them apart again in the opposite order. The only file that knows all
// rooms; nothing here decides anything.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { composeCustody } from './compose-custody.ts';
import type { Config } from './config.ts';
import { tellNewWallets } from './custody/new-wallets.ts';
import { formatInstant, systemClock } from './domain/instant.ts';
import { parseAmount, ZERO } from './domain/money.ts';
import { buildApp } from './http/app.ts';
import { mountMetrics } from './http/metrics-page.ts';
import type { Limiter } from './http/rate-limit/limiter.ts';
import { memoryLimiter } from './http/rate-limit/memory.ts';
import { redisLimiter } from './http/rate-limit/redis.ts';
import { auditRoutes } from './http/routes/audit.ts';
import { balanceRoutes } from './http/routes/balances.ts';
import { eventRoutes } from './http/routes/events.ts';
import { keyRoutes } from './http/routes/keys.ts';
import { reconciliationRoutes } from './http/routes/reconciliation.ts';
import { serviceRoutes } from './http/routes/service.ts';
import { userRoutes } from './http/routes/users.ts';
import { walletRoutes } from './http/routes/wallets.ts';
import { checkProof } from './jobs/check-proof.ts';
import { clearOut } from './jobs/clear-out.ts';
import { type NightShift, startNightShift } from './jobs/night-shift.ts';
import { createAuthenticator } from './keys/authenticator.ts';
import { tellKeyChanges } from './keys/key-changes.ts';
import { createTokens } from './keys/tokens.ts';
import { createUseRecorder } from './keys/use-recorder.ts';
import { breaksProbe } from './observe/breaks-probe.ts';
import { createHealth } from './observe/health.ts';
import type { Log } from './observe/logs.ts';
import { createMetrics } from './observe/metrics.ts';
import {
  committerProbe,
  databaseProbe,
  jobsProbe,
  ledgerProbe,
  proofProbe,
  providerProbe,
  streamProbe,
} from './observe/probes.ts';
import type { Tracing } from './observe/tracing.ts';
import { treasuryProbe } from './observe/treasury-probe.ts';
import type { Neighbours } from './providers/neighbours.ts';
import type { Secrets } from './secrets.ts';
import { saveApiKeyUses } from './store/api-key-uses.ts';
import { createCommitter } from './store/committer.ts';
import { type Connection, openLane, openPool } from './store/connection.ts';
import { createKeptProofs } from './store/kept-proofs.ts';
import { migrate } from './store/migrate.ts';
import { createProver } from './store/prover.ts';
import { createApiKeyReads } from './store/reads/api-keys.ts';
import { createAuditReads } from './store/reads/audit.ts';
import { createBalanceReads } from './store/reads/balances.ts';
import { eventsAfter, findPlace, listEvents, trimEvents } from './store/reads/events.ts';
import { createUserReads } from './store/reads/users.ts';
import { trimAnswers } from './store/trim.ts';
import { createWake } from './store/wake.ts';
import { createStream } from './stream/sse.ts';
import { VERSION } from './version.ts';

export type Server = {
  /** Where it listens, once it does. */
  listen(): Promise<string>;
  close(): Promise<void>;
};

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'masterKey' | 'jwtSecrets' | 'walletKeks'>;
  readonly connection: Connection;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly neighbours: Neighbours;
  /** Gives a new treasury play money; only where the ledger is a toy. */
  fill?(address: string): Promise<void>;
};

const LANES = 4;
const DATABASE_PATIENCE_MS = 10_000;
const KEY_USES_EVERY_MS = 10_000;
const TRIM_BATCH = 5_000;
const HOUR_MS = 3_600_000;

const amountOf = (text: string) => parseAmount(text) ?? ZERO;

export const composeServer = async (options: Options): Promise<Server> => {
  const { config, secrets, connection, log, tracing, neighbours } = options;
  const onTrouble = (message: string, error: unknown) => log.warn({ err: error }, message);
  const clock = systemClock;
  const metrics = createMetrics();

  const pool = openPool(connection, {
    max: config.database.poolMax,
    onError: (error) => onTrouble('an idle database connection ended', error),
  });
  const { applied } = await migrate({ pool });
  if (applied.length > 0) log.info({ applied }, 'the database schema was brought up to date');

  const wake = createWake({ connection, onTrouble });
  const committer = createCommitter({
    connect: () => openLane(connection),
    clock,
    lanes: LANES,
    groupMax: config.committer.groupMax,
    queueMax: config.committer.queueMax,
    patienceMs: DATABASE_PATIENCE_MS,
    watch: metrics.committer,
    onEvents: (marketplaceIds) => wake.notify('holdfast_events', marketplaceIds),
    onTrouble,
  });
  metrics.committer.watchQueue(() => committer.queued);

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
    clock,
    onUse: uses.note,
  });

  const stream = createStream({
    eventsAfter: (ask) => eventsAfter(pool, ask),
    listEvents: (page) => listEvents(pool, page),
    findPlace: (ask) => findPlace(pool, ask),
    stillValid: async (credential) => (await authenticator.authenticate(credential)) !== null,
    watch: metrics.stream,
    onTrouble,
    clock,
    ...config.events,
  });
  wake.on('holdfast_events', stream.wake);
  wake.on('holdfast_keys', (ids) => {
    authenticator.forget(ids);
    stream.recheckKeys();
  });
  wake.onGap(() => {
    authenticator.forgetAll();
    stream.lookAgain();
    stream.recheckKeys();
  });

  const custody = composeCustody({
    ...{ config, secrets, pool, neighbours, log, onTrouble, submit: committer.submit },
    ...(options.fill ? { fill: options.fill } : {}),
  });
  const lows = { lowUsdc: amountOf(config.treasury.lowUsdc), lowXlm: amountOf(config.treasury.lowXlm) };
  metrics.watchStreet({ breaks: custody.breaks.summary, treasury: { ...lows, balances: custody.treasuryBalances } });

  const prove = createProver(pool);
  const proofs = createKeptProofs(pool);
  const audit = createAuditReads(pool);
  let shift: NightShift | null = null;
  const health = createHealth([
    databaseProbe(pool),
    committerProbe(committer, config.committer.queueMax),
    streamProbe(stream),
    jobsProbe(() => shift),
    proofProbe(proofs.summary),
    breaksProbe(custody.breaks.summary),
    treasuryProbe({ ...lows, balances: custody.treasuryBalances }),
    providerProbe('escrow-provider', neighbours.urls.escrow),
    providerProbe('payment-provider', neighbours.urls.payment),
    ledgerProbe(neighbours.network),
  ]);

  const { baseCurrency } = config.money;
  const counting = { windowMs: config.rateLimit.windowMs, now: Date.now };
  const inMemory = memoryLimiter(counting);
  const limiter: Limiter = config.rateLimit.redisUrl
    ? redisLimiter({ ...counting, url: config.rateLimit.redisUrl, fallback: inMemory, warn: onTrouble })
    : inMemory;

  const app = await buildApp({
    routes: [
      ...serviceRoutes({ config, version: VERSION, health }),
      ...keyRoutes({ keys, tokens, rotationOverlapMs: config.keys.rotationOverlapMs, clock, lastUse: uses.lastUse }),
      ...userRoutes({
        users: createUserReads(pool, baseCurrency),
        baseCurrency,
        prepareWallet: custody.prepareWallet,
      }),
      ...balanceRoutes({ balances: createBalanceReads(pool), baseCurrency, onLedger: custody.onLedger }),
      ...walletRoutes({
        wallets: custody.wallets,
        ledger: custody.walletView,
        network: custody.network.passphrase,
        asset: { code: custody.asset.code, issuer: custody.asset.issuer ?? '' },
      }),
      ...reconciliationRoutes({ breaks: custody.breakReads }),
      ...eventRoutes({ stream }),
      ...auditRoutes({ audit, prove }),
    ],
    submit: tellNewWallets(
      tellKeyChanges(committer.submit, (ids) => wake.notify('holdfast_keys', ids)),
      (marketplaceId, wallet) => custody.begin(marketplaceId, wallet.id),
    ),
    authenticate: authenticator.authenticate,
    limiter,
    rateLimit: config.rateLimit,
    logger: log,
    watch: metrics.http,
    tracing,
    bodyLimitBytes: LIMITS.bodyBytes,
    trustProxy: config.http.trustProxy,
    corsOrigins: config.http.corsOrigins,
    idempotencyRetentionHours: config.idempotency.retentionMs / HOUR_MS,
    shutdownGraceMs: config.http.shutdownGraceMs,
    version: VERSION,
  });
  mountMetrics(app, { metrics, summary: proofs.summary, host: config.http.host, token: config.observe.metricsToken });

  shift = await startNightShift({
    connection,
    jobs: [
      checkProof({
        marketplaces: audit.marketplaces,
        prove,
        keep: proofs.keep,
        onBreak: (marketplaceId, proof) =>
          log.error({ marketplaceId, checks: proof.checks }, 'the books do not add up'),
      }),
      clearOut({
        trimEvents: () =>
          trimEvents(pool, {
            olderThan: formatInstant(clock() - config.events.retentionMs * 1_000),
            batch: TRIM_BATCH,
          }),
        trimAnswers: () => trimAnswers(pool),
      }),
      ...custody.jobs,
    ],
    onError: onTrouble,
  });

  custody.start();

  return {
    listen: () => app.listen({ host: config.http.host, port: config.http.port }),
    async close() {
      // Streams first: they would hold the door open. Then the door, so that nothing new comes in behind it.
      await stream.close();
      await app.close();
      await shift?.stop();
      await custody.close();
      await committer.close();
      await uses.close();
      await wake.close();
      await limiter.close?.();
      await pool.end();
    },
  };
};
