// Puts money in and out together: what is asked of the payment provider and of the ledger, who tells us about it, and the
// routes. Like compose.ts it decides nothing.

import type pg from 'pg';
import type { Context, Submit } from './commands/command.ts';
import type { composeCustody } from './compose-custody.ts';
import type { Config } from './config.ts';
import { sumOf } from './domain/amounts.ts';
import { systemClock } from './domain/instant.ts';
import { API_PREFIX } from './http/app.ts';
import type { Delivery, Route } from './http/door.ts';
import { rateLimited } from './http/hooks/admit.ts';
import { openLimiter } from './http/rate-limit/open-limiter.ts';
import { paymentWebhookRoutes } from './http/routes/payment-webhook.ts';
import { reportRoutes } from './http/routes/reports.ts';
import { reservationRoutes } from './http/routes/reservations.ts';
import { statementRoutes } from './http/routes/statements.ts';
import { topUpRoutes } from './http/routes/topups.ts';
import { withdrawalRoutes } from './http/routes/withdrawals.ts';
import { expireWithdrawals } from './jobs/expire-withdrawals.ts';
import type { Job } from './jobs/night-shift.ts';
import { refreshTopUps } from './jobs/refresh-topups.ts';
import { refreshWithdrawals } from './jobs/refresh-withdrawals.ts';
import type { Log } from './observe/logs.ts';
import { createLedgerPayout } from './operations/ledger-payout.ts';
import { tellNewWithdrawals } from './operations/new-withdrawals.ts';
import { createPayinEvents } from './operations/payin-events.ts';
import { createPaymentEvents } from './operations/payment-events.ts';
import { createPaymentFloat } from './operations/payment-float.ts';
import { createPayoutEvents } from './operations/payout-events.ts';
import { createProviderPayout, nobodyPays } from './operations/provider-payout.ts';
import { createTopUps } from './operations/top-ups.ts';
import { createDestinations } from './operations/withdrawal-destination.ts';
import { createWithdrawals } from './operations/withdrawals.ts';
import type { Neighbours } from './providers/neighbours.ts';
import { readEvent, verifyWebhook } from './providers/payment/webhook.ts';
import { createActivityReads } from './store/reads/activity.ts';
import { createBreakReads } from './store/reads/breaks.ts';
import { createLedgerTransactionReads } from './store/reads/ledger-transactions.ts';
import { createMoneyReads } from './store/reads/money-places.ts';
import { createOpenWorkReads } from './store/reads/open-work.ts';
import { createReservationReads } from './store/reads/reservations.ts';
import { createStatementReads } from './store/reads/statements.ts';
import { createTopUpReads } from './store/reads/topups.ts';
import { createUserReads } from './store/reads/users.ts';
import { createWithdrawalReads } from './store/reads/withdrawals.ts';
import { createTopUpLooks } from './store/topup-looks.ts';
import { createWithdrawalLooks } from './store/withdrawal-looks.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly neighbours: Neighbours;
  readonly custody: ReturnType<typeof composeCustody>;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
  /** Of the sandbox's webhooks, where no secret is set for a real provider's. */
  readonly sandboxSecret?: string;
  /** Told what became of each webhook. */
  readonly watch?: Parameters<typeof paymentWebhookRoutes>[0]['watch'];
};

export type Payments = {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  /** Pays withdrawals that were committed when they were created. */
  watch(submit: Submit): Submit;
  /** Where the server listens now: payers come back there while PUBLIC_URL is not set. Takes up what is open. */
  start(ownUrl: string): void;
  close(): Promise<void>;
};

const MINUTE_MS = 60_000;

