// The order of what one endpoint is sent: what a person wants does not wait for what failed, and one resource does not stop the others.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AttemptResult } from '../../server/src/modules/webhook-deliveries/delivery.ts';
import type { Recorded } from '../../server/src/modules/webhook-deliveries/record-deliveries.ts';
import { createEndpointSender } from '../../server/src/modules/webhook-deliveries/send/endpoint-sender.ts';
import type { OutgoingEvent } from '../../server/src/modules/webhook-deliveries/send/recent-events.ts';
import type { Entry } from '../../server/src/modules/webhook-deliveries/send/recorder.ts';
import { newCursor } from '../../server/src/modules/webhook-endpoints/endpoint.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { anEndpoint, openSending } from './fixture.ts';

const NOW = '2026-11-17T12:00:00.000000Z';
const MINUTE_MS = 60_000;
const ENDPOINT = 'whe_1';
const CURSOR = newCursor({ id: ENDPOINT, position: 0n, updatedAt: NOW });

const anEvent = (position: number, aggregateId: string): OutgoingEvent => ({
  position,
  occurredAt: NOW,
  eventId: `evt_${position}`,
  eventType: 'balance.credited',
  aggregateId,
  envelope: '{}',
});

const resultOf = (error: string | null): AttemptResult => ({
  attempt: { at: NOW, status: error ? 400 : 200, durationMs: 1, error, responseHead: null, requestId: 'req_1' },
  retryAfterMs: null,
  ends: null,
});

/** Refuses the event at position 1. It is tried again at once after the first attempt, and in five minutes after the second one. */
const openSender = (t: TestContext, events: readonly OutgoingEvent[]) => {
  const tried: number[] = [];
  const record = async ({ sent }: Entry): Promise<Recorded> => {
    const tries = tried.filter((position) => BigInt(position) === sent!.event.position).length;
    const waitMs = tries === 1 ? 0 : 5 * MINUTE_MS;
    const nextAttemptAt = sent!.attempt.error === null ? null : new Date(Date.now() + waitMs).toISOString();
    const status = nextAttemptAt === null ? 'DELIVERED' : 'PENDING';
    return {
      deliveries: new Map([[sent!.deliveryId, { status, nextAttemptAt, tries }]]),
      cursors: new Map([[ENDPOINT, CURSOR]]),
    };
  };
  const sender = createEndpointSender({
    endpointId: ENDPOINT,
    types: null,
    position: 0,
    replays: 0,
    failures: 0,
    events: {
      head: events.length,
      async read({ after, limit }) {
        const page = events.slice(after, after + limit);
        return { events: page, upTo: after + page.length, missed: 0 };
      },
    },
    recorder: { record },
    deliveryIdOf: ({ position }) => `whd_${position}`,
    async attempt({ event }) {
      tried.push(Number(event.position));
      return resultOf(event.position === 1n ? 'The receiver answered 400.' : null);
    },
    readPending: async () => [],
    onRecorded() {},
    onGone() {},
    onTrouble() {},
  });
  afterwards(t, () => void sender.close());
  return { sender, tried };
};

test('hundreds of events behind a refused one of their resource do not stop the other resources', async (t) => {
  const held = Array.from({ length: 250 }, (_, i) => anEvent(i + 1, 'usr_busy'));
  const others = Array.from({ length: 50 }, (_, i) => anEvent(i + 251, `usr_${i}`));
  const { sender, tried } = openSender(t, [...held, ...others]);
  sender.wake();
  await until(() => new Set(tried).size === 300, 'all events are sent within the five minutes of the refused one');
  assert.deepEqual(tried.slice(0, 3), [1, 1, 2], 'it was refused twice before the next one of its resource was sent');
  const busy = tried.filter((position) => position <= 250);
  assert.deepEqual(
    busy,
    [...busy].sort((one, other) => one - other),
    'the resource stays in order otherwise',
  );
});

test('a few events behind a refused one wait for it, and other resources do not', async (t) => {
  const { sender, tried } = openSender(t, [
    anEvent(1, 'usr_busy'),
    anEvent(2, 'usr_busy'),
    ...Array.from({ length: 150 }, (_, i) => anEvent(i + 3, `usr_${i}`)),
  ]);
  sender.wake();
  await until(() => new Set(tried).size === 151 && tried.filter((position) => position === 1).length === 2);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  assert.equal(tried.includes(2), false);
});

test('a test event and a retry do not wait for one that failed before', async (t) => {
  const app = await openSending(t);
  const { receiver, post, settled } = await anEndpoint(t, app, { events: ['balance.*'] });
  const userId = await app.aUser({ available: '1.00' });
  await receiver.count(1);
  const { id, eventId } = await settled(receiver.received[0]!.event.eventId, 'DELIVERED');
  // The receiver asks for time, so what fails now waits for an hour.
  receiver.answer({ status: 503, headers: { 'retry-after': '3600' } });
  await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '1.00' } });
  await receiver.count(2);
  await settled(receiver.received[1]!.event.eventId, 'PENDING');
  assert.equal((await app.call(`POST /webhook-deliveries/${id}/retry`)).status, 202);
  await receiver.count(3);
  assert.equal(receiver.received[2]!.event.eventId, eventId);
  for (const arrived of [4, 5]) {
    await post('test');
    await receiver.count(arrived);
    const { event } = receiver.received[arrived - 1]!;
    assert.equal(event.eventType, 'webhook.test');
    await settled(event.eventId, 'PENDING');
  }
});
