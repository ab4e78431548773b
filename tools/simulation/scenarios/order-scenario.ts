// Lives an order: looks at the state it is in and does the next thing on the way to its planned ending, as often as it takes.
// Answers may be lost, actions are asked for twice, and the escrow provider may tell of things first.

import type { Order } from '@holdfast/sdk';
import type { Actor } from '../actors.ts';
import type { Told } from '../journal.ts';
import { feeOf } from '../policies/fee.ts';
import type { Random } from '../random.ts';
import { newRecord } from '../records.ts';
import { type Action, nextAction, type OrderRecord } from './order-actions.ts';
import { type OrderScenario, textOf, unitsOf } from './scenarios.ts';

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
  ...(scenario.policy === null ? {} : { policy: scenario.policy }),
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

/** By one of the two versions of its policy: then the order is refused. */
const isEatenByFee = (scenario: OrderScenario, { policies }: Actor): boolean => {
  const units = unitsOf(scenario.cents);
  const { versions = [] } = policies.find(({ name }) => name === scenario.policy) ?? {};
  return versions.some((rules) => feeOf(units, scenario, rules) === units);
};

const create = async (record: OrderRecord, actor: Actor): Promise<void> => {
  const { scenario } = record;
  const client = actor.clientOf(scenario);
  const told = await actor.ask({ tag: scenario.tag, call: 'create order' }, () =>
    client.orders.create(bodyOf(scenario, actor)),
  );
  if (told.outcome === 'acknowledged') record.id = told.value.id;
  else if (told.error.code === 'INVALID_AMOUNT' && !isEatenByFee(scenario, actor)) {
    actor.violate(`order ${scenario.tag} was refused, and its fee leaves something for the seller`);
  }
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
  const isPreviewed = name !== 'wait' && random.is(scenario.previews);
  const about = [order.id, ...(order.dispute ? [order.dispute.id] : [])];
  const users = [order.buyerId, order.sellerId];
  const asking: Promise<Told<unknown>>[] = [
    isPreviewed
      ? actor.previews.ask({ ...call, place: scenario.place, about, users }, work)
      : actor.ask(call, () => work({})),
  ];
  if (name !== 'wait' && random.is(scenario.twice)) asking.push(actor.ask(call, () => work({})));
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
    const action = await nextAction(record, { actor, order: seen });
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
