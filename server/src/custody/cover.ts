// Sees to it that a wallet has on the ledger what it is about to pay there: what it lacks comes from the treasury. Two
// payments of one wallet never count the same money: what one was promised is set aside until it is released.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Context, Submit } from '../commands/command.ts';
import { requestTreasuryPayment } from '../commands/request-treasury-payment.ts';
import { type Amount, fromUnits, minus, plus, ZERO } from '../domain/money.ts';
import type { TreasuryPayment } from '../domain/treasury-payment.ts';
import { type Asset, assetOf, type Wallet } from '../domain/wallet.ts';
import type { LedgerAccount, LedgerAsset } from '../providers/ports.ts';
import type { TreasuryPaymentReads } from '../store/reads/treasury-payments.ts';
import type { WalletReads } from '../store/reads/wallets.ts';
import type { Bell } from './bell.ts';
import { type Ledger, onLedger } from './ledger.ts';
import { createQueues } from './queues.ts';

export type CoverAsk = {
  readonly marketplaceId: string;
  readonly walletId: string;
  readonly currency: Currency;
  readonly amount: Amount;
  /** The order or withdrawal that it is for. Covering it again replaces what was set aside before. */
  readonly reference: string;
};

export type Covered =
  /** Call `release` when the payment is made or given up. */
  { readonly kind: 'yes'; release(): void } | { readonly kind: 'no' | 'unknown'; readonly reason: string };

export type CoverOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'find' | 'findOpen'>;
  readonly wallets: Pick<WalletReads, 'find'>;
  readonly ledger: Pick<Ledger, 'account'>;
  readonly usdc: LedgerAsset;
  readonly bell: Bell;
  kick(marketplaceId: string): void;
  /** What a new wallet gets of the native asset; it stays there for the ledger's minimum and for fees. */
  readonly startingXlm: Amount;
  readonly waitMs?: number;
};

export type Cover = ReturnType<typeof createCover>;

const WAIT_MS = 20_000;
const ROUNDS = 5;
/** Below this the next fees might not be there; the ledger's minimum for an account that trusts one asset is 1.5. */
const FEES_LOW: Amount = fromUnits(17_500_000n);

type Lack = { readonly currency: Currency; readonly amount: Amount };

const isFinal = ({ state }: TreasuryPayment): boolean => state === 'DONE' || state === 'FAILED';

const isSame = (a: LedgerAccount, b: LedgerAccount, of: { asset: Asset; usdc: LedgerAsset }): boolean =>
  onLedger(a, of) === onLedger(b, of);

