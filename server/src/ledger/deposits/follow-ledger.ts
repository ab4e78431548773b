// Finds deposits by reading the payments of the whole network, page by page, with one cursor: the number of requests depends on what
// happens on the ledger and not on how many wallets there are. The cursor moves after every deposit of the page is in the books, so a crash
// only reads a page again. What cannot be credited is set aside with the reason.

import { type Answer, yes } from '../../base/answer.ts';
import type { NetworkPage } from '../../providers/ports.ts';
import type { Deposited, Uncredited } from './arrivals.ts';
import { UNSURE } from './confirm-arrivals.ts';
import { type LedgerCursor, operationOf } from './ledger-cursor.ts';
import type { MovedWallets } from './moved-wallets.ts';
import { type ExamineOptions, examine, recordAll } from './network-page.ts';
import { recheckPayment, type SetAside } from './set-aside.ts';

type FollowOptions = ExamineOptions & {
  readonly cursor: LedgerCursor;
  readonly moved: Pick<MovedWallets, 'mark'>;
  readonly setAside: SetAside;
};

type Followed = Answer<{ readonly recorded: number; readonly more: boolean }>;

export type Follower = {
  /** Reads the next page. `more`: the page was full, so there is another one. */
  readPage(): Promise<Followed>;
  /**
   * Reads again, some time after the first read, the pages that were read: a server of the ledger that left a payment out of its answer
   * has been replaced or mended by then.
   */
  check(): Promise<void>;
  /** Credits payments that were set aside and can be credited now, and closes those that turned out to be our own. */
  recheck(): Promise<void>;
};

/** After so many attempts a deposit that cannot be recorded is set aside, so that it does not stop all others. */
const ATTEMPTS_MAX = 5;
/** The same for a payment that the ledger shows in two ways: a server that lags behind or is wrong for a while gets more time. */
const DISPUTES_MAX = 20;
const RECHECKED_MAX = 100;

const unrecorded = ({ wallet: { marketplaceId }, payment: { id, amount } }: Deposited): Uncredited => ({
  marketplaceId,
  id,
  amount,
  reason: 'The payment could not be recorded. The log of the server has the error.',
});

type Pass = 'first' | 'second';

/** Counts for each pass how often the page at its cursor could not be recorded as a whole. */
const createPatience = () => {
  const trouble = new Map<Pass, { readonly cursor: string; readonly attempts: number }>();
  return (pass: Pass, { cursor, attemptsMax }: { readonly cursor: string; readonly attemptsMax: number }): boolean => {
    const known = trouble.get(pass);
    const attempts = known?.cursor === cursor ? known.attempts + 1 : 1;
    trouble.set(pass, { cursor, attempts });
    return attempts >= attemptsMax;
  };
};

export const createFollower = (options: FollowOptions): Follower => {
  const { cursor: stored, setAside } = options;
  const isGivenUp = createPatience();

  /** Records the page after the cursor and sets aside what cannot be credited. Not yes: the page has to be read again. */
  const takePage = async (
    pass: Pass,
    cursor: string,
  ): Promise<Answer<{ readonly recorded: number; readonly deposits: readonly Deposited[]; page: NetworkPage }>> => {
    const found = await examine(options, { cursor });
    if (found.kind !== 'yes') return found;
    const { deposits, uncredited, disputed, page, wallets } = found.value;
    const { recorded, failed } = await recordAll(options, deposits);
    const attemptsMax = disputed.length > 0 ? DISPUTES_MAX : ATTEMPTS_MAX;
    if (failed.length + disputed.length > 0 && !isGivenUp(pass, { cursor, attemptsMax })) return UNSURE;
    for (const one of [...uncredited, ...disputed, ...failed.map(unrecorded)]) await setAside.see(one);
    await options.moved.mark(wallets);
    return yes({ recorded, deposits, page });
  };

  /** Of those that the first pass has been behind. */
  const reportMissed = (deposits: readonly Deposited[], cursor: string): void => {
    const { length } = deposits.filter(({ payment }) => operationOf(payment.id) <= BigInt(cursor));
    if (length === 0) return;
    const error = new Error(`An earlier answer of the ledger left out ${length} of our payments.`);
    options.onTrouble('deposits were found late, by the second read of the ledger', error);
  };

  return {
    async readPage() {
      const reached = await stored.read();
      if (reached === null) throw new Error('the cursor of the ledger is missing');
      const { cursor } = reached;
      const taken = await takePage('first', cursor);
      if (taken.kind !== 'yes') return taken;
      const { recorded, page } = taken.value;
      if (page.cursor !== null && page.cursor !== cursor) await stored.moveTo(page.cursor);
      return yes({ recorded, more: !page.isLast });
    },

    async check() {
      for (let reached = await stored.read(); reached !== null; reached = await stored.read()) {
        const { cursor, checked } = reached;
        if (checked === cursor) return stored.moveChecked(cursor);
        const taken = await takePage('second', checked);
        if (taken.kind !== 'yes') return;
        const { deposits, page } = taken.value;
        reportMissed(deposits, cursor);
        if (page.cursor === null || page.cursor === checked) return;
        await stored.moveChecked(page.cursor);
      }
    },

    async recheck() {
      for (const one of await setAside.list(RECHECKED_MAX)) await recheckPayment(options, one);
    },
  };
};
