// Puts the modules of an order together: orders, escrows, disputes, operations, timelines and the escrow provider's webhook. Like
// compose.ts it decides nothing.

import type pg from 'pg';
import type { Clock } from './base/instant.ts';
import type { Submit } from './commit/command.ts';
import type { Previews } from './commit/preview/preview.ts';
import type { ReactionHandlers } from './commit/reactions.ts';
import { actorNamesFrom } from './compose-names.ts';
import type { Config } from './config/config.ts';
import type { FindOutcome } from './http/approval-terms.ts';
import type { Route } from './http/route.ts';
import type { Job } from './jobs/scheduler.ts';
import type { LedgerModule } from './ledger/wire.ts';
import { archiveFolder } from './modules/archives/manifest.ts';
import { createDeadlineTimer } from './modules/deadlines/deadline-timer.ts';
import { createOutlook } from './modules/deadlines/outlook.ts';
import { createDeadlineReads } from './modules/deadlines/queries.ts';
import { deadlineRoutes } from './modules/deadlines/routes.ts';
import { createDisputeReads } from './modules/disputes/queries.ts';
import { resolutionHandler } from './modules/disputes/resolve-dispute.ts';
import { disputeRoutes } from './modules/disputes/routes.ts';
import { createFindCallRows } from './modules/escrows/call-rows.ts';
import { createEscrowCalls } from './modules/escrows/operations/escrow-calls.ts';
import {
  createEscrowOperations,
  createParties,
  type EscrowOperations,
} from './modules/escrows/operations/escrow-operations.ts';
import { createForgottenEscrows } from './modules/escrows/operations/forgotten-escrow.ts';
import { type EscrowParts, escrowHandlers } from './modules/escrows/operations/handlers.ts';
import { createEscrowPreviews } from './modules/escrows/operations/preview-escrow.ts';
import { createOperations, type Operations, resumeOperations } from './modules/operations/operations.ts';
import { createOperationReads, type OperationReads } from './modules/operations/queries.ts';
import { operationRoutes } from './modules/operations/routes.ts';
import { createOrderReads, type OrderReads } from './modules/orders/queries.ts';
import { orderRoutes, withIdempotency, withoutKeys } from './modules/orders/routes.ts';
import { createPolicyReads } from './modules/policies/queries.ts';
import { createTimelineReads, type TimelineReads } from './modules/timelines/queries.ts';
import { timelineRoutes } from './modules/timelines/routes.ts';
import type { WebhookCounter } from './modules/webhooks/routes.ts';
import { wireEscrowWebhooks } from './modules/webhooks/wire.ts';
import type { PassedDeadline } from './observability/deadline-metrics.ts';
import type { Log } from './observability/logs.ts';
import type { Providers } from './providers/providers.ts';
import { ORDER_TABLES } from './registry.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly providers: Providers;
  readonly ledger: LedgerModule;
  readonly previews: Previews;
  readonly log: Log;
  readonly counter?: WebhookCounter;
  /** Secret of the sandbox; used where no secret of a real provider is set. */
  readonly sandboxSecret?: string;
  /** The clock that deadlines follow. */
  readonly deadlineClock: Clock;
  /** Counts the deadlines that this process carries out. */
  readonly onPassed?: (passed: PassedDeadline) => void;
  onTrouble(message: string, error: unknown): void;
};

const ACTIVATION_WAIT_MS = 10_000;

type Orders = {
  readonly operations: EscrowOperations;
  readonly reads: OrderReads;
  readonly findHistory: TimelineReads['find'];
  /** What became of an operation that an approved request has begun. */
  readonly outcomeOf: FindOutcome;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** Resumes the operations that the last run left open. */
  start(): void;
  close(): Promise<void>;
};

type Reads = { readonly orders: OrderReads; readonly rows: OperationReads };

const composeOperations = (options: Options, { orders: reads, rows }: Reads): Operations => {
  const { config, pool, submit, providers, ledger, onTrouble } = options;
  const parts: EscrowParts = {
    submit,
    calls: createEscrowCalls({
      sender: ledger.sender,
      escrow: providers.escrow,
      signer: ledger.signer,
      memory: ledger.memory,
      findCallRows: createFindCallRows(pool),
      checkContract: ledger.checkContract,
      feeBids: ledger.feeBids,
    }),
    fundWallet: ledger.fundWallet,
    escrow: providers.escrow,
    usdc: providers.asset,
    findWallet: ledger.wallets.find,
    findOrder: reads.find,
  };
  return createOperations({
    submit,
    handlers: { ...escrowHandlers(parts), 'resolve-dispute': resolutionHandler(parts) },
    findOrder: reads.find,
    findOperation: rows.find,
    listDue: rows.listDue,
    listRunning: rows.listRunning,
    waitMs: config.orders.operationWaitMs,
    onTrouble,
  });
};

