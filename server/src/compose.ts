// Puts the parts of one server together and stops them in the opposite order. Only the compose files know all modules; they decide
// nothing.

import { ID_PREFIXES } from '@holdfast/contract/ids.ts';
import { systemClock } from './base/instant.ts';
import { createKeptProofs } from './books/checkpoints.ts';
import { createProver } from './books/proof.ts';
import { type Core, openCore } from './compose-core.ts';
import { composeApp } from './compose-http.ts';
import { composeJobs } from './compose-jobs.ts';
import { composeOrders } from './compose-orders.ts';
import { composePayments } from './compose-payments.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { readBrand } from './documents/brand.ts';
import { API_PREFIX } from './http/app.ts';
import type { FindOutcome } from './http/approval-terms.ts';
import type { ConsoleSite } from './http/console/site.ts';
import { createDocuments } from './http/send-document.ts';
import { createScheduler } from './jobs/scheduler.ts';
import { type KeyRing, type KeySource, openKeyRing, settingsSource } from './ledger/keys/key-ring.ts';
import { wireLedger } from './ledger/wire.ts';
import { wireAlerts } from './modules/alerts/wire.ts';
import { createDevelopmentKeys, type DevelopmentKeys } from './modules/api-keys/development-keys.ts';
import { wireApprovals } from './modules/approvals/wire.ts';
import { archiveFolder } from './modules/archives/manifest.ts';
import { createArchiveVerifier } from './modules/archives/verifier.ts';
import { createAuditReads } from './modules/audit/queries.ts';
import { wireCorrections } from './modules/corrections/wire.ts';
import { wireOperators } from './modules/operator-sessions/wire.ts';
import { composeSurfaceB } from './modules/projects/wire.ts';
import { wireProviderCredentials } from './modules/provider-credentials/wire.ts';
import { createReceiptReads } from './modules/receipts/queries.ts';
import { createReceiptRoutes } from './modules/receipts/routes.ts';
import { createBreaks, uncreditedDeposits, unexplainedPayments } from './modules/reconciliation/breaks.ts';
import { wireReconciliation } from './modules/reconciliation/wire.ts';
import { wireWalletKeys } from './modules/wallet-keys/wire.ts';
import { wireWebhooksOut } from './modules/webhook-deliveries/wire.ts';
import type { Log } from './observability/logs.ts';
import { createMetrics } from './observability/metrics.ts';
import type { Tracing } from './observability/tracing.ts';
import type { Connection } from './postgres/connection.ts';
import type { Providers } from './providers/providers.ts';
import type { RunningSandbox } from './providers/sandbox-server.ts';
import { ACTION_OWNERS } from './registry.ts';

export type Server = {
  /** Returns the address once the server listens. */
  listen(): Promise<string>;
  close(): Promise<void>;
  readonly developmentKeys: DevelopmentKeys;
  /** A link for the first administrator; null when the service has an operator. Only when the server listens. */
  firstAdminUrl(): Promise<string | null>;
};

export type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'masterKey' | 'jwtSecrets' | 'walletKeks'>;
  /** Where the key-encryption keys come from. Without it, they are those of the secrets. */
  readonly keySource?: KeySource;
  readonly connection: Connection;
  /** The embedded PostgreSQL ended on its own. This server does not start it again. */
  hasDatabaseEnded?(): boolean;
  readonly log: Log;
  readonly tracing: Tracing;
  readonly providers: Providers;
  /** The data folder was restored from a backup and starts for the first time: payments are held. */
  readonly restored?: { readonly takenAt: string | null } | null;
  /** The simulators of the outside systems, where they are used. */
  readonly sandbox?: RunningSandbox;
  /** Knows of a console build that is running. Without it, the console is served as it is on disk. */
  readonly consoleSite?: ConsoleSite;
};

export type Modules = Awaited<ReturnType<typeof composeModules>>;

/** Connections that may wait to be accepted. With the default of 511 a thousand clients had to reconnect. */
const BACKLOG = 4_096;

type Parts = { readonly core: Core; readonly keys: KeyRing };

/** An approved request has begun an operation of an order, or the payment of a withdrawal. */
const outcomeIn =
  (orders: { readonly outcomeOf: FindOutcome }, payments: { readonly outcomeOf: FindOutcome }): FindOutcome =>
  (marketplaceId, effectId) =>
    (effectId.startsWith(ID_PREFIXES.withdrawal) ? payments : orders).outcomeOf(marketplaceId, effectId);

type DocumentParts = Pick<Options, 'config'> &
  Pick<Core, 'pool' | 'clock'> & { readonly orders: ReturnType<typeof composeOrders>; origin(): string };

const composeDocuments = async ({ config, pool, clock, orders, origin }: DocumentParts) => {
  const documents = createDocuments(await readBrand(config.documents));
  const receipts = createReceiptReads({ pool, findOrder: orders.reads.find, findHistory: orders.findHistory });
  return { documents, receipts: createReceiptRoutes({ receipts, documents, config, origin, clock }) };
};

