// Puts the escrow provider's webhook and the job that polls open escrows together. Like compose.ts it decides nothing.

import type pg from 'pg';
import { systemClock } from '../../base/instant.ts';
import type { Submit } from '../../commit/command.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { createLedgerTransactionReads } from '../../ledger/transactions/queries.ts';
import type { Log } from '../../observability/logs.ts';
import type { Providers } from '../../providers/providers.ts';
import { isGenuineEscrowWebhook } from '../../providers/webhook-signatures.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { createEscrowEvents } from './escrow-events.ts';
import type { EvidenceParts } from './escrow-evidence.ts';
import { escrowWebhookRoutes, type WebhookWatch } from './escrow-routes.ts';
import { createEscrowPoll, pollEscrows } from './poll-escrows.ts';
import { createEscrowReads } from './queries.ts';

type Options = {
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly providers: Pick<Providers, 'escrow' | 'asset'>;
  readonly network: EvidenceParts['network'];
  readonly findOrder: FindOrder;
  /** The secret that the provider signs with; null: no signature is accepted. */
  readonly secret: string | null;
  readonly log: Log;
  readonly watch?: WebhookWatch;
  onTrouble(message: string, error: unknown): void;
};

export const wireEscrowWebhooks = (options: Options): { routes: readonly Route[]; jobs: readonly Job[] } => {
  const { pool, submit, providers, network, findOrder, secret, log, watch, onTrouble } = options;
  const reads = createEscrowReads(pool);
  const escrowEvents = createEscrowEvents({
    submit,
    reads,
    escrow: providers.escrow,
    network,
    usdc: providers.asset,
    findOrder,
    findTransaction: createLedgerTransactionReads(pool).find,
  });
  const poll = createEscrowPoll({ submit, escrow: providers.escrow, clock: systemClock, onTrouble });
  return {
    routes: escrowWebhookRoutes({
      escrowEvents,
      log,
      ...(watch ? { watch } : {}),
      verify: (delivery) => secret !== null && isGenuineEscrowWebhook({ ...delivery, secret }),
    }),
    jobs: providers.escrow ? [pollEscrows({ listOpen: reads.listOpen, poll })] : [],
  };
};
