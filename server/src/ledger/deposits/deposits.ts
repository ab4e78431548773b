// Follows what comes in at our wallets on the ledger, from each wallet's stored cursor, so that nothing is missed while
// the server is down. What our own transactions moved is booked by whoever settles them and never here.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { Answer, LedgerAsset, LedgerNetwork, LedgerPayment, No, Unknown } from '../../providers/ports.ts';
import type { Asset } from '../keys/wallet.ts';
import type { DepositReads, FollowedWallet, SeenPayment } from './queries.ts';
import { type IncomingPayment, recordDeposit } from './record-deposit.ts';

type Place = { readonly marketplaceId: string; readonly address: string };

/** Ids of those of the payments that are our own, at this address. */
export type FindOwn = (place: Place, payments: readonly SeenPayment[]) => Promise<ReadonlySet<string>>;

export type DepositOptions = {
  readonly network: Pick<LedgerNetwork, 'payments'>;
  readonly reads: Pick<DepositReads, 'find'>;
  readonly submit: Submit;
  readonly findOwn: FindOwn;
  /** The asset that our currencies settle in, beside the native one. */
  readonly settlement: LedgerAsset;
  /** The currency that a deposit of it is credited in. */
  readonly depositCurrency: Currency;
};

/** What a look at a wallet came to: how many deposits it took in, or why it could not look. */
export type Looked = Answer<{ readonly recorded: number }>;

export type Deposits = ReturnType<typeof createDeposits>;

const PAGE = 100;
/** A turn of the watcher ends here, so that one busy wallet cannot keep the others waiting. */
const PAGES_PER_TURN = 10;

const UNSURE: Unknown = {
  kind: 'unknown',
  reason: 'The ledger did not tell the same payments twice.',
  code: 'unclear',
  untouched: true,
  retryAfterMs: null,
};

/** A deposit is credited in the base currency, unless another was chosen or the base settles in another asset. */
export const depositCurrencyOf = (base: Currency, chosen: 'USD' | 'USDC' | null): Currency =>
  chosen ?? (base === 'XLM' ? 'USDC' : base);

export const sameAsset = (a: LedgerAsset, b: LedgerAsset): boolean => a.code === b.code && a.issuer === b.issuer;

const contextOf = (marketplaceId: string, walletId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deposits' },
  requestId: `deposits-${walletId}`,
});

export const createDeposits = (options: DepositOptions) => {
  const { network, reads, submit, findOwn, settlement, depositCurrency } = options;

  const assetOf = (asset: LedgerAsset): Asset | null => {
    if (asset.issuer === null) return 'XLM';
    return sameAsset(asset, settlement) ? 'USDC' : null;
  };

  const read = (payment: LedgerPayment): IncomingPayment[] => {
    const asset = assetOf(payment.asset);
    if (asset === null) return [];
    return [
      {
        id: payment.id,
        transactionHash: payment.transactionHash,
        // What the issuer itself made comes from nobody.
        fromAddress: payment.from ?? settlement.issuer ?? '',
        asset,
        currency: asset === 'XLM' ? 'XLM' : depositCurrency,
        amount: payment.amount,
        occurredAt: payment.at,
      },
    ];
  };

  /** Those of the payments that somebody else made to the wallet, in an asset of ours. */
  const incoming = async (place: Place, payments: readonly LedgerPayment[]): Promise<IncomingPayment[]> => {
    const { address } = place;
    const arrived = payments.filter(
      ({ to, from, amount, successful }) => successful && to === address && from !== address && amount > 0n,
    );
    const own = await findOwn(place, arrived);
    return arrived.filter(({ id }) => !own.has(id)).flatMap(read);
  };

  /** One answer is not enough to give money away: what is credited was told twice, in the same words. */
  const isToldAgain = async (wallet: FollowedWallet, told: readonly IncomingPayment[]): Promise<boolean> => {
    const { marketplaceId, address, paymentsCursor } = wallet;
    const page = await network.payments({ address, cursor: paymentsCursor || null, limit: PAGE });
    if (page.kind !== 'yes') return false;
    const again = new Map(
      (await incoming({ marketplaceId, address }, page.value.payments)).map((one) => [one.id, one]),
    );
    return told.every((one) => again.get(one.id)?.amount === one.amount);
  };

  type Step = { readonly recorded: number; readonly more: boolean };

  const takePage = async (wallet: FollowedWallet): Promise<{ kind: 'yes'; value: Step } | No | Unknown> => {
    const { marketplaceId, address, paymentsCursor: after } = wallet;
    const page = await network.payments({ address, cursor: after || null, limit: PAGE });
    if (page.kind !== 'yes') return page;
    const { payments: all, cursor, isLast } = page.value;
    const payments = await incoming({ marketplaceId, address }, all);
    // A page that is not full is read again next time: remembering each of our own payments would cost a commit.
    if (payments.length === 0 && isLast) return { kind: 'yes', value: { recorded: 0, more: false } };
    if (payments.length > 0 && !(await isToldAgain(wallet, payments))) return UNSURE;
    const outcome = await submit({
      command: recordDeposit,
      input: { wallet, after, cursor: cursor ?? after, payments },
      context: contextOf(marketplaceId, wallet.id),
    });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    const { taken, recorded } = outcome.reply;
    return { kind: 'yes', value: { recorded, more: !taken || !isLast } };
  };

  const takePages = async (wallet: FollowedWallet, pagesMax: number): Promise<Looked> => {
    let recorded = 0;
    let current: FollowedWallet | null = wallet;
    for (let page = 0; current !== null && page < pagesMax; page++) {
      const step = await takePage(current);
      if (step.kind !== 'yes') return step;
      recorded += step.value.recorded;
      if (!step.value.more) break;
      // The cursor has moved, by us or by another process.
      current = await reads.find({ marketplaceId: wallet.marketplaceId, id: wallet.id });
    }
    return { kind: 'yes', value: { recorded } };
  };

  return {
    /** One turn of the watcher. */
    look: (wallet: FollowedWallet): Promise<Looked> => takePages(wallet, PAGES_PER_TURN),

    /** After a yes, all that was on the ledger before the call is in the books. */
    async pollNow({ marketplaceId, walletId }: { marketplaceId: string; walletId: string }): Promise<Looked> {
      const wallet = await reads.find({ marketplaceId, id: walletId });
      if (wallet === null) return { kind: 'yes', value: { recorded: 0 } };
      return takePages(wallet, Number.POSITIVE_INFINITY);
    },

    /** Whether the ledger shows a deposit that is not in the books yet. Writes nothing. */
    async arePending(wallet: FollowedWallet): Promise<Answer<boolean>> {
      const { marketplaceId, id } = wallet;
      let cursor = (await reads.find({ marketplaceId, id }))?.paymentsCursor ?? wallet.paymentsCursor;
      for (;;) {
        const page = await network.payments({ address: wallet.address, cursor: cursor || null, limit: PAGE });
        if (page.kind !== 'yes') return page;
        const found = await incoming(wallet, page.value.payments);
        if (found.length > 0) return { kind: 'yes', value: true };
        if (page.value.isLast || page.value.cursor === null) return { kind: 'yes', value: false };
        cursor = page.value.cursor;
      }
    },
  };
};
