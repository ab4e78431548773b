// Puts the parts of one server together, and takes them apart again in the opposite order. The only file that knows all
// rooms; nothing here decides anything.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { formatInstant, systemClock } from './base/instant.ts';
import { createKeptProofs } from './books/kept-proofs.ts';
import { parseAmount, ZERO } from './books/money.ts';
import { createProver } from './books/prover.ts';
import { createFindAnswer } from './commit/stored-answers.ts';
import { openGround } from './compose-core.ts';
import { composeOrders } from './compose-orders.ts';
import { composePayments } from './compose-payments.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { API_PREFIX, buildApp } from './http/app.ts';
import { CONSOLE_FOLDER } from './http/console/build.ts';
import { type ConsoleSite, openConsoleSite } from './http/console/site.ts';
import { mountMetrics } from './http/metrics-page.ts';
import { openLimiter } from './http/rate-limit/limiter.ts';
import { type Job, type NightShift, startNightShift } from './jobs/scheduler.ts';
import { composeCustody } from './ledger/wire.ts';
import { createDevelopmentKeys, type DevelopmentKeys } from './modules/api-keys/development-keys.ts';
import { keyRoutes } from './modules/api-keys/routes.ts';
import { checkProof } from './modules/audit/jobs.ts';
import { createAuditReads } from './modules/audit/queries.ts';
import { auditRoutes } from './modules/audit/routes.ts';
import { wireBalances } from './modules/balances/wire.ts';
import { clearOut } from './modules/events/jobs.ts';
import { eventRoutes } from './modules/events/routes.ts';
import { createJobRunReads } from './modules/jobs/queries.ts';
import { jobRoutes } from './modules/jobs/routes.ts';
import { createMarketplaceReads } from './modules/marketplaces/queries.ts';
import { marketplaceRoutes } from './modules/marketplaces/routes.ts';
import { composeSurfaceB } from './modules/projects/wire.ts';
import { reconciliationRoutes } from './modules/reconciliation/routes.ts';
import { wireReports } from './modules/reports/wire.ts';
import { createSandboxControl } from './modules/sandbox/control.ts';
import { createSandboxOwners } from './modules/sandbox/queries.ts';
import { sandboxRoutes } from './modules/sandbox/routes.ts';
import { serviceRoutes } from './modules/service/routes.ts';
import { createStatementReads } from './modules/statements/queries.ts';
import { statementRoutes } from './modules/statements/routes.ts';
import { createUserReads } from './modules/users/queries.ts';
import { userRoutes } from './modules/users/routes.ts';
import { walletRoutes } from './modules/wallets/routes.ts';
import { breaksProbe } from './observability/breaks-probe.ts';
import { createHealth } from './observability/health.ts';
import type { Log } from './observability/logs.ts';
import { createMetrics } from './observability/metrics.ts';
import {
  committerProbe,
  databaseProbe,
  jobsProbe,
  ledgerProbe,
  proofProbe,
  providerProbe,
  streamProbe,
} from './observability/probes.ts';
import type { Tracing } from './observability/tracing.ts';
import { treasuryProbe } from './observability/treasury-probe.ts';
import type { Connection } from './postgres/connection.ts';
import { isAway } from './postgres/database-errors.ts';
import { trimAnswers } from './postgres/trim.ts';
import type { Neighbours } from './providers/providers.ts';
import type { RunningSandbox } from './providers/sandbox-server.ts';
import { trimEvents } from './stream/event-queries.ts';
import { VERSION } from './version.ts';

export type Server = {
  /** Where it listens, once it does. */
  listen(): Promise<string>;
  close(): Promise<void>;
  readonly developmentKeys: DevelopmentKeys;
};

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'masterKey' | 'jwtSecrets' | 'walletKeks'>;
  readonly connection: Connection;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly neighbours: Neighbours;
  /** The twins of the outside systems, where they are toys. */
  readonly sandbox?: RunningSandbox;
  /** The one that is told of a build under way; without it, what is there is served. */
  readonly consoleSite?: ConsoleSite;
};

const TRIM_BATCH = 5_000;
const HOUR_MS = 3_600_000;
/** Connections that may wait to be accepted. With the usual 511 a crowd of a thousand had to knock again, after up to 28 s. */
const BACKLOG = 4_096;

const amountOf = (text: string) => parseAmount(text) ?? ZERO;

