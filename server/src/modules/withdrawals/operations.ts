// The operations of withdrawals: commit and pay, refresh, resume after a start, expire. The row exists before the first request,
// and a withdrawal whose outcome is unknown keeps its state until the payer has been read.

import { pollEach } from '../../base/concurrency.ts';
import { isDomainError } from '../../base/domain-error.ts';
import { createSingleFlight } from '../../base/one-at-a-time.ts';
import { createRetryTimers } from '../../base/retry-timers.ts';
import { within } from '../../base/wait.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { CatchUp } from './catch-up.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { expireWithdrawal } from './end-withdrawal.ts';
import type { WithdrawalPollTimes } from './jobs.ts';
import { refused, timedOut } from './payout-update.ts';
import type { PayOut } from './provider-payout.ts';
import type { PlacedWithdrawal, WithdrawalReads } from './queries.ts';
import { isUnderWay, type Withdrawal } from './withdrawal.ts';

type PayoutRunnerOptions = {
  readonly reads: Pick<WithdrawalReads, 'find'>;
  readonly throughProvider: PayOut;
  readonly overLedger: PayOut;
  onTrouble(message: string, error: unknown): void;
};

type Target = { readonly context: Context; readonly withdrawalId: string };

const BACK_OFF = { firstMs: 200, maxMs: 25_600 };
/** After so many failures in a row the job takes over. */
const FAILURES_MAX = 8;

const isTimeout = (error: unknown): boolean => isDomainError(error) && error.code === 'PROVIDER_TIMEOUT';

/**
 * Runs the payout of committed withdrawals: one attempt at a time per withdrawal, retried with a growing wait while the outcome is
 * unknown.
 */
const createPayoutRunner = ({ reads, throughProvider, overLedger, onTrouble }: PayoutRunnerOptions) => {
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
      // The job polls a pending withdrawal, and a withdrawal with an unexpected answer.
      const isUnknown = !isDomainError(error) || isTimeout(error);
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
      if (isTimeout(error)) return 'silent';
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

type WithdrawalsOptions = Omit<PayoutRunnerOptions, 'reads'> & {
  readonly submit: Submit;
  readonly reads: Pick<WithdrawalReads, 'find' | 'listCommitted' | 'listExpired'>;
  readonly pollTimes: WithdrawalPollTimes;
  /** For the expiry: its requests wait behind those of operations. */
  readonly catchUp: CatchUp;
  /** How long a request waits for the payout to end. */
  readonly waitMs: number;
  /** How long a withdrawal may stay uncommitted. */
  readonly expiryMs: number;
};

export type Withdrawals = ReturnType<typeof createWithdrawals>;

const DUE_MAX = 200;
const EXPIRED_MAX = 200;
const EXPIRED_BATCHES_MAX = 20;
const RESUME_MAX = 1_000;
const AT_ONCE = 4;
const SILENT_MAX = 8;
const CLOSE_WAIT_MS = 5_000;
const HAND_OVER_WAIT_MS = 5_000;

const contextOf = (job: string, { marketplaceId, withdrawal }: PlacedWithdrawal): Context => ({
  marketplaceId,
  actor: { type: 'system', id: job },
  requestId: withdrawal.id,
});

/** Cancels withdrawals that were not committed in time, batch by batch. */
const expireDue = async ({ submit, reads, expiryMs, catchUp, onTrouble }: WithdrawalsOptions): Promise<void> => {
  for (let batch = 0; batch < EXPIRED_BATCHES_MAX; batch++) {
    const expired = await reads.listExpired(expiryMs, EXPIRED_MAX);
    let left = 0;
    for (const each of expired) {
      const context = contextOf('expire-withdrawals', each);
      const input = { withdrawalId: each.withdrawal.id, expiryMs };
      try {
        await catchUp(context, each.withdrawal);
        await runCommand(submit, { command: expireWithdrawal, input, context });
      } catch (error) {
        left++;
        // It may have been paid as long as the outside systems do not answer.
        if (isTimeout(error)) continue;
        onTrouble('an uncommitted withdrawal could not be expired; it will be retried', error);
      }
    }
    if (left > 0 || expired.length < EXPIRED_MAX) return;
  }
};

export const createWithdrawals = (options: WithdrawalsOptions) => {
  const { submit, reads, pollTimes, waitMs } = options;
  const payouts = createPayoutRunner(options);

  const pollAll = (placed: readonly PlacedWithdrawal[]): Promise<void> =>
    pollEach(placed, {
      atOnce: AT_ONCE,
      silentMax: SILENT_MAX,
      poll: (each) => payouts.poll(contextOf('refresh-withdrawals', each), each.withdrawal),
    });

  const inTime = (withdrawal: Withdrawal, work: Promise<Withdrawal>): Promise<Withdrawal> =>
    within(work, {
      ms: waitMs,
      late: () => {
        throw timedOut(withdrawal, 'The payout takes longer than a request waits.');
      },
    });

  return {
    /** Pays a committed withdrawal in the background. Its events report the outcome. */
    begin(context: Context, withdrawal: Withdrawal): void {
      void payouts.poll(context, withdrawal);
    },

    async commit(context: Context, withdrawalId: string): Promise<Withdrawal> {
      const committed = await runCommand(submit, { command: commitWithdrawal, input: { withdrawalId }, context });
      const ended = await inTime(committed, payouts.run(context, committed));
      if (ended.status === 'WITHDRAWAL_FAILED') throw refused(ended);
      return ended;
    },

    /** Reads the withdrawal at its payer. A withdrawal that is not committed, or has ended, is returned as it is. */
    refresh: (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> =>
      inTime(withdrawal, payouts.runAgain(context, withdrawal)),

    /** Waits until the payment provider has the commitment of a committed withdrawal, or the attempt has failed, for a few seconds. */
    async untilHandedOver(context: Context, withdrawalId: string): Promise<void> {
      const withdrawal = await reads.find(context.marketplaceId, withdrawalId);
      if (withdrawal?.status !== 'WITHDRAWAL_COMMITTED' || withdrawal.address !== null) return;
      await within(payouts.poll(context, withdrawal), { ms: HAND_OVER_WAIT_MS, late: () => {} });
    },

    /** Resumes the payouts that the last run of the server did not finish. */
    resumeAll: async (): Promise<void> => pollAll(await reads.listCommitted(RESUME_MAX)),

    /** Polls withdrawals without an update for a while, a bounded number at a time. */
    refreshDue: async (): Promise<void> => pollAll(await pollTimes.claimDue(DUE_MAX)),

    expireDue: (): Promise<void> => expireDue(options),

    /** Waits a few seconds for running payouts. The next start finds the others in their rows. */
    close: (): Promise<void> => within(payouts.close(), { ms: CLOSE_WAIT_MS, late: () => {} }),
  };
};
