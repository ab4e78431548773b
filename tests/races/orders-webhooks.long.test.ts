// Events of the escrow provider among requests for the same order, for many orders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { raceWithEvents } from './event-races.ts';

for (const signed of [true, false]) {
  const events = signed ? 'signed events' : 'hints';
  test(`${events}, releases, refunds, disputes and cancels at once lead to one outcome (defect 7)`, async (t) => {
    const fixture = await openWebhooks(t);
    assert.equal((await raceWithEvents(fixture, { signed, orders: 10 })).length, 10);
  });
}
