// Records the deposits of one wallet: where a balance must be current now, and once for the wallets that are older than the cursor of the
// network (follow-ledger.ts). Payments of our own transactions are booked when those are settled, and never here.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, yes } from '../../base/answer.ts';
import { runCommand } from '../../commit/command.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import { arrivalsIn, isUnsettled, type Sorted, sortArrivals, UNSETTLED_REASONS } from './arrivals.ts';
import { findDisputed, UNSURE } from './confirm-arrivals.ts';
import { earlierOf, type LedgerCursor, laterOf, operationOf } from './ledger-cursor.ts';
import type { DepositReads, FollowedWallet } from './queries.ts';
import { contextOf, recordDeposit } from './record-deposit.ts';
import { type RecheckOptions, recheckPayment, type SetAside } from './set-aside.ts';

type DepositOptions = RecheckOptions & {
  readonly network: Pick<LedgerNetwork, 'payments'>;
  readonly reads: Pick<DepositReads, 'find'>;
  /** What the whole network has been read up to. */
  readonly cursor: Pick<LedgerCursor, 'read'>;
  readonly setAside: Pick<SetAside, 'listOf'>;
};

/** How many deposits were recorded, or why the ledger could not be read. */
type Polled = Answer<{ readonly recorded: number }>;

type Place = { readonly marketplaceId: string; readonly walletId: string };

export type Deposits = {
  /** After a yes, every deposit that was on the ledger before the call is in the books, or is a break. */
  pollNow(place: Place): Promise<Polled>;
  /**
   * Also what was set aside until the books know its transaction: one request for each payment, so only where the books hold less than a
   * wallet has spent. Without it the same money would be booked as a gain now, and as a deposit later.
   */
  pollToSettle(place: Place): Promise<Polled>;
  /** Whether the ledger shows a deposit that is not in the books yet. Writes nothing. */
  arePending(wallet: FollowedWallet): Promise<Answer<boolean>>;
  /** Whether the ledger shows a payment of ours to the wallet whose transaction is not in the books yet. Writes nothing. */
  isOwnMissing(wallet: FollowedWallet): Promise<Answer<boolean>>;
  /** Up to here every deposit of the wallet is in the books, or is a break. */
  readTo(wallet: FollowedWallet): Promise<string>;
};

const PAGE = 100;
/** More than that is set aside only when a backup is much older than the ledger. */
const WAITING_MAX = 1_000;

/** A deposit is credited in the base currency, unless another was chosen or the base settles in another asset. */
export const depositCurrencyOf = (base: Currency, chosen: 'USD' | 'USDC' | null): Currency =>
  chosen ?? (base === 'XLM' ? 'USDC' : base);

/** Where a wallet is read from. */
type Start = {
  readonly after: string;
  /** Merged accounts of earlier versions were credited by a sync of the balance, which leaves no row to compare with. */
  readonly withMerges: boolean;
};

/** The network has been read further than the wallet, and twice, as soon as all old wallets have been read up to it. */
const startOf = async ({ cursor }: DepositOptions, wallet: FollowedWallet): Promise<Start> => {
  const reached = await cursor.read();
  if (!reached?.caughtUp) return { after: wallet.paymentsCursor, withMerges: false };
  return { after: laterOf(wallet.paymentsCursor, reached.checked), withMerges: true };
};

type Read = { readonly wallet: FollowedWallet; readonly start: Start };

const readPage = async (options: DepositOptions, { wallet, start }: Read) => {
  const { network } = options;
  const page = await network.payments({ address: wallet.address, cursor: start.after || null, limit: PAGE });
  if (page.kind !== 'yes') return page;
  const { payments, merges, cursor, isLast } = page.value;
  const arrivals = await arrivalsIn(options, {
    page: { payments, merges: start.withMerges ? merges : [] },
    walletAt: (address) => (address === wallet.address ? wallet : undefined),
  });
  return arrivals.kind === 'yes' ? yes({ arrivals: arrivals.value, cursor, isLast }) : arrivals;
};

/** A page that is read next. `waits`: an earlier payment waits for its transaction, so the wallet's cursor stays before that payment. */
type Next = Read & { readonly waits: boolean };

type Page = { readonly recorded: number; readonly next: Next | null };

const beginning = async (options: DepositOptions, wallet: FollowedWallet): Promise<Next> => {
  return { wallet, start: await startOf(options, wallet), waits: false };
};

/** This process or another one has moved the cursor. */
const beginAgain = async (options: DepositOptions, { marketplaceId, id }: FollowedWallet): Promise<Next | null> => {
  const wallet = await options.reads.find({ marketplaceId, id });
  return wallet && beginning(options, wallet);
};

