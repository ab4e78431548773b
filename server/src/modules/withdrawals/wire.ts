// Wires withdrawals: routes, jobs, operations and the handler of payout events. It decides nothing.

import type pg from 'pg';
import { isDomainError } from '../../base/domain-error.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { Preview } from '../../commit/preview/preview.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Config } from '../../config/config.ts';
import type { FindOutcome } from '../../http/approval-terms.ts';
import type { Route } from '../../http/route.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import type { Log } from '../../observability/logs.ts';
import type { ListedPayout, PaymentAccounts } from '../../providers/ports.ts';
import type { OpenFloatOfPayment } from '../float/open-float.ts';
import type { PayoutInBooks } from '../reconciliation/lost-payouts.ts';
import { createPaymentAlerts, createUnclearPayoutAlert } from '../reconciliation/payment-alerts.ts';
import { createUserReads } from '../users/queries.ts';
import type { EventHandler, FindEventPlace } from '../webhooks/payment-events.ts';
import { createPayoutEvents, payoutFinder } from './apply-payout.ts';
import { type CatchUp, createCatchUp } from './catch-up.ts';
import { createWithdrawalPollTimes, expireWithdrawals, refreshWithdrawals } from './jobs.ts';
import { type CheckReceiver, createReceiverCheck } from './ledger-destination.ts';
import { createLedgerPayout } from './ledger-payout.ts';
import { createWithdrawals } from './operations.ts';
import { assumeDestinations, createWithdrawalPreviews } from './preview-withdrawal.ts';
import { createProviderPayouts, type ProviderPayouts, type WhyHeld } from './provider-payout.ts';
import { createWithdrawalReads, type WithdrawalReads } from './queries.ts';
import { withdrawalRoutes } from './routes.ts';
import { isEnded, isUnderWay } from './withdrawal.ts';
import { createDestinations, type DestinationOptions } from './withdrawal-request.ts';

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
  /** The same on the snapshot of a preview, without the payment provider. */
  previewFloat(preview: Preview, marketplaceId: string): Promise<unknown>;
  /** Counts the withdrawals of a user, and refuses with RATE_LIMITED when there are too many. */
  count(context: Context, userId: string): Promise<void>;
  /** The same without counting, for a preview. */
  checkCount(context: Context, userId: string): Promise<void>;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
};

type WithdrawalsModule = {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly payoutEvents: EventHandler<'payout'>;
  readonly findPayoutPlace: FindEventPlace<'payout'>;
  /** Applies a payout of the provider's list to its withdrawal, where the books do not know that it was made. */
  adoptPayout(payout: ListedPayout & { readonly code: string }): Promise<PayoutInBooks>;
  readonly outcomeOf: FindOutcome;
  /** Waits until the payment provider has the commitment of a committed withdrawal, at most a few seconds. */
  untilHandedOver(context: Context, withdrawalId: string): Promise<void>;
  /** Resumes committed withdrawals. */
  start(): void;
  close(): Promise<void>;
};

type LedgerPayoutParts = {
  readonly reads: WithdrawalReads;
  readonly checkReceiver: CheckReceiver;
  readonly catchUp: CatchUp;
};

const ledgerPayoutOf = ({ submit, ledger }: Options, { reads: { find }, ...checks }: LedgerPayoutParts) =>
  createLedgerPayout({
    ...checks,
    submit,
    find,
    findWallet: ledger.wallets.find,
    fundWallet: ledger.fundWallet,
    send: ledger.sender.send,
    resume: ledger.sender.resume,
    activation: ledger.activation,
    voidRejected: ledger.sender.voidRejected,
  });

const destinationOptions = (
  { config, pool, accounts, ledger }: Options,
  checkReceiver: CheckReceiver,
): DestinationOptions => {
  const users = createUserReads(pool, config.money.baseCurrency);
  return {
    accounts,
    checkReceiver,
    findUser: async (marketplaceId, userId) => (await users.find(marketplaceId, userId))?.user ?? null,
    custodialOf: ledger.wallets.custodialOf,
    findByAddress: ledger.wallets.findByAddress,
  };
};

/** A withdrawal that is under way is polled, so only one that looks uncommitted has to be told. */
/** As the request that commits it answers: also a payout that is only begun has an answer. */
const outcomeWith =
  (reads: Pick<WithdrawalReads, 'find'>): FindOutcome =>
  async (marketplaceId, withdrawalId) => {
    const withdrawal = await reads.find(marketplaceId, withdrawalId);
    if (withdrawal?.status === 'WITHDRAWAL_COMMITTED' && withdrawal.providerPayoutId === null)
      return { kind: 'running' };
    if (withdrawal?.status !== 'WITHDRAWAL_FAILED') return { kind: 'done' };
    return { kind: 'failed', reason: withdrawal.failureReason ?? 'The payout failed.' };
  };

