// Whether what clients were told is what is there: every acknowledged record once and at the end it was said to have, and
// every balance to 10^-7 what the lives add up to. An action with an unknown outcome happened once or not at all.

import { exactUnits } from '../../decimals.ts';
import { expectedOf, type UserBalance } from '../expected.ts';
import type { ScenarioRecord } from '../records.ts';
import { type OrderScenario, type TopupScenario, textOf, type WithdrawalScenario } from '../scenarios/scenarios.ts';
import type { Any } from '../simulators.ts';
import type { Check, SimulationState } from './checks.ts';
import { checkOrder, ORDERS } from './order-ends.ts';

/** One that failed may have been followed by another try of the same call; only one may have any effect. */
const checkPayment = (record: ScenarioRecord<TopupScenario | WithdrawalScenario>, rows: readonly Any[]): string[] => {
  const { scenario, id, made, end } = record;
  const say = (what: string): string => `${scenario.kind} ${scenario.tag} (${id}): ${what}`;
  const own = rows.find((row) => row.id === id);
  const live = rows.filter(({ status }) => !/_(FAILED|CANCELED)$/.test(status));
  const found: string[] = [];
  if (made === 'acknowledged' && !own) found.push(say('was acknowledged and is missing'));
  if (live.length > 1) found.push(say(`is there ${live.length} times: ${JSON.stringify(live)}`));
  if (end !== null && own && own.status !== end) found.push(say(`was told to be ${end} and is ${own.status}`));
  for (const row of rows) {
    if (row.amount !== textOf(scenario.cents)) found.push(say(`${row.id} is over ${row.amount}`));
  }
  return found;
};

/**
 * What the payment provider did is what is told here, and the other way round. A top-up that was paid after its end is not told, and
 * booked over the amount that was paid.
 */
export const checkProvider = (rows: readonly Any[], records: readonly Any[]): string[] => {
  const paid = new Map(
    records.filter(({ status }) => ['CONFIRMED', 'COMPLETED'].includes(status)).map((one) => [one.code, one.amount]),
  );
  return rows.flatMap(({ id, status, late = null }) => {
    const isPaidHere = /_(SUCCEEDED|COMPLETED)$/.test(status) || late !== null;
    const amount = paid.get(id);
    if (isPaidHere !== paid.has(id)) return [`${id} is ${status}, at the provider ${amount ?? 'not paid'}`];
    const isRight = late === null || exactUnits(String(amount)) === BigInt(late);
    return isRight ? [] : [`${id} was paid late with ${amount}, and ${late} units are booked`];
  });
};

const amountSql = `(trunc(amount / 10000000) || '.' || lpad(((amount / 100000) % 100)::text, 2, '0')) as amount`;

const balancesNow = async ({ environment }: SimulationState): Promise<Map<string, bigint>> => {
  const rows = await environment.sql(`select id, balance::text as units from accounts where user_id is not null`);
  return new Map(rows.map(({ id, units }) => [id, BigInt(units)]));
};

/** Whether some of the doubtful changes explain what is missing. */
const isExplained = (difference: bigint, doubts: readonly bigint[]): boolean => {
  if (difference === 0n) return true;
  const [first, ...rest] = doubts;
  return first !== undefined && (isExplained(difference - first, rest) || isExplained(difference, rest));
};

const compareUserBalance = (name: string, of: { userBalance: UserBalance; actual: bigint }): string[] =>
  isExplained(of.actual - of.userBalance.certain, of.userBalance.doubts)
    ? []
    : [
        `${name} has ${of.actual}, and should have ${of.userBalance.certain} (${of.userBalance.doubts.length} in doubt)`,
      ];

export const checkEffects: Check = async (state) => {
  const { environment, actor } = state;
  const orders = await environment.sql(ORDERS);
  const topups = await environment.sql(
    `select id, description as tag, status, late_amount::text as late, ${amountSql} from topups`,
  );
  const withdrawals = await environment.sql(
    `select id, destination_ref as tag, status, destination_type as type, ${amountSql} from withdrawals`,
  );
  const provider = await environment.simulators.sendControl('GET /state');
  const found: string[] = [];
  for (const record of actor.begun) {
    const { kind, tag } = record.scenario;
    if (kind === 'order') {
      found.push(
        ...checkOrder(
          record as ScenarioRecord<OrderScenario>,
          orders.find((row) => row.tag === tag),
        ),
      );
    } else if (kind === 'topup' || kind === 'withdrawal') {
      const rows = (kind === 'topup' ? topups : withdrawals).filter((row) => row.tag === tag);
      found.push(...checkPayment(record as ScenarioRecord<TopupScenario | WithdrawalScenario>, rows));
    }
  }
  found.push(...checkProvider(topups, provider.payins));
  found.push(
    ...checkProvider(
      withdrawals.filter(({ type }) => type !== 'crypto'),
      provider.payouts,
    ),
  );
  const actual = await balancesNow(state);
  const expected = expectedOf(actor, { orders, topups, withdrawals, policies: environment.plan.policies });
  for (const name of new Set([...actual.keys(), ...expected.keys()])) {
    const userBalance = expected.get(name) ?? { certain: 0n, doubts: [] };
    found.push(...compareUserBalance(name, { userBalance, actual: actual.get(name) ?? 0n }));
  }
  return found;
};
