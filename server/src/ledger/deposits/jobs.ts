// Looks at every wallet in turn for money that came in, again and again, with a bounded number of looks at once. Wallets
// made meanwhile are part of the next round. Several processes may do this: each deposit is still taken in once.

import { fewAtOnce } from '../../base/few-at-once.ts';
import type { FollowedWallet } from './queries.ts';

type Looked = { readonly kind: 'yes' | 'no' | 'unknown' };

type Options = {
  wallets(after: FollowedWallet | null, limit: number): Promise<FollowedWallet[]>;
  look(wallet: FollowedWallet): Promise<Looked>;
  /** Time from the beginning of a round to the beginning of the next, unless the round takes longer. */
  readonly pollMs: number;
  readonly looksAtOnce?: number;
  onTrouble(message: string, error: unknown): void;
};

export type DepositWatch = {
  /** Begins the next round at once, or right after the present one. */
  hurry(): void;
  /** Resolves when the look that is under way has ended. */
  stop(): Promise<void>;
};

const PAGE = 200;
const LOOKS_AT_ONCE = 8;
/** So many looks in a row without an answer: the ledger is away, and asking for the rest would only wait. */
const SILENT_MAX = 16;

export const watchDeposits = (options: Options): DepositWatch => {
  const { wallets, look, pollMs, looksAtOnce = LOOKS_AT_ONCE, onTrouble } = options;
  let stopped = false;
  let hurried = false;
  let wake = (): void => {};
  let silent = 0;

  const lookAt = async (wallet: FollowedWallet): Promise<void> => {
    try {
      silent = (await look(wallet)).kind === 'yes' ? 0 : silent + 1;
    } catch (error) {
      onTrouble('deposits of a wallet could not be taken in; they are looked for again', error);
    }
  };

  const isOver = (): boolean => stopped || silent >= SILENT_MAX;

  const round = async (): Promise<void> => {
    silent = 0;
    let last: FollowedWallet | null = null;
    while (!isOver()) {
      const page: FollowedWallet[] = await wallets(last, PAGE);
      await fewAtOnce(page, { atOnce: looksAtOnce, work: lookAt, isOver });
      if (page.length < PAGE) return;
      last = page.at(-1) ?? null;
    }
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(ms, 0));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const run = async (): Promise<void> => {
    while (!stopped) {
      const begunAt = performance.now();
      hurried = false;
      await round().catch((error) => onTrouble('a round of looking for deposits failed; the next one follows', error));
      if (!stopped && !hurried) await pause(begunAt + pollMs - performance.now());
    }
  };
  const running = run();

  return {
    hurry() {
      hurried = true;
      wake();
    },
    stop() {
      stopped = true;
      wake();
      return running;
    },
  };
};
