// Puts the HTTP side of the server together: the routes of all modules, the health checks and the application. Like compose.ts it
// decides nothing.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { formatInstant } from './base/instant.ts';
import { parseAmount, ZERO } from './books/money.ts';
import { createRequireMarketplace } from './commit/require-marketplace.ts';
import { createFindAnswer } from './commit/stored-answers.ts';
import type { Modules, Options } from './compose.ts';
import type { Core } from './compose-core.ts';
import { actorNamesFrom } from './compose-names.ts';
import { requirePreviews } from './http/answer-preview.ts';
import { buildApp } from './http/app.ts';
import { requireApprovals } from './http/approval-gate.ts';
import { CONSOLE_FOLDER } from './http/console/build.ts';
import { openConsoleSite } from './http/console/site.ts';
import { heavyRoutes } from './http/heavy-routes.ts';
import { mountMetrics } from './http/metrics-page.ts';
import { openLimiter } from './http/rate-limit.ts';
import type { Route } from './http/route.ts';
import type { Scheduler } from './jobs/scheduler.ts';
import { keyRoutes } from './modules/api-keys/routes.ts';
import { createArchivedPostings } from './modules/archives/account-postings.ts';
import { archiveFolder } from './modules/archives/manifest.ts';
import { auditRoutes } from './modules/audit/routes.ts';
import { wireBalances } from './modules/balances/routes.ts';
import { createClosingReads } from './modules/closings/queries.ts';
import { createClosings } from './modules/closings/report.ts';
import { closingRoutes } from './modules/closings/routes.ts';
import { createDeadlineReads } from './modules/deadlines/queries.ts';
import { createDisputeMessageReads } from './modules/dispute-messages/queries.ts';
import { disputeMessageRoutes } from './modules/dispute-messages/routes.ts';
import { eventRoutes } from './modules/events/routes.ts';
import { createEvidenceReads } from './modules/evidence/queries.ts';
import { evidenceRoutes } from './modules/evidence/routes.ts';
import { createJournal } from './modules/exports/journal.ts';
import { exportRoutes } from './modules/exports/routes.ts';
import { createJobRunReads } from './modules/jobs/queries.ts';
import { jobRoutes } from './modules/jobs/routes.ts';
import { createLimitReads } from './modules/limits/queries.ts';
import { limitRoutes } from './modules/limits/routes.ts';
import { createShownLimits } from './modules/limits/shown-limits.ts';
import { createMarketplaceReads } from './modules/marketplaces/queries.ts';
import { marketplaceRoutes } from './modules/marketplaces/routes.ts';
import { createNoteReads } from './modules/notes/queries.ts';
import { noteRoutes } from './modules/notes/routes.ts';
import { originOf } from './modules/operator-sessions/wire.ts';
import { paymentHoldRoutes } from './modules/payment-holds/routes.ts';
import { createPolicyReads } from './modules/policies/queries.ts';
import { policyRoutes } from './modules/policies/routes.ts';
import { createStatementFileReads } from './modules/provider-statements/queries.ts';
import { createRecordReads } from './modules/provider-statements/records.ts';
import { createReports } from './modules/provider-statements/report.ts';
import {
  providerStatementRoutes,
  statementFileRoutes,
  statementReportRoutes,
} from './modules/provider-statements/routes.ts';
import { wireFinanceReports } from './modules/reports/finance-routes.ts';
import { wireReports } from './modules/reports/routes.ts';
import { createSandboxControl } from './modules/sandbox/control.ts';
import { createSandboxOwners } from './modules/sandbox/queries.ts';
import { sandboxRoutes } from './modules/sandbox/routes.ts';
import { serviceRoutes } from './modules/service/routes.ts';
import { createStatementReads } from './modules/statements/queries.ts';
import { statementRoutes } from './modules/statements/routes.ts';
import { creditByHand } from './modules/topups/credit-by-hand.ts';
import { createAccountCheck } from './modules/users/payment-account.ts';
import { createUserReads } from './modules/users/queries.ts';
import { userRoutes } from './modules/users/routes.ts';
import { wireWallets } from './modules/wallets/routes.ts';
import { depositsProbe } from './observability/deposit-lag.ts';
import { createHealth, type Health } from './observability/health.ts';
import {
  breaksProbe,
  escrowEventsProbe,
  feeProbe,
  holdProbe,
  paymentAlertsProbe,
  treasuryProbe,
} from './observability/outside-probes.ts';
import {
  committerProbe,
  databaseProbe,
  jobsProbe,
  ledgerProbe,
  proofProbe,
  providerProbe,
  streamProbe,
} from './observability/probes.ts';
import { isAway } from './postgres/database-errors.ts';
import { VERSION } from './version.ts';

