// Lives an order: looks at the state it is in and does the next thing on the way to its planned ending, as often as it takes.
// Answers may be lost, actions are asked for twice, and the escrow provider may tell of things first.

import type { Order } from '@holdfast/sdk';
import type { Actor } from '../actors.ts';
import type { Told } from '../journal.ts';
import type { Random } from '../random.ts';
import { newRecord, type ScenarioRecord } from '../records.ts';
import { type OrderScenario, textOf } from './scenarios.ts';

type OrderRecord = ScenarioRecord<OrderScenario>;

/** Under faults and kills; what is not done then is tried again when they are over. */
const TURNS = 14;

const ESCROW_EVENTS = ['escrow.created', 'escrow.funded', 'escrow.released', 'escrow.refunded', 'escrow.disputed'];

const bodyOf = (scenario: OrderScenario, { users }: Actor) => ({
  buyerId: users.of[scenario.place]![scenario.user]!.id,
  sellerId: users.of[scenario.place]![scenario.seller]!.id,
  amount: textOf(scenario.cents),
  currency: scenario.currency,
  clientOrderRef: scenario.tag,
  title: `Order ${scenario.tag}`,
  ...(scenario.fee === null ? {} : { metadata: { platformFee: scenario.fee } }),
  ...(scenario.milestones.length === 0
    ? {}
    : {
        milestones: scenario.milestones.map((cents, at) => ({
          ref: `m${at}`,
          title: `Part ${at + 1}`,
          amount: textOf(cents),
        })),
      }),
});

/** What the next action is called, and how it is asked for; null where the life is over. */
type Action = readonly [name: string, work: () => Promise<unknown>];

const decisionOf = ({ ending, cents, sellerCents }: OrderScenario) => {
  if (ending === 'dispute-release') return { decision: 'FULL_RELEASE' as const };
  if (ending === 'dispute-refund') return { decision: 'FULL_REFUND' as const };
  const parts = { releaseAmount: textOf(sellerCents), refundAmount: textOf(cents - sellerCents) };
  return { decision: 'SPLIT' as const, ...parts };
};

/** Half of the releases with several milestones are paid milestone by milestone. */
const isPaidInParts = ({ ending, milestones, sellerCents }: OrderScenario): boolean =>
  ending === 'release' && milestones.length > 1 && sellerCents % 2 === 0;

/** The next milestone is completed, or released on its own. */
const partOf = (order: Order, orders: ReturnType<Actor['clientOf']>['orders']): Action | null => {
  if (order.operation !== null) return ['wait', () => orders.whenIdle(order.id, { patienceMs: 10_000 })];
  const next = order.milestones.find(({ status }) => status === 'OPEN' || status === 'COMPLETED');
  if (!next) return null;
  const { ref } = next;
  return next.status === 'OPEN'
    ? [`complete ${ref}`, () => orders.completeMilestone(order.id, ref)]
    : [`pay ${ref}`, () => orders.releaseMilestone(order.id, { ref, reason: 'All fine.' })];
};

const settleOf = (record: OrderRecord, { actor, order }: { actor: Actor; order: Order }): Action | null => {
  const { scenario } = record;
  const { orders } = actor.clientOf(scenario);
  if (scenario.ending === 'leave-funded') return null;
  if (scenario.ending === 'refund') return ['refund', () => orders.refund(order.id, { reason: 'It never came.' })];
  if (scenario.ending.startsWith('dispute')) {
    const body = { openedBy: scenario.openedBy, reason: 'QUALITY_ISSUE' as const };
    return ['dispute', () => orders.dispute(order.id, body)];
  }
  if (isPaidInParts(scenario)) return partOf(order, orders);
  const open = order.milestones.find(({ status }) => status === 'OPEN');
  if (open) return [`complete ${open.ref}`, () => orders.completeMilestone(order.id, open.ref)];
  return ['release', () => orders.release(order.id, { reason: 'All fine.' })];
};

