// Races around orders, through one server or several on the same database: of requests that exclude each other
// exactly one succeeds, the money moves once, and every other request is refused with the code for the state that it met.

import assert from 'node:assert/strict';
import { seeded } from '../../tools/processes/server-process.ts';
import { until } from '../../tools/until.ts';
import type { TestApp } from '../support/app.ts';
import type { Parties } from '../support/builder.ts';
import type { OrderFixture } from '../support/order-fixture.ts';
import { tally } from './answers.ts';
import {
  type Any,
  assertOnlyRefused,
  assertSettledBy,
  type OrderRequest,
  prepare,
  sendAll,
  settlementsOf,
  succeeded,
  times,
} from './order-requests.ts';

/** The servers of one fixture, and the number of orders. */
type Race = {
  readonly fixture: OrderFixture;
  readonly apps: readonly TestApp[];
  readonly seed: number;
  readonly orders: number;
};

const answersOf = (answered: readonly { answer: Any }[]) => tally(answered.map(({ answer }) => answer));

/** Returns the name of the successful request for each order. */
export const raceForSettlement = async ({ fixture, apps, seed, orders }: Race): Promise<string[]> => {
  const random = seeded(seed);
  const winners: string[] = [];
  for (const { order, who } of await prepare(fixture, { count: orders, at: 'IN_PROGRESS' })) {
    const answered = await sendAll({ apps, random }, times(5, settlementsOf(order.id)));
    const [winner, ...others] = succeeded(answered);
    assert.deepEqual(others, [], JSON.stringify(answersOf(answered)));
    assertOnlyRefused(answered, ['400 INVALID_STATE']);
    await assertSettledBy(fixture, { order, who, winner: winner! });
    winners.push(winner!);
  }
  await fixture.assertSound();
  return winners;
};

/** Returns what the contracts of each order hold at the end. */
export const raceToFund = async ({ fixture, apps, seed, orders }: Race): Promise<number[][]> => {
  const random = seeded(seed);
  const held: number[][] = [];
  for (let round = 0; round < orders; round++) {
    const who = await fixture.parties('150.00');
    const { id } = await fixture.anOrder({ between: who });
    const ask = (name: string, count: number) =>
      sendAll({ apps, random }, times(count, [{ name, request: `POST /orders/${id}/${name}` }]));

    assert.deepEqual(answersOf(await ask('reserve', 20)), { 201: 1, '400 INVALID_STATE': 19 });
    assert.deepEqual(await fixture.balance(who.buyer), { available: '50.00', reserved: '100.00' });

    assert.deepEqual(answersOf(await ask('escrow', 10)), { 201: 1, '400 INVALID_STATE': 9 });
    const funding = await ask('escrow/fund', 10);
    assert.deepEqual(succeeded(funding), ['escrow/fund'], JSON.stringify(answersOf(funding)));
    // The spec's answers for an escrow that is FUNDING, and for an order that is no longer ESCROW_FUNDING.
    assertOnlyRefused(funding, ['500 INTERNAL_ERROR', '400 INVALID_STATE']);
    assert.deepEqual(await fixture.balance(who.buyer), { available: '50.00', reserved: '0.00' });
    const contracts = (await fixture.simulator('GET /state')).contracts.filter((one: Any) => one.engagementId === id);
    held.push(contracts.map(({ balance }: Any) => balance));
  }
  await fixture.assertSound();
  return held;
};

const escrowOrCancel = (id: string): OrderRequest[] => [
  { name: 'escrow', request: `POST /orders/${id}/escrow` },
  { name: 'cancel', request: `POST /orders/${id}/cancel` },
];

