// Wires top-ups: routes, job, operations and the handler of pay-in events. It decides nothing.

import type pg from 'pg';
import type { Context, Submit } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import { API_PREFIX } from '../../http/app.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { Log } from '../../observability/logs.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import type { OpenFloatOfPayment } from '../float/open-float.ts';
import { createPaymentAlerts } from '../reconciliation/payment-alerts.ts';
import type { EventHandler, FindEventPlace } from '../webhooks/payment-events.ts';
import { createPayinEvents, payinFinder } from './apply-payin.ts';
import { createTopUpPollTimes, refreshTopUps } from './jobs.ts';
import { createLateTopUps } from './late-topup.ts';
import { createTopUps } from './operations.ts';
import { createTopUpPreviews } from './preview-topup.ts';
import { createTopUpReads } from './queries.ts';
import { topUpRoutes } from './routes.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly accounts: PaymentAccounts;
  /** False: no provider is set, so nothing can be paid in. */
  readonly hasProvider: boolean;
  readonly openFloat: OpenFloatOfPayment;
  /** Counts the top-ups of a user, and refuses with RATE_LIMITED when there are too many. */
  count(context: Context, userId: string): Promise<void>;
  /** The same without counting, for a preview. */
  checkCount(context: Context, userId: string): Promise<void>;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
};

type TopUpsModule = {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly payinEvents: EventHandler<'payin'>;
  readonly findPayinPlace: FindEventPlace<'payin'>;
  /** Resumes open top-ups. Payers return to `ownUrl` while PUBLIC_URL is not set. */
  start(ownUrl: string): void;
  close(): Promise<void>;
};

export const wireTopUps = (options: Options): TopUpsModule => {
  const { config, pool, submit, accounts, hasProvider, openFloat, count, checkCount, log, onTrouble } = options;
  let publicUrl = config.payments.publicUrl;
  const reads = createTopUpReads(pool);
  const findPayin = payinFinder(reads);
  const pollTimes = createTopUpPollTimes(pool);
  const topUps = createTopUps({
    submit,
    accounts,
    pollTimes,
    openFloat,
    callbackUrl: (topupId) => publicUrl && `${publicUrl}${API_PREFIX}/topups/${topupId}/callback`,
    onTrouble,
  });
  const late = createLateTopUps({
    submit,
    accounts,
    pollTimes,
    reads,
    showAlerts: createPaymentAlerts(pool),
    mode: config.payments.lateTopups,
    watchMs: config.payments.lateTopupWatchMs,
    onTrouble,
  });
  const onUnexpected = (message: string, details: Record<string, unknown>): void => log.warn(details, message);
  return {
    routes: topUpRoutes({ reads, topUps, previews: createTopUpPreviews(accounts), config, count, checkCount, log }),
    jobs: hasProvider ? [refreshTopUps({ refreshDue: topUps.refreshDue, watchDue: late.watchDue })] : [],
    payinEvents: createPayinEvents({ submit, reads, topUps, checkLate: late.check, onTrouble, onUnexpected }),
    async findPayinPlace(event) {
      const found = await findPayin(event);
      return found && { marketplaceId: found.marketplaceId, providerAccount: found.topup.providerAccount };
    },
    start(ownUrl) {
      publicUrl ??= ownUrl;
      if (!hasProvider) return;
      topUps.refreshDue().catch((error: unknown) => onTrouble('open top-ups could not be resumed', error));
    },
    async close() {
      late.close();
      await topUps.close();
    },
  };
};
