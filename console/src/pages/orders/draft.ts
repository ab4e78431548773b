// The draft of an order: its problems, and the request. An invalid draft is not sent, and the server validates it again.

import type { CreateOrderInput, CurrencyCode } from '@holdfast/sdk';
import {
  add,
  compare,
  formatAmount,
  parseAmount,
  subtract,
  toCents,
  toWire,
  type Units,
  ZERO,
} from '../../parts/money/amounts.ts';

export type DraftMilestone = { readonly key: number; readonly title: string; readonly amount: string };

export type Draft = {
  readonly buyerId: string;
  readonly sellerId: string;
  readonly title: string;
  readonly amount: string;
  readonly currency: CurrencyCode;
  readonly fee: string;
  readonly description: string;
  readonly clientOrderRef: string;
  /** The name of a policy; empty for none. */
  readonly policy: string;
  readonly milestones: readonly DraftMilestone[];
};

export const emptyDraft = (feePercent: string): Draft => ({
  buyerId: '',
  sellerId: '',
  title: '',
  amount: '',
  currency: 'USD',
  fee: feePercent,
  description: '',
  clientOrderRef: '',
  policy: '',
  milestones: [],
});

export type Problems = Readonly<Partial<Record<'buyerId' | 'sellerId' | 'amount' | 'fee' | 'milestones', string>>>;

/** A positive amount in whole cents; null for any other text. */
const wholeCents = (text: string): Units | null => {
  const amount = parseAmount(text);
  return amount !== null && compare(amount, ZERO) > 0 && toCents(amount) === amount ? amount : null;
};

const FEE = /^(\d{1,2})(?:\.(\d{1,2}))?$/;
const FEE_BPS_MAX = 9_900n;

/** Hundredths of a percent; null unless the text is a percentage from 0 to 99. */
const feeBpsOf = (text: string): bigint | null => {
  const match = FEE.exec(text.trim());
  if (!match) return null;
  const bps = BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
  return bps > FEE_BPS_MAX ? null : bps;
};

/** The amount less the milestones; zero when they add up. */
export const leftOver = ({ amount, milestones }: Pick<Draft, 'amount' | 'milestones'>): Units =>
  subtract(wholeCents(amount) ?? ZERO, add(...milestones.map((each) => wholeCents(each.amount) ?? ZERO)));

const milestonesProblem = (draft: Draft): string | undefined => {
  if (draft.milestones.length === 0) return undefined;
  if (draft.milestones.some(({ title }) => title.trim() === '')) return 'Every milestone needs a title.';
  if (draft.milestones.some(({ amount }) => wholeCents(amount) === null)) return 'Every milestone needs an amount.';
  const left = leftOver(draft);
  if (left === ZERO) return undefined;
  const sentence = compare(left, ZERO) > 0 ? 'not assigned to a milestone' : 'more than the order amount';
  return `${formatAmount(compare(left, ZERO) > 0 ? left : subtract(ZERO, left))} ${draft.currency} ${sentence}.`;
};

export const problemsOf = (draft: Draft): Problems => {
  const milestones = milestonesProblem(draft);
  return {
    ...(draft.buyerId ? {} : { buyerId: 'Choose a buyer.' }),
    ...(draft.sellerId ? {} : { sellerId: 'Choose a seller.' }),
    ...(draft.sellerId && draft.sellerId === draft.buyerId
      ? { sellerId: 'Buyer and seller must be different users.' }
      : {}),
    ...(wholeCents(draft.amount) === null ? { amount: 'Enter an amount above zero with at most two decimals.' } : {}),
    ...(feeBpsOf(draft.fee) === null ? { fee: 'Enter 0 to 99 percent with at most two decimals.' } : {}),
    ...(milestones ? { milestones } : {}),
  };
};

/** The fee is sent only when it differs from the default. */
export const inputOf = (draft: Draft, usualFee: string): CreateOrderInput => {
  const text = (value: string, name: 'title' | 'description' | 'clientOrderRef' | 'policy') =>
    value.trim() ? { [name]: value.trim() } : {};
  const bps = feeBpsOf(draft.fee)!;
  return {
    buyerId: draft.buyerId,
    sellerId: draft.sellerId,
    currency: draft.currency,
    amount: toWire(wholeCents(draft.amount)!),
    ...text(draft.title, 'title'),
    ...text(draft.description, 'description'),
    ...text(draft.clientOrderRef, 'clientOrderRef'),
    ...text(draft.policy, 'policy'),
    ...(bps === feeBpsOf(usualFee) ? {} : { metadata: { platformFee: draft.fee.trim() } }),
    ...(draft.milestones.length === 0
      ? {}
      : {
          milestones: draft.milestones.map(({ title, amount }, at) => ({
            ref: `m${at + 1}`,
            title: title.trim(),
            amount: toWire(wholeCents(amount)!),
          })),
        }),
  };
};
