// Funds a wallet before it pays on the ledger: the treasury pays what the wallet lacks. Two payments of one wallet never count the same
// money, in whichever processes they run: the amount of every running operation that has not paid yet is promised to it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, no, unknown, yes } from '../../base/answer.ts';
import { createQueues } from '../../base/one-at-a-time.ts';
import { pause } from '../../base/wait.ts';
import { type Amount, fromUnits, minus, plus, ZERO } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerAccount, LedgerAsset } from '../../providers/ports.ts';
import type { Adoption } from '../adoption/adoption.ts';
import { assetOf, type Wallet } from '../keys/wallet.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import { asUnknown, type Ledger, onLedger } from '../transactions/ledger.ts';
import type { LedgerTransactionReads } from '../transactions/queries.ts';
import type { LocalNotifier } from './local-notifier.ts';
import type { Promised, TreasuryPaymentReads } from './queries.ts';
import type { TreasuryPayment } from './treasury-payment.ts';
import { requestTreasuryPayment } from './treasury-queue.ts';

type FundRequest = {
  readonly marketplaceId: string;
  readonly walletId: string;
  readonly currency: Currency;
  /** Zero: only the fees of the wallet's next transactions are funded. */
  readonly amount: Amount;
  /** The operation that will pay. */
  readonly reference: string;
};

type FundWalletOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'find' | 'findOpen' | 'promised'>;
  readonly wallets: Pick<WalletReads, 'find'>;
  readonly ledger: Pick<Ledger, 'account'>;
  readonly adoption: Adoption;
  readonly transactions: Pick<LedgerTransactionReads, 'findOpen'>;
  readonly usdc: LedgerAsset;
  readonly notifier: LocalNotifier;
  kick(marketplaceId: string): void;
  /** The native asset that a wallet has for fees, besides what the ledger locks. It gets it when it first pays. */
  readonly feesXlm: Amount;
  readonly waitMs?: number;
};

/** Yes: the wallet has on the ledger what it is about to pay. */
export type FundWallet = (request: FundRequest) => Promise<Answer<null>>;

const WAIT_MS = 20_000;
const ROUNDS_MAX = 50;
/** A balance that is changing is read again after this time. */
const MOVING_MS = 100;

const NOT_PAID_YET = unknown('The treasury has not paid yet.', { code: 'lagging' });

const UNKNOWN_TRANSACTION = unknown('The wallet has transactions that the books did not know.', {
  code: 'in-progress',
});

type Shortfall = { readonly currency: Currency; readonly amount: Amount };

/** `isInBooks`: the books hold what the ledger shows. Otherwise the ledger has shown the same twice. */
type ReadShortfall = Shortfall & { readonly isInBooks: boolean };

/** Whose promises count: those of all other operations, or only those of older ones. */
type Turn = 'all' | 'older';

const contextOf = ({ marketplaceId, reference }: FundRequest): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'treasury' },
  requestId: reference,
});

const isFinal = ({ state }: TreasuryPayment): boolean => state === 'DONE' || state === 'FAILED';

const FEE_ASSET = 'XLM';

/**
 * The ledger has paid exactly what lacked for this request. A payment that was requested for another one may be too small, and so is one
 * whose amount comes from wrong answers. A first payment of the native asset may be for the fees alone.
 */
const isCovered = ({ request, shortfall, paid }: Pick<Timed, 'request'> & Paid): boolean =>
  shortfall.isInBooks &&
  assetOf(request.currency) !== FEE_ASSET &&
  paid.state === 'DONE' &&
  paid.reference === request.reference &&
  shortfall.currency === request.currency &&
  isSameShortfall(paid, shortfall);

const isSameShortfall = (a: Shortfall, b: Shortfall): boolean => a.currency === b.currency && a.amount === b.amount;

/** Fees first, then the money itself, in addition to what is promised to other operations. */
const shortfallOf = (
  { usdc, feesXlm }: FundWalletOptions,
  { account, request, promised }: { account: LedgerAccount; request: FundRequest; promised: Amount },
): Shortfall | null => {
  // Wallets of earlier versions lock their own reserve; the treasury locks it for the others.
  const xlm = minus(onLedger(account, { asset: 'XLM', usdc }), account.locked);
  // Fees are funded again when half of them is used.
  if (xlm < fromUnits(feesXlm / 2n)) return { currency: 'XLM', amount: minus(feesXlm, xlm) };
  if (request.amount === ZERO) return null;
  const asset = assetOf(request.currency);
  const held = asset === 'XLM' ? minus(xlm, feesXlm) : onLedger(account, { asset, usdc });
  const amount = minus(plus(request.amount, promised), held);
  return amount > ZERO ? { currency: request.currency, amount } : null;
};

type Place = { readonly wallet: Wallet; readonly request: FundRequest };

const promisedToOthers = async ({ payments }: FundWalletOptions, { wallet, request }: Place): Promise<Promised> => {
  const { marketplaceId, walletId, reference, currency, amount } = request;
  if (amount === ZERO) return { all: ZERO, older: ZERO, held: null };
  const { address } = wallet;
  return payments.promised({ marketplaceId, walletId, address, asset: assetOf(currency), operationId: reference });
};

/**
 * Yes with null: nothing lacks. Yes with `moving`: the balance changed between two reads, or a transaction of the wallet is on the ledger
 * and not in the books yet. An operation never waits for a younger one, but the requested amount is enough for all of them. One wrong
 * answer of the ledger must not make the treasury pay too much: the books have to hold the same amount, or the ledger has to show it twice.
 */
