// Webhooks of the escrow provider race with requests for the same or another outcome of the order.
// orders-webhooks.long.test.ts has more orders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { raceWithEvents } from './event-races.ts';

test('events, signed or not, releases, refunds, disputes and cancels at once lead to one outcome (defect 7)', async (t) => {
  const fixture = await openSharedWebhooks(t);
  assert.equal((await raceWithEvents(fixture, { signed: true, orders: 2 })).length, 2);
  assert.equal((await raceWithEvents(fixture, { signed: false, orders: 2 })).length, 2);
});
