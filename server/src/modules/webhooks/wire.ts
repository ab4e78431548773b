// Wires the webhooks of both providers and the job that polls open escrows. It decides nothing.

import type pg from 'pg';
import { systemClock } from '../../base/instant.ts';
import type { Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import { isReachable } from '../../config/reach.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { createLedgerTransactionReads } from '../../ledger/transactions/queries.ts';
import type { Log } from '../../observability/logs.ts';
import { readEvent } from '../../providers/payment/read-payment.ts';
import type { LedgerNetwork, Priority } from '../../providers/ports.ts';
import type { Providers } from '../../providers/providers.ts';
import { isGenuineEscrowWebhook } from '../../providers/webhook-signatures.ts';
import type { FindOrder } from '../operations/operation-context.ts';
import { createBreaks } from '../reconciliation/breaks.ts';
import { createEscrowEvents } from './escrow-events.ts';
import { createEventAlerts } from './event-alerts.ts';
import { createHintBudget, shareHintBudget } from './hint-budget.ts';
import { createLedgerCheck } from './judge-escrow-event.ts';
import { createPaymentEvents, type EventHandlers, type FindEventPlaces } from './payment-events.ts';
import { type PaymentSecrets, paymentVerifier } from './payment-signatures.ts';
import { createEscrowPoll, pollEscrows } from './poll-escrows.ts';
import { createEscrowReads } from './queries.ts';
import { retryEscrowEvents } from './retry-events.ts';
import { escrowWebhookRoutes, paymentWebhookRoutes, type WebhookCounter } from './routes.ts';

type PaymentOptions = {
  readonly config: Config;
  readonly submit: Submit;
  readonly handlers: EventHandlers;
  readonly findPlaces: FindEventPlaces;
  readonly own: Pick<PaymentSecrets, 'secretsOf' | 'secretsOfPayment'>;
  /** Secret of the sandbox; used where no secret of a real provider is set. */
  readonly sandboxSecret?: string;
  readonly log: Log;
  readonly counter?: WebhookCounter;
};

export const wirePaymentWebhooks = ({ config, submit, handlers, log, ...options }: PaymentOptions): Route[] => {
  const { paymentWebhookSecret } = config.adapters;
  const secret = paymentWebhookSecret ?? options.sandboxSecret ?? null;
  // As the spec says: without a secret the check is skipped, in local development only. A signature that can be checked still is.
  const takesUnsigned = paymentWebhookSecret === null && !isReachable(config);
  const onUnexpected = (message: string, details: Record<string, unknown>): void => log.warn(details, message);
  return paymentWebhookRoutes({
    events: createPaymentEvents({ submit, handlers, onUnexpected }),
    read: readEvent,
    log,
    verify: paymentVerifier({ secret, takesUnsigned, findPlaces: options.findPlaces, ...options.own }),
    ...(options.counter ? { counter: options.counter } : {}),
  });
};

type EscrowOptions = {
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly providers: Pick<Providers, 'escrow' | 'asset'>;
  readonly network: LedgerNetwork;
  readonly findOrder: FindOrder;
  /** The secret that the provider signs with; null: no signature is accepted. */
  readonly secret: string | null;
  readonly hintsPerMinute: number;
  readonly check: 'signature' | 'verify';
  readonly log: Log;
  readonly counter?: WebhookCounter;
  onTrouble(message: string, error: unknown): void;
};

export const wireEscrowWebhooks = (options: EscrowOptions): { routes: readonly Route[]; jobs: readonly Job[] } => {
  const { pool, submit, providers, network, findOrder, secret, log, counter, onTrouble } = options;
  const { hintsPerMinute: perMinute } = options;
  const reads = createEscrowReads(pool);
  const findTransaction = createLedgerTransactionReads(pool).find;
  const outside = (priority: Priority) => ({
    escrow: providers.escrow?.withPriority(priority) ?? null,
    network: network.withPriority(priority),
  });
  const alerts = createEventAlerts({ breaks: createBreaks(pool), log });
  const escrowEvents = createEscrowEvents({
    submit,
    reads,
    ofChecks: outside('check'),
    ofHints: outside('background'),
    usdc: providers.asset,
    findOrder,
    findTransaction,
    mayCheckHint: shareHintBudget(pool, { perMinute, mayAsk: createHintBudget(perMinute), onTrouble }),
    check: options.check,
    alerts,
  });
  const polled = providers.escrow?.withPriority('background') ?? null;
  const isOnLedger = createLedgerCheck({ ...options, outside: outside('background'), findTransaction });
  const { isHalfDone } = reads;
  const poll = createEscrowPoll({
    submit,
    escrow: polled,
    clock: systemClock,
    isOnLedger,
    findOrder,
    isHalfDone,
    onTrouble,
  });
  return {
    routes: escrowWebhookRoutes({
      escrowEvents,
      log,
      ...(counter ? { counter } : {}),
      verify: (delivery) => secret !== null && isGenuineEscrowWebhook({ ...delivery, secret }),
    }),
    jobs: [
      retryEscrowEvents({ reads, events: escrowEvents, alerts, clock: systemClock, onTrouble }),
      ...(providers.escrow ? [pollEscrows({ listOpen: reads.listOpen, poll })] : []),
    ],
  };
};
