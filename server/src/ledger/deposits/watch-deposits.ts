// Follows the ledger in one process at a time. The first time, it begins at the newest payment and reads each existing wallet once: the
// payments of those were followed with a cursor per wallet before.

import { fewAtOnce } from '../../base/concurrency.ts';
import type { Connection } from '../../postgres/connection.ts';
import { leadAlone, pauseUnless } from '../../postgres/leader.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import type { Deposits } from './deposits.ts';
import type { Follower } from './follow-ledger.ts';
import type { LagNotes } from './lag.ts';
import { type LedgerCursor, ledgerOf } from './ledger-cursor.ts';
import type { DepositReads, FollowedWallet } from './queries.ts';

type Options = {
  readonly connection: Connection;
  readonly network: Pick<LedgerNetwork, 'networkPayments' | 'networkInfo'>;
  readonly cursor: LedgerCursor;
  readonly follower: Follower;
  readonly lag: LagNotes;
  readonly deposits: Pick<Deposits, 'pollNow'>;
  readonly reads: Pick<DepositReads, 'custodial'>;
  /** Time from one read of the ledger to the next, unless a page was full. */
  readonly pollMs: number;
  /** Time from one second read to the next. */
  readonly checkMs: number;
  onTrouble(message: string, error: unknown): void;
};

/** Any number that no other advisory lock of the service has. */
const LOCK = 7_301_419;
const WALLETS_PAGE = 200;
const POLLS_AT_ONCE = 8;
const RECHECK_MS = 600_000;
/** A catch-up that met an unanswered request is continued after this time. */
const CATCH_UP_AGAIN_MS = 30_000;

/** True when the cursor exists. */
const begin = async ({ network, cursor }: Options): Promise<boolean> => {
  if ((await cursor.read()) !== null) return true;
  const newest = await network.networkPayments({ order: 'desc', limit: 1 });
  if (newest.kind !== 'yes') return false;
  await cursor.begin(newest.value.cursor ?? '0');
  return true;
};

/** The ledger answers a cursor outside its history with what it has, so a gap has to be looked for. */
const warnOfGap = async ({ network, cursor, onTrouble }: Options): Promise<void> => {
  const reached = await cursor.read();
  const info = await network.networkInfo();
  if (reached === null || reached.cursor === '0' || info.kind !== 'yes') return;
  const ledger = ledgerOf(reached.cursor);
  const { latestLedger, oldestLedger } = info.value;
  if (BigInt(latestLedger) < ledger) {
    const error = new Error(`The payments were read up to ledger ${ledger}, and the network is at ${latestLedger}.`);
    onTrouble('the ledger network is older than the payments that were read: was it reset?', error);
  }
  if (BigInt(oldestLedger) > ledger + 1n) {
    const error = new Error(`The payments were read up to ledger ${ledger}, and the server begins at ${oldestLedger}.`);
    onTrouble('the ledger server no longer has all payments: reconciliation shows what is missing', error);
  }
};

/**
 * Reads each wallet that existed before the cursor, one page at a time: later payments are found with the cursor. A run that is
 * interrupted continues at the wallet after the last page.
 */
const createCatchUp = ({ cursor, deposits, reads, onTrouble }: Options) => {
  let last: FollowedWallet | null = null;
  let notBefore = 0;

  const readOne = async (wallet: FollowedWallet): Promise<boolean> => {
    try {
      const { marketplaceId, id: walletId } = wallet;
      return (await deposits.pollNow({ marketplaceId, walletId })).kind === 'yes';
    } catch (error) {
      onTrouble('the deposits of a wallet could not be recorded; reconciliation shows what is missing', error);
      return true;
    }
  };

  return async (over: AbortSignal): Promise<void> => {
    if (performance.now() < notBefore || (await cursor.read())?.caughtUp) return;
    const page: FollowedWallet[] = await reads.custodial(last, WALLETS_PAGE);
    let isAnswered = true;
    await fewAtOnce(page, {
      atOnce: POLLS_AT_ONCE,
      async work(wallet) {
        isAnswered = (await readOne(wallet)) && isAnswered;
      },
      isOver: () => over.aborted || !isAnswered,
    });
    if (!isAnswered) notBefore = performance.now() + CATCH_UP_AGAIN_MS;
    if (over.aborted || !isAnswered) return;
    if (page.length < WALLETS_PAGE) return cursor.finishCatchUp();
    last = page.at(-1) ?? null;
  };
};

/** Starts with the process and stops with it; only the leader reads. */
export const watchDeposits = (options: Options) => {
  const { connection, follower, lag, pollMs, checkMs, onTrouble } = options;
  const catchUp = createCatchUp(options);
  let recheckAt = 0;
  let checkAt = performance.now() + checkMs;

  /** Returns whether another page follows at once. */
  const read = async (over: AbortSignal): Promise<boolean> => {
    if (!(await begin(options))) return false;
    await catchUp(over);
    await lag.look();
    const page = await follower.readPage();
    const isMore = page.kind === 'yes' && page.value.more;
    await lag.note(page.kind === 'yes' && !isMore);
    if (performance.now() >= checkAt) {
      checkAt = performance.now() + checkMs;
      await follower.check();
    }
    if (performance.now() >= recheckAt) {
      recheckAt = performance.now() + RECHECK_MS;
      await follower.recheck();
    }
    return isMore;
  };

  const lead = async (over: AbortSignal): Promise<void> => {
    await warnOfGap(options).catch((error) => onTrouble('the history of the ledger could not be checked', error));
    while (!over.aborted) {
      const startedAt = performance.now();
      const isMore = await read(over).catch((error: unknown) => {
        onTrouble('the payments of the ledger could not be read; the next attempt follows', error);
        return false;
      });
      if (!isMore) await pauseUnless(over, startedAt + pollMs - performance.now());
    }
  };

  return leadAlone({ connection, lock: LOCK, lead, onTrouble });
};
