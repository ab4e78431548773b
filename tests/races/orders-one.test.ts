// Many requests at once for one order: of requests that exclude each other exactly one succeeds. orders-one.long.test.ts
// has more orders, through one server and through two.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { drawWhileFunding, raceForReserved, raceForSettlement, raceToCancel, raceToFund } from './order-races.ts';

test('of releases, refunds, disputes and cancels at once one succeeds (defect 7)', async (t) => {
  const fixture = await openSharedOrders(t);
  const winners = await raceForSettlement({ fixture, apps: [fixture.app], seed: 1, orders: 1 });
  assert.equal(winners.length, 1);
});

test('an order is reserved, deployed and funded once, however many clients request it (defect 7)', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.deepEqual(await raceToFund({ fixture, apps: [fixture.app], seed: 11, orders: 1 }), [[100]]);
});

test('of cancels and escrows at once one succeeds, and no contract is left behind (defect 27)', async (t) => {
  const fixture = await openSharedOrders(t);
  const winners = await raceToCancel({ fixture, apps: [fixture.app], seed: 21, orders: 1 });
  assert.equal(winners.length, 1);
});

test('the reserved money of an order goes to its funding or to another request, never to both (defects 1, 2, 7)', async (t) => {
  const fixture = await openSharedOrders(t);
  const winners = await raceForReserved({ fixture, apps: [fixture.app], seed: 31, orders: 1 });
  assert.equal(winners.length, 1);
});

test('no request can take the reserved money of a running funding (defects 1, 2)', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.deepEqual(await drawWhileFunding({ fixture, apps: [fixture.app], seed: 32 }), []);
});
