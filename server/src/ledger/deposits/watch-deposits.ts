// Polls every wallet for deposits, round after round, with a limited number of polls at once. New wallets are part of the next round.
// Several processes may do this: each deposit is still recorded once.

import { fewAtOnce } from '../../base/concurrency.ts';
import type { FollowedWallet } from './queries.ts';

type Polled = { readonly kind: 'yes' | 'no' | 'unknown' };

type Options = {
  wallets(after: FollowedWallet | null, limit: number): Promise<FollowedWallet[]>;
  poll(wallet: FollowedWallet): Promise<Polled>;
  /** Time from the start of a round to the start of the next, unless the round takes longer. */
  readonly pollMs: number;
  readonly pollsAtOnce?: number;
  onTrouble(message: string, error: unknown): void;
};

type DepositWatch = {
  /** Starts the next round at once, or right after the current one. */
  pollNow(): void;
  /** Resolves when the current polls have ended. */
  stop(): Promise<void>;
};

const PAGE = 200;
const POLLS_AT_ONCE = 8;
/** After so many polls in a row without an answer the ledger is unreachable, and the round ends. */
const UNANSWERED_MAX = 16;

export const watchDeposits = (options: Options): DepositWatch => {
  const { wallets, poll, pollMs, pollsAtOnce = POLLS_AT_ONCE, onTrouble } = options;
  let isStopped = false;
  let isRequested = false;
  let endPause = (): void => {};
  let unanswered = 0;

  const pollOne = async (wallet: FollowedWallet): Promise<void> => {
    try {
      unanswered = (await poll(wallet)).kind === 'yes' ? 0 : unanswered + 1;
    } catch (error) {
      onTrouble('the deposits of a wallet could not be recorded; they will be retried', error);
    }
  };

  const isOver = (): boolean => isStopped || unanswered >= UNANSWERED_MAX;

  const round = async (): Promise<void> => {
    unanswered = 0;
    let last: FollowedWallet | null = null;
    while (!isOver()) {
      const page: FollowedWallet[] = await wallets(last, PAGE);
      await fewAtOnce(page, { atOnce: pollsAtOnce, work: pollOne, isOver });
      if (page.length < PAGE) return;
      last = page.at(-1) ?? null;
    }
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(ms, 0));
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const startedAt = performance.now();
      isRequested = false;
      await round().catch((error) => onTrouble('a round of deposit polls failed; the next one follows', error));
      if (!isStopped && !isRequested) await pause(startedAt + pollMs - performance.now());
    }
  };
  const running = run();

  return {
    pollNow() {
      isRequested = true;
      endPause();
    },
    stop() {
      isStopped = true;
      endPause();
      return running;
    },
  };
};
