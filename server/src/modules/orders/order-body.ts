// Checks what the schema of a new order cannot express: two different parties, milestones with different refs, a valid platform fee,
// and amounts within the limits.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DEFAULT_FEE_BPS, FEE_BPS_MAX, settingAmount } from '../../books/money.ts';
import type { Config } from '../../config/config.ts';
import { type AmountLimits, amountWithin, validAmount } from '../../http/checked-values.ts';
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
  readonly policy?: string;
};

type OrderRules = AmountLimits & {
  readonly baseCurrency: Currency;
  readonly lenientMilestones: boolean;
};

export const orderRules = ({ money, orders }: Pick<Config, 'money' | 'orders'>): OrderRules => ({
  baseCurrency: money.baseCurrency,
  amountMin: settingAmount(money.orderAmountMin),
  amountMax: settingAmount(money.orderAmountMax),
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

/** Refuses with all invalid fields, then with the first invalid amount. */
export const orderInput = (body: OrderBody, rules: OrderRules): CreateOrderInput => {
  const { buyerId, sellerId, metadata = {}, milestones = [], currency = rules.baseCurrency } = body;
  // The fee changes how money is split, so both spellings are read.
  const ownFee = 'platformFee' in metadata ? metadata.platformFee : metadata.platform_fee;
  const platformFeeBps = feeBps(ownFee);
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
    amount: amountWithin(body.amount, { ...rules, of: 'an order', currency }),
    currency,
    title: body.title ?? '',
    // An empty description counts as none.
    description: body.description || null,
    clientOrderRef: body.clientOrderRef ?? null,
    metadata,
    platformFeeBps,
    hasOwnFee: ownFee !== undefined,
    milestones: milestones.map((milestone) => ({ ...milestone, amount: validAmount(milestone.amount) })),
    lenientMilestones: rules.lenientMilestones,
  };
};
