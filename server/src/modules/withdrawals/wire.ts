// Wires withdrawals: routes, jobs, operations and the handler of payout events. It decides nothing.

import type pg from 'pg';
import type { Context, Submit } from '../../commit/command.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Config } from '../../config/config.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { createLedgerTransactionReads } from '../../ledger/transactions/queries.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import type { Log } from '../../observability/logs.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import type { OpenFloatOfPayment } from '../float/open-float.ts';
import { createUserReads } from '../users/queries.ts';
import type { EventHandler, FindEventPlace } from '../webhooks/payment-events.ts';
import { createPayoutEvents, payoutFinder } from './apply-payout.ts';
import { createWithdrawalPollTimes, expireWithdrawals, refreshWithdrawals } from './jobs.ts';
import { createLedgerPayout } from './ledger-payout.ts';
import { createWithdrawals } from './operations.ts';
import { createProviderPayout } from './provider-payout.ts';
import { createWithdrawalReads, type WithdrawalReads } from './queries.ts';
import { withdrawalRoutes } from './routes.ts';
import { createDestinations } from './withdrawal-request.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly accounts: PaymentAccounts;
  readonly ledger: LedgerModule;
  readonly openFloat: OpenFloatOfPayment;
  /** Books what the marketplace has at the payment provider. False: it is not known yet. */
  prepareFloat(marketplaceId: string): Promise<boolean>;
  /** Counts the withdrawals of a user, and refuses with RATE_LIMITED when there are too many. */
  count(context: Context, userId: string): Promise<void>;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
};

type WithdrawalsModule = {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly payoutEvents: EventHandler<'payout'>;
  readonly findPayoutPlace: FindEventPlace<'payout'>;
  /** Resumes committed withdrawals. */
  start(): void;
  close(): Promise<void>;
};

const ledgerPayoutOf = ({ submit, ledger, pool }: Options, { find }: WithdrawalReads) =>
  createLedgerPayout({
    submit,
    find,
    findWallet: ledger.wallets.find,
    fundWallet: ledger.fundWallet,
    send: ledger.sender.send,
    resume: ledger.sender.resume,
    activation: ledger.activation,
    consumeSequence: ledger.sender.consumeSequence,
    rejectedOf: createLedgerTransactionReads(pool).rejectedOf,
  });

const destinationsOf = ({ config, pool, accounts, ledger }: Options) => {
  const users = createUserReads(pool, config.money.baseCurrency);
  return createDestinations({
    accounts,
    network: ledger.network,
    usdc: ledger.asset,
    findUser: async (marketplaceId, userId) => (await users.find(marketplaceId, userId))?.user ?? null,
    custodialOf: ledger.wallets.custodialOf,
    findByAddress: ledger.wallets.findByAddress,
  });
};

export const wireWithdrawals = (options: Options): WithdrawalsModule => {
  const { config, pool, submit, accounts, openFloat, prepareFloat, count, log, onTrouble } = options;
  const { actionUrl, withdrawalExpiryMs: expiryMs } = config.payments;
  const reads = createWithdrawalReads(pool);
  const findPayout = payoutFinder(reads);
  const withdrawals = createWithdrawals({
    submit,
    reads,
    pollTimes: createWithdrawalPollTimes(pool),
    throughProvider: createProviderPayout({ submit, accounts, openFloat, actionUrl }),
    overLedger: ledgerPayoutOf(options, reads),
    waitMs: config.orders.operationWaitMs,
    expiryMs,
    onTrouble,
  });
  options.reactions.on('withdrawal-committed', ({ withdrawal }, context) => withdrawals.begin(context, withdrawal));
  const onUnexpected = (message: string, details: Record<string, unknown>): void => log.warn(details, message);
  return {
    routes: withdrawalRoutes({
      reads,
      withdrawals,
      config,
      count,
      destinations: destinationsOf(options),
      prepareFloat,
    }),
    jobs: [refreshWithdrawals(withdrawals), expireWithdrawals(withdrawals)],
    payoutEvents: createPayoutEvents({ submit, reads, actionUrl, onUnexpected }),
    async findPayoutPlace(event) {
      const found = await findPayout(event);
      return found && { marketplaceId: found.marketplaceId, providerAccount: found.withdrawal.providerAccount };
    },
    start() {
      withdrawals.resumeAll().catch((error: unknown) => onTrouble('committed withdrawals could not be resumed', error));
    },
    close: withdrawals.close,
  };
};
