// The queue of the treasury: the commands that request, activate and refuse, and how a payment ends when its transaction is settled. A
// payment is sent only while it is QUEUED.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Amount, formatExact, fromUnits, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { assetOf, type Wallet } from '../keys/wallet.ts';
import type { LedgerTransaction } from '../transactions/ledger-transaction.ts';
import { paymentIdsOf } from '../transactions/record-transaction.ts';
import { countActivation, isDayFull } from './activation-day.ts';
import type { TreasuryPayment } from './treasury-payment.ts';

/** Still to be paid. */
const isOpen = ({ state }: TreasuryPayment): boolean => state === 'QUEUED' || state === 'SENT';

type NewPayment = Pick<TreasuryPayment, 'kind' | 'currency' | 'amount' | 'reference'> & { readonly wallet: Wallet };

/** Puts a payment into the treasury's queue. */
const queuePayment = (work: UnitOfWork, { wallet, ...requested }: NewPayment): TreasuryPayment => {
  const { id: walletId, address, userId } = wallet;
  const payment: TreasuryPayment = {
    ...requested,
    id: work.newId('treasuryPayment'),
    walletId,
    address,
    asset: assetOf(requested.currency),
    state: 'QUEUED',
    alone: false,
    transactionId: null,
    failure: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('treasuryPayments', payment);
  const { kind, currency, amount, reference } = requested;
  work.audit({
    action: 'TREASURY_PAYMENT_REQUESTED',
    resourceType: 'TreasuryPayment',
    resourceId: payment.id,
    ...(userId === null ? {} : { userId }),
    after: { kind, walletId, currency, amount: formatExact(amount), reference },
  });
  return payment;
};

/** The transaction succeeded: each payment is done, unless the ledger paid another amount. */
export const endPayments = (
  work: UnitOfWork,
  { transaction: { id, actions }, paid }: { transaction: LedgerTransaction; paid: readonly (Amount | null)[] },
): void => {
  for (const [index, action] of actions.entries()) {
    if (!('paymentId' in action) || action.paymentId === null) continue;
    const payment = work.get('treasuryPayments', action.paymentId);
    if (payment.state === 'DONE') continue;
    const amount = paid[index] ?? null;
    const isWrong = amount !== null && amount !== fromUnits(BigInt(action.units));
    work.put('treasuryPayments', {
      ...payment,
      state: isWrong ? 'FAILED' : 'DONE',
      transactionId: id,
      failure: isWrong ? `the ledger paid ${formatExact(amount)}` : null,
      updatedAt: work.now,
    });
  }
};

/**
 * The transaction did not happen. After it expired, its payments are queued again unchanged. When a batch fails, each payment is retried
 * in its own transaction. A payment that failed in its own transaction has failed, except an activation, which every wallet needs.
 */
export const returnPayments = (
  work: UnitOfWork,
  { transaction, reason, isExpired }: { transaction: LedgerTransaction; reason: string; isExpired: boolean },
): void => {
  const { id, actions } = transaction;
  const ids = paymentIdsOf(actions);
  for (const paymentId of ids) {
    const payment = work.get('treasuryPayments', paymentId);
    // Another transaction has sent or paid it since.
    if (payment.state !== 'SENT' || payment.transactionId !== id) continue;
    const isOver = !isExpired && ids.length === 1 && payment.kind === 'pay';
    work.put('treasuryPayments', {
      ...payment,
      state: isOver ? 'FAILED' : 'QUEUED',
      alone: payment.alone || !isExpired,
      transactionId: isOver ? id : null,
      failure: reason,
      updatedAt: work.now,
    });
  }
};

type QueueInput = {
  readonly walletId: string;
  /** The current day in UTC, and how many activations the marketplace may queue on it. */
  readonly day: string;
  readonly max: number | null;
  /** The wallet has a place among the activations of all marketplaces on this day, or needs none. */
  readonly hasPlace: boolean;
};

/**
 * `paid`: the treasury has paid, and the wallet itself has to create its trustline. `limited`: the request is recorded, and waits for
 * a day on which the marketplace may activate more wallets. `unplaced`: the wallet has to take a place first.
 */
type QueueReply = { readonly state: 'queued' | 'paid' | 'active' | 'limited' | 'unplaced' };

/** The wallet is needed on the ledger from now on, also when it has to wait. */
const recordRequest = (work: UnitOfWork, wallet: Wallet): void => {
  if (wallet.activationRequestedAt !== null) return;
  work.put('wallets', { ...wallet, activationRequestedAt: work.now, updatedAt: work.now });
  work.audit({
    action: 'WALLET_ACTIVATION_REQUESTED',
    resourceType: 'Wallet',
    resourceId: wallet.id,
    ...(wallet.userId === null ? {} : { userId: wallet.userId }),
    after: { address: wallet.address },
  });
};

/**
 * Requests the activation of a wallet on the ledger, and queues it unless the limit of the day is reached. A repetition while the
 * activation is open or done changes nothing.
 */
export const queueActivation = command<QueueInput, QueueReply>({
  name: 'queue-activation',
  needs: ({ walletId, day }) => ({
    rows: [
      { table: 'wallets', id: walletId },
      { table: 'treasuryPayments', by: 'wallet', value: `${walletId}:activate` },
      { table: 'activationDays', id: day },
    ],
  }),
  decide({ walletId, day, max, hasPlace }, work) {
    const wallet = work.get('wallets', walletId);
    if (wallet.owner === 'treasury') throw new Error('a treasury cannot activate itself');
    if (wallet.status === 'ACTIVE' || wallet.type === 'EXTERNAL') return { state: 'active' };
    const requested = work.listBy('treasuryPayments', { by: 'wallet', value: `${walletId}:activate` });
    if (requested.some(isOpen)) return { state: 'queued' };
    if (requested.some(({ state }) => state === 'DONE')) return { state: 'paid' };
    recordRequest(work, wallet);
    // The platform's own wallet is one per marketplace, and no order works without it.
    if (wallet.owner === 'user') {
      if (isDayFull(work, { day, max })) return { state: 'limited' };
      if (!hasPlace) return { state: 'unplaced' };
      countActivation(work, day);
    }
    // The account begins with nothing: the treasury sponsors its reserve, and its fees are paid when it first pays.
    queuePayment(work, { kind: 'activate', wallet, currency: 'XLM', amount: ZERO, reference: null });
    return { state: 'queued' };
  },
});

type RequestInput = {
  readonly walletId: string;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly reference: string | null;
};

/**
 * Queues a payment to one of our wallets. At most one request per wallet is open, so that two orders cannot both request money that
 * only one of them lacks: while one is open, it is returned and nothing is queued.
 */
export const requestTreasuryPayment = command<RequestInput, TreasuryPayment>({
  name: 'request-treasury-payment',
  needs: ({ walletId }) => ({
    rows: [
      { table: 'wallets', id: walletId },
      { table: 'treasuryPayments', by: 'wallet', value: `${walletId}:pay` },
    ],
  }),
  decide({ walletId, currency, amount, reference }, work) {
    const wallet = work.get('wallets', walletId);
    const open = work.listBy('treasuryPayments', { by: 'wallet', value: `${walletId}:pay` }).find(isOpen);
    return open ?? queuePayment(work, { kind: 'pay', wallet, currency, amount, reference });
  },
});

type RefuseInput = { readonly ids: readonly string[]; readonly reason: string };

/** Refuses queued payments that the treasury cannot pay. A sent payment is not changed. */
export const refuseTreasuryPayments = command<RefuseInput, void>({
  name: 'refuse-treasury-payments',
  needs: ({ ids }) => ({ rows: ids.map((id) => ({ table: 'treasuryPayments', id }) as const) }),
  decide({ ids, reason }, work) {
    for (const id of ids) {
      const payment = work.get('treasuryPayments', id);
      if (payment.state !== 'QUEUED') continue;
      work.put('treasuryPayments', { ...payment, state: 'FAILED', failure: reason, updatedAt: work.now });
      work.audit({
        action: 'TREASURY_PAYMENT_REQUESTED',
        resourceType: 'TreasuryPayment',
        resourceId: id,
        after: { state: 'FAILED', failure: reason },
        result: 'FAILURE',
      });
    }
  },
});
