// Sees to it that a wallet has on the ledger what it is about to pay there: what it lacks comes from the treasury. Two
// payments of one wallet never count the same money, whichever processes carry them out: every operation that is running
// and has not paid yet has its amount promised to it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Amount, fromUnits, least, minus, plus, ZERO } from '../../books/money.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { LedgerAccount, LedgerAsset } from '../../providers/ports.ts';
import { type Asset, assetOf, type Wallet } from '../keys/wallet.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import { type Ledger, onLedger } from '../transactions/ledger.ts';
import { createQueues } from '../transactions/queues.ts';
import type { Notifier } from './notifier.ts';
import type { TreasuryPaymentReads } from './queries.ts';
import { requestTreasuryPayment } from './request-treasury-payment.ts';
import type { TreasuryPayment } from './treasury-payment.ts';

export type FundRequest = {
  readonly marketplaceId: string;
  readonly walletId: string;
  readonly currency: Currency;
  /** Zero: only the fees of its next transactions are seen to. */
  readonly amount: Amount;
  /** The operation that will pay. */
  readonly reference: string;
};

export type Funded = { readonly kind: 'yes' } | { readonly kind: 'no' | 'unknown'; readonly reason: string };

export type FundWalletOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'find' | 'findOpen' | 'promised'>;
  readonly wallets: Pick<WalletReads, 'find'>;
  readonly ledger: Pick<Ledger, 'account'>;
  readonly usdc: LedgerAsset;
  readonly notifier: Notifier;
  kick(marketplaceId: string): void;
  /** What a new wallet gets of the native asset; it stays there for the ledger's minimum and for fees. */
  readonly startingXlm: Amount;
  readonly waitMs?: number;
};

export type FundWallet = ReturnType<typeof createFundWallet>;

const WAIT_MS = 20_000;
const ROUNDS_MAX = 50;
/** The ledger's minimum for an account that trusts one asset. */
const RESERVE: Amount = fromUnits(15_000_000n);

type Lack = { readonly currency: Currency; readonly amount: Amount };

type Looked =
  | Funded
  | { readonly kind: 'lack'; readonly lack: Lack | null }
  /** The balance changed between two looks. */
  | { readonly kind: 'moving' };

/** Whose promises count: everybody's, or only those of operations that were there first. */
type Turn = 'all' | 'older';

const isFinal = ({ state }: TreasuryPayment): boolean => state === 'DONE' || state === 'FAILED';

const isSame = (a: LedgerAccount, b: LedgerAccount, of: { asset: Asset; usdc: LedgerAsset }): boolean =>
  onLedger(a, of) === onLedger(b, of);