const readShortfall = async (
  options: FundWalletOptions,
  { wallet, request, turn }: Place & { readonly turn: Turn },
): Promise<Answer<ReadShortfall | 'moving' | null>> => {
  const { ledger, usdc, adoption, transactions } = options;
  // Read before the ledger, which then shows at least the payments of the operations that are no longer counted.
  const promised = await promisedToOthers(options, { wallet, request });
  const first = await ledger.account(wallet.address);
  if (first.kind !== 'yes') return asUnknown(first);
  if (first.value === null) return no('The wallet is not active on the ledger yet.');
  const account = first.value;
  // A wallet that has paid without our knowledge would be funded for the same payment again.
  const place = { marketplaceId: request.marketplaceId, source: wallet.address };
  if (!(await adoption.isKnown(place, account.sequence))) {
    const open = await transactions.findOpen(place);
    // It may have been settled between the two reads.
    const isSettled = open === null && (await adoption.isKnown(place, account.sequence));
    if (isSettled || open?.sequence === String(account.sequence)) return yes('moving');
    const adopted = await adoption.adopt(place);
    return adopted.kind === 'yes' ? UNKNOWN_TRANSACTION : adopted;
  }
  if (shortfallOf(options, { account, request, promised: promised.older }) === null) return yes(null);
  const shortfall = shortfallOf(options, { account, request, promised: promised[turn] })!;
  const of = { asset: assetOf(shortfall.currency), usdc };
  const isInBooks = of.asset === assetOf(request.currency) && promised.held === onLedger(account, of);
  if (isInBooks) return yes({ ...shortfall, isInBooks });
  const second = await ledger.account(wallet.address);
  if (second.kind !== 'yes') return asUnknown(second);
  const isSteady = second.value !== null && onLedger(account, of) === onLedger(second.value, of);
  return yes(isSteady ? { ...shortfall, isInBooks } : 'moving');
};

/** Null when the payment is not final in time. */
const waitForPayment = (
  { payments, notifier }: FundWalletOptions,
  { marketplaceId, id, end }: { marketplaceId: string; id: string; end: number },
): Promise<TreasuryPayment | null> =>
  notifier.waitFor({
    key: id,
    withinMs: Math.max(end - performance.now(), 0),
    async read() {
      const payment = await payments.find(marketplaceId, id);
      return payment && isFinal(payment) ? payment : null;
    },
  });

/** The final treasury payment; null when it is not final in time. */
const payShortfall = async (
  options: FundWalletOptions,
  { request, shortfall, end }: { request: FundRequest; shortfall: Shortfall; end: number },
): Promise<TreasuryPayment | null> => {
  const { marketplaceId, walletId, reference } = request;
  const payment = await runCommand(options.submit, {
    command: requestTreasuryPayment,
    input: { walletId, ...shortfall, reference },
    context: contextOf(request),
  });
  options.kick(marketplaceId);
  return waitForPayment(options, { marketplaceId, id: payment.id, end });
};

/** `end`: the time until which the caller waits, on the clock of `performance.now()`. */
type Timed = { readonly request: FundRequest; readonly end: number };

type Paid = { readonly shortfall: ReadShortfall; readonly paid: TreasuryPayment };

/** An open payment, perhaps requested before a crash, may still arrive: it must not be requested twice. False: not in time. */
const finishOpenPayment = async (options: FundWalletOptions, { request, end }: Timed): Promise<boolean> => {
  const { marketplaceId, walletId } = request;
  const open = await options.payments.findOpen({ marketplaceId, walletId, kind: 'pay' });
  if (!open) return true;
  options.kick(marketplaceId);
  return (await waitForPayment(options, { marketplaceId, id: open.id, end })) !== null;
};

type Failure = { readonly shortfall: Shortfall; readonly reason: string };

const fundInTurn = async (options: FundWalletOptions, { request, end }: Timed): Promise<Answer<null>> => {
  const wallet = await options.wallets.find(request.marketplaceId, request.walletId);
  if (wallet?.type !== 'INVISIBLE') return no('The wallet does not exist, or is not custodial.');
  if (!(await finishOpenPayment(options, { request, end }))) return NOT_PAID_YET;
  let failed: Failure | null = null;
  let turn: Turn = 'all';
  for (let round = 0; round < ROUNDS_MAX && performance.now() < end; round++) {
    const read = await readShortfall(options, { wallet, request, turn });
    if (read.kind !== 'yes') return read;
    const shortfall = read.value;
    if (shortfall === null) return yes(null);
    if (shortfall === 'moving') {
      await pause(MOVING_MS);
      continue;
    }
    // The payment failed and nothing has changed since. When another amount was paid, the rest is requested.
    if (failed !== null && isSameShortfall(failed.shortfall, shortfall)) {
      if (turn === 'older') return no(failed.reason);
      // The treasury has not enough for all of them: operations are funded in order of arrival.
      failed = null;
      turn = 'older';
      continue;
    }
    const paid = await payShortfall(options, { request, shortfall, end });
    if (paid === null) return NOT_PAID_YET;
    if (request.amount > ZERO && isCovered({ request, shortfall, paid })) return yes(null);
    failed = paid.state === 'FAILED' ? { shortfall, reason: paid.failure ?? 'The treasury could not pay.' } : null;
  }
  return NOT_PAID_YET;
};

export const createFundWallet = (options: FundWalletOptions): FundWallet => {
  const queues = createQueues();
  const { waitMs = WAIT_MS } = options;
  return (request) => {
    // The time in the queue counts: the caller waits for both.
    const end = performance.now() + waitMs;
    return queues.run(`${request.marketplaceId}/${request.walletId}`, () => fundInTurn(options, { request, end }));
  };
};
