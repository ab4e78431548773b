// Puts the modules that pay money in and out together: the float, top-ups, withdrawals and the provider's webhook. Like
// compose.ts it decides nothing.

import type pg from 'pg';
import { settingAmount } from './books/money.ts';
import type { Context, Submit } from './commit/command.ts';
import type { ReactionHandlers } from './commit/reactions.ts';
import type { Config } from './config/config.ts';
import type { FindOutcome } from './http/approval-terms.ts';
import { rateLimited } from './http/hooks/admit.ts';
import { openLimiter } from './http/rate-limit.ts';
import type { Route } from './http/route.ts';
import type { Job } from './jobs/scheduler.ts';
import type { LedgerModule } from './ledger/wire.ts';
import { createFloatBalance } from './modules/float/float-balance.ts';
import { createFloats, createPaymentFloat } from './modules/float/open-float.ts';
import { createOwnMoney, type OwnMoney } from './modules/float/own-money.ts';
import { createFloatPreviews, type FloatPreviews } from './modules/float/preview-float.ts';
import { createFloatReads, type FloatReads } from './modules/float/queries.ts';
import { createFloatTransfers, type FloatTransfers, resumeFloatTransfers } from './modules/float/transfers.ts';
import type { ProviderCredentialsModule } from './modules/provider-credentials/wire.ts';
import { wireTopUps } from './modules/topups/wire.ts';
import type { WebhookCounter } from './modules/webhooks/routes.ts';
import { wirePaymentWebhooks } from './modules/webhooks/wire.ts';
import { wireWithdrawals } from './modules/withdrawals/wire.ts';
import type { Log } from './observability/logs.ts';
import type { Providers } from './providers/providers.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly providers: Providers;
  readonly ledger: LedgerModule;
  readonly credentials: ProviderCredentialsModule;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
  /** The payment provider is the sandbox, so every marketplace gets play money there. */
  readonly isSandbox: boolean;
  /** Secret of the sandbox; used where no secret of a real provider is set. */
  readonly sandboxSecret?: string;
  /** Receives the outcome of each webhook. */
  readonly counter?: WebhookCounter;
};

type Payments = {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly float: FloatReads & FloatTransfers & OwnMoney & Pick<FloatPreviews, 'transfersIn'>;
  readonly adoptPayout: ReturnType<typeof wireWithdrawals>['adoptPayout'];
  /** What became of a withdrawal that an approved request has committed. */
  readonly outcomeOf: FindOutcome;
  readonly untilHandedOver: ReturnType<typeof wireWithdrawals>['untilHandedOver'];
  /** Resumes open payments. Payers return to `ownUrl` while PUBLIC_URL is not set. */
  start(ownUrl: string): void;
  close(): Promise<void>;
};

const MINUTE_MS = 60_000;

type CheckRate = (context: Context, userId: string) => Promise<void>;

/** Limits how many payments of a kind a user may request per minute. */
const openPaymentLimits = async ({ config, onTrouble }: Options) => {
  const limiter = await openLimiter({ windowMs: MINUTE_MS, redisUrl: config.rateLimit.redisUrl, warn: onTrouble });
  /** `take` counts the request, `peek` only checks it, for a preview. */
  const check =
    (by: 'take' | 'peek', { kind, ratePerMinute }: { kind: string; ratePerMinute: number }): CheckRate =>
    async ({ marketplaceId }, userId) => {
      if (ratePerMinute === 0) return;
      const taken = await limiter[by](`${kind}:${marketplaceId}:${userId}`, ratePerMinute);
      if (!taken.allowed) throw rateLimited(taken, { windowMs: MINUTE_MS, nowMs: Date.now() });
    };
  return {
    of: (kind: string, ratePerMinute: number) => ({
      count: check('take', { kind, ratePerMinute }),
      checkCount: check('peek', { kind, ratePerMinute }),
    }),
    close: async () => limiter.close?.(),
  };
};

export const composePayments = async (options: Options): Promise<Payments> => {
  const { config, pool, submit, providers, onTrouble } = options;
  const { payment } = providers;
  const { topupRatePerMinute, withdrawalRatePerMinute } = config.payments;
  const limits = await openPaymentLimits(options);
  const reads = createFloatReads(pool);
  const { accounts } = options.credentials;
  const openShared = payment ? createPaymentFloat({ submit, payment, reads, onTrouble }) : async () => true;
  const openFloat = createFloats({ submit, reads, shared: openShared, accounts, onTrouble });
  const play = options.isSandbox ? settingAmount(config.payments.sandboxFloat) : null;
  const transfers = createFloatTransfers({ submit, openFloat: openShared, reads, play, onTrouble });
  const previews = createFloatPreviews({ reads, play });
  const compare = createFloatBalance({
    payment,
    reads,
    isForBooking: true,
    onNotCompared: (reason) =>
      options.log.warn({ reason }, 'the payment balance was not compared, so nothing was booked'),
  });
  const ownMoney = createOwnMoney({ submit, openFloat: openShared, reads, compare });
  const hasProvider = payment !== null || config.adapters.paymentUrlPerMarketplace;
  const common = {
    ...options,
    accounts,
    hasProvider,
    openFloat,
    prepareFloat: transfers.prepare,
    previewFloat: previews.prepare,
  };
  const topUps = wireTopUps({ ...common, ...limits.of('topup', topupRatePerMinute) });
  const withdrawals = wireWithdrawals({ ...common, ...limits.of('withdrawal', withdrawalRatePerMinute) });
  const handlers = { payin: topUps.payinEvents, payout: withdrawals.payoutEvents };
  return {
    routes: [
      ...topUps.routes,
      ...withdrawals.routes,
      ...options.credentials.routes,
      ...wirePaymentWebhooks({
        ...options,
        handlers,
        findPlaces: { payin: topUps.findPayinPlace, payout: withdrawals.findPayoutPlace },
        own: { secretsOf: accounts.webhookSecrets, secretsOfPayment: accounts.webhookSecretsOfPayment },
      }),
    ],
    jobs: [...topUps.jobs, ...withdrawals.jobs, resumeFloatTransfers(transfers)],
    float: { ...reads, ...transfers, ...ownMoney, transfersIn: previews.transfersIn },
    adoptPayout: withdrawals.adoptPayout,
    outcomeOf: withdrawals.outcomeOf,
    untilHandedOver: withdrawals.untilHandedOver,
    start(ownUrl) {
      topUps.start(ownUrl);
      withdrawals.start();
    },
    async close() {
      await topUps.close();
      await withdrawals.close();
      await limits.close();
    },
  };
};
