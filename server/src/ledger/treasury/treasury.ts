// Pays what the treasuries are asked to pay: one worker per marketplace, many payments in one transaction, and whatever
// arrives meanwhile in the next. A payment is sent only while its row says that it waits, so it is paid once.

import { type Amount, fromUnits, minus } from '../../books/money.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { LedgerAccount, LedgerAsset } from '../../providers/ports.ts';
import type { Wallet } from '../keys/wallet.ts';
import { type Ledger, onLedger } from '../transactions/ledger.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import { actionOf, chooseBatch, type Funds } from './batch.ts';
import type { PlatformWallets } from './platform-wallets.ts';
import type { TreasuryPaymentReads } from './queries.ts';
import { refuseTreasuryPayments } from './refuse-treasury-payments.ts';
import type { TreasuryPayment } from './treasury-payment.ts';

export type TreasuryOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'next'>;
  readonly platformWallets: Pick<PlatformWallets, 'treasury' | 'findTreasury'>;
  readonly ledger: Pick<Ledger, 'account'>;
  readonly sender: Pick<TransactionSender, 'send' | 'resume'>;
  readonly usdc: LedgerAsset;
  readonly batchMax: number;
  /** Something about these payments may have changed. */
  onMoved(paymentIds: readonly string[]): void;
  onTrouble(message: string, error: unknown): void;
};

export type Treasury = ReturnType<typeof createTreasury>;

/** What the ledger wants to stay on an account that trusts one asset, and something for fees. */
const KEPT: Amount = fromUnits(25_000_000n);
const TOO_LOW = 'The treasury has too little. Fund it, then ask again.';
const RETRY_FIRST_MS = 200;
const RETRY_MAX_MS = 10_000;

const idsOf = (payments: readonly TreasuryPayment[]): string[] => payments.map(({ id }) => id);

type Worker = { isRunning: boolean; isAskedAgain: boolean; waitMs: number; timer: NodeJS.Timeout | null };

export const createTreasury = (options: TreasuryOptions) => {
  const { submit, payments, platformWallets, ledger, sender, usdc, onMoved, onTrouble } = options;
  const workers = new Map<string, Worker>();
  const running = new Set<Promise<void>>();
  let closed = false;

  const contextOf = (marketplaceId: string): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'treasury' },
    requestId: `treasury-${marketplaceId}`,
  });

  const fundsOf = (account: LedgerAccount): Funds => {
    const xlm = minus(onLedger(account, { asset: 'XLM', usdc }), KEPT);
    return { USDC: onLedger(account, { asset: 'USDC', usdc }), XLM: xlm };
  };

  const refuse = async (marketplaceId: string, refused: readonly TreasuryPayment[]): Promise<void> => {
    if (refused.length === 0) return;
    const input = { ids: idsOf(refused), reason: TOO_LOW };
    await submit({ command: refuseTreasuryPayments, input, context: contextOf(marketplaceId) });
    onMoved(input.ids);
  };

  /** After an activation failed in company: perhaps somebody else has made the account meanwhile. */
  const isThereAlready = async ({ kind, alone, address }: TreasuryPayment): Promise<boolean | null> => {
    if (kind !== 'activate' || !alone) return false;
    const account = await ledger.account(address);
    return account.kind === 'yes' ? account.value !== null : null;
  };

  /** True when something moved on, so that the next round comes at once. */
  const send = async (marketplaceId: string, of: { wallet: Wallet; chosen: readonly TreasuryPayment[] }) => {
    const there = await Promise.all(of.chosen.map(isThereAlready));
    if (there.includes(null)) return false;
    const actions = of.chosen.map((payment, index) => actionOf(payment, { exists: there[index] === true }));
    const purpose = 'treasury';
    const sent = await sender.send({ marketplaceId, wallet: of.wallet, purpose, actions });
    onMoved(idsOf(of.chosen));
    if (sent.kind !== 'yes') onTrouble('the treasury could not pay', new Error(sent.reason));
    // What fails alone comes back at once and would be tried without a pause.
    return sent.kind === 'yes' || (sent.kind === 'no' && sent.hash !== null && !of.chosen[0]!.alone);
  };

  /** Somebody may wait for a payment whose sender is gone. */
  const finishSent = async (marketplaceId: string): Promise<void> => {
    const wallet = await platformWallets.findTreasury(marketplaceId);
    if (wallet) await sender.resume({ marketplaceId, source: wallet.address });
  };

  const round = async (marketplaceId: string): Promise<'empty' | 'moved' | 'stuck'> => {
    const waiting = await payments.next(marketplaceId, options.batchMax);
    if (waiting.length === 0) {
      await finishSent(marketplaceId);
      return 'empty';
    }
    const ready = await platformWallets.treasury(marketplaceId);
    if (ready.kind !== 'yes') {
      onTrouble('the treasury is not ready', new Error(ready.reason));
      return 'stuck';
    }
    const account = await ledger.account(ready.wallet.address);
    if (account.kind !== 'yes' || account.value === null) return 'stuck';
    const { chosen, refused, unfunded } = chooseBatch(waiting, fundsOf(account.value));
    await refuse(marketplaceId, refused);
    if (unfunded > 0) onTrouble('the treasury has too little to activate wallets', new Error(`${unfunded} wait`));
    if (chosen.length === 0) return refused.length > 0 ? 'moved' : 'stuck';
    return (await send(marketplaceId, { wallet: ready.wallet, chosen })) ? 'moved' : 'stuck';
  };

  const work = async (marketplaceId: string, worker: Worker): Promise<void> => {
    for (;;) {
      worker.isAskedAgain = false;
      const outcome = await round(marketplaceId).catch((error) => {
        onTrouble('the treasury stumbled and will try again', error);
        return 'stuck' as const;
      });
      if (closed) return;
      if (outcome === 'stuck') return retryLater(marketplaceId, worker);
      worker.waitMs = RETRY_FIRST_MS;
      if (outcome === 'empty' && !worker.isAskedAgain) return;
    }
  };

  const retryLater = (marketplaceId: string, worker: Worker): void => {
    worker.timer = setTimeout(() => start(marketplaceId, worker), worker.waitMs).unref();
    worker.waitMs = Math.min(worker.waitMs * 2, RETRY_MAX_MS);
  };

  const start = (marketplaceId: string, worker: Worker): void => {
    if (worker.timer) clearTimeout(worker.timer);
    worker.timer = null;
    worker.isRunning = true;
    const done = work(marketplaceId, worker).finally(() => {
      worker.isRunning = false;
      running.delete(done);
    });
    running.add(done);
  };

  return {
    /** There is something to pay. While it waits after trouble, one more payment does not make it try sooner. */
    kick(marketplaceId: string): void {
      if (closed) return;
      const worker = workers.get(marketplaceId) ?? {
        isRunning: false,
        isAskedAgain: false,
        waitMs: RETRY_FIRST_MS,
        timer: null,
      };
      workers.set(marketplaceId, worker);
      if (worker.isRunning) worker.isAskedAgain = true;
      else if (worker.timer === null) start(marketplaceId, worker);
    },

    async close(): Promise<void> {
      closed = true;
      for (const { timer } of workers.values()) if (timer) clearTimeout(timer);
      await Promise.all(running);
    },
  };
};