/** Returns the name of the successful request for each order. */
export const raceToCancel = async ({ fixture, apps, seed, orders }: Race): Promise<string[]> => {
  const random = seeded(seed);
  const winners: string[] = [];
  for (const { order, who } of await prepare(fixture, { count: orders, at: 'FUNDS_RESERVED' })) {
    const answered = await sendAll({ apps, random }, times(5, escrowOrCancel(order.id)));
    assert.equal(succeeded(answered).length, 1, JSON.stringify(answersOf(answered)));
    assertOnlyRefused(answered, ['400 INVALID_STATE']);
    const isCanceled = succeeded(answered)[0] === 'cancel';
    const { status } = await fixture.get(order.id);
    assert.equal(status, isCanceled ? 'CLOSED' : 'ESCROW_FUNDING');
    const wanted = { available: isCanceled ? '1000.00' : '900.00', reserved: isCanceled ? '0.00' : '100.00' };
    assert.deepEqual(await fixture.balance(who.buyer), wanted);
    const { contracts } = await fixture.simulator('GET /state');
    assert.equal(contracts.filter((one: Any) => one.engagementId === order.id).length, isCanceled ? 0 : 1);
    winners.push(succeeded(answered)[0]!);
  }
  await fixture.assertSound();
  return winners;
};

/** Every request that could take the money which the funding of an order needs. */
const draws = (who: Parties, id: string): OrderRequest[] => {
  const balance = `POST /users/${who.buyer}/balance`;
  return [
    { name: 'release', request: `${balance}/release`, body: { amount: '100.00', orderId: id } },
    { name: 'release any', request: `${balance}/release`, body: { amount: '100.00' } },
    { name: 'deduct', request: `${balance}/deduct-reserved`, body: { amount: '100.00', orderId: id } },
    { name: 'cancel reservation', request: `${balance}/cancel-reservation`, body: { orderId: id } },
    { name: 'cancel order', request: `POST /orders/${id}/cancel` },
    { name: 'reserve', request: `POST /orders/${id}/reserve` },
  ];
};

const DRAW_REFUSALS = [
  '400 INVALID_STATE',
  '400 RESERVATION_EXCEEDED',
  '400 INVALID_RESERVED_DEDUCTION',
  '404 RESERVATION_NOT_FOUND',
];

/** Returns the name of the request that got the money, for each order. */
export const raceForReserved = async ({ fixture, apps, seed, orders }: Race): Promise<string[]> => {
  const random = seeded(seed);
  const winners: string[] = [];
  for (const { order, who } of await prepare(fixture, { count: orders, at: 'ESCROW_FUNDING' })) {
    const fund: OrderRequest = { name: 'fund', request: `POST /orders/${order.id}/escrow/fund` };
    const answered = await sendAll({ apps, random }, times(3, [fund, ...draws(who, order.id)]));
    const [winner, ...others] = succeeded(answered);
    assert.deepEqual(others, [], JSON.stringify(answersOf(answered)));
    assertOnlyRefused(answered, [...DRAW_REFUSALS, '422 RESERVE_NOT_FOUND', '500 INTERNAL_ERROR']);
    const isFunded = winner === 'fund';
    assert.equal((await fixture.get(order.id)).status, isFunded ? 'IN_PROGRESS' : 'ESCROW_FUNDING');
    assert.equal((await fixture.contractOf(order)).balance, isFunded ? 100 : 0);
    assert.equal((await fixture.balance(who.buyer)).reserved, '0.00');
    winners.push(winner!);
  }
  await fixture.assertSound();
  return winners;
};

/** Tries to take the reserved money of a slow funding. Returns the names of the requests that got some of it. */
export const drawWhileFunding = async ({ fixture, apps, seed }: Omit<Race, 'orders'>): Promise<string[]> => {
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fixture.fault('fund', 'slow', { match: order.id, delayMs: 500 });
  const funding = fixture.app.call(`POST /orders/${order.id}/escrow/fund`);
  await until(async () => (await fixture.get(order.id)).escrow.status === 'FUNDING', 'the escrow is FUNDING');
  const answered = await sendAll({ apps, random: seeded(seed) }, times(5, draws(who, order.id)));
  assertOnlyRefused(answered, DRAW_REFUSALS);
  assert.equal((await funding).status, 201);
  assert.deepEqual(await fixture.balance(who.buyer), { available: '900.00', reserved: '0.00' });
  await fixture.assertSound();
  return succeeded(answered);
};