const adoptPayoutWith =
  (reads: Pick<WithdrawalReads, 'findAnywhere'>, payouts: ProviderPayouts): WithdrawalsModule['adoptPayout'] =>
  async (payout) => {
    const placed = await reads.findAnywhere(payout.code);
    if (placed === null) return 'missing';
    const { marketplaceId, withdrawal } = placed;
    if (isUnderWay(withdrawal) || withdrawal.status === 'WITHDRAWAL_COMPLETED') return 'known';
    if (isEnded(withdrawal)) return 'ended';
    const actor = { type: 'system', id: 'find-lost-payouts' } as const;
    const context: Context = { marketplaceId, actor, requestId: withdrawal.id };
    try {
      await payouts.adopt({ context, withdrawal }, payout.id);
      return 'known';
    } catch (error) {
      // The provider was not read, or shows another payment under this id.
      if (!isDomainError(error) || error.code === 'PROVIDER_TIMEOUT') throw error;
      return 'differs';
    }
  };

export const wireWithdrawals = (options: Options): WithdrawalsModule => {
  const { config, pool, submit, accounts, openFloat, prepareFloat, count, checkCount, log, onTrouble } = options;
  const { actionUrl, withdrawalExpiryMs: expiryMs } = config.payments;
  const reads = createWithdrawalReads(pool);
  const findPayout = payoutFinder(reads);
  const checkReceiver = createReceiverCheck({ network: options.ledger.network, usdc: options.ledger.asset });
  const { wallets, network, sender, holds } = options.ledger;
  const { adoption } = sender;
  const alert = createUnclearPayoutAlert(pool);
  const catchingUp = { submit, accounts, adoption, alert, findWallet: wallets.find, actionUrl };
  const catchUp = createCatchUp({ ...catchingUp, network });
  const destinations = destinationOptions(options, checkReceiver);
  const whyHeld: WhyHeld = ({ context: { marketplaceId }, withdrawal: { userId, providerAccount } }) =>
    holds.payoutReason({ marketplaceId, userId, providerAccount });
  const payouts = createProviderPayouts({
    submit,
    accounts,
    openFloat,
    actionUrl,
    whyHeld,
  });
  const withdrawals = createWithdrawals({
    submit,
    reads,
    catchUp: createCatchUp({ ...catchingUp, network: network.withPriority('background') }),
    pollTimes: createWithdrawalPollTimes(pool),
    throughProvider: payouts.pay,
    overLedger: ledgerPayoutOf(options, { reads, checkReceiver, catchUp }),
    waitMs: config.orders.operationWaitMs,
    expiryMs,
    onTrouble,
  });
  options.reactions.on('withdrawal-committed', ({ withdrawal }, context) => withdrawals.begin(context, withdrawal));
  const showAlerts = createPaymentAlerts(pool);
  options.reactions.on('payout-over-another-amount', ({ withdrawalId }, { marketplaceId }) => {
    log.error({ marketplaceId, withdrawalId }, 'the payment provider executed a payout over another amount');
    // The job shows it when this does not.
    showAlerts().catch((error: unknown) => onTrouble('an alert about a payout could not be stored', error));
  });
  const onUnexpected = (message: string, details: Record<string, unknown>): void => log.warn(details, message);
  return {
    routes: withdrawalRoutes({
      reads,
      withdrawals,
      config,
      count,
      checkCount,
      destinations: createDestinations(destinations),
      assumedDestinations: assumeDestinations(destinations),
      previews: createWithdrawalPreviews({ accounts, actionUrl, whyHeld, findWallet: wallets.find }),
      previewFloat: options.previewFloat,
      prepareFloat,
    }),
    jobs: [refreshWithdrawals({ refreshDue: withdrawals.refreshDue, showAlerts }), expireWithdrawals(withdrawals)],
    payoutEvents: createPayoutEvents({ submit, reads, actionUrl, check: withdrawals.begin, onUnexpected }),
    async findPayoutPlace(event) {
      const found = await findPayout(event);
      return found && { marketplaceId: found.marketplaceId, providerAccount: found.withdrawal.providerAccount };
    },
    adoptPayout: adoptPayoutWith(reads, payouts),
    outcomeOf: outcomeWith(reads),
    untilHandedOver: withdrawals.untilHandedOver,
    start() {
      withdrawals.resumeAll().catch((error: unknown) => onTrouble('committed withdrawals could not be resumed', error));
    },
    close: withdrawals.close,
  };
};
