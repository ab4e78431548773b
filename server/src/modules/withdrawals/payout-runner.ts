// Runs the payout of committed withdrawals: one attempt at a time per withdrawal, retried with a growing wait while the outcome is
// unknown. An unknown outcome never changes the withdrawal.

import { isDomainError } from '../../base/domain-error.ts';
import { createRetryTimers } from '../../base/retry-timers.ts';
import { createSingleFlight } from '../../base/single-flight.ts';
import type { Context } from '../../commit/command.ts';
import type { PayOut } from './provider-payout.ts';
import type { WithdrawalReads } from './queries.ts';
import { isUnderWay, type Withdrawal } from './withdrawal.ts';

export type PayoutRunnerOptions = {
  readonly reads: Pick<WithdrawalReads, 'find'>;
  readonly throughProvider: PayOut;
  readonly overLedger: PayOut;
  onTrouble(message: string, error: unknown): void;
};

type Target = { readonly context: Context; readonly withdrawalId: string };

const BACK_OFF = { firstMs: 200, maxMs: 25_600 };
/** After so many failures in a row the job takes over. */
const FAILURES_MAX = 8;

const isSilence = (error: unknown): boolean => isDomainError(error) && error.code === 'PROVIDER_TIMEOUT';

export const createPayoutRunner = ({ reads, throughProvider, overLedger, onTrouble }: PayoutRunnerOptions) => {
  const flights = createSingleFlight<Withdrawal>();
  const retries = createRetryTimers<Target>({
    backOff: BACK_OFF,
    failuresMax: FAILURES_MAX,
    keyOf: ({ withdrawalId }) => withdrawalId,
    run: (target) => retry(target),
  });

  const pay = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    // Another process may have changed it since it was read.
    const now = (await reads.find(context.marketplaceId, withdrawal.id)) ?? withdrawal;
    if (!isUnderWay(now)) return now;
    return now.address === null ? throughProvider(context, now) : overLedger(context, now);
  };

  const attempt = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    const target = { context, withdrawalId: withdrawal.id };
    try {
      const paid = await pay(context, withdrawal);
      retries.clear(target);
      return paid;
    } catch (error) {
      // A pending withdrawal, and one with an unusual answer, is left to the job.
      const isUnknown = !isDomainError(error) || isSilence(error);
      if (withdrawal.status === 'WITHDRAWAL_COMMITTED' && isUnknown) retries.retryLater(target);
      throw error;
    }
  };

  /** Concurrent calls for one withdrawal share an attempt. */
  const run = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    if (!isUnderWay(withdrawal)) return withdrawal;
    return flights.run(withdrawal.id, () => attempt(context, withdrawal));
  };

  const poll = async (context: Context, withdrawal: Withdrawal): Promise<'answered' | 'silent'> => {
    try {
      await run(context, withdrawal);
      return 'answered';
    } catch (error) {
      if (isSilence(error)) return 'silent';
      onTrouble('a withdrawal could not be paid or polled; it will be retried', error);
      return 'answered';
    }
  };

  const retry = async ({ context, withdrawalId }: Target): Promise<void> => {
    const withdrawal = await reads.find(context.marketplaceId, withdrawalId).catch((error: unknown) => {
      onTrouble('a withdrawal could not be read', error);
      return null;
    });
    if (withdrawal) await poll(context, withdrawal);
  };

  return {
    run,
    /** Waits for a running attempt and starts another: the running one may have read the provider before this call. */
    async runAgain(context: Context, withdrawal: Withdrawal): Promise<Withdrawal> {
      await flights.ended(withdrawal.id);
      return run(context, withdrawal);
    },
    /** Like `run`, but reports errors and does not reject. */
    poll,
    /** Stops the retries and waits for running attempts. */
    async close(): Promise<void> {
      retries.close();
      await flights.allEnded();
    },
  };
};
