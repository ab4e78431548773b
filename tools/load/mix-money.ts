// Work of the mix that moves money: balances, orders with their escrows, top-ups, withdrawals, deposits. What was
// acknowledged is told to the journal, and only that.

import { randomUUID } from 'node:crypto';
import { textOf } from '../simulation/lives.ts';
import { until } from '../until.ts';
import type { Desk, Person } from './clients.ts';

/** Multiples of twenty cents: the platform's five percent are then whole cents. */
const FEE_STEP = 20;
const FEE_PERCENT = 5;

const lessFee = (cents: number): number => cents - (cents * FEE_PERCENT) / 100;

const amountOf = ({ chance }: Desk): number => chance.int(1, 100) * FEE_STEP;

export const credit = async (desk: Desk): Promise<void> => {
  const { id } = desk.anybody();
  const [cents, reference, idempotencyKey] = [amountOf(desk), desk.name('credit'), randomUUID()];
  const again = desk.chance.is(10);
  const ask = () => desk.money.balances.credit(id, { amount: textOf(cents), reference }, { idempotencyKey });
  await ask();
  desk.purses.credited(id, { reference, cents });
  // The same once more is an answer from the drawer, and changes nothing.
  if (again) await ask();
};

export const debit = async (desk: Desk): Promise<void> => {
  const { id } = desk.anybody();
  const cents = amountOf(desk);
  const input = { amount: textOf(cents), reference: desk.name('debit') };
  await desk.money.balances.debit(id, input, { idempotencyKey: randomUUID() });
  desk.purses.change(id, -cents);
};

export const hold = async (desk: Desk): Promise<void> => {
  const { id } = desk.anybody();
  const own = { amount: textOf(amountOf(desk)), orderId: desk.name('hold') };
  const isCanceled = desk.chance.is(50);
  await desk.money.balances.reserve(id, own);
  if (isCanceled) await desk.money.balances.cancelReservation(id, { orderId: own.orderId });
  else await desk.money.balances.release(id, own);
};

const twoOf = (desk: Desk): { buyer: Person; seller: Person } => {
  const [buyer, seller] = [desk.anybody(), desk.anybody()];
  return buyer.id === seller.id ? twoOf(desk) : { buyer, seller };
};

type Begun = { readonly id: string; readonly cents: number; readonly buyer: Person; readonly seller: Person };

const beginOrder = async (desk: Desk): Promise<Begun> => {
  const { buyer, seller } = twoOf(desk);
  const cents = 2 * amountOf(desk);
  const half = textOf(cents / 2);
  const milestones = ['m1', 'm2'].map((ref) => ({ ref, title: `Part ${ref}`, amount: half }));
  const input = {
    ...{ buyerId: buyer.id, sellerId: seller.id, amount: textOf(cents), clientOrderRef: desk.name('order') },
    ...(desk.chance.is(25) ? { milestones } : {}),
  };
  const { id } = await desk.orders.orders.create(input);
  await desk.orders.orders.reserve(id);
  return { id, cents, buyer, seller };
};

const fundOrder = async (desk: Desk): Promise<Begun> => {
  const begun = await beginOrder(desk);
  await desk.escrows.orders.createEscrow(begun.id);
  await desk.escrows.orders.fundEscrow(begun.id);
  return begun;
};

export const canceledOrder = async (desk: Desk): Promise<void> => {
  const { id } = await beginOrder(desk);
  await desk.orders.orders.cancel(id, { reason: 'Changed my mind.' });
};

export const releasedOrder = async (desk: Desk): Promise<void> => {
  const { id, cents, buyer, seller } = await fundOrder(desk);
  for (const { ref } of await desk.orders.orders.milestones(id)) await desk.orders.orders.completeMilestone(id, ref);
  await desk.escrows.orders.release(id);
  desk.purses.change(buyer.id, -cents);
  desk.purses.change(seller.id, lessFee(cents));
};

export const refundedOrder = async (desk: Desk): Promise<void> => {
  const { id } = await fundOrder(desk);
  await desk.escrows.orders.refund(id, { reason: 'It never came.' });
};

export const disputedOrder = async (desk: Desk): Promise<void> => {
  const { id, cents, buyer, seller } = await fundOrder(desk);
  const dispute = await desk.orders.orders.dispute(id, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
  await desk.orders.disputes.assign(dispute.id, { assignedTo: 'agent-7' });
  const half = textOf(cents / 2);
  await desk.escrows.disputes.resolve(dispute.id, { decision: 'SPLIT', releaseAmount: half, refundAmount: half });
  desk.purses.change(buyer.id, -cents / 2);
  desk.purses.change(seller.id, lessFee(cents / 2));
};

export const topup = async (desk: Desk): Promise<void> => {
  const { id: userId } = desk.anybody();
  const cents = amountOf(desk);
  const { id } = await desk.payments.topups.create({ userId, amount: textOf(cents), currency: 'USD' });
  // The payer pays; the provider tells so with a webhook.
  await desk.tell(`POST /payins/${id}/confirm`);
  await until(async () => (await desk.payments.topups.get(id)).status === 'TOPUP_SUCCEEDED', 'a top-up is paid');
  desk.purses.change(userId, cents);
};

export const withdrawal = async (desk: Desk): Promise<void> => {
  const { id: userId } = desk.anybody();
  const cents = amountOf(desk);
  const isOnLedger = desk.chance.is(30);
  const ref = desk.name('withdrawal');
  const destination = isOnLedger
    ? { type: 'crypto' as const, ref, address: desk.stand.street!.stranger }
    : { type: 'bank' as const, ref };
  const input = { userId, amount: textOf(cents), currency: 'USD' as const, destination, commit: true };
  const { id } = await desk.payments.withdrawals.create(input);
  const isPaid = async () => (await desk.payments.withdrawals.get(id)).status === 'WITHDRAWAL_COMPLETED';
  // The provider can only complete what it has heard of, which takes a moment.
  const isCompleted = () => desk.tell(`POST /payouts/${id}/complete`).catch(() => false);
  if (!isOnLedger) await until(isCompleted, 'a payout is completed');
  await until(isPaid, 'a withdrawal is paid');
  desk.purses.change(userId, -cents);
};

export const deposit = async (desk: Desk): Promise<void> => {
  const { id, address } = desk.anybody();
  const cents = amountOf(desk);
  await desk.tell('POST /faucet', { address, asset: 'USDC', amount: textOf(cents) });
  // Taken in when the wallet is looked at next; by the end it has to be there.
  desk.purses.change(id, cents);
};
