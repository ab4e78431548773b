// The next action on the way of an order to its planned end: what it is called, and the call. Milestones are paid one by one first, as
// planned, and then the order with what is left. A deadline may be faster at any time.

import type { Order } from '@holdfast/sdk';
import type { Actor } from '../actors.ts';
import type { Options } from '../previews/previews.ts';
import type { ScenarioRecord } from '../records.ts';
import { type PartPlan, splitOf } from './plan-parts.ts';
import { type OrderScenario, textOf } from './scenarios.ts';

export type OrderRecord = ScenarioRecord<OrderScenario>;

/** What the next action is called, and how it is asked for; null where the life is over. */
export type Action = readonly [name: string, work: (options: Options) => Promise<unknown>];

type Seen = { readonly actor: Actor; readonly order: Order };

const centsOf = (amount: string): number => Number(amount.replace('.', ''));

/** What is left of the order after milestones that were paid on their own. */
const leftOf = ({ amount, milestones }: Order): number =>
  milestones.reduce(
    (left, { releasedAmount = '0.00', refundedAmount = '0.00' }) =>
      left - centsOf(releasedAmount) - centsOf(refundedAmount),
    centsOf(amount),
  );

const NOTE = { note: 'Seen both sides.' };

const decisionOf = (end: string, { cents, seller }: { cents: number; seller: number | null }) => {
  if (end === 'dispute-refund') return { decision: 'FULL_REFUND' as const, ...NOTE };
  if (end === 'dispute-release' || seller === null) return { decision: 'FULL_RELEASE' as const, ...NOTE };
  const parts = { releaseAmount: textOf(seller), refundAmount: textOf(cents - seller) };
  return { decision: 'SPLIT' as const, ...parts, ...NOTE };
};

const wait = ({ actor, order }: Seen, { scenario }: OrderRecord): Action => [
  'wait',
  () => actor.clientOf(scenario).orders.whenIdle(order.id, { patienceMs: 10_000 }),
];

/** Half of the releases with several milestones are paid milestone by milestone. */
const isPaidInParts = ({ ending, milestones, sellerCents, parts }: OrderScenario): boolean =>
  parts.length === 0 && ending === 'release' && milestones.length > 1 && sellerCents % 2 === 0;

/** What comes next is left to a deadline. */
const stops = ({ stopsAt, policy }: OrderScenario, at: OrderScenario['stopsAt']): boolean =>
  policy !== null && stopsAt === at;

type OneMilestone = { readonly milestone: Order['milestones'][number]; readonly end: PartPlan['end'] };

const resolveMilestone = async (
  { scenario }: OrderRecord,
  { actor, milestone: { ref, amount, disputeId }, end }: Seen & OneMilestone,
): Promise<Action | null> => {
  const { disputes } = actor.clientOf(scenario);
  const dispute = await actor.look(() => disputes.get(disputeId!));
  if (dispute?.status === 'OPEN') {
    return [`assign ${ref}`, (options) => disputes.assign(dispute.id, { assignedTo: 'agent-7' }, options)];
  }
  const cents = centsOf(amount);
  const decision = decisionOf(end, { cents, seller: splitOf(cents, scenario.share) });
  return [`resolve ${ref}`, (options) => disputes.resolve(disputeId!, decision, options)];
};

/** Null: nothing is left to do about this milestone. */
const milestoneAction = async (record: OrderRecord, seen: Seen & OneMilestone): Promise<Action | null> => {
  const { scenario } = record;
  const { actor, order, milestone, end } = seen;
  const { orders } = actor.clientOf(scenario);
  const { ref, status } = milestone;
  if (status === 'RELEASED' || status === 'REFUNDED') return null;
  if (status === 'DISPUTED') return stops(scenario, 'disputed') ? null : resolveMilestone(record, seen);
  if (end === 'refund') {
    return [`refund ${ref}`, (options) => orders.refundMilestone(order.id, { ref, reason: 'Not this one.' }, options)];
  }
  if (end !== 'release') {
    const body = { ref, openedBy: scenario.openedBy, reason: 'QUALITY_ISSUE' as const };
    return [`dispute ${ref}`, (options) => orders.disputeMilestone(order.id, body, options)];
  }
  if (status === 'OPEN') {
    return [`complete ${ref}`, (options) => orders.completeMilestone(order.id, ref, options)];
  }
  return [`pay ${ref}`, (options) => orders.releaseMilestone(order.id, { ref, reason: 'All fine.' }, options)];
};

