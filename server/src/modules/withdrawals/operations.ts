// The operations of withdrawals: commit and pay, refresh, resume after a start, expire. The row exists before the first request,
// and a withdrawal whose outcome is unknown keeps its state until the payer has been read.

import { pollEach } from '../../base/few-at-once.ts';
import { within } from '../../base/wait.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { expireWithdrawal } from './expire-withdrawal.ts';
import { createPayoutRunner, type PayoutRunnerOptions } from './payout-runner.ts';
import { refused, timedOut } from './payout-update.ts';
import type { WithdrawalPollTimes } from './poll-times.ts';
import type { PlacedWithdrawal, WithdrawalReads } from './queries.ts';
import type { Withdrawal } from './withdrawal.ts';

export type WithdrawalsOptions = Omit<PayoutRunnerOptions, 'reads'> & {
  readonly submit: Submit;
  readonly reads: Pick<WithdrawalReads, 'find' | 'listCommitted' | 'listExpired'>;
  readonly pollTimes: WithdrawalPollTimes;
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

const contextOf = (job: string, { marketplaceId, withdrawal }: PlacedWithdrawal): Context => ({
  marketplaceId,
  actor: { type: 'system', id: job },
  requestId: withdrawal.id,
});

/** Cancels withdrawals that were not committed in time, batch by batch. */
const expireDue = async ({ submit, reads, expiryMs, onTrouble }: WithdrawalsOptions): Promise<void> => {
  for (let batch = 0; batch < EXPIRED_BATCHES_MAX; batch++) {
    const expired = await reads.listExpired(expiryMs, EXPIRED_MAX);
    for (const each of expired) {
      const context = contextOf('expire-withdrawals', each);
      const input = { withdrawalId: each.withdrawal.id, expiryMs };
      await runCommand(submit, { command: expireWithdrawal, input, context }).catch((error: unknown) =>
        onTrouble('an uncommitted withdrawal could not be expired; it will be retried', error),
      );
    }
    if (expired.length < EXPIRED_MAX) return;
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
    within(waitMs, work, () => {
      throw timedOut(withdrawal, 'The payout takes longer than a request waits.');
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

    /** Resumes what the last run of the server left unfinished. */
    resumeAll: async (): Promise<void> => pollAll(await reads.listCommitted(RESUME_MAX)),

    /** Polls withdrawals without an update for a while, a bounded number at a time. */
    refreshDue: async (): Promise<void> => pollAll(await pollTimes.claimDue(DUE_MAX)),

    expireDue: (): Promise<void> => expireDue(options),

    /** Waits a few seconds for running payouts. The next start finds the others in their rows. */
    close: (): Promise<void> => within(CLOSE_WAIT_MS, payouts.close(), () => {}),
  };
};
