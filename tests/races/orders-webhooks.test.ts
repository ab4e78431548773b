// Events of the escrow provider among requests for the same order, or for something else. More orders are in
// orders-webhooks.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { raceWithEvents } from './event-races.ts';

test('of events, signed or not, releases, refunds, disputes and cancels at once one is carried out (defect 7)', async (t) => {
  const fixture = await openSharedWebhooks(t);
  assert.equal((await raceWithEvents(fixture, { signed: true, orders: 2 })).length, 2);
  assert.equal((await raceWithEvents(fixture, { signed: false, orders: 2 })).length, 2);
});
