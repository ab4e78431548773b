// Many at once on one order, through one server and through two on the same database: exactly one of those that exclude
// each other is carried out, the money moves once, and everybody else is told the state that they met.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../committer/bend.ts';
import { seeded } from '../crash/server-process.ts';
import type { People } from '../orders/order-stand.ts';
import { tally } from './crowd.ts';
import {
  type Any,
  assertOnlyRefused,
  assertSettledBy,
  granted,
  openServers,
  prepare,
  settlementsOf,
  times,
  type Wish,
  wishAll,
} from './order-crowd.ts';

const answersOf = (heard: readonly { answer: Any }[]) => tally(heard.map(({ answer }) => answer));

for (const count of [1, 2] as const) {
  const servers = count === 1 ? 'one server' : 'two servers';
  const defects = count === 1 ? '(defect 7)' : '(defects 7, 9)';

  test(`of releases, refunds, disputes and cancels at once on ${servers} one is carried out ${defects}`, async (t) => {
    const { stand, apps } = await openServers(t, count);
    const random = seeded(count);
    const orders = await prepare(stand, { count: count === 1 ? 20 : 10, begin: stand.funded });
    for (const { order, who } of orders) {
      const heard = await wishAll({ apps, random }, times(5, settlementsOf(order.id)));
      const [winner, ...others] = granted(heard);
      assert.deepEqual(others, [], JSON.stringify(answersOf(heard)));
      assertOnlyRefused(heard, ['400 INVALID_STATE']);
      await assertSettledBy(stand, { order, who, winner: winner! });
    }
    await stand.assertSound();
  });

  test(`an order on ${servers} is reserved, deployed and funded once, however many ask ${defects}`, async (t) => {
    const { stand, apps } = await openServers(t, count);
    const random = seeded(10 + count);
    for (let round = 0; round < 4; round++) {
      const who = await stand.people('150.00');
      const { id } = await stand.createOrder(who);
      const ask = (name: string, count: number) =>
        wishAll({ apps, random }, times(count, [{ name, request: `POST /orders/${id}/${name}` }]));

      assert.deepEqual(answersOf(await ask('reserve', 20)), { 201: 1, '400 INVALID_STATE': 19 });
      assert.deepEqual(await stand.balance(who.buyer), { available: '50.00', reserved: '100.00' });

      assert.deepEqual(answersOf(await ask('escrow', 10)), { 201: 1, '400 INVALID_STATE': 9 });
      const funding = await ask('escrow/fund', 10);
      assert.deepEqual(granted(funding), ['escrow/fund'], JSON.stringify(answersOf(funding)));
      // The spec's answers for an escrow that is FUNDING, and for an order that is no longer ESCROW_FUNDING.
      assertOnlyRefused(funding, ['500 INTERNAL_ERROR', '400 INVALID_STATE']);
      assert.deepEqual(await stand.balance(who.buyer), { available: '50.00', reserved: '0.00' });
      const contracts = (await stand.twin('GET /state')).contracts.filter((one: Any) => one.engagementId === id);
      assert.deepEqual(
        contracts.map(({ balance }: Any) => balance),
        [100],
      );
    }
    await stand.assertSound();
  });

  test(`of cancels and escrows at once on ${servers} one is carried out, and no contract is left behind (defect 27)`, async (t) => {
    const { stand, apps } = await openServers(t, count);
    const random = seeded(20 + count);
    const wishes = (id: string): Wish[] => [
      { name: 'escrow', request: `POST /orders/${id}/escrow` },
      { name: 'cancel', request: `POST /orders/${id}/cancel` },
    ];
    for (const { order, who } of await prepare(stand, { count: 8, begin: stand.reserved })) {
      const heard = await wishAll({ apps, random }, times(5, wishes(order.id)));
      assert.equal(granted(heard).length, 1, JSON.stringify(answersOf(heard)));
      assertOnlyRefused(heard, ['400 INVALID_STATE']);
      const isCanceled = granted(heard)[0] === 'cancel';
      const { status } = await stand.get(order.id);
      assert.equal(status, isCanceled ? 'CLOSED' : 'ESCROW_FUNDING');
      const wanted = { available: isCanceled ? '1000.00' : '900.00', reserved: isCanceled ? '0.00' : '100.00' };
      assert.deepEqual(await stand.balance(who.buyer), wanted);
      const { contracts } = await stand.twin('GET /state');
      assert.equal(contracts.filter((one: Any) => one.engagementId === order.id).length, isCanceled ? 0 : 1);
    }
    await stand.assertSound();
  });
}

/** Everything that could take the money which an order's funding needs. */
const draws = (who: People, id: string): Wish[] => {
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

test('what is reserved for an order is drawn by its funding or by somebody else, and never by both (defects 1, 2, 7)', async (t) => {
  const { stand, apps } = await openServers(t, 1);
  const random = seeded(31);
  for (const { order, who } of await prepare(stand, { count: 8, begin: stand.withEscrow })) {
    const fund: Wish = { name: 'fund', request: `POST /orders/${order.id}/escrow/fund` };
    const heard = await wishAll({ apps, random }, times(3, [fund, ...draws(who, order.id)]));
    const [winner, ...others] = granted(heard);
    assert.deepEqual(others, [], JSON.stringify(answersOf(heard)));
    assertOnlyRefused(heard, [...DRAW_REFUSALS, '422 RESERVE_NOT_FOUND', '500 INTERNAL_ERROR']);
    const isFunded = winner === 'fund';
    assert.equal((await stand.get(order.id)).status, isFunded ? 'IN_PROGRESS' : 'ESCROW_FUNDING');
    assert.equal((await stand.contractOf(order)).balance, isFunded ? 100 : 0);
    assert.equal((await stand.balance(who.buyer)).reserved, '0.00');
  }
  await stand.assertSound();
});

test('while a funding is under way nobody can draw on what is reserved for it (defects 1, 2)', async (t) => {
  const { stand, apps } = await openServers(t, 1);
  const who = await stand.people();
  const order = await stand.withEscrow(who);
  await stand.fault('fund', 'slow', { match: order.id, delayMs: 500 });
  const funding = stand.app.call(`POST /orders/${order.id}/escrow/fund`);
  await until(async () => (await stand.get(order.id)).escrow.status === 'FUNDING', 'the escrow is FUNDING');
  const heard = await wishAll({ apps, random: seeded(32) }, times(5, draws(who, order.id)));
  assert.deepEqual(granted(heard), []);
  assertOnlyRefused(heard, DRAW_REFUSALS);
  assert.equal((await funding).status, 201);
  assert.deepEqual(await stand.balance(who.buyer), { available: '900.00', reserved: '0.00' });
  await stand.assertSound();
});
