// Many requests at once for one order, through one server and through two on the same database, for many orders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { raceForReserved, raceForSettlement, raceToCancel, raceToFund } from './order-races.ts';
import { openTwoServers } from './order-requests.ts';

test('of releases, refunds, disputes and cancels at once on one server one succeeds (defect 7)', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.equal((await raceForSettlement({ fixture, apps: [fixture.app], seed: 1, orders: 20 })).length, 20);
});

test('of releases, refunds, disputes and cancels at once on two servers one succeeds (defects 7, 9)', async (t) => {
  assert.equal((await raceForSettlement({ ...(await openTwoServers(t)), seed: 2, orders: 10 })).length, 10);
});

test('an order on one server is reserved, deployed and funded once, however many clients request it (defect 7)', async (t) => {
  const fixture = await openSharedOrders(t);
  const held = await raceToFund({ fixture, apps: [fixture.app], seed: 11, orders: 4 });
  assert.deepEqual(held, [[100], [100], [100], [100]]);
});

test('an order on two servers is reserved, deployed and funded once, however many clients request it (defects 7, 9)', async (t) => {
  const held = await raceToFund({ ...(await openTwoServers(t)), seed: 12, orders: 4 });
  assert.deepEqual(held, [[100], [100], [100], [100]]);
});

test('of cancels and escrows at once on one server one succeeds, and no contract is left behind (defect 27)', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.equal((await raceToCancel({ fixture, apps: [fixture.app], seed: 21, orders: 8 })).length, 8);
});

test('of cancels and escrows at once on two servers one succeeds, and no contract is left behind (defect 27)', async (t) => {
  assert.equal((await raceToCancel({ ...(await openTwoServers(t)), seed: 22, orders: 8 })).length, 8);
});

test('the reserved money of an order goes to its funding or to another request, never to both (defects 1, 2, 7)', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.equal((await raceForReserved({ fixture, apps: [fixture.app], seed: 31, orders: 8 })).length, 8);
});

test('on two servers an order is still funded once, and either settled or canceled (defects 7, 9, 27)', async (t) => {
  const servers = await openTwoServers(t);
  assert.deepEqual(await raceToFund({ ...servers, seed: 12, orders: 1 }), [[100]]);
  assert.equal((await raceForSettlement({ ...servers, seed: 2, orders: 1 })).length, 1);
  assert.equal((await raceToCancel({ ...servers, seed: 22, orders: 1 })).length, 1);
});