export const composePayments = (options: Options): Payments => {
  const { config, pool, submit, neighbours, custody, log, onTrouble } = options;
  const onOddity = (message: string, details: Record<string, unknown>): void => log.warn(details, message);
  const { payment } = neighbours;
  let publicUrl = config.payments.publicUrl;
  const reads = createTopUpReads(pool);
  const breaks = createBreakReads(pool);

  const limiter = openLimiter({ windowMs: MINUTE_MS, redisUrl: config.rateLimit.redisUrl, warn: onTrouble });
  const counter =
    (kind: string, ratePerMinute: number) =>
    async ({ marketplaceId }: Context, userId: string): Promise<void> => {
      if (ratePerMinute === 0) return;
      const taken = await limiter.take(`${kind}:${marketplaceId}:${userId}`, ratePerMinute);
      if (!taken.allowed) throw rateLimited(taken, { windowMs: MINUTE_MS, nowMs: Date.now() });
    };

  const openFloat =
    payment === null
      ? async () => {}
      : createPaymentFloat({
          ...{ submit, payment, reads, onTrouble },
          inBooks: async () => sumOf((await breaks.floats()).map(({ amount }) => amount)),
        });

  const topUps = createTopUps({
    submit,
    payment,
    looks: createTopUpLooks(pool),
    openFloat,
    callbackUrl: (topupId) => publicUrl && `${publicUrl}${API_PREFIX}/topups/${topupId}/callback`,
    onTrouble,
  });

  const { actionUrl, withdrawalExpiryMs: expiryMs } = config.payments;
  const withdrawalReads = createWithdrawalReads(pool);
  const users = createUserReads(pool, config.money.baseCurrency);
  const withdrawals = createWithdrawals({
    ...{ submit, reads: withdrawalReads, looks: createWithdrawalLooks(pool), onTrouble },
    throughProvider: payment ? createProviderPayout({ submit, payment, openFloat, actionUrl }) : nobodyPays,
    overLedger: createLedgerPayout({
      ...{ submit, find: withdrawalReads.find, findWallet: custody.wallets.find },
      ...{ cover: custody.cover, send: custody.send, resume: custody.resume, activation: custody.activation },
      ...{ useUp: custody.calls.useUp, rejectedOf: createLedgerTransactionReads(pool).rejectedOf },
    }),
    waitMs: config.orders.operationWaitMs,
    expiryMs,
  });

  const events = createPaymentEvents({
    submit,
    handlers: {
      payin: createPayinEvents({ submit, reads, topUps, onTrouble, onOddity }),
      payout: createPayoutEvents({ submit, reads: withdrawalReads, actionUrl, onOddity }),
    },
    onOddity,
  });

  const secret = config.adapters.paymentWebhookSecret ?? options.sandboxSecret ?? null;
  const verify = ({ headers, rawBody }: Delivery): string | null => {
    const verified = verifyWebhook({ headers, rawBody, secret: secret ?? '', now: Date.now() });
    return verified.genuine ? null : verified.reason;
  };

  return {
    routes: [
      ...topUpRoutes({ reads, topUps, config, count: counter('topup', config.payments.topupRatePerMinute), log }),
      ...withdrawalRoutes({
        ...{ reads: withdrawalReads, withdrawals, config },
        destinations: createDestinations({
          ...{ payment, network: custody.network, usdc: custody.asset },
          findUser: async (marketplaceId, userId) => (await users.find(marketplaceId, userId))?.user ?? null,
          custodialOf: custody.wallets.custodialOf,
          findByAddress: custody.wallets.findByAddress,
        }),
        count: counter('withdrawal', config.payments.withdrawalRatePerMinute),
      }),
      ...statementRoutes({
        ...{ statements: createStatementReads(pool), baseCurrency: config.money.baseCurrency, now: systemClock },
      }),
      ...reservationRoutes({ reservations: createReservationReads(pool) }),
      ...reportRoutes({
        ...{ money: createMoneyReads(pool), activity: createActivityReads(pool), openWork: createOpenWorkReads(pool) },
        baseCurrency: config.money.baseCurrency,
      }),
      ...paymentWebhookRoutes({
        ...{ events, read: readEvent, log },
        verify: secret === null ? null : verify,
        ...(options.watch ? { watch: options.watch } : {}),
      }),
    ],
    jobs: [
      ...(payment === null ? [] : [refreshTopUps(topUps)]),
      refreshWithdrawals(withdrawals),
      expireWithdrawals(withdrawals),
    ],
    watch: (inner) => tellNewWithdrawals(inner, withdrawals.begin),
    start(ownUrl): void {
      publicUrl ??= ownUrl;
      topUps.refreshDue().catch((error: unknown) => onTrouble('top-ups could not be looked at yet', error));
      withdrawals.resumeAll().catch((error: unknown) => onTrouble('withdrawals could not be carried on yet', error));
    },
    async close(): Promise<void> {
      await topUps.close();
      await withdrawals.close();
      await limiter.close?.();
    },
  };
};
