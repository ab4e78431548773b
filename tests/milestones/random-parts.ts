// Random ways to pay an order milestone by milestone, compared with the fee of everything that the seller got, with the books and with
// the ledger.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { orderFee } from '../../server/src/books/fees.ts';
import { type Amount, formatAmount, fromUnits } from '../../server/src/books/money.ts';
import { exactUnits } from '../../tools/decimals.ts';
import type { OrderFixture } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const CENT = 100_000n;

type Way = 'release' | 'refund' | 'dispute release' | 'dispute refund' | 'dispute split';

type Case = {
  /** In cents. */
  readonly amounts: readonly number[];
  readonly ways: readonly Way[];
  /** The order in which the milestones are paid. */
  readonly places: readonly number[];
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
const units = (cents: number): Amount => fromUnits(BigInt(cents) * CENT);
const CHARGED = {
  platformFeeBps: 250,
  feeTerms: { fixedUnits: String(units(300)), minUnits: String(units(400)), maxUnits: String(units(600)) },
};

export const createPolicy = ({ expect }: OrderFixture): Promise<unknown> =>
  expect('POST /policies', { body: { name: POLICY, rules: { platformFee: TERMS } }, status: 201 });

const WAYS: readonly Way[] = ['release', 'refund', 'dispute release', 'dispute refund', 'dispute split'];

export const cases = fc
  .record({
    amounts: fc.array(fc.integer({ min: 1, max: 12_345 }), { minLength: 2, maxLength: 4 }),
    isReleased: fc.boolean(),
    ways: fc.array(fc.constantFrom(...WAYS), { minLength: 4, maxLength: 4 }),
    order: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 4 }),
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

const shown = (cents: number | bigint): string => formatAmount(fromUnits(BigInt(cents) * CENT));

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
  return { decision: 'SPLIT', releaseAmount: shown(seller), refundAmount: shown(buyer) };
};

const sharesOf = (way: string, { cents, of }: { cents: number; of: Case }): Paid => {
  if (way.endsWith('release')) return { seller: cents, buyer: 0 };
  if (way.endsWith('refund')) return { seller: 0, buyer: cents };
  return splitOf(cents, of);
};

const OPENED = { openedBy: 'BUYER', reason: 'OTHER' };

const payMilestone = async (fixture: OrderFixture, at: { id: string; place: number; of: Case }): Promise<Paid> => {
  const { id, place, of } = at;
  const way = of.ways[place]!;
  const shares = sharesOf(way, { cents: of.amounts[place]!, of });
  const path = `POST /orders/${id}/milestones/m${place + 1}`;
  if (way === 'release') await fixture.expect(`${path}/complete`, { status: 201 });
  if (way === 'release') await fixture.expect(`${path}/release`, { status: 200 });
  else if (way === 'refund') await fixture.expect(`${path}/refund`, { body: { reason: 'x' }, status: 200 });
  else {
    const order = await fixture.expect(`${path}/dispute`, { body: OPENED, status: 200 });
    const { disputeId } = order.milestones[place];
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
  const percentage = { platformFeeBps: Math.round(Number(of.fee) * 100), feeTerms: null };
  const fee = orderFee(of.fee === POLICY ? CHARGED : percentage, units(paid.seller));
  const net = fromUnits(units(paid.seller) - fee);
  const isBoth = paid.seller > 0 && paid.buyer > 0;
  const one = paid.seller > 0 ? 'RELEASED' : 'REFUNDED';
  assert.deepEqual([order.status, order.finalStatus], ['CLOSED', isBoth ? 'SPLIT' : one]);
  assert.deepEqual(order.paid, {
    seller: formatAmount(net),
    buyer: shown(paid.buyer),
    fee: formatAmount(fee),
    left: '0.00',
  });
  assert.equal((await fixture.balance(who.seller)).available, formatAmount(net));
  const buyer = exactUnits((await fixture.balance(who.buyer)).available);
  assert.equal(buyer, exactUnits('1000.00') - units(paid.seller));
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

/** Runs one case to its end. */
export const runCase = async (fixture: OrderFixture, of: Case): Promise<void> => {
  const who = await fixture.parties();
  const total = of.amounts.reduce((sum, cents) => sum + cents, 0);
  const { id } = await fixture.anOrder({
    at: 'IN_PROGRESS',
    between: who,
    amount: shown(total),
    milestones: of.amounts.map(shown),
    ...(of.fee === POLICY ? { policy: POLICY } : { metadata: { platformFee: of.fee } }),
  });
  const paid: Paid = { seller: 0, buyer: 0 };
  const add = ({ seller, buyer }: Paid): void => {
    paid.seller += seller;
    paid.buyer += buyer;
  };
  for (const place of of.places.slice(0, of.alone)) add(await payMilestone(fixture, { id, place, of }));
  const left = total - paid.seller - paid.buyer;
  if (left > 0) add(await payRest(fixture, { id, of, cents: left }));
  await assertEnd(fixture, { order: await fixture.get(id), paid, who, of });
};