const recordPage = async (options: DepositOptions, { wallet, start, waits: waited }: Next): Promise<Answer<Page>> => {
  const page = await readPage(options, { wallet, start });
  if (page.kind !== 'yes') return page;
  const { arrivals, cursor, isLast } = page.value;
  const { deposits: found, uncredited, foreign } = await sortArrivals(options, arrivals);
  const waits = waited || uncredited.some(isUnsettled);
  const to = cursor ?? start.after;
  const next = isLast ? null : { wallet, start: { ...start, after: to }, waits };
  // A page that is not full is read again next time: storing the cursor after each of our own payments would cost a commit.
  if (found.length === 0 && (isLast || waits)) return yes({ recorded: 0, next });
  const disputed = await findDisputed(options.network, foreign);
  if (disputed.kind !== 'yes') return disputed;
  if (disputed.value.length > 0) return UNSURE;
  const { taken, recorded } = await runCommand(options.submit, {
    command: recordDeposit,
    input: {
      wallet,
      read: waits ? null : { after: start.after, to },
      payments: found.map(({ payment }) => payment),
    },
    context: contextOf(wallet),
  });
  return yes({ recorded, next: taken ? next : await beginAgain(options, wallet) });
};

const recordPages = async (options: DepositOptions, wallet: FollowedWallet): Promise<Polled> => {
  let recorded = 0;
  let next: Next | null = await beginning(options, wallet);
  while (next !== null) {
    const page = await recordPage(options, next);
    if (page.kind !== 'yes') return page;
    recorded += page.value.recorded;
    next = page.value.next;
  }
  return yes({ recorded });
};

/** What was set aside lies before the pages that are read, if the network has been read further. */
const recordWaiting = async (options: DepositOptions, { marketplaceId }: Place): Promise<Polled> => {
  let recorded = 0;
  const reasons = UNSETTLED_REASONS;
  for (const one of await options.setAside.listOf({ marketplaceId, reasons, limit: WAITING_MAX })) {
    const checked = await recheckPayment(options, one);
    if (checked.kind !== 'yes') return checked;
    recorded += checked.value;
  }
  return yes({ recorded });
};

type Sought = Read & { isFound(sorted: Sorted): boolean };

/** Whether one of the pages from there on has what is sought. */
const isOnPages = async (options: DepositOptions, { wallet, start, isFound }: Sought): Promise<Answer<boolean>> => {
  let cursor = start.after;
  for (;;) {
    const page = await readPage(options, { wallet, start: { ...start, after: cursor } });
    if (page.kind !== 'yes') return page;
    if (isFound(await sortArrivals(options, page.value.arrivals))) return yes(true);
    if (page.value.isLast || page.value.cursor === null) return yes(false);
    cursor = page.value.cursor;
  }
};

/** Where the wallet is read from now. */
const startNow = async (options: DepositOptions, wallet: FollowedWallet): Promise<Start> =>
  startOf(options, (await options.reads.find(wallet)) ?? wallet);

const arePending = async (options: DepositOptions, wallet: FollowedWallet): Promise<Answer<boolean>> =>
  isOnPages(options, {
    wallet,
    start: await startNow(options, wallet),
    isFound: ({ deposits }) => deposits.length > 0,
  });

const isOwnMissing = async (options: DepositOptions, wallet: FollowedWallet): Promise<Answer<boolean>> => {
  const { marketplaceId } = wallet;
  const start = await startNow(options, wallet);
  // What was set aside may lie before the pages that are read now.
  const waiting = await options.setAside.listOf({ marketplaceId, reasons: UNSETTLED_REASONS, limit: WAITING_MAX });
  const first = waiting.map(({ id }) => String(operationOf(id) - 1n)).reduce(earlierOf, start.after);
  return isOnPages(options, {
    wallet,
    start: { ...start, after: first },
    isFound: ({ uncredited }) => uncredited.some(isUnsettled),
  });
};

const pollNow = async (options: DepositOptions, { marketplaceId, walletId }: Place): Promise<Polled> => {
  const wallet = await options.reads.find({ marketplaceId, id: walletId });
  return wallet === null ? yes({ recorded: 0 }) : recordPages(options, wallet);
};

export const createDeposits = (options: DepositOptions): Deposits => ({
  pollNow: (place) => pollNow(options, place),
  async pollToSettle(place) {
    const read = await pollNow(options, place);
    if (read.kind !== 'yes') return read;
    // In this order: what the pages no longer show was set aside before.
    const waited = await recordWaiting(options, place);
    return waited.kind === 'yes' ? yes({ recorded: read.value.recorded + waited.value.recorded }) : waited;
  },
  arePending: (wallet) => arePending(options, wallet),
  isOwnMissing: (wallet) => isOwnMissing(options, wallet),
  readTo: async (wallet) => (await startOf(options, wallet)).after,
});
