// What every balance should be by what the lives did: plain sums over plans, acknowledgements and ends. Nothing of the
// service's own arithmetic is used here.

import type { Actor } from './actors.ts';
import { feeOf, rulesOf } from './policies/fee.ts';
import type { PolicyPlan, Rules } from './policies/plan-policies.ts';
import { type OrderScenario, type TopupScenario, unitsOf, type WithdrawalScenario } from './scenarios/scenarios.ts';
import type { Any } from './simulators.ts';

export type UserBalance = { readonly certain: bigint; readonly doubts: readonly bigint[] };

type Records = {
  readonly policies: readonly PolicyPlan[];
  readonly orders: readonly Any[];
  readonly topups: readonly Any[];
  readonly withdrawals: readonly Any[];
};

type Change = { readonly who: 'buyer' | 'seller'; readonly part: 'available' | 'reserved'; readonly units: bigint };

const ofBuyer = (part: Change['part'], units: bigint): Change => ({ who: 'buyer', part, units });
const ofSeller = (units: bigint): Change => ({ who: 'seller', part: 'available', units });

/** What each side got of the order so far, before the fee. Milestones that were paid on their own say it themselves. */
export const sharesOf = (
  scenario: OrderScenario,
  { final_status: end, parts = [] }: Any,
): { seller: bigint; buyer: bigint } => {
  const all = unitsOf(scenario.cents);
  if (parts.length > 0) {
    const sum = (of: (part: Any) => string): bigint =>
      parts.reduce((total: bigint, part: Any) => total + BigInt(of(part)), 0n);
    return { seller: sum(({ released }) => released), buyer: sum(({ refunded }) => refunded) };
  }
  if (end === 'RELEASED') return { seller: all, buyer: 0n };
  if (end === 'REFUNDED') return { seller: 0n, buyer: all };
  if (end !== 'SPLIT') return { seller: 0n, buyer: 0n };
  const seller = unitsOf(scenario.sellerCents);
  return { seller, buyer: all - seller };
};

/** What an order in this state, or with this end, has done. */
const orderChanges = (scenario: OrderScenario, { row, rules }: { row: Any; rules: Rules | null }): Change[] => {
  const { status, final_status: end } = row;
  const all = unitsOf(scenario.cents);
  const gone = ofBuyer('available', -all);
  if (status === 'ORDER_CREATED' || end === 'CANCELED') return [];
  const isHeld = ['FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING'].includes(status);
  if (isHeld) return [gone, ofBuyer('reserved', all)];
  const { seller, buyer } = sharesOf(scenario, row);
  return [gone, ofBuyer('available', buyer), ofSeller(seller - feeOf(seller, scenario, rules))];
};

const topupChanges = ({ cents }: TopupScenario, { status }: Any): Change[] =>
  status === 'TOPUP_SUCCEEDED' ? [ofBuyer('available', unitsOf(cents))] : [];

const withdrawalChanges = ({ cents }: WithdrawalScenario, { status }: Any): Change[] => {
  const all = unitsOf(cents);
  if (status === 'WITHDRAWAL_FAILED' || status === 'WITHDRAWAL_CANCELED') return [];
  const gone = ofBuyer('available', -all);
  return status === 'WITHDRAWAL_COMPLETED' ? [gone] : [gone, ofBuyer('reserved', all)];
};

export const expectedOf = ({ users, begun, effects }: Actor, records: Records): Map<string, UserBalance> => {
  const userBalances = new Map<string, { certain: bigint; doubts: bigint[] }>();
  const change = (name: string, { units, isCertain }: { units: bigint; isCertain: boolean }): void => {
    if (units === 0n) return;
    const userBalance = userBalances.get(name) ?? { certain: 0n, doubts: [] };
    userBalances.set(name, userBalance);
    if (isCertain) userBalance.certain += units;
    else userBalance.doubts.push(units);
  };
  for (const { userId, currency, units } of users.grants) {
    change(`${userId}:available:${currency}`, { units, isCertain: true });
  }
  for (const { userId, currency, available, reserved, isCertain } of effects) {
    change(`${userId}:available:${currency}`, { units: available, isCertain });
    change(`${userId}:reserved:${currency}`, { units: reserved, isCertain });
  }
  const apply = (scenario: OrderScenario | TopupScenario | WithdrawalScenario, changes: readonly Change[]): void => {
    const inPlace = users.of[scenario.place]!;
    for (const { who, part, units } of changes) {
      const { id } = inPlace[who === 'seller' && scenario.kind === 'order' ? scenario.seller : scenario.user]!;
      change(`${id}:${part}:${scenario.currency}`, { units, isCertain: true });
    }
  };
  for (const { scenario } of begun) {
    const ofScenario = (rows: readonly Any[]): Any[] => rows.filter(({ tag }) => tag === scenario.tag);
    if (scenario.kind === 'order')
      for (const row of ofScenario(records.orders)) {
        apply(scenario, orderChanges(scenario, { row, rules: rulesOf(records.policies, row) }));
      }
    if (scenario.kind === 'topup')
      for (const row of ofScenario(records.topups)) apply(scenario, topupChanges(scenario, row));
    if (scenario.kind === 'withdrawal') {
      for (const row of ofScenario(records.withdrawals)) apply(scenario, withdrawalChanges(scenario, row));
    }
  }
  return userBalances;
};
