// Webhooks of the escrow provider, signed or not, race with requests for the same or another outcome of the order. The
// order ends in one state, its money moves once, and an unsigned webhook alone moves nothing.

import assert from 'node:assert/strict';
import { seeded } from '../../tools/processes/server-process.ts';
import { type Any, dataOf, type WebhookFixture } from '../contract/webhook-escrow-fixture.ts';
import { shuffled } from './answers.ts';
import {
  assertOnlyRefused,
  assertSettledBy,
  prepare,
  sendAll,
  settlementsOf,
  succeeded,
  times,
} from './order-requests.ts';

const EVENT_TYPES = { release: 'escrow.released', refund: 'escrow.refunded' } as const;

/** Events for both outcomes. Each is sent several times: as new events and as exact copies. */
const sendEvents = async (
  { deliver }: WebhookFixture,
  { order, escrow, signed, random }: { order: Any; escrow: Any; signed: boolean; random: () => number },
) => {
  const events = Object.entries(EVENT_TYPES).flatMap(([outcome, type]) =>
    ['a', 'b', 'b', 'c'].map((id) => ({ outcome, type, eventId: `${order.id}-${outcome}-${id}` })),
  );
  return Promise.all(
    shuffled(events, random).map(async ({ outcome, ...event }) => ({
      outcome,
      processed: await deliver({ ...event, data: dataOf(order, escrow), signed }),
    })),
  );
};

const outcomeOf = async ({ get }: WebhookFixture, orderId: string): Promise<string> => {
  const { finalStatus } = await get(orderId);
  if (finalStatus === null) return 'dispute';
  return finalStatus === 'RELEASED' ? 'release' : 'refund';
};

/** Returns the outcome of each order. */
export const raceWithEvents = async (
  fixture: WebhookFixture,
  { signed, orders }: { signed: boolean; orders: number },
): Promise<string[]> => {
  const random = seeded(signed ? 41 : 42);
  const outcomes: string[] = [];
  for (const { order, who } of await prepare(fixture, { count: orders, at: 'IN_PROGRESS' })) {
    const escrow = await fixture.escrowRow(order.id);
    const [answered, events] = await Promise.all([
      sendAll({ apps: [fixture.app], random }, times(3, settlementsOf(order.id))),
      sendEvents(fixture, { order, escrow, signed, random }),
    ]);
    const winner = await outcomeOf(fixture, order.id);
    const winners = succeeded(answered);
    assert.deepEqual(winners, winners.length === 0 ? [] : [winner]);
    assertOnlyRefused(answered, ['400 INVALID_STATE']);
    if (!signed) assert.equal(winners.length, 1, 'an unsigned webhook settles nothing without a request');
    for (const { outcome, processed } of events) if (processed) assert.equal(outcome, winner);
    await assertSettledBy(fixture, { order, who, winner });
    outcomes.push(winner);
  }
  await fixture.assertSound();
  return outcomes;
};
