// Top-ups through the payment provider, and withdrawals through the payment provider or over the ledger.

import type { Changes } from '../changes.ts';
import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CancelTopupInput, CreateTopupInput, ListTopupsQuery, TopUp } from '../printed/topups.ts';
import type { CreateWithdrawalInput, ListWithdrawalsQuery, Withdrawal } from '../printed/withdrawals.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { type Waitable, type WaitFor, waiterOf } from '../wait-for.ts';

const because = (status: string, reason: string | null): string => (reason ? `${status} (${reason})` : status);

const TOPUP_ENDS: readonly string[] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];

const hasToppedUp = ({ status }: TopUp): boolean => TOPUP_ENDS.includes(status);

type TopUpGoal = 'succeeded' | 'ended';

const TOPUP: Waitable<TopUp, TopUpGoal> = {
  noun: 'top-up',
  goals: { succeeded: ({ status }) => status === 'TOPUP_SUCCEEDED', ended: hasToppedUp },
  usual: 'succeeded',
  hasEnded: hasToppedUp,
  stateOf: ({ status, failureReason }) => because(status, failureReason),
};

export const topupResource = (transport: Transport, changes: Changes) => {
  const get = (id: string, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.getTopup, { params: { id } }, options);

  return {
    /** Creates a top-up. The answer contains the URL where the payer confirms it. */
    create: <O extends CallOptions>(input: CreateTopupInput, options?: O): Promise<MaybePreview<TopUp, O>> =>
      transport.change<TopUp, O>(ROUTES.createTopup, { body: input }, options),

    /** The top-up as the service knows it; `refresh` checks with the payment provider. */
    get,

    /**
     * Waits until the payer has paid and the balance is credited. Fails with ENDED_OTHERWISE when the top-up failed or was cancelled
     * (`until: 'ended'` returns it then too), and with STILL_PENDING after `patienceMs`.
     *
     * @example
     * const topup = await holdfast.topups.waitFor(id, { patienceMs: 10 * 60_000 });
     */
    waitFor: waiterOf(TOPUP, { changes, get }) as WaitFor<TopUp, TopUpGoal>,

    /** All top-ups, or those that match the query. */
    list: (query: ListTopupsQuery = {}, options?: CallOptions): List<TopUp> =>
      listing(transport, ROUTES.listTopups, { query, options }),

    /** Checks with the payment provider now. */
    refresh: (id: string, options?: CallOptions): Promise<TopUp> =>
      transport.call(ROUTES.refreshTopup, { params: { id } }, options),

    /** Cancels the top-up while nothing has been paid. */
    cancel: <O extends CallOptions>(
      id: string,
      input: CancelTopupInput = {},
      options?: O,
    ): Promise<MaybePreview<TopUp, O>> =>
      transport.change<TopUp, O>(ROUTES.cancelTopup, { params: { id }, body: input }, options),

    /** The URL that the payment provider returns the payer's browser to. Needs no key. */
    callbackUrl: (id: string): string => transport.urlOf(ROUTES.followTopup, { params: { id } }),
  };
};

/** Committed, and not cancelled or failed afterwards. */
const isCommitted = ({ status }: Withdrawal): boolean =>
  !['WITHDRAWAL_CREATED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'].includes(status);

const WITHDRAWAL_ENDS: readonly string[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

const hasPaidOut = ({ status }: Withdrawal): boolean => WITHDRAWAL_ENDS.includes(status);

type WithdrawalGoal = 'completed' | 'ended';

const WITHDRAWAL: Waitable<Withdrawal, WithdrawalGoal> = {
  noun: 'withdrawal',
  goals: { completed: ({ status }) => status === 'WITHDRAWAL_COMPLETED', ended: hasPaidOut },
  usual: 'completed',
  hasEnded: hasPaidOut,
  stateOf: ({ status, failureReason }) => because(status, failureReason),
};

export const withdrawalResource = (transport: Transport, changes: Changes) => {
  const get = (id: string, options?: CallOptions): Promise<Withdrawal> =>
    transport.call(ROUTES.getWithdrawal, { params: { id } }, options);

  return {
    /** Creates a withdrawal and reserves the amount; with `commit` it is paid out at once. */
    create: <O extends CallOptions>(input: CreateWithdrawalInput, options?: O): Promise<MaybePreview<Withdrawal, O>> =>
      transport.change<Withdrawal, O>(ROUTES.createWithdrawal, { body: input }, options),

    /** The withdrawal as the service knows it; `refresh` checks with the payment provider or the ledger. */
    get,

    /** All withdrawals, or those that match the query. */
    list: (query: ListWithdrawalsQuery = {}, options?: CallOptions): List<Withdrawal> =>
      listing(transport, ROUTES.listWithdrawals, { query, options }),

    /** Pays the withdrawal out. When the provider is slow, returns the withdrawal in its current state. */
    commit: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Withdrawal, O>> =>
      transport.change<Withdrawal, O>(
        ROUTES.commitWithdrawal,
        {
          params: { id },
          async settle() {
            const withdrawal = await get(id, options);
            return isCommitted(withdrawal) ? withdrawal : null;
          },
        },
        options,
      ),

    /**
     * Waits until the money was paid out. Fails with ENDED_OTHERWISE when the withdrawal failed or was cancelled (`until: 'ended'`
     * returns it then too), and with STILL_PENDING after `patienceMs`.
     *
     * @example
     * const withdrawal = await holdfast.withdrawals.waitFor(id);
     */
    waitFor: waiterOf(WITHDRAWAL, { changes, get }) as WaitFor<Withdrawal, WithdrawalGoal>,

    /** Checks with the payment provider or the ledger now. */
    refresh: (id: string, options?: CallOptions): Promise<Withdrawal> =>
      transport.call(ROUTES.refreshWithdrawal, { params: { id } }, options),
  };
};
