// Many requests at once about one milestone. races.long.test.ts has more of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { raceForMilestone, raceWithOrder } from './races.ts';

test('of releases, refunds and disputes of one milestone at once one succeeds', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.ok(await raceForMilestone({ fixture, apps: [fixture.app], seed: 1 }));
});

test('a milestone against the whole order: each payment is made once, and never more than the order', async (t) => {
  const fixture = await openSharedOrders(t);
  const winners = await raceWithOrder({ fixture, apps: [fixture.app], seed: 2 });
  assert.ok(winners.length >= 1, winners.join());
});