type Parts = { readonly core: Core; readonly modules: Modules; readonly scheduler: Scheduler };

const HOUR_MS = 3_600_000;

const amountOf = (text: string) => parseAmount(text) ?? ZERO;

const composeHealth = ({ config, providers }: Options, parts: Parts): (() => Promise<Health>) => {
  const { pool, committer, stream, metrics, deadlineClock } = parts.core;
  const deadlines = createDeadlineReads(pool);
  const { alerts, ledger, reconciliation, payments, proofs, webhooksOut } = parts.modules;
  const { lowUsdc, lowXlm } = config.treasury;
  const treasury = {
    lowUsdc: amountOf(lowUsdc),
    lowXlm: amountOf(lowXlm),
    balances: ledger.treasuryBalances,
  };
  metrics.watchOutside({
    breaks: reconciliation.summary,
    treasury,
    credit: payments.float.credit,
    walletsWaiting: ledger.walletsWaiting,
    fees: { state: ledger.feeState, paid: ledger.networkFeesPaid },
    holds: ledger.holds.summary,
    lag: ledger.depositLag,
    alerts: alerts.countOpen,
    webhooksOut: webhooksOut.figures,
    deadlines: () => deadlines.overdue(deadlineClock()),
    approvals: parts.modules.approvals.figures,
  });
  return createHealth([
    databaseProbe(pool),
    committerProbe(committer, config.committer.queueMax),
    streamProbe(stream),
    jobsProbe(parts.scheduler),
    proofProbe(proofs.summary),
    breaksProbe(reconciliation.summary),
    escrowEventsProbe(reconciliation.summary),
    paymentAlertsProbe(reconciliation.summary),
    treasuryProbe(treasury),
    feeProbe(ledger.feeState),
    holdProbe(ledger.holds.summary),
    depositsProbe({ lag: ledger.depositLag, hasLedger: ledger.hasLedger, pollMs: config.deposits.pollMs }),
    providerProbe('escrow-provider', providers.urls.escrow),
    providerProbe('payment-provider', providers.urls.payment),
    ledgerProbe(providers.network?.withPriority('background') ?? null),
  ]);
};

const composeHeavyRoutes = ({ config }: Options, { core, modules }: Parts): Route[] => {
  const { clock, heavyReads } = core;
  const { audit, archives, prove } = modules;
  const { baseCurrency } = config.money;
  const { pool, run } = heavyReads;
  const archived = createArchivedPostings({ pool, dir: archiveFolder(config) });
  const dir = archiveFolder(config);
  // A closing has its place among the heavy reads already.
  const inPlace = createJournal({ pool, dir, inTurn: (_, read) => read() });
  const closingReads = createClosingReads(pool);
  const closings = createClosings({ reads: closingReads, journal: inPlace });
  const reports = createReports({ files: createStatementFileReads(pool), records: createRecordReads(pool) });
  const routes = [
    ...statementReportRoutes({ reports, now: clock }),
    ...closingRoutes({ closings, now: clock }),
    ...wireReports(pool, baseCurrency),
    ...wireFinanceReports({ pool, closings: closingReads, journal: inPlace, now: clock }),
    ...auditRoutes({ audit, archives, prove, pool, actorNames: actorNamesFrom(pool) }),
  ];
  const inTurn = <Data>(key: string, read: () => Promise<Data>): Promise<Data> => run({ key }, read);
  const journal = createJournal({ pool, dir, inTurn });
  // Exports and documents take a place among the heavy reads for each read, because their client may be slow.
  return [
    ...heavyRoutes(routes, run),
    ...exportRoutes({ journal, now: clock }),
    ...statementFileRoutes({ reports, inTurn: run }),
    ...statementRoutes({
      statements: createStatementReads(pool, archived),
      baseCurrency,
      documents: modules.documents,
      inTurn: run,
      now: clock,
    }),
  ];
};

