// Puts orders together: what is carried out for them with the outside systems, who tells us about them, and their routes.
// Like compose.ts it decides nothing.

import type pg from 'pg';
import type { Submit } from './commands/command.ts';
import type { composeCustody } from './compose-custody.ts';
import type { Config } from './config.ts';
import type { Route } from './http/door.ts';
import { disputeRoutes } from './http/routes/disputes.ts';
import { withoutKeys } from './http/routes/open-routes.ts';
import { orderRoutes } from './http/routes/orders.ts';
import type { Job } from './jobs/night-shift.ts';
import { resumeOperations } from './jobs/resume-operations.ts';
import { createOperations, type Operations } from './operations/operations.ts';
import { createParties } from './operations/parties.ts';
import type { Neighbours } from './providers/neighbours.ts';
import { createDisputeReads } from './store/reads/disputes.ts';
import { createOperationReads } from './store/reads/operations.ts';
import { createOrderReads } from './store/reads/orders.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly neighbours: Neighbours;
  readonly custody: ReturnType<typeof composeCustody>;
  onTrouble(message: string, error: unknown): void;
};

const ACTIVATION_WAIT_MS = 10_000;

export type Orders = {
  readonly operations: Operations;
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** Takes up what the last run left open. */
  start(): void;
  close(): Promise<void>;
};

export const composeOrders = ({ config, pool, submit, neighbours, custody, onTrouble }: Options): Orders => {
  const orders = createOrderReads(pool);
  const disputes = createDisputeReads(pool);
  const reads = createOperationReads(pool);
  const { operationWaitMs: waitMs, requirePaymentAccount } = config.orders;

  const operations = createOperations({
    submit,
    calls: custody.calls,
    cover: custody.cover,
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
      house: custody.house,
      activation: custody.activation,
      // Both waits together have to stay below a client's patience.
      waitMs: Math.min(waitMs, ACTIVATION_WAIT_MS),
    }),
    requirePaymentAccount,
    waitMs,
    onTrouble,
  });

  const routes = [...orderRoutes({ orders, operations, config }), ...disputeRoutes({ disputes, operations })];
  return {
    operations,
    routes: config.orders.needKey
      ? routes
      : withoutKeys(routes, { marketplaceOfOrder: orders.marketplaceOf, marketplaceOfDispute: disputes.marketplaceOf }),
    jobs: [resumeOperations(operations)],
    start(): void {
      operations.resumeAll().catch((error) => onTrouble('operations could not be resumed yet', error));
    },
    close: operations.close,
  };
};