export const composeServer = async (options: Options): Promise<Server> => {
  const { config, secrets, connection, log, tracing, neighbours, sandbox } = options;
  const onTrouble = (message: string, error: unknown) => log.warn({ err: error }, message);
  const clock = systemClock;
  const metrics = createMetrics();

  const ground = await openGround({ config, secrets, connection, log, metrics, clock, onTrouble });
  const { pool, committer, reactions, keys, uses, tokens, authenticator, stream } = ground;

  const custody = composeCustody({
    ...{ config, secrets, pool, neighbours, log, onTrouble, submit: committer.submit, reactions },
    ...(sandbox ? { fill: sandbox.fill, factories: sandbox.factories } : {}),
  });
  const orders = composeOrders({
    ...{ config, pool, submit: committer.submit, reactions, neighbours, custody, log, onTrouble },
    ...(sandbox ? { sandboxSecret: sandbox.escrowWebhookSecret } : {}),
    watch: metrics.webhooks,
  });
  const payments = composePayments({
    ...{ config, pool, submit: committer.submit, reactions, neighbours, custody, log, onTrouble },
    ...(sandbox ? { sandboxSecret: sandbox.webhookSecret } : {}),
    watch: metrics.webhooks,
  });
  const surfaceB = composeSurfaceB({
    ...{ config, secrets, pool, submit: committer.submit, custody, onTrouble },
    operations: orders.operations,
    orders: orders.reads,
  });
  const lows = { lowUsdc: amountOf(config.treasury.lowUsdc), lowXlm: amountOf(config.treasury.lowXlm) };
  metrics.watchStreet({ breaks: custody.breaks.summary, treasury: { ...lows, balances: custody.treasuryBalances } });

  const prove = createProver(pool);
  const proofs = createKeptProofs(pool);
  const audit = createAuditReads(pool);
  let shift: NightShift | null = null;
  const jobs: Job[] = [];
  const startedAt = formatInstant(clock());
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
  const limiter = openLimiter({ ...config.rateLimit, warn: onTrouble });

  const app = await buildApp({
    routes: [
      ...serviceRoutes({ config, version: VERSION, hasSandbox: sandbox !== undefined, health }),
      ...keyRoutes({ keys, tokens, rotationOverlapMs: config.keys.rotationOverlapMs, clock, lastUse: uses.lastUse }),
      ...userRoutes({
        users: createUserReads(pool, baseCurrency),
        baseCurrency,
        prepareWallet: custody.prepareWallet,
      }),
      ...wireBalances({ pool, baseCurrency, onLedger: custody.onLedger }),
      ...statementRoutes({ statements: createStatementReads(pool), baseCurrency, now: clock }),
      ...wireReports(pool, baseCurrency),
      ...walletRoutes({
        wallets: custody.wallets,
        ledger: custody.walletView,
        network: custody.network.passphrase,
        asset: { code: custody.asset.code, issuer: custody.asset.issuer ?? '' },
      }),
      ...orders.routes,
      ...payments.routes,
      ...reconciliationRoutes({ breaks: custody.breakReads }),
      ...eventRoutes({ stream }),
      ...auditRoutes({ audit, prove }),
      ...marketplaceRoutes({ marketplaces: createMarketplaceReads(pool) }),
      ...jobRoutes({ jobs: () => jobs, report: () => shift?.report() ?? [], runs: createJobRunReads(pool), startedAt }),
      ...sandboxRoutes({
        control: sandbox ? createSandboxControl({ url: sandbox.url, timeoutMs: config.adapters.timeoutMs }) : null,
        owners: createSandboxOwners(pool),
        findOrder: orders.reads.find,
        pollDeposits: custody.pollDeposits,
      }),
    ],
    ...(surfaceB.companion ? { companion: surfaceB.companion } : {}),
    consoleSite: options.consoleSite ?? openConsoleSite(CONSOLE_FOLDER),
    submit: committer.submit,
    findAnswer: createFindAnswer(pool),
    authenticate: authenticator.authenticate,
    limiter,
    rateLimit: config.rateLimit,
    logger: log,
    watch: metrics.http,
    tracing,
    bodyLimitBytes: LIMITS.bodyBytes,
    isAway,
    trustProxy: config.http.trustProxy,
    corsOrigins: config.http.corsOrigins,
    idempotencyRetentionHours: config.idempotency.retentionMs / HOUR_MS,
    shutdownGraceMs: config.http.shutdownGraceMs,
    requestsMax: config.http.requestsMax,
    version: VERSION,
  });
  // After the balancer's notice, so that streams too are served until it sends them elsewhere; before the door is closed,
  // which they would hold open.
  app.addHook('preClose', () => stream.close());
  mountMetrics(app, { metrics, summary: proofs.summary, host: config.http.host, token: config.observe.metricsToken });

  jobs.push(
    checkProof({
      marketplaces: audit.marketplaces,
      prove,
      keep: proofs.keep,
      onBreak: (marketplaceId, proof) => log.error({ marketplaceId, checks: proof.checks }, 'the books do not add up'),
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
    ...orders.jobs,
    ...payments.jobs,
    ...surfaceB.jobs,
  );
  shift = await startNightShift({ connection, jobs, onError: onTrouble });

  custody.start();
  orders.start();

  return {
    async listen() {
      const address = await app.listen({ host: config.http.host, port: config.http.port, backlog: BACKLOG });
      const webhooks = `${address}${API_PREFIX}/webhooks`;
      sandbox?.tell({ payment: `${webhooks}/payment-provider`, escrow: `${webhooks}/escrow-provider` });
      payments.start(address);
      return address;
    },
    developmentKeys: createDevelopmentKeys({
      submit: committer.submit,
      findKey: keys.find,
      listActive: keys.listActiveDevelopment,
      clock,
    }),
    async close() {
      // The door first, so that nothing new comes in behind it.
      await app.close();
      await stream.close();
      await shift?.stop();
      await orders.close();
      await payments.close();
      await custody.close();
      await limiter.close?.();
      await ground.close();
    },
  };
};