const composeEscrowOperations = (
  { config, ledger }: Options,
  { operations, reads }: { operations: Operations; reads: OrderReads },
): EscrowOperations => {
  const { operationWaitMs, requirePaymentAccount } = config.orders;
  const parties = createParties({
    findOrder: reads.find,
    custodialOf: ledger.wallets.custodialOf,
    platformWallets: ledger.platformWallets,
    activation: ledger.activation,
    // The waits for the wallets and for the operation together stay below the timeout of a client.
    waitMs: Math.min(operationWaitMs, ACTIVATION_WAIT_MS),
  });
  return createEscrowOperations({ operations, parties, requirePaymentAccount });
};

export const composeOrders = (options: Options): Orders => {
  const { config, pool, submit, providers, ledger, log, counter, onTrouble } = options;
  const reads = createOrderReads(pool, ORDER_TABLES);
  const rows = createOperationReads(pool);
  const operations = composeOperations(options, { orders: reads, rows });
  const escrowOperations = composeEscrowOperations(options, { operations, reads });
  const { custodialOf, ofPlatform } = ledger.wallets;
  ledger.beginEscrowsWith(createForgottenEscrows({ submit, findOrder: reads.find, custodialOf, ofPlatform }));
  options.reactions.on('escrow-call-settled', ({ operationId }, { marketplaceId }) =>
    operations.retryNow({ marketplaceId, operationId }),
  );
  options.reactions.on('operation-begun', ({ operationId }, { marketplaceId }) =>
    operations.runBegun({ marketplaceId, operationId }),
  );
  const deadlines = createDeadlineTimer({
    submit,
    reads: createDeadlineReads(pool),
    clock: options.deadlineClock,
    ...(options.onPassed ? { onPassed: options.onPassed } : {}),
    onTrouble,
  });
  const webhooks = wireEscrowWebhooks({
    pool,
    submit,
    providers,
    network: ledger.network,
    findOrder: reads.find,
    secret: config.adapters.escrowWebhookSecret ?? options.sandboxSecret ?? null,
    hintsPerMinute: config.adapters.hintsPerMinute,
    check: config.adapters.escrowWebhookCheck,
    log,
    ...(counter ? { counter } : {}),
    onTrouble,
  });
  const timelines = createTimelineReads(pool, { dir: archiveFolder(config) });
  const { requirePaymentAccount } = config.orders;
  const previews = createEscrowPreviews({ custodialOf, ofPlatform, requirePaymentAccount });
  const routes = [
    ...orderRoutes({
      orders: reads,
      policies: createPolicyReads(pool),
      operations: escrowOperations,
      previews,
      config,
    }),
    ...disputeRoutes({ disputes: createDisputeReads(pool), operations }),
  ];
  // Only routes of orders can be served without keys; a decision about a dispute always needs one.
  const isOfOrders = ({ endpoint }: Route): boolean => endpoint.path.startsWith('/orders');
  const asPublished = routes.filter(isOfOrders);
  const ofOrders = config.orders.idempotency === 'honour' ? withIdempotency(asPublished) : asPublished;
  return {
    operations: escrowOperations,
    reads,
    findHistory: timelines.find,
    outcomeOf: operations.outcomeOf,
    routes: [
      ...(config.orders.needKey ? ofOrders : withoutKeys(ofOrders, reads.marketplaceOf)),
      ...routes.filter((route) => !isOfOrders(route)),
      ...deadlineRoutes(createOutlook(options.previews)),
      ...operationRoutes({ operations: rows }),
      ...timelineRoutes({
        timelines,
        actorNames: actorNamesFrom(pool),
      }),
      ...webhooks.routes,
    ],
    jobs: [resumeOperations(operations), ...webhooks.jobs],
    start(): void {
      operations.resumeAll().catch((error) => onTrouble('operations could not be resumed yet', error));
      deadlines.start();
    },
    async close(): Promise<void> {
      await deadlines.close();
      await operations.close();
    },
  };
};
