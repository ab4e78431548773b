// Races around one milestone, through one server or several: of requests that exclude each other exactly one succeeds, and the money
// moves once.

import assert from 'node:assert/strict';
import { seeded } from '../../tools/processes/server-process.ts';
import { tally } from '../races/answers.ts';
import { assertOnlyRefused, type OrderRequest, sendAll, succeeded, times } from '../races/order-requests.ts';
import type { TestApp } from '../support/app.ts';
import type { OrderFixture } from '../support/order-fixture.ts';

type Race = {
  readonly fixture: OrderFixture;
  readonly apps: readonly TestApp[];
  readonly seed: number;
};

const reason = { reason: 'late' };
const dispute = { openedBy: 'SELLER', reason: 'OTHER' };

const ofMilestone = (id: string): OrderRequest[] => [
  { name: 'release m1', request: `POST /orders/${id}/milestones/m1/release` },
  { name: 'refund m1', request: `POST /orders/${id}/milestones/m1/refund`, body: reason },
  { name: 'dispute m1', request: `POST /orders/${id}/milestones/m1/dispute`, body: dispute },
];

const ofOrder = (id: string): OrderRequest[] => [
  { name: 'refund', request: `POST /orders/${id}/resolution/refund`, body: reason },
  { name: 'dispute', request: `POST /orders/${id}/resolution/dispute`, body: { ...dispute, orderId: id } },
];

const openOrder = async ({ anOrder, parties, expect }: OrderFixture) => {
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['40.00', '60.00'] });
  await expect(`POST /orders/${id}/milestones/m1/complete`, { status: 201 });
  return { id, who };
};

/** What the winner leaves: the order's status, its final status, the first milestone, buyer and seller. */
const LEFT: Readonly<Record<string, readonly (string | null)[]>> = {
  'release m1': ['IN_PROGRESS', null, 'RELEASED', '900.00', '38.00'],
  'refund m1': ['IN_PROGRESS', null, 'REFUNDED', '940.00', '0.00'],
  'dispute m1': ['IN_PROGRESS', null, 'DISPUTED', '900.00', '0.00'],
  refund: ['CLOSED', 'REFUNDED', 'COMPLETED', '1000.00', '0.00'],
  dispute: ['DISPUTED', null, 'COMPLETED', '900.00', '0.00'],
};

const leftBy = async ({ get, balance, atRest }: OrderFixture, { id, who }: Awaited<ReturnType<typeof openOrder>>) => {
  await atRest();
  const { status, finalStatus, milestones } = await get(id);
  const buyer = await balance(who.buyer);
  const seller = await balance(who.seller);
  return [status, finalStatus, milestones[0].status, buyer.available, seller.available];
};

/** Payments and disputes of one milestone at once. Returns the winner. */
export const raceForMilestone = async ({ fixture, apps, seed }: Race): Promise<string> => {
  const order = await openOrder(fixture);
  const answered = await sendAll({ apps, random: seeded(seed) }, times(4, ofMilestone(order.id)));
  const [winner, ...others] = succeeded(answered);
  assert.deepEqual(others, [], JSON.stringify(tally(answered.map(({ answer }) => answer))));
  assertOnlyRefused(answered, ['400 INVALID_STATE']);
  assert.deepEqual(await leftBy(fixture, order), LEFT[winner!]);
  await fixture.assertSound();
  return winner!;
};

/**
 * Also against the whole order. More than one may succeed, one after the other: a milestone is paid, and then the rest. What was paid is
 * the order's amount at most, and each part of it once.
 */
export const raceWithOrder = async ({ fixture, apps, seed }: Race): Promise<string[]> => {
  const { id } = await openOrder(fixture);
  const answered = await sendAll({ apps, random: seeded(seed) }, times(3, [...ofMilestone(id), ...ofOrder(id)]));
  assertOnlyRefused(answered, ['400 INVALID_STATE', '409 DISPUTE_ALREADY_OPEN']);
  const winners = succeeded(answered);
  await fixture.atRest();
  const paid = await fixture.app.sql(
    `select move, count(*)::int as count, sum(-amount)::text as units from postings where account_id like $1 and amount < 0
     group by 1`,
    [`${id}:escrow:%`],
  );
  const total = paid.reduce((sum, { units }) => sum + BigInt(units), 0n);
  const order = await fixture.get(id);
  const expected = order.status === 'CLOSED' ? 1_000_000_000n : BigInt(order.paid ? 400_000_000 : 0);
  assert.equal(total, expected, JSON.stringify({ paid, order }));
  assert.equal(new Set(winners).size, winners.length, `each request succeeds once: ${winners}`);
  await fixture.assertSound();
  return winners;
};
