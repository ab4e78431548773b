// Random ways to pay an order milestone by milestone, compared with the fee of everything that the seller got, with the books and with
// the ledger.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactUnits } from '../../tools/decimals.ts';
import { feeOf } from '../../tools/simulation/policies/fee.ts';
import { textOf, UNITS_PER_CENT, unitsOf } from '../../tools/simulation/scenarios/scenarios.ts';
import type { OrderFixture } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

type Way = 'release' | 'refund' | 'dispute release' | 'dispute refund' | 'dispute split';

type Case = {
  /** In cents. */
  readonly amounts: readonly number[];
  readonly ways: readonly Way[];
  /** The order in which the milestones are paid. */
  readonly places: readonly number[];
  /** Whether all disputes of milestones are open before the first one is decided. */
  readonly together: boolean;
  /** After how many of them the whole order is settled. */
  readonly alone: number;
  readonly rest: 'release' | 'refund' | 'split';
  /** A percentage, or the fee of the policy. */
  readonly fee: string;
  /** The seller's share of a split, in percent. */
  readonly share: number;
};

/** Its fixed part and its minimum may be more than a milestone. */
const POLICY = 'fixed-fee';
const TERMS = { percent: '2.50', fixed: '3.00', min: '4.00', max: '6.00' };

export const createPolicy = ({ expect }: OrderFixture): Promise<unknown> =>
  expect('POST /policies', { body: { name: POLICY, rules: { platformFee: TERMS } }, status: 201 });

const WAYS: readonly Way[] = ['release', 'refund', 'dispute release', 'dispute refund', 'dispute split'];

export const cases = fc
  .record({
    amounts: fc.array(fc.integer({ min: 1, max: 12_345 }), { minLength: 2, maxLength: 4 }),
    isReleased: fc.boolean(),
    ways: fc.array(fc.constantFrom(...WAYS), { minLength: 4, maxLength: 4 }),
    order: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 4 }),
    together: fc.boolean(),
    alone: fc.integer({ min: 1, max: 4 }),
    rest: fc.constantFrom('release', 'refund', 'split' as const),
    fee: fc.constantFrom('0', '5', '12.34', '99', POLICY),
    share: fc.integer({ min: 1, max: 99 }),
  })
  .map(
    ({ amounts, isReleased, ways, order, alone, rest, ...more }): Case => ({
      ...more,
      amounts,
      ways: isReleased ? amounts.map(() => 'release') : ways.slice(0, amounts.length),
      places: amounts.map((_, place) => place).sort((a, b) => order[a]! - order[b]!),
      alone: Math.min(alone, amounts.length),
      rest: isReleased ? 'release' : (rest as Case['rest']),
    }),
  );

/** Parts of a cent are not shown. */
const shownUnits = (units: bigint): string => textOf(Number(units / UNITS_PER_CENT));

type Paid = { seller: number; buyer: number };

const decide = async ({ expect }: OrderFixture, { disputeId, body }: { disputeId: string; body: object }) => {
  await expect(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'agent-7' }, status: 200 });
  await expect(`POST /disputes/${disputeId}/resolve`, { body, status: 200 });
};

const splitOf = (cents: number, { share }: Case) => {
  const seller = Math.floor((cents * share) / 100);
  return { seller, buyer: cents - seller };
};

const decisionOf = (way: string, { seller, buyer }: Paid): object => {
  if (way.endsWith('release')) return { decision: 'FULL_RELEASE' };
  if (way.endsWith('refund')) return { decision: 'FULL_REFUND' };
  return { decision: 'SPLIT', releaseAmount: textOf(seller), refundAmount: textOf(buyer) };
};

const sharesOf = (way: string, { cents, of }: { cents: number; of: Case }): Paid => {
  if (way.endsWith('release')) return { seller: cents, buyer: 0 };
  if (way.endsWith('refund')) return { seller: 0, buyer: cents };
  return splitOf(cents, of);
};

const OPENED = { openedBy: 'BUYER', reason: 'OTHER' };

type At = { readonly id: string; readonly place: number; readonly of: Case };

/** Returns the id of the dispute. */
const disputeMilestone = async ({ expect }: OrderFixture, { id, place }: At): Promise<string> => {
  const order = await expect(`POST /orders/${id}/milestones/m${place + 1}/dispute`, { body: OPENED, status: 200 });
  return order.milestones[place].disputeId;
};

/** The disputes of all milestones that a dispute decides, by their place; none unless the case wants them together. */
const disputeTogether = async (fixture: OrderFixture, at: Omit<At, 'place'>): Promise<Map<number, string>> => {
  const { of, id } = at;
  const disputes = new Map<number, string>();
  const wanted = of.places.slice(0, of.alone).filter((place) => of.together && of.ways[place]!.startsWith('dispute'));
  for (const place of wanted) disputes.set(place, await disputeMilestone(fixture, { ...at, place }));
  const { milestones } = await fixture.get(id);
  const open = milestones.filter(({ status }: Any) => status === 'DISPUTED').length;
  assert.deepEqual([open, new Set(disputes.values()).size], [wanted.length, wanted.length]);
  return disputes;
};