export const createCover = (options: CoverOptions) => {
  const { submit, payments, ledger, usdc, bell, startingXlm, waitMs = WAIT_MS } = options;
  const queues = createQueues();
  const promised = new Map<string, Map<string, { asset: Asset; amount: Amount }>>();

  const contextOf = ({ marketplaceId, reference }: CoverAsk): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'treasury' },
    requestId: reference,
  });

  const setAside = (ask: CoverAsk): (() => void) => {
    const own = promised.get(ask.walletId) ?? new Map();
    promised.set(ask.walletId, own);
    const entry = { asset: assetOf(ask.currency), amount: ask.amount };
    own.set(ask.reference, entry);
    return () => {
      if (own.get(ask.reference) === entry) own.delete(ask.reference);
      if (own.size === 0 && promised.get(ask.walletId) === own) promised.delete(ask.walletId);
    };
  };

  const promisedToOthers = ({ walletId, reference }: CoverAsk, asset: Asset): Amount => {
    let sum = ZERO;
    for (const [other, entry] of promised.get(walletId) ?? []) {
      if (other !== reference && entry.asset === asset) sum = plus(sum, entry.amount);
    }
    return sum;
  };

  /** What is missing first: fees, then the money itself. */
  const lackOf = (account: LedgerAccount, ask: CoverAsk): Lack | null => {
    const xlm = onLedger(account, { asset: 'XLM', usdc });
    if (xlm < FEES_LOW && xlm < startingXlm) return { currency: 'XLM', amount: minus(startingXlm, xlm) };
    const asset = assetOf(ask.currency);
    const there = asset === 'XLM' ? minus(xlm, startingXlm) : onLedger(account, { asset, usdc });
    const amount = minus(plus(ask.amount, promisedToOthers(ask, asset)), there);
    return amount > ZERO ? { currency: ask.currency, amount } : null;
  };

  /** One wrong answer of the ledger must not make the treasury pay too much: what lacks has to be seen twice. */
  const look = async ({ address }: Wallet, ask: CoverAsk): Promise<Covered | { kind: 'lack'; lack: Lack | null }> => {
    const first = await ledger.account(address);
    if (first.kind !== 'yes') return { kind: 'unknown', reason: first.reason };
    if (first.value === null) return { kind: 'no', reason: 'The wallet is not active on the ledger yet.' };
    const lack = lackOf(first.value, ask);
    if (lack === null) return { kind: 'lack', lack };
    const second = await ledger.account(address);
    if (second.kind !== 'yes') return { kind: 'unknown', reason: second.reason };
    const isSteady =
      second.value !== null && isSame(first.value, second.value, { asset: assetOf(lack.currency), usdc });
    return isSteady ? { kind: 'lack', lack } : { kind: 'unknown', reason: 'The balance on the ledger is changing.' };
  };

  const waitFor = (marketplaceId: string, id: string, end: number): Promise<TreasuryPayment | null> =>
    bell.waitFor({
      key: id,
      withinMs: Math.max(end - performance.now(), 0),
      async look() {
        const payment = await payments.find(marketplaceId, id);
        return payment && isFinal(payment) ? payment : null;
      },
    });

  const request = async (ask: CoverAsk, lack: Lack): Promise<TreasuryPayment> => {
    const input = { walletId: ask.walletId, ...lack, reference: ask.reference };
    const outcome = await submit({ command: requestTreasuryPayment, input, context: contextOf(ask) });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply.payment;
  };

  const cover = async (ask: CoverAsk, end: number): Promise<Covered> => {
    const { marketplaceId, walletId } = ask;
    const slow: Covered = { kind: 'unknown', reason: 'The treasury has not paid yet.' };
    const wallet = await options.wallets.find(marketplaceId, walletId);
    if (wallet?.type !== 'INVISIBLE') return { kind: 'no', reason: 'There is no such wallet of ours.' };
    // Something asked for earlier, perhaps before a crash, may still arrive: it must not be asked for twice.
    const open = await payments.findOpen({ marketplaceId, walletId, kind: 'pay' });
    if (open) {
      options.kick(marketplaceId);
      if ((await waitFor(marketplaceId, open.id, end)) === null) return slow;
    }
    let failed: { lack: Lack; reason: string } | null = null;
    for (let round = 0; round < ROUNDS; round++) {
      const seen = await look(wallet, ask);
      if (seen.kind !== 'lack') return seen;
      const { lack } = seen;
      if (lack === null) return { kind: 'yes', release: setAside(ask) };
      // It failed, and nothing has changed since: that is the answer. When another amount was paid, the rest is asked for.
      if (failed?.lack.currency === lack.currency && failed.lack.amount === lack.amount) {
        return { kind: 'no', reason: failed.reason };
      }
      const payment = await request(ask, lack);
      options.kick(marketplaceId);
      const final = await waitFor(marketplaceId, payment.id, end);
      if (final === null) return slow;
      failed = final.state === 'FAILED' ? { lack, reason: final.failure ?? 'The treasury could not pay.' } : null;
    }
    return slow;
  };

  return (ask: CoverAsk): Promise<Covered> => {
    // Waiting for one's turn counts: whoever asked waits for both.
    const end = performance.now() + waitMs;
    return queues.run(`${ask.marketplaceId}/${ask.walletId}`, () => cover(ask, end));
  };
};
