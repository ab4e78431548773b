// Whether an order ended as its clients were told, its milestones sum to its amount, and its fee is the fee of its plan. A deadline may
// have ended it otherwise than planned, but never otherwise than acknowledged.

import { sharesOf } from '../expected.ts';
import { feeOf, rulesOf } from '../policies/fee.ts';
import type { ScenarioRecord } from '../records.ts';
import { splitOf } from '../scenarios/plan-parts.ts';
import { type OrderScenario, textOf, UNITS_PER_CENT, unitsOf } from '../scenarios/scenarios.ts';
import type { Any } from '../simulators.ts';
import type { Check, SimulationState } from './checks.ts';

const amountSql = `(trunc(o.amount / 10000000) || '.' || lpad(((o.amount / 100000) % 100)::text, 2, '0')) as amount`;

const MILESTONES = `from milestones m where m.marketplace_id = o.marketplace_id and m.order_id = o.id`;

export const ORDERS = `select o.id, o.client_order_ref as tag, o.status, o.final_status, ${amountSql}, o.amount::text as units,
    p.name as policy, p.policy_version,
    coalesce((select array_agg(e.event_type) from events e where e.marketplace_id = o.marketplace_id
      and e.aggregate_id = o.id), '{}') as events,
    coalesce((select array_agg(m.ref) ${MILESTONES} and (m.completed_at is not null or m.status = 'RELEASED')), '{}') as completed,
    coalesce((select json_agg(json_build_object('ref', m.ref, 'amount', m.amount::text, 'status', m.status,
      'released', m.released_amount::text, 'refunded', m.refunded_amount::text) order by m.place) ${MILESTONES}
      and m.released_amount is not null), '[]') as parts,
    (select count(*)::int ${MILESTONES}) as milestones,
    coalesce((select json_agg(json_build_object('ref', d.milestone_ref, 'decision', d.resolution_decision,
      'seller', d.seller_amount::text, 'buyer', d.buyer_amount::text, 'note', d.decision_note)) from disputes d
      where d.marketplace_id = o.marketplace_id and d.order_id = o.id and d.status = 'RESOLVED'), '[]') as decisions,
    coalesce((select sum(x.amount)::text from postings x where x.marketplace_id = o.marketplace_id and x.move = 'platform_fee'
      and x.reference = o.id and x.amount > 0), '0') as fee,
    coalesce((select sum(x.amount)::text from postings x where x.marketplace_id = o.marketplace_id
      and x.move in ('pay_seller', 'platform_fee') and x.reference = o.id and x.amount > 0), '0') as paid_seller
  from orders o left join policies p on p.marketplace_id = o.marketplace_id and p.id = o.policy_id`;

/** What a client's last word about an order means for how it ended. */
const ORDER_ENDS: Readonly<Record<string, (scenario: OrderScenario) => string>> = {
  cancel: () => 'CANCELED',
  release: () => 'RELEASED',
  refund: () => 'REFUNDED',
  resolve: ({ ending }) =>
    ({ 'dispute-release': 'RELEASED', 'dispute-refund': 'REFUNDED' })[ending as string] ?? 'SPLIT',
};

/** What an acknowledged action must have told of. */
const ORDER_EVENTS: Readonly<Record<string, string>> = {
  reserve: 'order.funds_reserved',
  'create-escrow': 'order.escrow_creating',
  fund: 'order.in_progress',
  dispute: 'order.disputed',
};

const ONCE = ['order.created', 'order.funds_reserved', 'order.in_progress', 'order.disputed', 'order.closed'];

/** The end by what each side got. */
const endBy = ({ seller, buyer }: { seller: bigint; buyer: bigint }): string => {
  if (seller > 0n && buyer > 0n) return 'SPLIT';
  return seller > 0n ? 'RELEASED' : 'REFUNDED';
};

const PART_ENDS: Readonly<Record<string, string>> = { pay: 'RELEASED', refund: 'REFUNDED' };

/** What was acknowledged about one milestone, such as `pay m1`. */
const checkPart = (action: string, { row, scenario }: { row: Any; scenario: OrderScenario }): string[] => {
  const { name, ref } = /^(?<name>\S+) (?<ref>m\d+)$/.exec(action)?.groups ?? {};
  if (!name || !ref) return [];
  if (name === 'complete') {
    return row.completed.includes(ref) ? [] : [`${ref} was acknowledged as completed and is open`];
  }
  const part = row.parts.find((each: Any) => each.ref === ref);
  const end = PART_ENDS[name];
  if (end)
    return part?.status === end ? [] : [`${action} was acknowledged, and ${ref} is ${part?.status ?? 'not paid'}`];
  if (name !== 'resolve') return [];
  const planned = scenario.parts.find((each) => each.ref === ref)?.end;
  const is = part && endBy({ seller: BigInt(part.released), buyer: BigInt(part.refunded) });
  const should = { 'dispute-release': 'RELEASED', 'dispute-refund': 'REFUNDED' }[planned as string];
  return should === undefined || is === should ? [] : [`${action} was acknowledged as ${should}, and ${ref} is ${is}`];
};

