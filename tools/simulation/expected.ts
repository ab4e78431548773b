// What every balance should be by what the lives did: plain sums over plans, acknowledgements and ends. Nothing of the
// service's own arithmetic is used here.

import type { Actor } from './actors.ts';
import { type OrderScenario, type TopupScenario, unitsOf, type WithdrawalScenario } from './scenarios/scenarios.ts';
import type { Any } from './simulators.ts';

export type UserBalance = { readonly certain: bigint; readonly doubts: readonly bigint[] };

type Records = {
  readonly orders: readonly Any[];
  readonly topups: readonly Any[];
  readonly withdrawals: readonly Any[];
};

const USUAL_FEE = 5;

/** The fee in hundredths of a percent, of an amount in units. */
const lessFee = (units: bigint, { fee }: OrderScenario): bigint =>
  units - (units * BigInt(Math.round((fee ?? USUAL_FEE) * 100))) / 10_000n;

type Change = { readonly who: 'buyer' | 'seller'; readonly part: 'available' | 'reserved'; readonly units: bigint };

const ofBuyer = (part: Change['part'], units: bigint): Change => ({ who: 'buyer', part, units });
const ofSeller = (units: bigint): Change => ({ who: 'seller', part: 'available', units });

/** What an order in this state, or with this end, has done. */
const orderChanges = (scenario: OrderScenario, { status, final_status: end, paid = [] }: Any): Change[] => {
  const all = unitsOf(scenario.cents);
  const sellers = unitsOf(scenario.sellerCents);
  const gone = ofBuyer('available', -all);
  if (status === 'ORDER_CREATED' || end === 'CANCELED' || end === 'REFUNDED') return [];
  if (end === 'RELEASED') return [gone, ofSeller(lessFee(all, scenario))];
  if (end === 'SPLIT') return [gone, ofBuyer('available', all - sellers), ofSeller(lessFee(sellers, scenario))];
  const isHeld = ['FUNDS_RESERVED', 'ESCROW_CREATING', 'ESCROW_FUNDING'].includes(status);
  if (isHeld) return [gone, ofBuyer('reserved', all)];
  const isPaid = (_: number, at: number): boolean => paid.includes(`m${at}`);
  const inParts = scenario.milestones.filter(isPaid).reduce((sum, cents) => sum + cents, 0);
  return inParts === 0 ? [gone] : [gone, ofSeller(lessFee(unitsOf(inParts), scenario))];
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
      for (const row of ofScenario(records.orders)) apply(scenario, orderChanges(scenario, row));
    if (scenario.kind === 'topup')
      for (const row of ofScenario(records.topups)) apply(scenario, topupChanges(scenario, row));
    if (scenario.kind === 'withdrawal') {
      for (const row of ofScenario(records.withdrawals)) apply(scenario, withdrawalChanges(scenario, row));
    }
  }
  return userBalances;
};
