// Puts the parts of one server together and stops them in the opposite order. Only the compose files know all modules; they decide
// nothing.

import { formatInstant, systemClock } from './base/instant.ts';
import { createKeptProofs, createProver, proveBooks } from './books/proof.ts';
import { trimAnswers } from './commit/stored-answers.ts';
import { type Core, openCore } from './compose-core.ts';
import { composeApp } from './compose-http.ts';
import { composeOrders } from './compose-orders.ts';
import { composePayments } from './compose-payments.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { API_PREFIX } from './http/app.ts';
import type { ConsoleSite } from './http/console/site.ts';
import { createScheduler, type Job } from './jobs/scheduler.ts';
import { wireLedger } from './ledger/wire.ts';
import { createDevelopmentKeys, type DevelopmentKeys } from './modules/api-keys/development-keys.ts';
import { checkProof } from './modules/audit/jobs.ts';
import { createAuditReads } from './modules/audit/queries.ts';
import { clearOut } from './modules/events/jobs.ts';
import { composeSurfaceB } from './modules/projects/wire.ts';
import { wireProviderCredentials } from './modules/provider-credentials/wire.ts';
import { wireReconciliation } from './modules/reconciliation/wire.ts';
import type { Log } from './observability/logs.ts';
import { createMetrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Connection } from './postgres/connection.ts';
import type { Providers } from './providers/providers.ts';
import type { RunningSandbox } from './providers/sandbox-server.ts';
import { ACTION_OWNERS } from './registry.ts';
import { trimEvents } from './stream/event-queries.ts';

export type Server = {
  /** Returns the address once the server listens. */
  listen(): Promise<string>;
  close(): Promise<void>;
  readonly developmentKeys: DevelopmentKeys;
};

export type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'masterKey' | 'jwtSecrets' | 'walletKeks'>;
  readonly connection: Connection;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly providers: Providers;
  /** The simulators of the outside systems, where they are used. */
  readonly sandbox?: RunningSandbox;
  /** Knows of a console build that is running. Without it, the console is served as it is on disk. */
  readonly consoleSite?: ConsoleSite;
};

export type Modules = ReturnType<typeof composeModules>;

const TRIM_BATCH = 5_000;
/** Connections that may wait to be accepted. With the default of 511 a thousand clients had to reconnect, after up to 28 s. */
const BACKLOG = 4_096;

const composeModules = (options: Options, { metrics, onTrouble, ...core }: Core) => {
  const { config, secrets, log, providers, sandbox } = options;
  const { pool, committer, reactions } = core;
  const common = { config, pool, submit: committer.submit, reactions, providers, log, onTrouble };
  const ledger = wireLedger({
    ...common,
    secrets,
    owners: ACTION_OWNERS,
    ...(sandbox ? { fill: sandbox.depositTo, factories: sandbox.factories } : {}),
  });
  const orders = composeOrders({
    ...common,
    ledger,
    ...(sandbox ? { sandboxSecret: sandbox.escrowWebhookSecret } : {}),
    counter: metrics.webhooks,
  });
  const credentials = wireProviderCredentials({ ...common, secrets });
  const payments = composePayments({
    ...common,
    ledger,
    isSandbox: sandbox !== undefined && config.providers.paymentUrl === null,
    credentials,
    ...(sandbox ? { sandboxSecret: sandbox.webhookSecret } : {}),
    counter: metrics.webhooks,
  });
  const surfaceB = composeSurfaceB({
    ...common,
    secrets,
    ledger,
    operations: orders.operations,
    orders: orders.reads,
  });
  return {
    ledger,
    reconciliation: wireReconciliation({ ...common, ledger, credentials, isSimulated: sandbox !== undefined }),
    orders,
    payments,
    surfaceB,
    audit: createAuditReads(core.heavyReads.pool),
    prove: createProver(core.heavyReads.pool),
    proofs: createKeptProofs(pool),
  };
};

const composeJobs = ({ config, log }: Options, { core, modules }: { core: Core; modules: Modules }): Job[] => {
  const { pool, clock } = core;
  const { proofs } = modules;
  return [
    checkProof({
      marketplaces: createAuditReads(pool).marketplaces,
      // Not among the heavy reads: a job proves one marketplace at a time, and none may be left out.
      prove: (marketplaceId) => proveBooks(pool, marketplaceId),
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
    ...modules.ledger.jobs,
    ...modules.reconciliation.jobs,
    ...modules.orders.jobs,
    ...modules.payments.jobs,
    ...modules.surfaceB.jobs,
  ];
};

export const composeServer = async (options: Options): Promise<Server> => {
  const { config, connection, log, sandbox } = options;
  const onTrouble = (message: string, error: unknown) => log.warn({ err: error }, message);
  const core = await openCore({ ...options, metrics: createMetrics(), clock: systemClock, onTrouble });
  const modules = composeModules(options, core);
  const jobs = composeJobs(options, { core, modules });
  const scheduler = createScheduler({ connection, jobs, onError: onTrouble });
  const { app, limiter } = await composeApp(options, { core, modules, scheduler });
  const { stream, committer, keys, clock } = core;
  const { ledger, orders, payments } = modules;
  // Streams end after the load balancer was notified, so that it can send their clients elsewhere, and before the server stops
  // listening, because open streams would delay that.
  app.addHook('preClose', () => stream.close());
  await scheduler.start();
  ledger.start();
  orders.start();

  return {
    async listen() {
      const address = await app.listen({ host: config.http.host, port: config.http.port, backlog: BACKLOG });
      const webhooks = `${address}${API_PREFIX}/webhooks`;
      sandbox?.setWebhooks({ payment: `${webhooks}/payment-provider`, escrow: `${webhooks}/escrow-provider` });
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
      // The HTTP server first, so that no new request arrives while the other parts stop.
      await app.close();
      await stream.close();
      await scheduler.stop();
      await orders.close();
      await payments.close();
      await ledger.close();
      await limiter.close?.();
      await core.close();
    },
  };
};
