// Puts orders together: what is carried out for them with the outside systems, who tells us about them, and their routes.
// Like compose.ts it decides nothing.

import type pg from 'pg';
import { systemClock } from '../../base/instant.ts';
import type { Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { createLedgerTransactionReads } from '../../ledger/transactions/queries.ts';
import type { composeCustody } from '../../ledger/wire.ts';
import type { Log } from '../../observability/logs.ts';
import { isGenuineEscrowWebhook } from '../../providers/escrow/webhook.ts';
import type { Neighbours } from '../../providers/providers.ts';
import { createDisputeReads } from '../disputes/queries.ts';
import { disputeRoutes } from '../disputes/routes.ts';
import { resumeOperations } from '../operations/jobs.ts';
import { createOperationReads } from '../operations/queries.ts';
import { operationRoutes } from '../operations/routes.ts';
import { createOrderReads, type OrderReads } from '../orders/queries.ts';
import { orderRoutes } from '../orders/routes.ts';
import { withoutKeys } from '../orders/routes-without-keys.ts';
import { createTimelineReads } from '../timelines/queries.ts';
import { timelineRoutes } from '../timelines/routes.ts';
import { pollEscrows } from './jobs.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { createParties } from './operations/parties.ts';
import { createEscrowReads } from './queries.ts';
import { createEscrowEvents } from './webhook/escrow-events.ts';
import { type WebhookWatch, webhookRoutes } from './webhook/routes.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly neighbours: Neighbours;
  readonly custody: ReturnType<typeof composeCustody>;
  readonly log: Log;
  readonly watch?: WebhookWatch;
  /** Of the sandbox's webhooks, where no secret is set for a real provider's. */
  readonly sandboxSecret?: string;
  onTrouble(message: string, error: unknown): void;
};

const ACTIVATION_WAIT_MS = 10_000;

export type Orders = {
  readonly operations: Operations;
  readonly find: OrderReads['find'];
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** Takes up what the last run left open. */
  start(): void;
  close(): Promise<void>;
};

export const composeOrders = (options: Options): Orders => {
  const { config, pool, submit, neighbours, custody, log, onTrouble } = options;
  const orders = createOrderReads(pool);
  const disputes = createDisputeReads(pool);
  const reads = createOperationReads(pool);
  const { operationWaitMs: waitMs, requirePaymentAccount } = config.orders;

  const operations = createOperations({
    submit,
    calls: custody.calls,
    fundWallet: custody.fundWallet,
    escrow: neighbours.escrow,
    usdc: neighbours.asset,
    findWallet: custody.wallets.find,
    findOrder: orders.find,
    findOperation: reads.find,
    listDue: reads.listDue,
    listRunning: reads.listRunning,
    parties: createParties({
      findOrder: orders.find,
      custodialOf: custody.wallets.custodialOf,
      platformWallets: custody.platformWallets,
      activation: custody.activation,
      // Both waits together have to stay below a client's patience.
      waitMs: Math.min(waitMs, ACTIVATION_WAIT_MS),
    }),
    requirePaymentAccount,
    waitMs,
    onTrouble,
  });

  const escrows = createEscrowReads(pool);
  const escrowEvents = createEscrowEvents({
    ...{ submit, reads: escrows, escrow: neighbours.escrow, network: custody.network, usdc: neighbours.asset },
    findOrder: orders.find,
    findTransaction: createLedgerTransactionReads(pool).find,
    clock: systemClock,
    onTrouble,
  });
  const secret = config.adapters.escrowWebhookSecret ?? options.sandboxSecret ?? null;

  // The observed routes without keys are those of orders; whoever judges disputes always needs one.
  const routes = [...orderRoutes({ orders, operations, config }), ...disputeRoutes({ disputes, operations })];
  const [ofOrders, others] = [true, false].map((own) =>
    routes.filter(({ endpoint }) => endpoint.path.startsWith('/orders') === own),
  ) as [Route[], Route[]];
  return {
    operations,
    find: orders.find,
    routes: [
      ...(config.orders.needKey ? ofOrders : withoutKeys(ofOrders, orders.marketplaceOf)),
      ...others,
      ...operationRoutes({ operations: reads }),
      ...timelineRoutes({ timelines: createTimelineReads(pool) }),
      ...webhookRoutes({
        ...{ escrowEvents, log, ...(options.watch ? { watch: options.watch } : {}) },
        verify: (delivery) => secret !== null && isGenuineEscrowWebhook({ ...delivery, secret }),
      }),
    ],
    jobs: [
      resumeOperations(operations),
      ...(neighbours.escrow ? [pollEscrows({ listOpen: escrows.listOpen, look: escrowEvents.look })] : []),
    ],
    start(): void {
      operations.resumeAll().catch((error) => onTrouble('operations could not be resumed yet', error));
    },
    close: operations.close,
  };
};