const composeRoutes = (options: Options, parts: Parts): Route[] => {
  const { config, sandbox } = options;
  const { pool, committer, keys, uses, tokens, stream, clock } = parts.core;
  const { alerts, ledger, operators, walletKeys, reconciliation, orders, payments, credentials, webhooksOut } =
    parts.modules;
  const { baseCurrency } = config.money;
  const { rotationOverlapMs, writeIncludes } = config.keys;
  const health = composeHealth(options, parts);
  const evidence = createEvidenceReads(pool);
  const limits = createShownLimits({ limits: createLimitReads(pool), clock });
  return [
    ...serviceRoutes({ config, version: VERSION, hasSandbox: sandbox !== undefined, health }),
    ...keyRoutes({ keys, tokens, rotationOverlapMs, writeIncludes, clock, lastUse: uses.lastUse }),
    ...operators.routes,
    ...userRoutes({
      users: createUserReads(pool, baseCurrency),
      baseCurrency,
      prepareWallet: ledger.prepareWallet,
      checkAccount: createAccountCheck(credentials.accounts),
      changeWaitMs: config.payments.payeeChangeWaitMs,
    }),
    ...wireBalances({ pool, baseCurrency, onLedger: reconciliation.onLedger, creditByHand }),
    ...composeHeavyRoutes(options, parts),
    ...walletKeys.routes,
    ...wireWallets({ ledger, config, secrets: options.secrets }),
    ...policyRoutes({ policies: createPolicyReads(pool) }),
    ...noteRoutes({ notes: createNoteReads(pool) }),
    ...evidenceRoutes({ evidence, config }),
    ...providerStatementRoutes({ files: createStatementFileReads(pool), now: clock }),
    ...disputeMessageRoutes({ messages: createDisputeMessageReads(pool), hasDispute: evidence.hasDispute }),
    ...orders.routes,
    ...parts.modules.receipts.routes,
    ...payments.routes,
    ...reconciliation.routes,
    ...eventRoutes({ stream }),
    ...webhooksOut.routes,
    ...alerts.routes,
    ...parts.modules.approvals.routes,
    ...parts.modules.corrections.routes,
    ...marketplaceRoutes({
      submit: committer.submit,
      marketplaces: createMarketplaceReads(pool),
      float: payments.float,
      limits,
      retentionMs: config.idempotency.retentionMs,
    }),
    ...limitRoutes({
      submit: committer.submit,
      limits,
      requireMarketplace: createRequireMarketplace(pool),
    }),
    ...paymentHoldRoutes({
      submit: committer.submit,
      holds: ledger.holds,
      beginHold: ledger.beginHold,
      adoption: ledger.sender.adoption,
      unexplained: reconciliation.unexplained,
      lostPayouts: reconciliation.lostPayouts,
      hasLedger: ledger.hasLedger,
      compareNow() {
        for (const job of ['adopt-transactions', 'find-lost-payouts']) parts.scheduler.runNow(job);
      },
    }),
    ...jobRoutes({
      submit: committer.submit,
      scheduler: parts.scheduler,
      runs: createJobRunReads(pool),
      startedAt: formatInstant(clock()),
    }),
    ...sandboxRoutes({
      control: sandbox ? createSandboxControl({ url: sandbox.url, timeoutMs: config.adapters.timeoutMs }) : null,
      owners: createSandboxOwners(pool),
      findOrder: orders.reads.find,
      pollDepositsAt: ledger.pollDepositsAt,
      activateAt: ledger.activateAt,
      untilHandedOver: payments.untilHandedOver,
    }),
  ];
};

export const composeApp = async (options: Options, parts: Parts) => {
  const { config, log, tracing } = options;
  const { pool, committer, previews, authenticator, sessionAuthenticator, metrics, onTrouble } = parts.core;
  const { operators, proofs, receipts, surfaceB } = parts.modules;
  const { companion } = surfaceB;
  const limiter = await openLimiter({ ...config.rateLimit, warn: onTrouble });
  const routes = composeRoutes(options, parts);
  const { approvals } = parts.modules;
  approvals.useRoutes(routes);
  requirePreviews(routes);
  requireApprovals(routes);
  const app = await buildApp({
    routes,
    ...(companion ? { companion } : {}),
    consoleSite: options.consoleSite ?? openConsoleSite(CONSOLE_FOLDER),
    submit: committer.submit,
    findAnswer: createFindAnswer(pool),
    previews,
    approvals: approvals.gate,
    authenticate: authenticator.authenticate,
    authenticateSession: sessionAuthenticator.authenticate,
    consoleRoutes: [...operators.consoleRoutes, ...receipts.publicRoutes],
    publicOrigin: originOf(config),
    limiter,
    rateLimit: config.rateLimit,
    logger: log,
    watch: metrics.http,
    tracing,
    bodyLimitBytes: LIMITS.bodyBytes,
    isAway,
    trustProxy: config.http.trustProxy,
    corsOrigins: config.http.corsOrigins,
    writeIncludes: config.keys.writeIncludes,
    idempotencyRetentionHours: config.idempotency.retentionMs / HOUR_MS,
    shutdownGraceMs: config.http.shutdownGraceMs,
    requestsMax: config.http.requestsMax,
    databasePoolMax: config.database.poolMax,
    version: VERSION,
  });
  const { metricsToken } = config.observe;
  mountMetrics(app, { metrics, summary: proofs.summary, host: config.http.host, token: metricsToken });
  return { app, limiter };
};
