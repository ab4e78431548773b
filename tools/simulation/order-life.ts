// Lives an order: looks at the state it is in and does the next thing on the way to its planned ending, as often as it takes.
// Answers may be lost, actions are asked for twice, and the escrow provider may tell of things first.

import type { Order } from '@holdfast/sdk';
import type { Actor } from './actors.ts';
import type { Chance } from './chance.ts';
import type { Told } from './journal.ts';
import { type OrderLife, textOf } from './lives.ts';
import { beginOf, type Lived } from './records.ts';

type Lives = Lived<OrderLife>;

/** Under faults and kills; what is not done then is tried again when they are over. */
const TURNS = 14;

const ESCROW_EVENTS = ['escrow.created', 'escrow.funded', 'escrow.released', 'escrow.refunded', 'escrow.disputed'];

const bodyOf = (life: OrderLife, { people }: Actor) => ({
  buyerId: people.of[life.place]![life.user]!.id,
  sellerId: people.of[life.place]![life.seller]!.id,
  amount: textOf(life.cents),
  currency: life.currency,
  clientOrderRef: life.tag,
  title: `Order ${life.tag}`,
  ...(life.fee === null ? {} : { metadata: { platformFee: life.fee } }),
  ...(life.milestones.length === 0
    ? {}
    : {
        milestones: life.milestones.map((cents, at) => ({
          ref: `m${at}`,
          title: `Part ${at + 1}`,
          amount: textOf(cents),
        })),
      }),
});

/** What the next action is called, and how it is asked for; null where the life is over. */
type Action = readonly [name: string, work: () => Promise<unknown>];

const decisionOf = ({ ending, cents, sellerCents }: OrderLife) => {
  if (ending === 'dispute-release') return { decision: 'FULL_RELEASE' as const };
  if (ending === 'dispute-refund') return { decision: 'FULL_REFUND' as const };
  const parts = { releaseAmount: textOf(sellerCents), refundAmount: textOf(cents - sellerCents) };
  return { decision: 'SPLIT' as const, ...parts };
};

const settleOf = (lived: Lives, { actor, order }: { actor: Actor; order: Order }): Action | null => {
  const { life } = lived;
  const { orders } = actor.clientOf(life);
  if (life.ending === 'leave-funded') return null;
  if (life.ending === 'refund') return ['refund', () => orders.refund(order.id, { reason: 'It never came.' })];
  if (life.ending.startsWith('dispute')) {
    const body = { openedBy: life.openedBy, reason: 'QUALITY_ISSUE' as const };
    return ['dispute', () => orders.dispute(order.id, body)];
  }
  const open = order.milestones.find(({ status }) => status === 'OPEN');
  if (open) return [`complete ${open.ref}`, () => orders.completeMilestone(order.id, open.ref)];
  return ['release', () => orders.release(order.id, { reason: 'All fine.' })];
};

const nextOf = (lived: Lives, { actor, order }: { actor: Actor; order: Order }): Action | null => {
  const { life } = lived;
  const { orders, disputes } = actor.clientOf(life);
  const { id, status, dispute } = order;
  const cancel: Action = ['cancel', () => orders.cancel(id, { reason: 'Changed my mind.' })];
  switch (status) {
    case 'ORDER_CREATED':
      if (life.ending === 'cancel-new' || lived.done.has('no money')) return cancel;
      return ['reserve', () => orders.reserve(id)];
    case 'FUNDS_RESERVED':
      if (life.ending === 'leave-reserved') return null;
      if (life.ending === 'cancel-reserved') return cancel;
      return ['create-escrow', () => orders.createEscrow(id)];
    case 'ESCROW_FUNDING':
      return ['fund', () => orders.fundEscrow(id)];
    case 'IN_PROGRESS':
      return settleOf(lived, { actor, order });
    case 'DISPUTED':
      if (dispute?.status === 'OPEN') return ['assign', () => disputes.assign(dispute.id, { assignedTo: 'agent-7' })];
      return ['resolve', () => disputes.resolve(dispute!.id, { ...decisionOf(life), note: 'Seen both sides.' })];
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
const tellOf = async ({ simulators, office }: Actor, of: { order: Order; chance: Chance }): Promise<void> => {
  const { id, status } = of.order;
  const type = of.chance.pick([...ESCROW_EVENTS, ...(status === 'IN_PROGRESS' ? ['escrow.funding_started'] : [])]);
  if (of.chance.is(15)) {
    await office.forge({ type, event_id: `forged-${id}-${type}`, data: { order_id: id } });
    return;
  }
  await simulators.sendControl('POST /escrow-events', { type, orderId: id });
};

const create = async (lived: Lives, actor: Actor): Promise<void> => {
  const { life } = lived;
  const client = actor.clientOf(life);
  const told = await actor.ask({ tag: life.tag, call: 'create order' }, () =>
    client.orders.create(bodyOf(life, actor)),
  );
  if (told.outcome === 'acknowledged') lived.id = told.value.id;
  // An earlier attempt made it whose answer was lost.
  else if (told.error.code === 'ORDER_ALREADY_EXISTS' && lived.made === 'unknown')
    lived.id = String(told.error.details.orderId);
  if (lived.made !== 'unknown') lived.made = told.outcome;
};

type Acting = { readonly action: Action; readonly order: Order; readonly actor: Actor; readonly chance: Chance };

/** One action, perhaps asked for twice at once, perhaps with the provider's own word beside it. */
const act = async (lived: Lives, of: Acting): Promise<void> => {
  const [name, work] = of.action;
  const { life } = lived;
  const { actor, chance, order } = of;
  const call = { tag: life.tag, call: name };
  const asking: Promise<Told<unknown>>[] = [actor.ask(call, work)];
  if (name !== 'wait' && chance.is(life.twice)) asking.push(actor.ask(call, work));
  const beside = chance.is(life.told) ? [tellOf(actor, { order, chance })] : [];
  const [told] = await Promise.all([Promise.all(asking), ...beside]);
  for (const each of told) {
    if (each.outcome === 'acknowledged') lived.done.add(name);
    else if (each.error.code === 'INSUFFICIENT_FUNDS') lived.done.add('no money');
  }
};

/** Carries it as far as it goes now. */
export const carryOrder = async (lived: Lives, { actor, turns = TURNS }: { actor: Actor; turns?: number }) => {
  const { life } = lived;
  const chance = actor.chance.fork(`${life.tag} ${lived.done.size}`);
  if (lived.id === null) await create(lived, actor);
  if (lived.id === null) return;
  for (let turn = 0; turn < turns; turn++) {
    const seen = await actor.look(() => actor.clientOf(life).orders.get(lived.id!));
    if (!seen) continue;
    const action = nextOf(lived, { actor, order: seen });
    if (!action) {
      lived.hasEnded = true;
      return;
    }
    await act(lived, { action, order: seen, actor, chance });
  }
};

export const liveOrder = async (life: OrderLife, actor: Actor): Promise<Lives> => {
  const lived = beginOf(life);
  actor.begin(lived);
  await carryOrder(lived, { actor });
  return lived;
};