const partsOf = ({ scenario }: OrderRecord): readonly PartPlan[] =>
  isPaidInParts(scenario)
    ? scenario.milestones.map((_, at) => ({ ref: `m${at}`, end: 'release' as const }))
    : scenario.parts;

const nextPart = async (record: OrderRecord, seen: Seen): Promise<Action | null> => {
  for (const { ref, end } of partsOf(record)) {
    const milestone = seen.order.milestones.find((each) => each.ref === ref)!;
    const action = await milestoneAction(record, { ...seen, milestone, end });
    if (action) return action;
  }
  return null;
};

const settleOf = async (record: OrderRecord, seen: Seen): Promise<Action | null> => {
  const { scenario } = record;
  const { actor, order } = seen;
  const { orders } = actor.clientOf(scenario);
  if (order.operation !== null) return wait(seen, record);
  const part = await nextPart(record, seen);
  if (part) return part;
  // Left to its deadline: until then the order cannot be settled.
  if (order.milestones.some(({ status }) => status === 'DISPUTED')) return null;
  if (scenario.ending === 'leave-funded' || stops(scenario, 'funded')) return null;
  if (scenario.ending === 'refund') {
    return ['refund', (options) => orders.refund(order.id, { reason: 'It never came.' }, options)];
  }
  if (scenario.ending.startsWith('dispute')) {
    const body = { openedBy: scenario.openedBy, reason: 'QUALITY_ISSUE' as const };
    return ['dispute', (options) => orders.dispute(order.id, body, options)];
  }
  const open = order.milestones.find(({ status }) => status === 'OPEN');
  if (open) return [`complete ${open.ref}`, (options) => orders.completeMilestone(order.id, open.ref, options)];
  return ['release', (options) => orders.release(order.id, { reason: 'All fine.' }, options)];
};

const decideOf = (record: OrderRecord, { actor, order }: Seen): Action | null => {
  const { scenario } = record;
  const { disputes } = actor.clientOf(scenario);
  if (stops(scenario, 'disputed')) return null;
  const { id, status } = order.dispute!;
  if (status === 'OPEN') return ['assign', (options) => disputes.assign(id, { assignedTo: 'agent-7' }, options)];
  const cents = leftOf(order);
  const seller = cents === scenario.cents ? scenario.sellerCents : splitOf(cents, scenario.share);
  const decision = decisionOf(scenario.ending, { cents, seller });
  return ['resolve', (options) => disputes.resolve(id, decision, options)];
};

export const nextAction = async (record: OrderRecord, seen: Seen): Promise<Action | null> => {
  const { scenario } = record;
  const { orders } = seen.actor.clientOf(scenario);
  const { id, status } = seen.order;
  const cancel: Action = ['cancel', (options) => orders.cancel(id, { reason: 'Changed my mind.' }, options)];
  switch (status) {
    case 'ORDER_CREATED':
      if (scenario.ending === 'cancel-new' || record.done.has('no money')) return cancel;
      return ['reserve', (options) => orders.reserve(id, options)];
    case 'FUNDS_RESERVED':
      if (scenario.ending === 'leave-reserved' || stops(scenario, 'reserved')) return null;
      if (scenario.ending === 'cancel-reserved') return cancel;
      return ['create-escrow', (options) => orders.createEscrow(id, options)];
    case 'ESCROW_FUNDING':
      return ['fund', (options) => orders.fundEscrow(id, options)];
    case 'IN_PROGRESS':
      return settleOf(record, seen);
    case 'DISPUTED':
      return decideOf(record, seen);
    case 'CLOSED':
      return null;
    default:
      return wait(seen, record);
  }
};
