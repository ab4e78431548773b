// Records the deposits of one wallet: where a balance must be current now, and once for the wallets that are older than the cursor of the
// network (follow-ledger.ts). Payments of our own transactions are booked when those are settled, and never here.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, type Unknown, unknown, yes } from '../../base/answer.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import { type ArrivalOptions, arrivalsIn, sortArrivals } from './arrivals.ts';
import { type ConfirmingNetwork, findDisputed } from './confirm-arrivals.ts';
import { type LedgerCursor, laterOf } from './ledger-cursor.ts';
import type { DepositReads, FollowedWallet } from './queries.ts';
import { recordDeposit } from './record-deposit.ts';

type DepositOptions = Omit<ArrivalOptions, 'network'> & {
  readonly network: Pick<LedgerNetwork, 'payments' | 'mergedAmount'> & ConfirmingNetwork;
  readonly reads: Pick<DepositReads, 'find'>;
  /** What the whole network has been read up to. */
  readonly cursor: Pick<LedgerCursor, 'read'>;
  readonly submit: Submit;
};

/** How many deposits were recorded, or why the ledger could not be read. */
type Polled = Answer<{ readonly recorded: number }>;

export type Deposits = {
  /** After a yes, every deposit that was on the ledger before the call is in the books. */
  pollNow(place: { readonly marketplaceId: string; readonly walletId: string }): Promise<Polled>;
  /** Whether the ledger shows a deposit that is not in the books yet. Writes nothing. */
  arePending(wallet: FollowedWallet): Promise<Answer<boolean>>;
  /** Up to here every deposit of the wallet is in the books, or is a break. */
  readTo(wallet: FollowedWallet): Promise<string>;
};

const PAGE = 100;

export const UNSURE: Unknown = unknown('The ledger showed a payment in two ways.', {
  code: 'unclear',
  untouched: true,
});

/** A deposit is credited in the base currency, unless another was chosen or the base settles in another asset. */
export const depositCurrencyOf = (base: Currency, chosen: 'USD' | 'USDC' | null): Currency =>
  chosen ?? (base === 'XLM' ? 'USDC' : base);

export const contextOf = ({ marketplaceId, id }: Pick<FollowedWallet, 'marketplaceId' | 'id'>): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deposits' },
  requestId: `deposits-${id}`,
});

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

type Page = { readonly recorded: number; readonly more: boolean };

const recordPage = async (options: DepositOptions, wallet: FollowedWallet): Promise<Answer<Page>> => {
  const start = await startOf(options, wallet);
  const page = await readPage(options, { wallet, start });
  if (page.kind !== 'yes') return page;
  const { arrivals, cursor, isLast } = page.value;
  const { deposits: found, foreign } = await sortArrivals(options, arrivals);
  // A page that is not full is read again next time: storing the cursor after each of our own payments would cost a commit.
  if (found.length === 0 && isLast) return yes({ recorded: 0, more: false });
  const disputed = await findDisputed(options.network, foreign);
  if (disputed.kind !== 'yes') return disputed;
  if (disputed.value.length > 0) return UNSURE;
  const { taken, recorded } = await runCommand(options.submit, {
    command: recordDeposit,
    input: {
      wallet,
      read: { after: start.after, to: cursor ?? start.after },
      payments: found.map(({ payment }) => payment),
    },
    context: contextOf(wallet),
  });
  return yes({ recorded, more: !taken || !isLast });
};

const recordPages = async (options: DepositOptions, wallet: FollowedWallet): Promise<Polled> => {
  let recorded = 0;
  let current: FollowedWallet | null = wallet;
  while (current !== null) {
    const read = await recordPage(options, current);
    if (read.kind !== 'yes') return read;
    recorded += read.value.recorded;
    if (!read.value.more) break;
    // This process or another one has moved the cursor.
    current = await options.reads.find({ marketplaceId: wallet.marketplaceId, id: wallet.id });
  }
  return yes({ recorded });
};

const arePending = async (options: DepositOptions, wallet: FollowedWallet): Promise<Answer<boolean>> => {
  const { marketplaceId, id } = wallet;
  const { after, withMerges } = await startOf(options, (await options.reads.find({ marketplaceId, id })) ?? wallet);
  let cursor = after;
  for (;;) {
    const page = await readPage(options, { wallet, start: { after: cursor, withMerges } });
    if (page.kind !== 'yes') return page;
    if ((await sortArrivals(options, page.value.arrivals)).deposits.length > 0) return yes(true);
    if (page.value.isLast || page.value.cursor === null) return yes(false);
    cursor = page.value.cursor;
  }
};

export const createDeposits = (options: DepositOptions): Deposits => ({
  async pollNow({ marketplaceId, walletId }) {
    const wallet = await options.reads.find({ marketplaceId, id: walletId });
    return wallet === null ? yes({ recorded: 0 }) : recordPages(options, wallet);
  },
  arePending: (wallet) => arePending(options, wallet),
  readTo: async (wallet) => (await startOf(options, wallet)).after,
});
