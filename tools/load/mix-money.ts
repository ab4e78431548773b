// Work of the mix that moves money: balances, orders with their escrows, top-ups, withdrawals, deposits. What was
// acknowledged is told to the journal, and only that.

import { randomUUID } from 'node:crypto';
import { textOf } from '../simulation/scenarios/scenarios.ts';
import { until } from '../until.ts';
import type { Context, SimulatedUser } from './clients.ts';

/** Multiples of twenty cents: the platform's five percent are then whole cents. */
const FEE_STEP = 20;
const FEE_PERCENT = 5;

const lessFee = (cents: number): number => cents - (cents * FEE_PERCENT) / 100;

const amountOf = ({ random }: Context): number => random.int(1, 100) * FEE_STEP;

export const credit = async (context: Context): Promise<void> => {
  const { id } = context.anybody();
  const cents = amountOf(context);
  const reference = context.name('credit');
  const idempotencyKey = randomUUID();
  const again = context.random.is(10);
  const ask = () => context.money.balances.credit(id, { amount: textOf(cents), reference }, { idempotencyKey });
  await ask();
  context.userBalances.credited(id, { reference, cents });
  // The same once more is an answer from the drawer, and changes nothing.
  if (again) await ask();
};

export const debit = async (context: Context): Promise<void> => {
  const { id } = context.anybody();
  const cents = amountOf(context);
  const input = { amount: textOf(cents), reference: context.name('debit') };
  await context.money.balances.debit(id, input, { idempotencyKey: randomUUID() });
  context.userBalances.change(id, -cents);
};

export const hold = async (context: Context): Promise<void> => {
  const { id } = context.anybody();
  const own = { amount: textOf(amountOf(context)), orderId: context.name('hold') };
  const isCanceled = context.random.is(50);
  await context.money.balances.reserve(id, own);
  if (isCanceled) await context.money.balances.cancelReservation(id, { orderId: own.orderId });
  else await context.money.balances.release(id, own);
};

const twoOf = (context: Context): { buyer: SimulatedUser; seller: SimulatedUser } => {
  const buyer = context.anybody();
  const seller = context.anybody();
  return buyer.id === seller.id ? twoOf(context) : { buyer, seller };
};

type Begun = {
  readonly id: string;
  readonly cents: number;
  readonly buyer: SimulatedUser;
  readonly seller: SimulatedUser;
};

const beginOrder = async (context: Context): Promise<Begun> => {
  const { buyer, seller } = twoOf(context);
  const cents = 2 * amountOf(context);
  const half = textOf(cents / 2);
  const milestones = ['m1', 'm2'].map((ref) => ({ ref, title: `Part ${ref}`, amount: half }));
  const input = {
    buyerId: buyer.id,
    sellerId: seller.id,
    amount: textOf(cents),
    clientOrderRef: context.name('order'),
    ...(context.random.is(25) ? { milestones } : {}),
  };
  const { id } = await context.orders.orders.create(input);
  await context.orders.orders.reserve(id);
  return { id, cents, buyer, seller };
};

const fundOrder = async (context: Context): Promise<Begun> => {
  const begun = await beginOrder(context);
  await context.escrows.orders.createEscrow(begun.id);
  await context.escrows.orders.fundEscrow(begun.id);
  return begun;
};

export const canceledOrder = async (context: Context): Promise<void> => {
  const { id } = await beginOrder(context);
  await context.orders.orders.cancel(id, { reason: 'Changed my mind.' });
};

export const releasedOrder = async (context: Context): Promise<void> => {
  const { id, cents, buyer, seller } = await fundOrder(context);
  for (const { ref } of await context.orders.orders.milestones(id))
    await context.orders.orders.completeMilestone(id, ref);
  await context.escrows.orders.release(id);
  context.userBalances.change(buyer.id, -cents);
  context.userBalances.change(seller.id, lessFee(cents));
};

export const refundedOrder = async (context: Context): Promise<void> => {
  const { id } = await fundOrder(context);
  await context.escrows.orders.refund(id, { reason: 'It never came.' });
};

export const disputedOrder = async (context: Context): Promise<void> => {
  const { id, cents, buyer, seller } = await fundOrder(context);
  const dispute = await context.orders.orders.dispute(id, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
  await context.orders.disputes.assign(dispute.id, { assignedTo: 'agent-7' });
  const half = textOf(cents / 2);
  await context.escrows.disputes.resolve(dispute.id, { decision: 'SPLIT', releaseAmount: half, refundAmount: half });
  context.userBalances.change(buyer.id, -cents / 2);
  context.userBalances.change(seller.id, lessFee(cents / 2));
};

export const topup = async (context: Context): Promise<void> => {
  const { id: userId } = context.anybody();
  const cents = amountOf(context);
  const { id } = await context.payments.topups.create({ userId, amount: textOf(cents), currency: 'USD' });
  // The payer pays; the provider tells so with a webhook.
  await context.sendControl(`POST /payins/${id}/confirm`);
  await until(async () => (await context.payments.topups.get(id)).status === 'TOPUP_SUCCEEDED', 'a top-up is paid');
  context.userBalances.change(userId, cents);
};

export const withdrawal = async (context: Context): Promise<void> => {
  const { id: userId } = context.anybody();
  const cents = amountOf(context);
  const isOnLedger = context.random.is(30);
  const ref = context.name('withdrawal');
  const destination = isOnLedger
    ? { type: 'crypto' as const, ref, address: context.fixture.simulators!.stranger }
    : { type: 'bank' as const, ref };
  const input = { userId, amount: textOf(cents), currency: 'USD' as const, destination, commit: true };
  const { id } = await context.payments.withdrawals.create(input);
  const isPaid = async () => (await context.payments.withdrawals.get(id)).status === 'WITHDRAWAL_COMPLETED';
  // The provider can only complete what it has heard of, which takes a moment.
  const isCompleted = () => context.sendControl(`POST /payouts/${id}/complete`).catch(() => false);
  if (!isOnLedger) await until(isCompleted, 'a payout is completed');
  await until(isPaid, 'a withdrawal is paid');
  context.userBalances.change(userId, -cents);
};

export const deposit = async (context: Context): Promise<void> => {
  const { id, address } = context.anybody();
  const cents = amountOf(context);
  await context.sendControl('POST /faucet', { address, asset: 'USDC', amount: textOf(cents) });
  // Taken in when the wallet is looked at next; by the end it has to be there.
  context.userBalances.change(id, cents);
};
