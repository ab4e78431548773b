// What a page of the ledger brought to our wallets: which payments are deposits, which are our own, and which cannot be credited and why.
// It reads only.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, yes } from '../../base/answer.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { LedgerAsset, LedgerMerge, LedgerNetwork, LedgerPayment } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import type { FollowedWallet, Origin, SeenPayment, UnsettledOrigin } from './queries.ts';
import type { IncomingPayment } from './record-deposit.ts';

export type ArrivalOptions = {
  readonly network: Pick<LedgerNetwork, 'mergedAmount'>;
  /** Those of the payments to wallets of a marketplace that are no deposits. */
  findOrigins(marketplaceId: string, payments: readonly SeenPayment[]): Promise<ReadonlyMap<string, Origin>>;
  /** The asset that our currencies settle in, besides the native one. */
  readonly settlement: LedgerAsset;
  /** The currency that a deposit of it is credited in. */
  readonly depositCurrency: Currency;
};

/** A payment from elsewhere to one of our wallets. The amount of a merged account is null when the ledger does not show it. */
export type Arrival = Omit<SeenPayment, 'address'> & {
  readonly kind: 'payment' | 'merge';
  readonly wallet: FollowedWallet;
  readonly asset: LedgerAsset;
  readonly amount: Amount | null;
  readonly at: string;
};

export type Deposited = { readonly wallet: FollowedWallet; readonly payment: IncomingPayment };

/** A payment that was not credited, and why, in a sentence. */
export type Uncredited = {
  readonly marketplaceId: string;
  readonly id: string;
  readonly amount: Amount;
  readonly reason: string;
};

export type Sorted = {
  readonly deposits: readonly Deposited[];
  readonly uncredited: readonly Uncredited[];
  /** Both of these as they arrived: what is not our own. */
  readonly foreign: readonly Arrival[];
};

type Page = { readonly payments: readonly LedgerPayment[]; readonly merges: readonly LedgerMerge[] };

type FindWallet = (address: string) => FollowedWallet | undefined;

const NATIVE: LedgerAsset = { code: 'XLM', issuer: null };

export const sameAsset = (a: LedgerAsset, b: LedgerAsset): boolean => a.code === b.code && a.issuer === b.issuer;

const assetOf = (asset: LedgerAsset, settlement: LedgerAsset): Asset | null => {
  if (asset.issuer === null) return 'XLM';
  return sameAsset(asset, settlement) ? 'USDC' : null;
};

const paymentsTo = (payments: readonly LedgerPayment[], walletAt: FindWallet): Arrival[] =>
  payments.flatMap(({ id, transactionHash, from, to, asset, amount, at, successful }) => {
    const wallet = to === null ? undefined : walletAt(to);
    if (wallet === undefined || !successful || from === to || amount <= 0n) return [];
    return [{ kind: 'payment', wallet, id, transactionHash, from, asset, amount, at }];
  });

/** What arrived at our wallets, with what merged accounts had. */
export const arrivalsIn = async (
  { network }: Pick<ArrivalOptions, 'network'>,
  { page, walletAt }: { readonly page: Page; readonly walletAt: FindWallet },
): Promise<Answer<Arrival[]>> => {
  const arrivals = paymentsTo(page.payments, walletAt);
  for (const { id, transactionHash, from, to, at, successful } of page.merges) {
    const wallet = walletAt(to);
    if (wallet === undefined || !successful) continue;
    const amount = await network.mergedAmount({ id, to });
    if (amount.kind !== 'yes') return amount;
    arrivals.push({ kind: 'merge', wallet, id, transactionHash, from, asset: NATIVE, amount: amount.value, at });
  }
  return yes(arrivals);
};

const SENT = 'One of our own wallets sent the payment';

/** Such a payment is credited, or turns out to be our own, as soon as the books have the outcome of its transaction. */
const UNSETTLED: Readonly<Record<UnsettledOrigin, string>> = {
  unexplained: `${SENT}, or called the contract that did, in a transaction that the books do not know.`,
  rejected: `${SENT} in a transaction that the ledger had rejected. The server settles the transaction within minutes.`,
  expired:
    `${SENT} in a transaction that the books have as expired. ` +
    'The next transaction of that wallet settles it, and so does a sync of the user whose wallet it is.',
  failed: `${SENT} in a transaction that the books have as failed. Compare the transaction with the ledger.`,
};

export const UNSETTLED_REASONS: readonly string[] = Object.values(UNSETTLED);

/** Whether the payment waits for the outcome of its transaction. */
export const isUnsettled = ({ reason }: Pick<Uncredited, 'reason'>): boolean => UNSETTLED_REASONS.includes(reason);

const isOfUnsettled = (origin: Origin | undefined): origin is UnsettledOrigin =>
  origin !== undefined && Object.hasOwn(UNSETTLED, origin);

const NO_AMOUNT = 'The ledger does not show how much the merged account had.';

/** The asset and amount that the arrival is credited with, or why it is not. */
const judge = (
  { asset: of, amount }: Arrival,
  { origin, settlement }: { readonly origin: Origin | undefined; readonly settlement: LedgerAsset },
): { readonly asset: Asset; readonly amount: Amount } | string => {
  if (isOfUnsettled(origin)) return UNSETTLED[origin];
  if (amount === null) return NO_AMOUNT;
  const asset = assetOf(of, settlement);
  return asset === null ? `The payment is in another asset (${of.code}).` : { asset, amount };
};

/** Leaves out the payments that we made, and those that are in the books. */
export const sortArrivals = async (options: ArrivalOptions, arrivals: readonly Arrival[]): Promise<Sorted> => {
  const { settlement, depositCurrency } = options;
  const deposits: Deposited[] = [];
  const uncredited: Uncredited[] = [];
  const foreign: Arrival[] = [];
  for (const [marketplaceId, group] of Map.groupBy(arrivals, ({ wallet }) => wallet.marketplaceId)) {
    const seen = group.map(({ id, transactionHash, from, wallet }) => ({
      id,
      transactionHash,
      from,
      address: wallet.address,
    }));
    const origins = await options.findOrigins(marketplaceId, seen);
    for (const arrival of group) {
      const { id, wallet, transactionHash, from, at } = arrival;
      const origin = origins.get(id);
      if (origin === 'own' || origin === 'recorded') continue;
      foreign.push(arrival);
      const credit = judge(arrival, { origin, settlement });
      if (typeof credit === 'string') {
        uncredited.push({ marketplaceId, id, amount: arrival.amount ?? ZERO, reason: credit });
        continue;
      }
      const payment: IncomingPayment = {
        id,
        transactionHash,
        // A payment that the issuer made has no sender.
        fromAddress: from ?? settlement.issuer ?? '',
        asset: credit.asset,
        currency: credit.asset === 'XLM' ? 'XLM' : depositCurrency,
        amount: credit.amount,
        occurredAt: at,
      };
      deposits.push({ wallet, payment });
    }
  }
  return { deposits, uncredited, foreign };
};
