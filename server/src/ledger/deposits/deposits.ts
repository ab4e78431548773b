// Follows the payments to our wallets on the ledger, from each wallet's stored cursor, so that no deposit is missed while the server
// is down. Payments of our own transactions are booked when those are settled, and never here.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, type Unknown, unknown, yes } from '../../base/answer.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerAsset, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import type { DepositReads, FollowedWallet, SeenPayment } from './queries.ts';
import { type IncomingPayment, recordDeposit } from './record-deposit.ts';

type Place = { readonly marketplaceId: string; readonly address: string };

/** Ids of those payments at this address that our own transactions made. */
type FindOwn = (place: Place, payments: readonly SeenPayment[]) => Promise<ReadonlySet<string>>;

type DepositOptions = {
  readonly network: Pick<LedgerNetwork, 'payments'>;
  readonly reads: Pick<DepositReads, 'find'>;
  readonly submit: Submit;
  readonly findOwn: FindOwn;
  /** The asset that our currencies settle in, besides the native one. */
  readonly settlement: LedgerAsset;
  /** The currency that a deposit of it is credited in. */
  readonly depositCurrency: Currency;
};

/** How many deposits were recorded, or why the ledger could not be read. */
type Polled = Answer<{ readonly recorded: number }>;

export type Deposits = {
  /** Reads a limited number of pages, so that one busy wallet cannot delay the others. */
  poll(wallet: FollowedWallet): Promise<Polled>;
  /** After a yes, every deposit that was on the ledger before the call is in the books. */
  pollNow(place: { readonly marketplaceId: string; readonly walletId: string }): Promise<Polled>;
  /** Whether the ledger shows a deposit that is not in the books yet. Writes nothing. */
  arePending(wallet: FollowedWallet): Promise<Answer<boolean>>;
};

const PAGE = 100;
const PAGES_PER_POLL = 10;

const UNSURE: Unknown = unknown('The ledger did not show the same payments twice.', {
  code: 'unclear',
  untouched: true,
});

/** A deposit is credited in the base currency, unless another was chosen or the base settles in another asset. */
export const depositCurrencyOf = (base: Currency, chosen: 'USD' | 'USDC' | null): Currency =>
  chosen ?? (base === 'XLM' ? 'USDC' : base);

export const sameAsset = (a: LedgerAsset, b: LedgerAsset): boolean => a.code === b.code && a.issuer === b.issuer;

const contextOf = (marketplaceId: string, walletId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deposits' },
  requestId: `deposits-${walletId}`,
});

const assetOf = (asset: LedgerAsset, settlement: LedgerAsset): Asset | null => {
  if (asset.issuer === null) return 'XLM';
  return sameAsset(asset, settlement) ? 'USDC' : null;
};

/** Empty for a payment in an asset that is not ours. */
const toDeposit = (
  payment: LedgerPayment,
  { settlement, depositCurrency }: Pick<DepositOptions, 'settlement' | 'depositCurrency'>,
): IncomingPayment[] => {
  const asset = assetOf(payment.asset, settlement);
  if (asset === null) return [];
  return [
    {
      id: payment.id,
      transactionHash: payment.transactionHash,
      // A payment that the issuer made has no sender.
      fromAddress: payment.from ?? settlement.issuer ?? '',
      asset,
      currency: asset === 'XLM' ? 'XLM' : depositCurrency,
      amount: payment.amount,
      occurredAt: payment.at,
    },
  ];
};

/** The payments that others made to the address, in an asset of ours. */
const depositsIn = async (
  options: DepositOptions,
  { marketplaceId, address, payments }: Place & { readonly payments: readonly LedgerPayment[] },
): Promise<IncomingPayment[]> => {
  const arrived = payments.filter(
    ({ to, from, amount, successful }) => successful && to === address && from !== address && amount > 0n,
  );
  const own = await options.findOwn({ marketplaceId, address }, arrived);
  return arrived.filter(({ id }) => !own.has(id)).flatMap((payment) => toDeposit(payment, options));
};

const pageOf = ({ network }: DepositOptions, { address, cursor }: { address: string; cursor: string }) =>
  network.payments({ address, cursor: cursor || null, limit: PAGE });

/** One answer is not enough to credit money: the ledger has to show the same amounts twice. */
const isConfirmed = async (
  options: DepositOptions,
  { wallet, found }: { readonly wallet: FollowedWallet; readonly found: readonly IncomingPayment[] },
): Promise<boolean> => {
  const page = await pageOf(options, { address: wallet.address, cursor: wallet.paymentsCursor });
  if (page.kind !== 'yes') return false;
  const again = await depositsIn(options, { ...wallet, payments: page.value.payments });
  const amounts = new Map(again.map(({ id, amount }) => [id, amount]));
  return found.every(({ id, amount }) => amounts.get(id) === amount);
};

type Page = { readonly recorded: number; readonly more: boolean };

const recordPage = async (options: DepositOptions, wallet: FollowedWallet): Promise<Answer<Page>> => {
  const { marketplaceId, address, paymentsCursor: after } = wallet;
  const page = await pageOf(options, { address, cursor: after });
  if (page.kind !== 'yes') return page;
  const { payments: all, cursor, isLast } = page.value;
  const payments = await depositsIn(options, { ...wallet, payments: all });
  // A page that is not full is read again next time: storing the cursor after each of our own payments would cost a commit.
  if (payments.length === 0 && isLast) return yes({ recorded: 0, more: false });
  if (payments.length > 0 && !(await isConfirmed(options, { wallet, found: payments }))) return UNSURE;
  const { taken, recorded } = await runCommand(options.submit, {
    command: recordDeposit,
    input: { wallet, after, cursor: cursor ?? after, payments },
    context: contextOf(marketplaceId, wallet.id),
  });
  return yes({ recorded, more: !taken || !isLast });
};

const recordPages = async (
  options: DepositOptions,
  { wallet, pagesMax }: { readonly wallet: FollowedWallet; readonly pagesMax: number },
): Promise<Polled> => {
  let recorded = 0;
  let current: FollowedWallet | null = wallet;
  for (let page = 0; current !== null && page < pagesMax; page++) {
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
  const { marketplaceId, id, address } = wallet;
  let cursor = (await options.reads.find({ marketplaceId, id }))?.paymentsCursor ?? wallet.paymentsCursor;
  for (;;) {
    const page = await pageOf(options, { address, cursor });
    if (page.kind !== 'yes') return page;
    const found = await depositsIn(options, { ...wallet, payments: page.value.payments });
    if (found.length > 0) return yes(true);
    if (page.value.isLast || page.value.cursor === null) return yes(false);
    cursor = page.value.cursor;
  }
};

export const createDeposits = (options: DepositOptions): Deposits => ({
  poll: (wallet) => recordPages(options, { wallet, pagesMax: PAGES_PER_POLL }),
  async pollNow({ marketplaceId, walletId }) {
    const wallet = await options.reads.find({ marketplaceId, id: walletId });
    if (wallet === null) return yes({ recorded: 0 });
    return recordPages(options, { wallet, pagesMax: Number.POSITIVE_INFINITY });
  },
  arePending: (wallet) => arePending(options, wallet),
});