const composeModules = async (options: Options, { core: { metrics, onTrouble, ...core }, keys }: Parts) => {
  const { config, secrets, log, providers, sandbox } = options;
  const { pool, committer, reactions } = core;
  const common = { config, pool, submit: committer.submit, reactions, providers, log, onTrouble };
  const breaks = createBreaks(pool);
  const ledger = wireLedger({
    ...common,
    keeper: keys,
    connection: options.connection,
    setAside: uncreditedDeposits(breaks),
    onUnexplained: unexplainedPayments(breaks).see,
    owners: ACTION_OWNERS,
    ...(sandbox ? { fill: sandbox.depositTo, factories: sandbox.factories } : {}),
  });
  const orders = composeOrders({
    ...common,
    ledger,
    previews: core.previews,
    deadlineClock: core.deadlineClock,
    onPassed: metrics.deadlines.passed,
    ...(sandbox ? { sandboxSecret: sandbox.escrowWebhookSecret } : {}),
    counter: metrics.webhooks,
  });
  const credentials = wireProviderCredentials({ ...common, keeper: keys });
  const payments = await composePayments({
    ...common,
    ledger,
    isSandbox: sandbox !== undefined && config.providers.paymentUrl === null,
    credentials,
    ...(sandbox ? { sandboxSecret: sandbox.webhookSecret } : {}),
    counter: metrics.webhooks,
  });
  const approvals = wireApprovals({ ...common, core, outcomeOf: outcomeIn(orders, payments) });
  const { operations, reads } = orders;
  const surfaceB = composeSurfaceB({ ...common, approvals, secrets, ledger, operations, orders: reads });
  const operators = wireOperators({ ...common, ...core, secrets, keeper: keys, hasSandbox: sandbox !== undefined });
  const proofs = createKeptProofs(pool);
  const reconciliation = wireReconciliation({
    ...common,
    ledger,
    credentials,
    adoptPayout: payments.adoptPayout,
    isSimulated: sandbox !== undefined,
  });
  return {
    ledger,
    ...(await composeDocuments({ config, pool, clock: core.clock, orders, origin: operators.origin })),
    operators,
    alerts: wireAlerts({
      ...common,
      clock: core.clock,
      deadlineClock: core.deadlineClock,
      treasuryBalances: ledger.treasuryBalances,
      proofs: proofs.summary,
    }),
    walletKeys: wireWalletKeys({ ...common, ring: keys, notifier: core.notifier }),
    reconciliation,
    approvals,
    corrections: wireCorrections({ ...common, credentials, ledger, orders, reconciliation }),
    orders,
    payments,
    credentials,
    surfaceB,
    webhooksOut: wireWebhooksOut({
      ...common,
      connection: options.connection,
      keeper: keys,
      notifier: core.notifier,
      hasSandbox: sandbox !== undefined,
      clock: core.clock,
      watch: metrics.deliveries,
    }),
    audit: createAuditReads(core.heavyReads.pool),
    archives: createArchiveVerifier(archiveFolder(config)),
    prove: createProver(core.heavyReads.pool),
    proofs,
  };
};

/** Before anything is sealed. A server that lacks the key that seals does not start, and leaves nothing open. */
const startWalletKeys = async ({ core, keys }: Parts, { walletKeys }: Modules): Promise<void> => {
  try {
    await walletKeys.start();
  } catch (error) {
    await core.close();
    await keys.close();
    throw error;
  }
};

export const composeServer = async (options: Options): Promise<Server> => {
  const { config, connection, log, sandbox } = options;
  const onTrouble = (message: string, error: unknown) => log.warn({ err: error }, message);
  const walletKeys = await openKeyRing(options.keySource ?? settingsSource(options.secrets.walletKeks));
  const deadlineClock = sandbox ? () => sandbox.now() * 1_000 : null;
  const core = await openCore({ ...options, metrics: createMetrics(), clock: systemClock, deadlineClock, onTrouble });
  options.providers.watchCalls(core.metrics.providers.requested);
  const modules = await composeModules(options, { core, keys: walletKeys });
  await startWalletKeys({ core, keys: walletKeys }, modules);
  const jobs = composeJobs(options, { core, modules });
  const { retentionMs: keepFinishedMs } = config.jobs;
  const scheduler = createScheduler({ connection, jobs, keepFinishedMs, onError: onTrouble });
  const { app, limiter } = await composeApp(options, { core, modules, scheduler });
  const { stream, committer, keys, clock } = core;
  const { ledger, orders, payments } = modules;
  // Streams end after the load balancer was notified, so that it can send their clients elsewhere, and before the server stops
  // listening, because open streams would delay that.
  app.addHook('preClose', () => stream.close());
  // Before anything can be paid.
  if (options.restored) await ledger.holdRestored(options.restored.takenAt);
  const { reason: heldFor } = await ledger.holds.summary();
  if (heldFor !== null) log.warn(`payments are on hold; see \`holdfast payments status\`: ${heldFor}`);
  await scheduler.start();
  ledger.start();
  orders.start();
  modules.approvals.start();
  modules.webhooksOut.start();

  return {
    async listen() {
      const address = await app.listen({ host: config.http.host, port: config.http.port, backlog: BACKLOG });
      const webhooks = `${address}${API_PREFIX}/webhooks`;
      sandbox?.setWebhooks({ payment: `${webhooks}/payment-provider`, escrow: `${webhooks}/escrow-provider` });
      payments.start(address);
      modules.operators.start(address);
      return address;
    },
    developmentKeys: createDevelopmentKeys({
      submit: committer.submit,
      findKey: keys.find,
      listActive: keys.listActiveDevelopment,
      clock,
    }),
    firstAdminUrl: modules.operators.firstAdminUrl,
    async close() {
      // The HTTP server first, so that no new request arrives while the other parts stop.
      await app.close();
      await stream.close();
      await scheduler.stop();
      await modules.webhooksOut.close();
      await modules.approvals.close();
      await orders.close();
      await payments.close();
      await ledger.close();
      await limiter.close?.();
      await modules.walletKeys.close();
      await core.close();
      await walletKeys.close();
    },
  };
};
