// Finds deposits by reading the payments of the whole network, page by page, with one cursor: the number of requests depends on what
// happens on the ledger and not on how many wallets there are. The cursor moves after every deposit of the page is in the books, so a crash
// only reads a page again. What cannot be credited is set aside with the reason.

import { type Answer, yes } from '../../base/answer.ts';
import { ZERO } from '../../books/money.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerNetwork, NetworkPage } from '../../providers/ports.ts';
import {
  type Arrival,
  type ArrivalOptions,
  arrivalsIn,
  type Deposited,
  type Sorted,
  sortArrivals,
  type Uncredited,
} from './arrivals.ts';
import { type ConfirmingNetwork, findDisputed } from './confirm-arrivals.ts';
import { contextOf, UNSURE } from './deposits.ts';
import { type LedgerCursor, operationOf } from './ledger-cursor.ts';
import type { MovedWallets } from './moved-wallets.ts';
import type { DepositReads, FollowedWallet } from './queries.ts';
import { recordDeposit } from './record-deposit.ts';

/** Payments that were not credited, for people: breaks. */
export type SetAside = {
  see(payment: Uncredited): Promise<void>;
  resolve(payment: Pick<Uncredited, 'marketplaceId' | 'id'>): Promise<void>;
  /** The oldest open ones. */
  list(limit: number): Promise<readonly Pick<Uncredited, 'marketplaceId' | 'id'>[]>;
};

type FollowOptions = Omit<ArrivalOptions, 'network'> & {
  readonly network: Pick<LedgerNetwork, 'networkPayments' | 'mergedAmount'> & ConfirmingNetwork;
  readonly reads: Pick<DepositReads, 'atAddresses'>;
  readonly cursor: LedgerCursor;
  readonly moved: Pick<MovedWallets, 'mark'>;
  readonly submit: Submit;
  readonly setAside: SetAside;
  onTrouble(message: string, error: unknown): void;
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
const DISPUTED = 'Two answers of the ledger describe the payment in different ways.';
const UNREADABLE = 'The ledger describes the payment in a form that cannot be read.';

/** Senders too: what leaves a wallet is compared with the books as well. */
const addressesOf = ({ payments, merges, unread }: NetworkPage): string[] => [
  ...new Set([
    ...payments.flatMap(({ from, to }) => [from, to].filter((address) => address?.startsWith('G')) as string[]),
    ...merges.flatMap(({ from, to }) => [from, to]),
    ...unread.flatMap(({ addresses }) => addresses),
  ]),
];

/** Looked up after the page was read: a wallet is in the database before anyone can pay to it. */
const walletsIn = async ({ reads }: FollowOptions, page: NetworkPage) => {
  const wallets = await reads.atAddresses(addressesOf(page));
  const byAddress = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  return { wallets, walletAt: (address: string): FollowedWallet | undefined => byAddress.get(address) };
};

type Query = { readonly cursor: string; readonly limit?: number };

const unreadOf = ({ unread }: NetworkPage, walletAt: (address: string) => FollowedWallet | undefined): Uncredited[] =>
  unread.flatMap(({ id, addresses }) => {
    const wallet = addresses.map(walletAt).find((one) => one !== undefined);
    if (wallet === undefined) return [];
    return [{ marketplaceId: wallet.marketplaceId, id, amount: ZERO, reason: UNREADABLE }];
  });

const disputeOf = ({ wallet: { marketplaceId }, id, amount }: Arrival): Uncredited => ({
  marketplaceId,
  id,
  amount: amount ?? ZERO,
  reason: DISPUTED,
});

type Examined = Pick<Sorted, 'deposits' | 'uncredited'> & {
  readonly page: NetworkPage;
  /** Ours that the page names. */
  readonly wallets: readonly FollowedWallet[];
  /** What a second read did not show in the same way. */
  readonly disputed: readonly Uncredited[];
};

/** What a page brought to our wallets. Deposits and what cannot be credited were seen twice. */
const examine = async (options: FollowOptions, query: Query): Promise<Answer<Examined>> => {
  const page = await options.network.networkPayments(query);
  if (page.kind !== 'yes') return page;
  const { wallets, walletAt } = await walletsIn(options, page.value);
  const arrivals = await arrivalsIn(options, { page: page.value, walletAt });
  if (arrivals.kind !== 'yes') return arrivals;
  const { deposits, uncredited, foreign } = await sortArrivals(options, arrivals.value);
  const found = await findDisputed(options.network, foreign);
  if (found.kind !== 'yes') return found;
  const disputed = new Set(found.value.map(({ id }) => id));
  return yes({
    deposits: deposits.filter(({ payment }) => !disputed.has(payment.id)),
    uncredited: [...uncredited.filter(({ id }) => !disputed.has(id)), ...unreadOf(page.value, walletAt)],
    disputed: found.value.map(disputeOf),
    page: page.value,
    wallets,
  });
};

/** Records the deposits of each wallet. Returns those that could not be recorded. */
const recordAll = async ({ submit, onTrouble }: FollowOptions, deposits: readonly Deposited[]) => {
  const groups = [...Map.groupBy(deposits, ({ wallet }) => wallet.id).values()];
  const failed: Deposited[] = [];
  let recorded = 0;
  const recordOne = async (group: readonly Deposited[]): Promise<void> => {
    const { wallet } = group[0]!;
    const input = { wallet, read: null, payments: group.map(({ payment }) => payment) };
    try {
      const reply = await runCommand(submit, { command: recordDeposit, input, context: contextOf(wallet) });
      recorded += reply.recorded;
    } catch (error) {
      failed.push(...group);
      onTrouble('the deposits of a wallet could not be recorded; they will be retried', error);
    }
  };
  await Promise.all(groups.map(recordOne));
  return { recorded, failed };
};

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

  const recheckOne = async ({ marketplaceId, id }: Pick<Uncredited, 'marketplaceId' | 'id'>): Promise<void> => {
    const operation = operationOf(id);
    const found = await examine(options, { cursor: String(operation - 1n), limit: 1 });
    if (found.kind !== 'yes') return;
    const { deposits, uncredited, disputed, page } = found.value;
    const still = [...uncredited, ...disputed].find((one) => one.id === id);
    const deposit = deposits.filter(({ payment }) => payment.id === id);
    // The ledger no longer shows the operation: nothing can be said about it.
    if (page.cursor !== String(operation)) return;
    if (still) return setAside.see(still);
    const { failed } = await recordAll(options, deposit);
    if (failed.length === 0) await setAside.resolve({ marketplaceId, id });
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
      for (const one of await setAside.list(RECHECKED_MAX)) await recheckOne(one);
    },
  };
};
