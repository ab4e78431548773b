// Checks what the schema of a new order cannot express: two different parties, milestones with different refs, a valid platform fee,
// and amounts within the limits.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, DEFAULT_FEE_BPS, FEE_BPS_MAX, formatAmount, parseAmount } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { validAmount } from '../../http/checked-values.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { CreateOrderInput } from './create-order.ts';

type RequestedMilestone = { readonly ref: string; readonly title: string; readonly amount: string };

type OrderBody = {
  readonly buyerId: string;
  readonly sellerId: string;
  readonly amount: string;
  readonly currency?: Currency;
  readonly title?: string;
  readonly description?: string;
  readonly clientOrderRef?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly milestones?: readonly RequestedMilestone[];
};

type OrderRules = {
  readonly baseCurrency: Currency;
  readonly amountMin: Amount;
  readonly amountMax: Amount;
  readonly lenientMilestones: boolean;
};

const limit = (text: string): Amount => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`the setting ${text} is not a valid amount`);
  return amount;
};

export const orderRules = ({ money, orders }: Pick<Config, 'money' | 'orders'>): OrderRules => ({
  baseCurrency: money.baseCurrency,
  amountMin: limit(money.orderAmountMin),
  amountMax: limit(money.orderAmountMax),
  lenientMilestones: orders.lenientMilestones,
});

const PERCENT = /^(\d{1,2})(?:\.(\d{1,2}))?$/;

/** Null: not a percentage from 0 to 99 with at most two places. */
const feeBps = (given: unknown): number | null => {
  if (given === undefined) return DEFAULT_FEE_BPS;
  if (typeof given !== 'number' && typeof given !== 'string') return null;
  const match = PERCENT.exec(String(given));
  if (!match) return null;
  const bps = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return bps <= FEE_BPS_MAX ? bps : null;
};

const repeatedRefs = (milestones: readonly RequestedMilestone[]): string[] => {
  const refs = milestones.map(({ ref }) => ref);
  return [...new Set(refs.filter((ref, place) => refs.indexOf(ref) < place))];
};

const amountWithin = (text: string, rules: OrderRules & { currency: Currency }): Amount => {
  const amount = parseAmount(text);
  const { amountMin, amountMax, currency } = rules;
  if (amount !== null && amount >= amountMin && amount <= amountMax) return amount;
  const min = formatAmount(amountMin);
  const max = formatAmount(amountMax);
  throw new DomainError('INVALID_AMOUNT', {
    message: `The amount of an order must be a decimal string with at most two places, from ${min} to ${max}.`,
    details: { amount: text, min, max, currency },
  });
};

/** Refuses with all invalid fields, then with the first invalid amount. */
export const orderInput = (body: OrderBody, rules: OrderRules): CreateOrderInput => {
  const { buyerId, sellerId, metadata = {}, milestones = [], currency = rules.baseCurrency } = body;
  // The fee changes how money is split, so both spellings are read.
  const platformFeeBps = feeBps('platformFee' in metadata ? metadata.platformFee : metadata.platform_fee);
  const problems = [
    ...(buyerId === sellerId ? ['buyerId and sellerId must be two different users'] : []),
    ...(platformFeeBps === null
      ? ['metadata.platformFee must be a percentage from 0 to 99 with at most two places']
      : []),
    ...repeatedRefs(milestones).map((ref) => `milestones must not repeat the ref ${ref}`),
  ];
  if (platformFeeBps === null || problems.length > 0) throw validationError(problems);
  return {
    buyerId,
    sellerId,
    amount: amountWithin(body.amount, { ...rules, currency }),
    currency,
    title: body.title ?? '',
    // An empty description counts as none.
    description: body.description || null,
    clientOrderRef: body.clientOrderRef ?? null,
    metadata,
    platformFeeBps,
    milestones: milestones.map((milestone) => ({ ...milestone, amount: validAmount(milestone.amount) })),
    lenientMilestones: rules.lenientMilestones,
  };
};