const nextOf = (record: OrderRecord, { actor, order }: { actor: Actor; order: Order }): Action | null => {
  const { scenario } = record;
  const { orders, disputes } = actor.clientOf(scenario);
  const { id, status, dispute } = order;
  const cancel: Action = ['cancel', () => orders.cancel(id, { reason: 'Changed my mind.' })];
  switch (status) {
    case 'ORDER_CREATED':
      if (scenario.ending === 'cancel-new' || record.done.has('no money')) return cancel;
      return ['reserve', () => orders.reserve(id)];
    case 'FUNDS_RESERVED':
      if (scenario.ending === 'leave-reserved') return null;
      if (scenario.ending === 'cancel-reserved') return cancel;
      return ['create-escrow', () => orders.createEscrow(id)];
    case 'ESCROW_FUNDING':
      return ['fund', () => orders.fundEscrow(id)];
    case 'IN_PROGRESS':
      return settleOf(record, { actor, order });
    case 'DISPUTED':
      if (dispute?.status === 'OPEN') return ['assign', () => disputes.assign(dispute.id, { assignedTo: 'agent-7' })];
      return ['resolve', () => disputes.resolve(dispute!.id, { ...decisionOf(scenario), note: 'Seen both sides.' })];
    case 'CLOSED':
      return null;
    default:
      return ['wait', () => orders.whenIdle(id, { patienceMs: 10_000 })];
  }
};

/**
 * Whatever is true of it by then, the escrow provider says so, in an order of its own. That a funding has begun it says only
 * late: said too early, about a funding that never comes, it rightly locks the order until that has lapsed.
 */
const tellOf = async ({ simulators, webhookRelay }: Actor, of: { order: Order; random: Random }): Promise<void> => {
  const { id, status } = of.order;
  const type = of.random.pick([...ESCROW_EVENTS, ...(status === 'IN_PROGRESS' ? ['escrow.funding_started'] : [])]);
  if (of.random.is(15)) {
    await webhookRelay.forge({ type, event_id: `forged-${id}-${type}`, data: { order_id: id } });
    return;
  }
  await simulators.sendControl('POST /escrow-events', { type, orderId: id });
};

const create = async (record: OrderRecord, actor: Actor): Promise<void> => {
  const { scenario } = record;
  const client = actor.clientOf(scenario);
  const told = await actor.ask({ tag: scenario.tag, call: 'create order' }, () =>
    client.orders.create(bodyOf(scenario, actor)),
  );
  if (told.outcome === 'acknowledged') record.id = told.value.id;
  // An earlier attempt made it whose answer was lost.
  else if (told.error.code === 'ORDER_ALREADY_EXISTS' && record.made === 'unknown')
    record.id = String(told.error.details.orderId);
  if (record.made !== 'unknown') record.made = told.outcome;
};

type Acting = { readonly action: Action; readonly order: Order; readonly actor: Actor; readonly random: Random };

/** One action, perhaps asked for twice at once, perhaps with the provider's own word beside it. */
const act = async (record: OrderRecord, of: Acting): Promise<void> => {
  const [name, work] = of.action;
  const { scenario } = record;
  const { actor, random, order } = of;
  const call = { tag: scenario.tag, call: name };
  const asking: Promise<Told<unknown>>[] = [actor.ask(call, work)];
  if (name !== 'wait' && random.is(scenario.twice)) asking.push(actor.ask(call, work));
  const beside = random.is(scenario.told) ? [tellOf(actor, { order, random })] : [];
  const [told] = await Promise.all([Promise.all(asking), ...beside]);
  for (const each of told) {
    if (each.outcome === 'acknowledged') record.done.add(name);
    else if (each.error.code === 'INSUFFICIENT_FUNDS') record.done.add('no money');
  }
};

/** Carries it as far as it goes now. */
export const advanceOrder = async (record: OrderRecord, { actor, turns = TURNS }: { actor: Actor; turns?: number }) => {
  const { scenario } = record;
  const random = actor.random.fork(`${scenario.tag} ${record.done.size}`);
  if (record.id === null) await create(record, actor);
  if (record.id === null) return;
  for (let turn = 0; turn < turns; turn++) {
    const seen = await actor.look(() => actor.clientOf(scenario).orders.get(record.id!));
    if (!seen) continue;
    const action = nextOf(record, { actor, order: seen });
    if (!action) {
      record.hasEnded = true;
      return;
    }
    await act(record, { action, order: seen, actor, random });
  }
};

export const runOrder = async (scenario: OrderScenario, actor: Actor): Promise<OrderRecord> => {
  const record = newRecord(scenario);
  actor.begin(record);
  await advanceOrder(record, { actor });
  return record;
};
