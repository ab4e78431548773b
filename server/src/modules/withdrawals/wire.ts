// Puts money in and out together: what is asked of the payment provider and of the ledger, who tells us about it, and the
// routes. Like compose.ts it decides nothing.

import type pg from 'pg';
import { systemClock } from '../../base/instant.ts';
import { sumOf } from '../../books/sums.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Config } from '../../config/config.ts';
import { API_PREFIX } from '../../http/app.ts';
import { rateLimited } from '../../http/hooks/admit.ts';
import { openLimiter } from '../../http/rate-limit/open-limiter.ts';
import type { Delivery, Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { createLedgerTransactionReads } from '../../ledger/transactions/queries.ts';
import type { composeCustody } from '../../ledger/wire.ts';
import type { Log } from '../../observability/logs.ts';
import { readEvent, verifyWebhook } from '../../providers/payment/webhook.ts';
import type { Neighbours } from '../../providers/providers.ts';
import { createReservationReads } from '../balances/reservation-queries.ts';
import { reservationRoutes } from '../balances/reservation-routes.ts';
import { createPaymentFloat } from '../float/payment-float.ts';
import { createBreakReads } from '../reconciliation/queries.ts';
import { createActivityReads } from '../reports/activity.ts';
import { createMoneyReads } from '../reports/money-places.ts';
import { createOpenWorkReads } from '../reports/open-work.ts';
import { reportRoutes } from '../reports/routes.ts';
import { createStatementReads } from '../statements/queries.ts';
import { statementRoutes } from '../statements/routes.ts';
import { refreshTopUps } from '../topups/jobs.ts';
import { createTopUps } from '../topups/operations.ts';
import { createPayinEvents } from '../topups/payin-events.ts';
import { createTopUpLooks } from '../topups/poll-times.ts';
import { createTopUpReads } from '../topups/queries.ts';
import { topUpRoutes } from '../topups/routes.ts';
import { createUserReads } from '../users/queries.ts';
import { createPaymentEvents } from '../webhooks/payment-events.ts';
import { paymentWebhookRoutes } from '../webhooks/payment-routes.ts';
import { createDestinations } from './destination.ts';
import { expireWithdrawals } from './expire-job.ts';
import { refreshWithdrawals } from './jobs.ts';
import { createLedgerPayout } from './ledger-payout.ts';
import { createWithdrawals } from './operations.ts';
import { createPayoutEvents } from './payout-events.ts';
import { createWithdrawalLooks } from './poll-times.ts';
import { createProviderPayout, nobodyPays } from './provider-payout.ts';
import { createWithdrawalReads } from './queries.ts';
import { withdrawalRoutes } from './routes.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
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

  options.reactions.on('withdrawal-committed', ({ withdrawal }, context) => withdrawals.begin(context, withdrawal));

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
