// Pays the queued treasury payments: one worker per marketplace, many payments in one transaction. Payments that arrive while a
// transaction is open go into the next one. A payment is sent only while its row is QUEUED, so it is paid once.

import { backOffMs } from '../../base/wait.ts';
import { type Amount, fromUnits, minus, plus } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerAccount, LedgerAsset } from '../../providers/ports.ts';
import type { Wallet } from '../keys/wallet.ts';
import { type Ledger, ledgerTime, onLedger } from '../transactions/ledger.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import { actionOf, chooseBatch, type Funds } from './batch.ts';
import type { PlatformWallets } from './platform-wallets.ts';
import type { TreasuryPaymentReads } from './queries.ts';
import type { TreasuryPayment } from './treasury-payment.ts';
import { refuseTreasuryPayments } from './treasury-queue.ts';

type TreasuryOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'next'>;
  readonly platformWallets: Pick<PlatformWallets, 'treasury' | 'findTreasury'>;
  readonly ledger: Pick<Ledger, 'account' | 'latestLedger'>;
  readonly sender: Pick<TransactionSender, 'send' | 'resume'>;
  readonly usdc: LedgerAsset;
  readonly batchMax: number;
  /** The state of these payments may have changed. */
  onMoved(paymentIds: readonly string[]): void;
  onTrouble(message: string, error: unknown): void;
};

type Treasury = {
  /** A payment is queued. After a failed round the worker keeps its wait: one more payment does not make it retry sooner. */
  kick(marketplaceId: string): void;
  close(): Promise<void>;
};

/** `empty`: nothing is queued. `moved`: the next round starts at once. `stuck`: the next round starts after a wait. */
type Round = 'empty' | 'moved' | 'stuck';

/** Kept for fees, besides what the ledger locks. */
const KEPT: Amount = fromUnits(10_000_000n);
const TOO_LOW = 'The treasury has too little. Fund it, then retry.';
const BACK_OFF = { firstMs: 200, maxMs: 10_000 };

const idsOf = (payments: readonly TreasuryPayment[]): string[] => payments.map(({ id }) => id);

const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'treasury' },
  requestId: `treasury-${marketplaceId}`,
});

const fundsOf = (account: LedgerAccount, usdc: LedgerAsset): Funds => ({
  USDC: onLedger(account, { asset: 'USDC', usdc }),
  XLM: minus(onLedger(account, { asset: 'XLM', usdc }), plus(account.locked, KEPT)),
});

const refuse = async (
  { submit, onMoved }: TreasuryOptions,
  { marketplaceId, refused }: { marketplaceId: string; refused: readonly TreasuryPayment[] },
): Promise<void> => {
  if (refused.length === 0) return;
  const input = { ids: idsOf(refused), reason: TOO_LOW };
  await runCommand(submit, { command: refuseTreasuryPayments, input, context: contextOf(marketplaceId) });
  onMoved(input.ids);
};

/** Whether the account exists, for an activation that failed in a batch; null when the ledger does not say. */
const hasAccount = async (
  { ledger }: TreasuryOptions,
  { kind, alone, address }: TreasuryPayment,
): Promise<boolean | null> => {
  if (kind !== 'activate' || !alone) return false;
  const account = await ledger.account(address);
  return account.kind === 'yes' ? account.value !== null : null;
};

type Sending = {
  readonly marketplaceId: string;
  readonly wallet: Wallet;
  readonly chosen: readonly TreasuryPayment[];
  readonly ledgerTimeMs: number;
};

const send = async (options: TreasuryOptions, { chosen, ...sending }: Sending): Promise<Round> => {
  const exists = await Promise.all(chosen.map((payment) => hasAccount(options, payment)));
  if (exists.includes(null)) return 'stuck';
  const actions = chosen.map((payment, index) => actionOf(payment, { exists: exists[index] === true }));
  const outcome = await options.sender.send({ ...sending, purpose: 'treasury', actions });
  options.onMoved(idsOf(chosen));
  if (outcome.kind === 'yes') return 'moved';
  options.onTrouble('the treasury could not pay', new Error(outcome.reason));
  // A payment that fails in its own transaction is queued again at once, and would be retried without a wait.
  const isBatchFailed = outcome.kind === 'no' && outcome.hash !== null && !chosen[0]!.alone;
  return isBatchFailed ? 'moved' : 'stuck';
};

/** A caller may wait for a payment whose process has stopped. */
const finishSent = async ({ platformWallets, sender }: TreasuryOptions, marketplaceId: string): Promise<void> => {
  const wallet = await platformWallets.findTreasury(marketplaceId);
  if (wallet) await sender.resume({ marketplaceId, source: wallet.address });
};

const payNext = async (options: TreasuryOptions, marketplaceId: string): Promise<Round> => {
  const { payments, platformWallets, ledger, usdc, batchMax, onTrouble } = options;
  const queued = await payments.next(marketplaceId, batchMax);
  if (queued.length === 0) {
    await finishSent(options, marketplaceId);
    return 'empty';
  }
  const treasury = await platformWallets.treasury(marketplaceId);
  if (treasury.kind !== 'yes') {
    onTrouble('the treasury is not ready', new Error(treasury.reason));
    return 'stuck';
  }
  const wallet = treasury.value;
  const [account, time] = await Promise.all([ledger.account(wallet.address), ledgerTime(ledger)]);
  if (account.kind !== 'yes' || account.value === null || time.kind !== 'yes') return 'stuck';
  const { chosen, refused, unfunded } = chooseBatch(queued, fundsOf(account.value, usdc));
  await refuse(options, { marketplaceId, refused });
  if (unfunded > 0) onTrouble('the treasury has too little to activate wallets', new Error(`${unfunded} wait`));
  if (chosen.length > 0) return send(options, { marketplaceId, wallet, chosen, ledgerTimeMs: time.value });
  return refused.length > 0 ? 'moved' : 'stuck';
};

type Worker = { isRunning: boolean; isKicked: boolean; failures: number; timer: NodeJS.Timeout | null };

export const createTreasury = (options: TreasuryOptions): Treasury => {
  const workers = new Map<string, Worker>();
  const running = new Set<Promise<void>>();
  let isClosed = false;

  const work = async (marketplaceId: string, worker: Worker): Promise<void> => {
    for (;;) {
      worker.isKicked = false;
      const round = await payNext(options, marketplaceId).catch((error): Round => {
        options.onTrouble('a round of the treasury failed; it will be retried', error);
        return 'stuck';
      });
      if (isClosed) return;
      if (round === 'stuck') {
        worker.failures++;
        worker.timer = setTimeout(() => start(marketplaceId, worker), backOffMs(BACK_OFF, worker.failures)).unref();
        return;
      }
      worker.failures = 0;
      if (round === 'empty' && !worker.isKicked) return;
    }
  };

  const start = (marketplaceId: string, worker: Worker): void => {
    worker.timer = null;
    worker.isRunning = true;
    const done = work(marketplaceId, worker).finally(() => {
      worker.isRunning = false;
      running.delete(done);
    });
    running.add(done);
  };

  return {
    kick(marketplaceId) {
      if (isClosed) return;
      const worker = workers.get(marketplaceId) ?? { isRunning: false, isKicked: false, failures: 0, timer: null };
      workers.set(marketplaceId, worker);
      if (worker.isRunning) worker.isKicked = true;
      else if (worker.timer === null) start(marketplaceId, worker);
    },
    async close() {
      isClosed = true;
      for (const { timer } of workers.values()) if (timer) clearTimeout(timer);
      await Promise.all(running);
    },
  };
};
