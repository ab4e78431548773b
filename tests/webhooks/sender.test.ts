// The parts of the sender alone: what it does when this server fails, when nothing can be recorded, and when events have left the stream.

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createEndpointSender } from '../../server/src/modules/webhook-deliveries/send/endpoint-sender.ts';
import {
  type SenderParts,
  startMarketplaceSender,
} from '../../server/src/modules/webhook-deliveries/send/marketplace-sender.ts';
import { createRecentEvents } from '../../server/src/modules/webhook-deliveries/send/recent-events.ts';
import type { Recorder } from '../../server/src/modules/webhook-deliveries/send/recorder.ts';
import { createSendQueue, type Item } from '../../server/src/modules/webhook-deliveries/send/send-queue.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { anEndpoint, openSending } from './fixture.ts';

const NOW = '2026-11-17T12:00:00.000000Z';
const DELIVERED = { at: NOW, status: 200, durationMs: 1, error: null, responseHead: null, requestId: 'req_1' };

const storedEvent = (position: number) => ({
  marketplaceId: 'mkt_shop',
  position,
  occurredAt: NOW,
  eventType: 'user.created',
  aggregateType: 'User',
  envelope: JSON.stringify({ eventId: `evt_${position}`, aggregateId: `usr_${position}` }),
});

type ListEvents = Parameters<typeof createRecentEvents>[0]['listEvents'];

/** A stream of which the events up to `from` have left. */
const aStream = ({ from, to }: { from: number; to: number }) => {
  const listEvents: ListEvents = async ({ after, upTo, limit }) => {
    const first = Math.max(after, from) + 1;
    const count = Math.max(Math.min(Math.min(upTo, to) - first + 1, limit), 0);
    return Array.from({ length: count }, (_, i) => storedEvent(first + i));
  };
  return { marketplaceId: 'mkt_shop', listEvents, oldestPosition: async () => from + 1, head: to };
};

const openSender = (
  t: TestContext,
  options: Pick<Parameters<typeof createEndpointSender>[0], 'attempt'> & { record: Recorder['record'] },
) => {
  const { attempt, record } = options;
  const sender = createEndpointSender({
    endpointId: 'whe_1',
    types: null,
    position: 0,
    replays: 0,
    failures: 0,
    events: createRecentEvents(aStream({ from: 0, to: 1_000 })),
    recorder: { record },
    deliveryIdOf: ({ position }) => `whd_${position}`,
    attempt,
    readPending: async () => [],
    onRecorded() {},
    onGone() {},
    onTrouble() {},
  });
  afterwards(t, () => void sender.close());
  return sender;
};

test('a failure of this server is not recorded as one of the receiver, and the event is sent afterwards', async (t) => {
  const tried: string[] = [];
  const recorded: (string | null)[] = [];
  const sender = openSender(t, {
    async attempt({ deliveryId }) {
      tried.push(deliveryId);
      if (tried.length === 1) throw new Error('connect ECONNREFUSED 10.0.0.5:5432');
      return { attempt: DELIVERED, retryAfterMs: null, ends: null };
    },
    async record({ sent }) {
      recorded.push(sent!.attempt.error);
      return null;
    },
  });
  sender.wake();
  await until(() => recorded.length >= 150);
  assert.deepEqual([...new Set(recorded)], [null]);
  assert.equal(tried.filter((id) => id === 'whd_1').length, 2);
});

test('while nothing can be recorded, only a limited number of events is sent', async (t) => {
  let attempts = 0;
  let records = 0;
  const waiting: ((recorded: null) => void)[] = [];
  const sender = openSender(t, {
    async attempt() {
      attempts++;
      return { attempt: DELIVERED, retryAfterMs: null, ends: null };
    },
    record: () => {
      records++;
      return new Promise((resolve) => void waiting.push(resolve));
    },
  });
  sender.wake();
  await until(() => records === 200);
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  assert.deepEqual([attempts, records], [200, 200]);
  for (const done of waiting.splice(0)) done(null);
  await until(() => records === 400, 'it goes on when the records are written');
  for (const done of waiting.splice(0)) done(null);
});