const payMilestone = async (fixture: OrderFixture, at: At & { readonly open: string | undefined }): Promise<Paid> => {
  const { id, place, of, open } = at;
  const way = of.ways[place]!;
  const shares = sharesOf(way, { cents: of.amounts[place]!, of });
  const path = `POST /orders/${id}/milestones/m${place + 1}`;
  if (way === 'release') await fixture.expect(`${path}/complete`, { status: 201 });
  if (way === 'release') await fixture.expect(`${path}/release`, { status: 200 });
  else if (way === 'refund') await fixture.expect(`${path}/refund`, { body: { reason: 'x' }, status: 200 });
  else {
    const disputeId = open ?? (await disputeMilestone(fixture, at));
    await decide(fixture, { disputeId, body: decisionOf(way, shares) });
  }
  return shares;
};

const payRest = async (fixture: OrderFixture, { id, of, cents }: { id: string; of: Case; cents: number }) => {
  const shares = sharesOf(of.rest, { cents, of });
  if (of.rest === 'release') {
    const { milestones } = await fixture.get(id);
    for (const { ref, status } of milestones) {
      if (status === 'OPEN') await fixture.expect(`POST /orders/${id}/milestones/${ref}/complete`, { status: 201 });
    }
    await fixture.expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  } else if (of.rest === 'refund') {
    await fixture.expect(`POST /orders/${id}/resolution/refund`, { body: { reason: 'x' }, status: 200 });
  } else {
    const body = { ...OPENED, orderId: id };
    const { id: disputeId } = await fixture.expect(`POST /orders/${id}/resolution/dispute`, { body, status: 201 });
    await decide(fixture, { disputeId, body: decisionOf(of.rest, shares) });
  }
  return shares;
};

/** The figures of the order's end. */
const assertEnd = async (fixture: OrderFixture, { order, paid, who, of }: Any): Promise<void> => {
  const gross = unitsOf(paid.seller);
  const isOfPolicy = of.fee === POLICY;
  const fee = feeOf(gross, { fee: isOfPolicy ? null : Number(of.fee) }, isOfPolicy ? { platformFee: TERMS } : null);
  const net = gross - fee;
  const isBoth = paid.seller > 0 && paid.buyer > 0;
  const one = paid.seller > 0 ? 'RELEASED' : 'REFUNDED';
  assert.deepEqual([order.status, order.finalStatus], ['CLOSED', isBoth ? 'SPLIT' : one]);
  assert.deepEqual(order.paid, {
    seller: shownUnits(net),
    buyer: textOf(paid.buyer),
    fee: shownUnits(fee),
    left: '0.00',
  });
  assert.equal((await fixture.balance(who.seller)).available, shownUnits(net));
  const buyer = exactUnits((await fixture.balance(who.buyer)).available);
  assert.equal(buyer, exactUnits('1000.00') - gross);
  const events = await fixture.eventsOf(order.id);
  const count = (type: string) => events.filter((each) => each === type).length;
  const ended = ['order.closed', 'escrow.released', 'escrow.refunded', 'order.released', 'order.refunded'].map(count);
  assert.deepEqual(ended, [
    1,
    paid.seller > 0 ? 1 : 0,
    paid.seller > 0 ? 0 : 1,
    Number(paid.seller > 0),
    Number(paid.buyer > 0),
  ]);
};

/** Runs one case to its end. Returns how many disputes were open at the same time. */
export const runCase = async (fixture: OrderFixture, of: Case): Promise<number> => {
  const who = await fixture.parties();
  const total = of.amounts.reduce((sum, cents) => sum + cents, 0);
  const { id } = await fixture.anOrder({
    at: 'IN_PROGRESS',
    between: who,
    amount: textOf(total),
    milestones: of.amounts.map(textOf),
    ...(of.fee === POLICY ? { policy: POLICY } : { metadata: { platformFee: of.fee } }),
  });
  const paid: Paid = { seller: 0, buyer: 0 };
  const add = ({ seller, buyer }: Paid): void => {
    paid.seller += seller;
    paid.buyer += buyer;
  };
  const disputes = await disputeTogether(fixture, { id, of });
  for (const place of of.places.slice(0, of.alone)) {
    add(await payMilestone(fixture, { id, place, of, open: disputes.get(place) }));
  }
  const left = total - paid.seller - paid.buyer;
  if (left > 0) add(await payRest(fixture, { id, of, cents: left }));
  await assertEnd(fixture, { order: await fixture.get(id), paid, who, of });
  return disputes.size;
};
