// A decision and what it means: who gets which part, what the platform keeps, and what both will have afterwards.

import type { DisputeDecision, Order, ResolveDisputeInput } from '@holdfast/sdk';
import { add, amountOf, formatAmount, negate, subtract, toWire, type Units, ZERO } from '../../parts/amounts.ts';
import type { Held } from '../../parts/balances.ts';
import type { Effect } from '../../parts/confirm.tsx';
import { type Shares, sharesWhen } from '../order/fees.ts';

/** `part` is the seller's, before the fee, and counts only when it is split. */
export type Decision = { readonly decision: DisputeDecision; readonly part: Units; readonly note: string };

export const DECISIONS: readonly { readonly value: DisputeDecision; readonly name: string }[] = [
  { value: 'FULL_RELEASE', name: 'All to seller' },
  { value: 'SPLIT', name: 'Split' },
  { value: 'FULL_REFUND', name: 'All to buyer' },
];

export const sellersPart = (order: Order, { decision, part }: Decision): Units => {
  if (decision === 'SPLIT') return part;
  return decision === 'FULL_RELEASE' ? amountOf(order.amount) : ZERO;
};

export const sharesOf = (order: Order, decision: Decision): Shares => sharesWhen(order, sellersPart(order, decision));

type Purses = { readonly buyer: Held | null; readonly seller: Held | null };

const withBefore = (before: Units | undefined, change: Units): Pick<Effect, 'before' | 'change' | 'after'> =>
  before === undefined ? { change } : { before, change, after: add(before, change) };

export const effectsOf = (order: Order, decision: Decision, { buyer, seller }: Purses): Effect[] => {
  const shares = sharesOf(order, decision);
  const { currency } = order;
  const amount = amountOf(order.amount);
  return [
    { name: 'In escrow', currency, ...withBefore(amount, negate(amount)) },
    { name: 'Seller, available', currency, ...withBefore(seller?.available, shares.seller) },
    { name: 'Buyer, available', currency, ...withBefore(buyer?.available, shares.buyer) },
    { name: 'Platform fees', currency, change: shares.fee },
  ];
};

/** A split that gives one side nothing is called by its right name, so that the records say what happened. */
export const againstDecision = (order: Order, { decision, part }: Decision): string | null => {
  if (decision !== 'SPLIT') return null;
  if (part <= ZERO) return 'With nothing for the seller this is “All to buyer”: choose that.';
  return part >= amountOf(order.amount) ? 'With nothing for the buyer this is “All to seller”: choose that.' : null;
};

export const inputOf = (order: Order, { decision, part, note }: Decision): ResolveDisputeInput => ({
  decision,
  ...(decision === 'SPLIT'
    ? { releaseAmount: toWire(part), refundAmount: toWire(subtract(amountOf(order.amount), part)) }
    : {}),
  ...(note.trim() ? { note: note.trim() } : {}),
});

export const sentenceAbout = (order: Order, decision: Decision): string => {
  const { part, buyer } = sharesOf(order, decision);
  const words = (amount: Units): string => `${formatAmount(amount)} ${order.currency}`;
  if (buyer <= ZERO) return `All of ${words(part)} goes to the seller, less the platform’s ${order.platformFee} %.`;
  if (part <= ZERO) return `All of ${words(buyer)} goes back to the buyer. The platform keeps nothing.`;
  return `${words(part)} goes to the seller, less the platform’s ${order.platformFee} %; ${words(buyer)} goes back to the buyer.`;
};
