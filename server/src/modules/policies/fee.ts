// The platform fee by the table of a policy: the row of the order's category, or the fee of all others.

import type { FeeTerms } from '../../books/fees.ts';
import { parseAmount, ZERO } from '../../books/money.ts';
import type { PolicyRules } from './policy.ts';

/** Decimal strings of which the schema has checked the form. */
export type FeeRow = {
  readonly percent?: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly max?: string;
};

type Fee = { readonly platformFeeBps: number; readonly feeTerms: FeeTerms | null };

const bpsOf = (percent: string): number => {
  const [whole, places = ''] = percent.split('.');
  return Number(whole) * 100 + Number(places.padEnd(2, '0'));
};

const unitsOf = (amount: string): string => String(parseAmount(amount) ?? ZERO);

export const feeOf = ({ percent = '0', fixed, min, max }: FeeRow): Fee => {
  const hasTerms = fixed !== undefined || min !== undefined || max !== undefined;
  return {
    platformFeeBps: bpsOf(percent),
    feeTerms: hasTerms
      ? {
          fixedUnits: unitsOf(fixed ?? '0'),
          minUnits: min === undefined ? null : unitsOf(min),
          maxUnits: max === undefined ? null : unitsOf(max),
        }
      : null,
  };
};

/** Null: the policy says nothing about the fee. */
export const policyFee = ({ platformFee }: PolicyRules, metadata: Readonly<Record<string, unknown>>): Fee | null => {
  if (!platformFee) return null;
  const { categories = {}, ...others } = platformFee;
  const { category } = metadata;
  const isListed = typeof category === 'string' && Object.hasOwn(categories, category);
  return feeOf(isListed ? categories[category]! : others);
};