test('events that left the stream while a sender was behind are counted, and none after them is skipped', async () => {
  const events = createRecentEvents(aStream({ from: 300, to: 1_000 }));
  const page = await events.read({ after: 100, types: null, limit: 5 });
  assert.deepEqual(
    [page.missed, page.upTo, page.events.map(({ position }) => position)],
    [200, 305, [301, 302, 303, 304, 305]],
  );
});

test('when new events have a gap before them, memory and positions still agree', async () => {
  const stream = aStream({ from: 500, to: 600 });
  const events = createRecentEvents({ ...stream, head: 400 });
  await events.refresh();
  assert.equal(events.head, 600);
  let position = 400;
  const seen: number[] = [];
  let missed = 0;
  while (position < events.head) {
    const page = await events.read({ after: position, types: null, limit: 30 });
    seen.push(...page.events.map((event) => event.position));
    missed += page.missed;
    position = page.upTo;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, (_, i) => 501 + i),
  );
  assert.equal(missed, 100);
});

test('what waits for hours and holds nothing back is not kept in memory', () => {
  const queue = createSendQueue(() => {});
  const event = { eventId: 'evt_1', eventType: 'x', aggregateId: 'usr_1', position: 1n, createdAt: NOW };
  const item = (deliveryId: string, tries: number): Item => ({ deliveryId, event, envelope: null, tries });
  const inHours = new Date(Date.now() + 7_200_000).toISOString();
  const often = item('whd_1', 4);
  queue.add(often);
  queue.take();
  queue.settle(often, inHours);
  assert.equal(queue.waiting(), 0);
  assert.equal(queue.add(item('whd_1', 4)), true, 'it can be read again');
  const once = item('whd_2', 1);
  queue.addFailed(once, inHours);
  assert.equal(queue.add(item('whd_2', 1)), false);
  queue.clear();
});

test('no new event is taken before it is known which failed ones it must wait for', async () => {
  const stream = aStream({ from: 0, to: 10 });
  const taken: number[] = [];
  let answer: (rows: []) => void = () => {};
  const endpoint = { id: 'whe_1', createdAt: NOW, updatedAt: NOW, events: ['*'], url: 'https://shop.example/' };
  const parts = {
    endpoints: { enabled: async () => [endpoint], cursors: async () => new Map() },
    deliveries: {
      pending: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      oldestPosition: async () => 1,
    },
    listEvents: (page: Parameters<ListEvents>[0]) => {
      if (page.after < 10) taken.push(page.after);
      return stream.listEvents(page);
    },
    findStart: async ({ cursorMicros }: { cursorMicros: number | null }) => ({
      head: 10,
      after: cursorMicros === null ? 10 : 0,
    }),
    record: () => new Promise(() => {}),
    keeper: {},
    clock: () => Date.now() * 1_000,
    onTrouble() {},
  } as unknown as SenderParts;
  const sender = await startMarketplaceSender(parts, 'mkt_shop');
  await sender.reload();
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(setImmediate);
    await sender.refresh();
  }
  assert.deepEqual(taken, []);
  answer([]);
  await until(() => taken.length > 0);
});

test('410 of a former address does not disable the endpoint at its new one', async (t) => {
  const app = await openSending(t);
  const held: ServerResponse[] = [];
  const old = createServer((_, response) => void held.push(response));
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    old.closeAllConnections();
    old.close();
  });
  const url = `http://127.0.0.1:${(old.address() as AddressInfo).port}/`;
  const { id, receiver, read, deliveries } = await anEndpoint(t, app, { url });
  await app.aUser();
  await until(() => held.length === 1);
  const changed = await app.call(`PATCH /webhook-endpoints/${id}`, { body: { url: receiver.url } });
  assert.equal(changed.status, 200);
  held[0]!.writeHead(410).end();
  await until(async () => (await deliveries()).length === 1);
  await app.aUser();
  await receiver.count(1);
  assert.equal((await read()).status, 'ACTIVE');
});
