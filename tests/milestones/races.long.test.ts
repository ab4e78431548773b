// Many requests at once about one milestone, for many orders, on one server and on two.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTwoServers } from '../races/order-requests.ts';
import { openOrders } from '../support/order-fixture.ts';
import { raceForMilestone, raceWithOrder } from './races.ts';

const ROUNDS = 10;

test('of releases, refunds and disputes of one milestone one succeeds, for many orders', async (t) => {
  const fixture = await openOrders(t);
  const winners = new Set<string>();
  for (let seed = 0; seed < ROUNDS; seed++) {
    winners.add(await raceForMilestone({ fixture, apps: [fixture.app], seed: 100 + seed }));
  }
  assert.ok(winners.size > 1, [...winners].join());
});

test('on two servers each payment is made once, for many orders', async (t) => {
  const servers = await openTwoServers(t);
  for (let seed = 0; seed < ROUNDS; seed++) {
    assert.ok(await raceForMilestone({ ...servers, seed: 200 + seed }));
    assert.ok((await raceWithOrder({ ...servers, seed: 300 + seed })).length >= 1);
  }
});

test('on two servers a milestone is still paid once', async (t) => {
  const servers = await openTwoServers(t);
  assert.ok(await raceForMilestone({ ...servers, seed: 3 }));
  assert.ok((await raceWithOrder({ ...servers, seed: 4 })).length >= 1);
});
