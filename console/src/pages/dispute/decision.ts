// A decision: the share of each party. The server says what it does to the balances.

import type { DisputeDecision, Order, ResolveDisputeInput } from '@holdfast/sdk';
import { amountOf, centsPartOf, formatAmount, subtract, toWire, type Units, ZERO } from '../../parts/money/amounts.ts';

/** `part` is the seller's share before the fee. It is used only for a split. */
export type Decision = { readonly decision: DisputeDecision; readonly part: Units; readonly note: string };

export const DECISIONS: readonly { readonly value: DisputeDecision; readonly name: string }[] = [
  { value: 'FULL_RELEASE', name: 'All to seller' },
  { value: 'SPLIT', name: 'Split' },
  { value: 'FULL_REFUND', name: 'All to buyer' },
];

const HALF_BPS = 5_000n;

/** Where the slider begins. */
export const halfOf = (order: Order): Units => centsPartOf(amountOf(order.amount), HALF_BPS);

const sellersPart = (order: Order, { decision, part }: Decision): Units => {
  if (decision === 'SPLIT') return part;
  return decision === 'FULL_RELEASE' ? amountOf(order.amount) : ZERO;
};

/** Refuses a split that gives one side nothing: the records must name the full release or refund. */
export const againstDecision = (order: Order, { decision, part }: Decision): string | null => {
  if (decision !== 'SPLIT') return null;
  if (part <= ZERO) return 'The seller’s share is zero: choose “All to buyer”.';
  return part >= amountOf(order.amount) ? 'The buyer’s share is zero: choose “All to seller”.' : null;
};

export const inputOf = (order: Order, { decision, part, note }: Decision): ResolveDisputeInput => {
  const common = note.trim() ? { note: note.trim() } : {};
  if (decision !== 'SPLIT') return { decision, ...common };
  const refund = subtract(amountOf(order.amount), part);
  return { decision, releaseAmount: toWire(part), refundAmount: toWire(refund), ...common };
};

export const sentenceAbout = (order: Order, decision: Decision): string => {
  const part = sellersPart(order, decision);
  const buyer = subtract(amountOf(order.amount), part);
  const words = (amount: Units): string => `${formatAmount(amount)} ${order.currency}`;
  if (buyer <= ZERO) return `The seller receives ${words(part)} less the platform fee.`;
  if (part <= ZERO) return `The buyer is refunded ${words(buyer)}. No platform fee is charged.`;
  return `The seller receives ${words(part)} less the platform fee. The buyer is refunded ${words(buyer)}.`;
};