export const checkOrder = ({ scenario, id, made, done }: ScenarioRecord<OrderScenario>, row: Any): string[] => {
  const say = (what: string): string => `order ${scenario.tag} (${id}): ${what}`;
  if (!row) return made === 'acknowledged' ? [say('was acknowledged and is missing')] : [];
  if (made === 'refused') return [say('was refused and is there')];
  const found: string[] = [];
  if (id !== null && row.id !== id) found.push(say(`is another one, ${row.id}`));
  if (row.amount !== textOf(scenario.cents)) found.push(say(`is over ${row.amount}, not ${textOf(scenario.cents)}`));
  for (const [action, endOf] of Object.entries(ORDER_ENDS)) {
    // After milestones that were paid on their own, the end depends on all of them.
    const end = row.parts.length > 0 && action !== 'cancel' ? endBy(sharesOf(scenario, row)) : endOf(scenario);
    if (done.has(action) && row.final_status !== end) {
      found.push(say(`${action} was acknowledged, but it ended as ${row.final_status}`));
    }
  }
  for (const [action, event] of Object.entries(ORDER_EVENTS)) {
    if (done.has(action) && !row.events.includes(event)) found.push(say(`${action} was acknowledged without ${event}`));
  }
  for (const action of done) found.push(...checkPart(action, { row, scenario }).map(say));
  for (const event of ONCE) {
    if (row.events.filter((one: string) => one === event).length > 1) found.push(say(`${event} happened twice`));
  }
  return found;
};

const SIMULATED_NOTE = 'Seen both sides.';

/** The seller's units that the client asked for in this split, by the plan. */
const plannedSplit = (scenario: OrderScenario, { ref, seller, buyer }: Any): bigint | null => {
  const units = BigInt(seller) + BigInt(buyer);
  const cents = Number(units / UNITS_PER_CENT);
  if (ref === null && cents === scenario.cents) return unitsOf(scenario.sellerCents);
  const split = splitOf(cents, scenario.share);
  return split === null ? null : unitsOf(split);
};

const checkSplits = (scenario: OrderScenario, { decisions }: Any): string[] =>
  decisions
    .filter(({ decision, note }: Any) => decision === 'SPLIT' && note === SIMULATED_NOTE)
    .filter((one: Any) => plannedSplit(scenario, one) !== BigInt(one.seller))
    .map((one: Any) => `the split of ${one.ref ?? 'the order'} is ${one.seller}, not ${plannedSplit(scenario, one)}`);

/** Each milestone sums to its amount, and a closed order to its own. */
const checkSums = (scenario: OrderScenario, row: Any): string[] => {
  const isSettled = row.status === 'CLOSED' && row.final_status !== 'CANCELED';
  const { seller, buyer } = sharesOf(scenario, row);
  return [
    ...row.parts
      .filter(({ amount, released, refunded }: Any) => BigInt(released) + BigInt(refunded) !== BigInt(amount))
      .map(({ ref, amount }: Any) => `the parts of ${ref} do not sum to ${amount}`),
    ...(seller === BigInt(row.paid_seller)
      ? []
      : [`the seller's part is ${seller}, and ${row.paid_seller} were posted`]),
    ...(isSettled && seller + buyer !== BigInt(row.units)
      ? [`the parts sum to ${seller + buyer}, not ${row.units}`]
      : []),
    ...(isSettled && row.parts.length > 0 && row.parts.length !== row.milestones
      ? [`${row.milestones - row.parts.length} milestones of a settled order are not paid`]
      : []),
    ...(isSettled && endBy({ seller, buyer }) !== row.final_status
      ? [`it ended as ${row.final_status}, and ${seller} and ${buyer} were paid`]
      : []),
  ];
};

const withRows = async (
  { environment, actor }: SimulationState,
  check: (scenario: OrderScenario, row: Any) => string[],
): Promise<string[]> => {
  const rows = new Map((await environment.sql(ORDERS)).map((row) => [row.tag, row]));
  return actor.begun.flatMap(({ scenario }) => {
    const row = rows.get(scenario.tag);
    if (scenario.kind !== 'order' || !row) return [];
    return check(scenario, row).map((what) => `order ${scenario.tag} (${row.id}): ${what}`);
  });
};

export const checkParts: Check = (state) =>
  withRows(state, (scenario, row) => [...checkSums(scenario, row), ...checkSplits(scenario, row)]);

/** An order has the policy that it was created with, and pays the fee of that version. */
export const checkFees: Check = (state) => {
  const { policies } = state.environment.plan;
  return withRows(state, (scenario, row) => {
    if (row.policy !== scenario.policy) return [`has the policy ${row.policy}, not ${scenario.policy}`];
    const { seller } = sharesOf(scenario, row);
    const fee = feeOf(seller, scenario, rulesOf(policies, row));
    return fee === BigInt(row.fee) ? [] : [`the fee is ${row.fee}, and should be ${fee} of ${seller}`];
  });
};
