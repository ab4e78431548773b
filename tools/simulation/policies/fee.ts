// The platform's fee of an order, computed from the plan alone with whole units of 10^-7. Nothing of the service's own arithmetic is used.

import type { OrderScenario } from '../scenarios/scenarios.ts';
import type { PolicyPlan, Rules } from './plan-policies.ts';

const USUAL_BPS = 500n;
const UNITS = 10_000_000n;

const bpsOf = (percent: string): bigint => {
  const [whole = '0', places = ''] = percent.split('.');
  return BigInt(whole) * 100n + BigInt(places.padEnd(2, '0'));
};

const unitsOf = (amount: string): bigint => {
  const [whole = '0', places = ''] = amount.split('.');
  return BigInt(whole) * UNITS + BigInt(places.padEnd(7, '0'));
};

/** The policy of an order row; null: the order has none. */
type Taken = { readonly policy: string | null; readonly policy_version: number | null };

export const rulesOf = (policies: readonly PolicyPlan[], { policy, policy_version: version }: Taken): Rules | null => {
  if (policy === null || version === null) return null;
  return policies.find(({ name }) => name === policy)?.versions[version - 1] ?? null;
};

/** On everything that the seller gets, before the fee. */
export const feeOf = (seller: bigint, { fee }: Pick<OrderScenario, 'fee'>, rules: Rules | null): bigint => {
  if (seller === 0n) return 0n;
  if (fee !== null) return (seller * BigInt(Math.round(fee * 100))) / 10_000n;
  const terms = rules?.platformFee;
  if (!terms) return (seller * USUAL_BPS) / 10_000n;
  let charged = (seller * bpsOf(terms.percent ?? '0')) / 10_000n + unitsOf(terms.fixed ?? '0');
  if (terms.min !== undefined && charged < unitsOf(terms.min)) charged = unitsOf(terms.min);
  if (terms.max !== undefined && charged > unitsOf(terms.max)) charged = unitsOf(terms.max);
  return charged < seller ? charged : seller;
};
