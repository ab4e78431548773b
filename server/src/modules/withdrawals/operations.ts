// Carries withdrawals out: commits them, pays them through whoever pays them, looks at what became of them, and lets those go
// that nobody committed. The row is there before the first call, and what is not known stays as it is until it is known.

import { setTimeout as pause } from 'node:timers/promises';
import { isDomainError } from '../../base/domain-error.ts';
import { fewAtOnce } from '../../base/few-at-once.ts';
import { type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import { createRetries } from '../operations/retries.ts';
import { commitWithdrawal } from './commit-withdrawal.ts';
import { expireWithdrawal } from './expire-withdrawal.ts';
import { refused, timedOut } from './payout-answers.ts';
import type { WithdrawalLooks } from './poll-times.ts';
import type { PayOut } from './provider-payout.ts';
import type { PlacedWithdrawal, WithdrawalReads } from './queries.ts';
import { isUnderWay, type Withdrawal } from './withdrawal.ts';

export type WithdrawalsOptions = {
  readonly submit: Submit;
  readonly reads: Pick<WithdrawalReads, 'find' | 'listCommitted' | 'listExpired'>;
  readonly looks: WithdrawalLooks;
  /** Through the payment provider. */
  readonly throughProvider: PayOut;
  readonly overLedger: PayOut;
  /** How long a request waits for the end. */
  readonly waitMs: number;
  /** How long one may stay uncommitted. */
  readonly expiryMs: number;
  onTrouble(message: string, error: unknown): void;
};

export type Withdrawals = ReturnType<typeof createWithdrawals>;

const DUE_MAX = 200;
const EXPIRED_MAX = 200;
const EXPIRED_BATCHES_MAX = 20;
const RESUME_MAX = 1_000;
const AT_ONCE = 4;
const CLOSE_WAIT_MS = 5_000;
/** So many in a row without an answer: whoever pays is away, and asking about the rest would only wait. */
const SILENT_MAX = 8;

const isSilence = (error: unknown): boolean => isDomainError(error) && error.code === 'PROVIDER_TIMEOUT';

const contextOf = (job: string, { marketplaceId, withdrawal }: PlacedWithdrawal): Context => ({
  marketplaceId,
  actor: { type: 'system', id: job },
  requestId: withdrawal.id,
});

export const createWithdrawals = (options: WithdrawalsOptions) => {
  const { submit, reads, looks, throughProvider, overLedger, onTrouble } = options;
  const carrying = new Map<string, Promise<Withdrawal>>();
  const retries = createRetries({ run: (context, id) => carryQuietly(context, id) });

  const run = <Input, Reply>(context: Context, command: Command<Input, Reply>, input: Input): Promise<Reply> =>
    runCommand(submit, { command, input, context });

  const attempt = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    // Somebody else may have gone on with it since it was read.
    const now = (await reads.find(context.marketplaceId, withdrawal.id)) ?? withdrawal;
    if (!isUnderWay(now)) return now;
    return now.address === null ? throughProvider(context, now) : overLedger(context, now);
  };

  const carry = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    const { id } = withdrawal;
    try {
      const carried = await attempt(context, withdrawal);
      retries.forget(id);
      return carried;
    } catch (error) {
      // One that is only waited for is looked at by the job, and so is one that was answered oddly.
      const isDoubtful = !isDomainError(error) || isSilence(error);
      if (withdrawal.status === 'WITHDRAWAL_COMMITTED' && isDoubtful) retries.later(context, id);
      throw error;
    }
  };

  /** Whoever asks while it is being carried on waits for the same attempt. */
  const look = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    if (!isUnderWay(withdrawal)) return withdrawal;
    const known = carrying.get(withdrawal.id);
    if (known) return known;
    const carried = carry(context, withdrawal).finally(() => carrying.delete(withdrawal.id));
    carrying.set(withdrawal.id, carried);
    return carried;
  };

  /** An attempt that is under way may have looked before this was asked for. */
  const lookAnew = async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    await carrying.get(withdrawal.id)?.catch(() => {});
    return look(context, withdrawal);
  };

  const lookQuietly = async (context: Context, withdrawal: Withdrawal): Promise<'answered' | 'silent'> => {
    try {
      await look(context, withdrawal);
      return 'answered';
    } catch (error) {
      if (isSilence(error)) return 'silent';
      onTrouble('a withdrawal could not be carried on; it is looked at again', error);
      return 'answered';
    }
  };

  const carryQuietly = async (context: Context, id: string): Promise<void> => {
    const withdrawal = await reads.find(context.marketplaceId, id).catch((error: unknown) => {
      onTrouble('a withdrawal could not be read', error);
      return null;
    });
    if (withdrawal) await lookQuietly(context, withdrawal);
  };

  const lookAtAll = async (placed: readonly PlacedWithdrawal[]): Promise<void> => {
    let silent = 0;
    await fewAtOnce(placed, {
      atOnce: AT_ONCE,
      async work(each) {
        const looked = await lookQuietly(contextOf('refresh-withdrawals', each), each.withdrawal);
        silent = looked === 'silent' ? silent + 1 : 0;
      },
      isOver: () => silent >= SILENT_MAX,
    });
  };

  const inTime = async (withdrawal: Withdrawal, outcome: Promise<Withdrawal>): Promise<Withdrawal> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timedOut(withdrawal, 'It takes longer than a request waits.')), options.waitMs);
    });
    return Promise.race([outcome, late]).finally(() => clearTimeout(timer));
  };

  return {
    /** Pays one that is committed already; what becomes of it is told by its events. */
    begin(context: Context, withdrawal: Withdrawal): void {
      void lookQuietly(context, withdrawal);
    },

    async commit(context: Context, withdrawalId: string): Promise<Withdrawal> {
      const committed = await run(context, commitWithdrawal, { withdrawalId });
      const ended = await inTime(committed, look(context, committed));
      if (ended.status === 'WITHDRAWAL_FAILED') throw refused(ended);
      return ended;
    },

    /** What whoever pays says of it now. One that is not committed, or is over, is not asked about. */
    look: (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> =>
      inTime(withdrawal, lookAnew(context, withdrawal)),

    /** After a start: what the last run left in the middle. */
    resumeAll: async (): Promise<void> => lookAtAll(await reads.listCommitted(RESUME_MAX)),

    /** Those that nobody has told us about for a while, a bounded number of them. */
    refreshDue: async (): Promise<void> => lookAtAll(await looks.takeDue(DUE_MAX)),

    /** Those that were not committed in time. */
    async expireDue(): Promise<void> {
      const { expiryMs } = options;
      for (let batch = 0; batch < EXPIRED_BATCHES_MAX; batch++) {
        const expired = await reads.listExpired(expiryMs, EXPIRED_MAX);
        for (const each of expired) {
          const context = contextOf('expire-withdrawals', each);
          await run(context, expireWithdrawal, { withdrawalId: each.withdrawal.id, expiryMs }).catch((error: unknown) =>
            onTrouble('a withdrawal that nobody committed could not be ended; it is tried again', error),
          );
        }
        if (expired.length < EXPIRED_MAX) return;
      }
    },

    /** Waits a moment for what is under way; the rest is found in its rows at the next start. */
    async close(): Promise<void> {
      retries.close();
      const quitting = new AbortController();
      const ended = Promise.allSettled(carrying.values()).then(() => quitting.abort());
      await Promise.race([ended, pause(CLOSE_WAIT_MS, null, { signal: quitting.signal }).catch(() => {})]);
    },
  };
};