export const createFundWallet = (options: FundWalletOptions) => {
  const { submit, payments, ledger, usdc, notifier, startingXlm, waitMs = WAIT_MS } = options;
  const queues = createQueues();
  /** New fees come when half of what is there for them is used up. */
  const feesLow = least(startingXlm, fromUnits(plus(RESERVE, startingXlm) / 2n));

  const contextOf = ({ marketplaceId, reference }: FundRequest): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'treasury' },
    requestId: reference,
  });

  /** What is missing first: fees, then the money itself, beside what is promised to others. */
  const lackOf = (account: LedgerAccount, { ask, promised }: { ask: FundRequest; promised: Amount }): Lack | null => {
    const xlm = onLedger(account, { asset: 'XLM', usdc });
    if (xlm < feesLow) return { currency: 'XLM', amount: minus(startingXlm, xlm) };
    if (ask.amount === ZERO) return null;
    const asset = assetOf(ask.currency);
    const there = asset === 'XLM' ? minus(xlm, startingXlm) : onLedger(account, { asset, usdc });
    const amount = minus(plus(ask.amount, promised), there);
    return amount > ZERO ? { currency: ask.currency, amount } : null;
  };

  const promisedToOthers = async ({ marketplaceId, walletId, reference, currency, amount }: FundRequest) =>
    amount === ZERO
      ? { all: ZERO, older: ZERO }
      : payments.promised({ marketplaceId, walletId, asset: assetOf(currency), operationId: reference });

  /**
   * Who came first does not wait for who came later, but what is asked for is enough for all of them. One wrong answer of
   * the ledger must not make the treasury pay too much: what lacks has to be seen twice.
   */
  const look = async ({ address }: Wallet, { ask, turn }: { ask: FundRequest; turn: Turn }): Promise<Looked> => {
    // Before the ledger, which then shows at least what was paid by those who are no longer counted.
    const promised = await promisedToOthers(ask);
    const first = await ledger.account(address);
    if (first.kind !== 'yes') return { kind: 'unknown', reason: first.reason };
    if (first.value === null) return { kind: 'no', reason: 'The wallet is not active on the ledger yet.' };
    if (lackOf(first.value, { ask, promised: promised.older }) === null) return { kind: 'lack', lack: null };
    const lack = lackOf(first.value, { ask, promised: promised[turn] })!;
    const second = await ledger.account(address);
    if (second.kind !== 'yes') return { kind: 'unknown', reason: second.reason };
    const isSteady =
      second.value !== null && isSame(first.value, second.value, { asset: assetOf(lack.currency), usdc });
    return isSteady ? { kind: 'lack', lack } : { kind: 'moving' };
  };

  const waitFor = (marketplaceId: string, id: string, end: number): Promise<TreasuryPayment | null> =>
    notifier.waitFor({
      key: id,
      withinMs: Math.max(end - performance.now(), 0),
      async look() {
        const payment = await payments.find(marketplaceId, id);
        return payment && isFinal(payment) ? payment : null;
      },
    });

  const request = async (ask: FundRequest, lack: Lack): Promise<TreasuryPayment> => {
    const input = { walletId: ask.walletId, ...lack, reference: ask.reference };
    const outcome = await submit({ command: requestTreasuryPayment, input, context: contextOf(ask) });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply.payment;
  };

  const cover = async (ask: FundRequest, end: number): Promise<Funded> => {
    const { marketplaceId, walletId } = ask;
    const slow: Funded = { kind: 'unknown', reason: 'The treasury has not paid yet.' };
    const wallet = await options.wallets.find(marketplaceId, walletId);
    if (wallet?.type !== 'INVISIBLE') return { kind: 'no', reason: 'There is no such wallet of ours.' };
    // Something asked for earlier, perhaps before a crash, may still arrive: it must not be asked for twice.
    const open = await payments.findOpen({ marketplaceId, walletId, kind: 'pay' });
    if (open) {
      options.kick(marketplaceId);
      if ((await waitFor(marketplaceId, open.id, end)) === null) return slow;
    }
    let [failed, turn]: [{ lack: Lack; reason: string } | null, Turn] = [null, 'all'];
    for (let round = 0; round < ROUNDS_MAX && performance.now() < end; round++) {
      const seen = await look(wallet, { ask, turn });
      if (seen.kind === 'moving') continue;
      if (seen.kind !== 'lack') return seen;
      const { lack } = seen;
      if (lack === null) return { kind: 'yes' };
      // It failed, and nothing has changed since: that is the answer. When another amount was paid, the rest is asked for.
      if (failed?.lack.currency === lack.currency && failed.lack.amount === lack.amount) {
        if (turn === 'older') return { kind: 'no', reason: failed.reason };
        // There is not enough for all of them: who came first does not go without for the sake of who came later.
        [failed, turn] = [null, 'older'];
        continue;
      }
      const payment = await request(ask, lack);
      options.kick(marketplaceId);
      const final = await waitFor(marketplaceId, payment.id, end);
      if (final === null) return slow;
      failed = final.state === 'FAILED' ? { lack, reason: final.failure ?? 'The treasury could not pay.' } : null;
    }
    return slow;
  };

  return (ask: FundRequest): Promise<Funded> => {
    // Waiting for one's turn counts: whoever asked waits for both.
    const end = performance.now() + waitMs;
    return queues.run(`${ask.marketplaceId}/${ask.walletId}`, () => cover(ask, end));
  };
};
