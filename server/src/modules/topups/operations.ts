// The operations of top-ups with the payment provider: create, refresh, cancel. The row exists before the first request, and a
// top-up whose outcome is unknown keeps its state until the provider has been read.

import { pollEach } from '../../base/concurrency.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { step } from '../../base/machine.ts';
import { createSingleFlight, type SingleFlight } from '../../base/one-at-a-time.ts';
import { type Context, runCommand } from '../../commit/command.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import { type CreateTopUpInput, createTopUp } from './create-topup.ts';
import type { TopUpPollTimes } from './jobs.ts';
import { TOPUP_MACHINE } from './machine.ts';
import { noProvider, type ProviderRefusal, refused, timedOut } from './payin-update.ts';
import { createProviderPayin, type ProviderPayin, type ProviderPayinOptions } from './provider-payin.ts';
import type { PlacedTopUp } from './queries.ts';
import { requestTopUpCancel } from './request-cancel.ts';
import { isEnded, type TopUp } from './topup.ts';

type TopUpsOptions = Omit<ProviderPayinOptions, 'accounts'> & {
  readonly accounts: PaymentAccounts;
  readonly pollTimes: TopUpPollTimes;
  onTrouble(message: string, error: unknown): void;
};

export type TopUps = ReturnType<typeof createTopUps>;

const DUE_MAX = 200;
const POLLS_AT_ONCE = 4;
const SILENT_MAX = 8;

const refusalOf = ({ failureReason, errorCode }: TopUp): ProviderRefusal => ({
  reason: failureReason ?? 'It gave no reason.',
  code: errorCode,
});

type Refresh = (context: Context, topup: TopUp) => Promise<TopUp>;

/** Brings one top-up up to date. Concurrent calls for one top-up share a request. */
const createRefresh =
  (payins: ProviderPayin, flights: SingleFlight<TopUp>): Refresh =>
  async (context, topup) => {
    if (isEnded(topup)) return topup;
    return flights.run(topup.id, async () =>
      topup.status === 'TOPUP_CREATED' ? payins.create({ context, topup }) : payins.read({ context, topup }),
    );
  };

/** The same accounts, for requests that can wait. */
const inBackground = (accounts: PaymentAccounts): Pick<PaymentAccounts, 'of'> => ({
  of: async (place) => (await accounts.of(place))?.withPriority('background') ?? null,
});

export const createTopUps = (options: TopUpsOptions) => {
  const { submit, pollTimes, onTrouble, accounts } = options;
  const payins = createProviderPayin(options);
  const polledPayins = createProviderPayin({ ...options, accounts: inBackground(accounts) });
  /** Refuses before anything is stored. */
  const requireProvider = async ({ marketplaceId }: Context): Promise<void> => {
    if ((await accounts.current(marketplaceId)) === null) throw noProvider();
  };
  const flights = createSingleFlight<TopUp>();
  const refresh = createRefresh(payins, flights);
  const refreshLater = createRefresh(polledPayins, flights);
  let isClosed = false;

  /** A refused request does not mean that the top-up is not cancelled, so the provider is read. */
  const readAfterRefusal = async (
    { context, topup }: { context: Context; topup: TopUp },
    refusal: ProviderRefusal,
  ): Promise<TopUp> => {
    const now = await refresh(context, topup);
    if (now.status === 'TOPUP_CANCELED') return now;
    step(TOPUP_MACHINE, { from: now.status, on: 'cancel' });
    throw refused(now, refusal);
  };

  const poll = async ({ marketplaceId, topup }: PlacedTopUp): Promise<'answered' | 'silent'> => {
    const actor = { type: 'system', id: 'refresh-topups' } as const;
    const context = { marketplaceId, actor, requestId: topup.id };
    try {
      // A finished top-up is polled only for the provider's fee.
      if (isEnded(topup)) await polledPayins.read({ context, topup });
      else await refreshLater(context, topup);
      return 'answered';
    } catch (error) {
      if (isDomainError(error) && error.code === 'PROVIDER_TIMEOUT') return 'silent';
      onTrouble('a top-up could not be refreshed; it will be polled again', error);
      return 'answered';
    }
  };

  return {
    async create({ context, ...input }: CreateTopUpInput & { readonly context: Context }): Promise<TopUp> {
      await requireProvider(context);
      const topup = await runCommand(submit, { command: createTopUp, input, context });
      // A repeated request for a refused top-up gets the same refusal.
      if (topup.status === 'TOPUP_FAILED') throw refused(topup, refusalOf(topup));
      return refresh(context, topup);
    },

    /** Reads the top-up at the provider. A finished top-up is returned as it is. */
    refresh,

    async cancel(
      context: Context,
      input: { readonly topupId: string; readonly reason: string | null },
    ): Promise<TopUp> {
      await requireProvider(context);
      const topup = await runCommand(submit, { command: requestTopUpCancel, input, context });
      const canceled = await payins.cancel({ context, topup });
      if (canceled.kind === 'yes') return canceled.value;
      if (canceled.kind === 'no') return readAfterRefusal({ context, topup }, canceled);
      await pollTimes.pollSoon(context.marketplaceId, topup.id);
      throw timedOut(topup, canceled.reason);
    },

    isRefreshing: flights.isRunning,

    /** Polls top-ups without an update for a while, a bounded number at a time. */
    async refreshDue(): Promise<void> {
      const due = await pollTimes.claimDue(DUE_MAX);
      await pollEach(due, { atOnce: POLLS_AT_ONCE, silentMax: SILENT_MAX, poll, isClosed: () => isClosed });
    },

    /** Waits for running requests. Open top-ups are found in their rows at the next start. */
    async close(): Promise<void> {
      isClosed = true;
      await flights.allEnded();
    },
  };
};
