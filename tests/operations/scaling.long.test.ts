// Several servers on one database are one service: one set of books, one count of requests, one order of events. A client that
// repeats unanswered requests loses nothing when a server is killed, and no request fails when a server is replaced. See
// docs/scaling.md.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkTraces } from '../../tools/load/credit-load.ts';
import { until } from '../../tools/until.ts';
import { listen, positionsOf, range } from '../stream/listener.ts';
import { type Credit, call, make, openScaleFixture, RATE_MAX, type ScaleFixture } from './scale-fixture.ts';

const CLIENTS = 24;
const CREDITS_EACH = 5;
const LIMIT = 12;
const BEYOND = 6;
const EVENTS = 20;
/** Enough that a kill interrupts requests, and few enough to leave the processor to the servers that start. */
const WORKERS = 4;
const PACE_MS = 150;

const oneBook = async (fixture: ScaleFixture): Promise<void> => {
  const { acknowledged, newCredit, send } = fixture;
  const work = async (): Promise<void> => {
    for (let n = 0; n < CREDITS_EACH; n++) {
      const credit = newCredit();
      const answer = await send(await fixture.address(), credit);
      assert.equal(answer?.status, 200, JSON.stringify(answer?.body));
      acknowledged.push(credit);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  assert.equal((await checkTraces(fixture.pool)).size, CLIENTS * CREDITS_EACH);
};

/** Attempts: a server counts alone for a moment when Redis answers late on a busy machine. */
const ROUNDS = 4;

const oneCount = async ({ cluster, address }: ScaleFixture): Promise<void> => {
  const expected = [...Array(LIMIT).fill(200), ...Array(BEYOND).fill(429)];
  const body = { name: 'limited', scopes: ['read'], rateLimit: LIMIT };
  for (let round = 1; ; round++) {
    const key = (await make(cluster.url, 'POST /auth/api-keys', { key: cluster.masterKey, body })).key;
    const ask = (url: string) => call(url, 'GET /auth/me', { key });
    const answers = await Promise.all(range(1, LIMIT + BEYOND).map(async () => ask(await address())));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    const direct = await Promise.all(cluster.servers.map(async ({ url }) => (await ask(url)).status));
    if (round < ROUNDS && statuses.filter((status) => status === 200).length > LIMIT) continue;
    assert.deepEqual(statuses, expected);
    assert.deepEqual(direct, [429, 429]);
    return;
  }
};

const ownAddress = async ({ cluster, address }: ScaleFixture): Promise<void> => {
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  await call(await address(), 'GET /config', { headers });
  // A server trusts the balancer, so this is how the balancer would name that address. No request was counted there.
  const direct = await call(cluster.servers[0]!.url, 'GET /config', { headers });
  assert.equal(direct.headers.get('x-ratelimit-remaining'), String(RATE_MAX - 1));
};

const oneOrder = async (fixture: ScaleFixture): Promise<void> => {
  const { cluster, acknowledged } = fixture;
  const listeners = await Promise.all(cluster.servers.map((server) => listen(server, { key: fixture.key })));
  const first = acknowledged.length;
  for (const n of range(1, EVENTS)) {
    const credit = fixture.newCredit();
    assert.equal((await fixture.send(cluster.servers[n % 2]!.url, credit))?.status, 200);
    acknowledged.push(credit);
  }
  for (const listener of listeners) {
    const messages = await listener.take(EVENTS);
    const places = positionsOf(messages);
    assert.deepEqual(places, range(places[0]!, places[0]! + EVENTS - 1));
    const references = messages.map(({ data }) => data.payload.sourceId);
    assert.deepEqual(
      references,
      acknowledged.slice(first).map(({ reference }) => reference),
    );
    listener.hangUp();
  }
};

type Load = { readonly refused: string[]; stop(): Promise<void> };

/** `repeats`: a credit that was not acknowledged is sent again with the same Idempotency-Key until it is. */
const beginLoad = (fixture: ScaleFixture, { repeats }: { repeats: boolean }): Load => {
  const refused: string[] = [];
  let stopping = false;
  const work = async (): Promise<void> => {
    let credit: Credit | null = null;
    const attempt = async (): Promise<void> => {
      credit ??= fixture.newCredit();
      const answer = await fixture.send(await fixture.address(), credit);
      const isDone = answer?.status === 200;
      if (isDone) fixture.acknowledged.push(credit);
      else refused.push(`${answer?.status ?? 'no answer'}: ${JSON.stringify(answer?.body)}`);
      if (isDone || !repeats) credit = null;
    };
    while (!stopping || credit !== null) {
      await attempt();
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  };
  const working = Promise.all(Array.from({ length: WORKERS }, work));
  return {
    refused,
    async stop() {
      stopping = true;
      await working;
    },
  };
};

const progress = (fixture: ScaleFixture, count: number): Promise<void> => {
  const wanted = fixture.acknowledged.length + count;
  return until(() => fixture.acknowledged.length >= wanted, `${count} more were acknowledged`);
};

const killed = async (fixture: ScaleFixture): Promise<void> => {
  const [first] = fixture.cluster.servers;
  const load = beginLoad(fixture, { repeats: true });
  await progress(fixture, WORKERS);
  await first!.kill('SIGKILL');
  // The other server continues while the killed one is down.
  await progress(fixture, WORKERS);
  await first!.ready();
  await until(fixture.allIn, 'the killed server is in again');
  const credit = fixture.newCredit();
  assert.equal((await fixture.send(first!.url, credit))?.status, 200, 'the killed server works again');
  fixture.acknowledged.push(credit);
  await load.stop();
  for (const refusal of load.refused) assert.match(refusal, /^(50[23]: .*SERVICE_UNAVAILABLE|no answer)/);
};

type Reader = { readonly places: number[]; readonly connections: () => number; stop(): Promise<void> };

/** Reads the stream until `stop`. When its server stops, it connects to another one with its last event id. A refusal fails. */
const beginReading = async ({ address, key }: ScaleFixture): Promise<Reader> => {
  const places: number[] = [];
  let stopping = false;
  let connections = 1;
  let listener = await listen({ url: await address() }, { key });
  const read = async (): Promise<void> => {
    for (;;) {
      const how = await listener.ended;
      places.push(...positionsOf(listener.messages));
      if (stopping) return;
      assert.equal(how, 'ended', 'a stream ends with a whole message');
      const lastEventId = listener.lastId()!;
      listener = await listen({ url: await address() }, { key, lastEventId });
      connections++;
    }
  };
  const reading = read();
  reading.catch(() => {});
  return {
    places,
    connections: () => connections,
    async stop() {
      stopping = true;
      listener.hangUp();
      await reading;
    },
  };
};

const replaced = async (fixture: ScaleFixture, t: TestContext): Promise<void> => {
  const { servers } = fixture.cluster;
  const reader = await beginReading(fixture);
  const load = beginLoad(fixture, { repeats: false });
  await progress(fixture, WORKERS);
  for (const server of servers) {
    await server.kill('SIGTERM');
    await server.ready();
    await until(fixture.allIn, 'the new server is in');
    await progress(fixture, WORKERS);
  }
  await load.stop();
  await reader.stop();
  t.diagnostic(`${fixture.acknowledged.length} credits in all, a stream over ${reader.connections()} connections`);
  assert.deepEqual(load.refused, [], 'no request failed');
  for (const { exits } of servers) assert.deepEqual(exits.at(-1), { code: 0, signal: null });
  assert.ok(reader.connections() > 1, 'the server of the stream was replaced too');
  const { places } = reader;
  assert.deepEqual(places, range(places[0]!, places[0]! + places.length - 1));
};

test('several servers on one database are one service', { timeout: 300_000 }, async (t) => {
  const fixture = await openScaleFixture(t);
  const hasBalancer = fixture.cluster.balancer !== null;
  t.diagnostic(hasBalancer ? 'behind HAProxy' : 'without HAProxy: clients choose a healthy server');
  await t.test('credits of many clients are in one set of books', () => oneBook(fixture));
  await t.test('a rate limit counts all servers together: exactly the limit passes, then each server answers 429', () =>
    oneCount(fixture),
  );
  const skip = hasBalancer ? false : 'needs HAProxy';
  await t.test('a caller is counted by its own address, whatever its X-Forwarded-For says', { skip }, () =>
    ownAddress(fixture),
  );
  await t.test('a stream shows the events of all servers, in the order of their positions', () => oneOrder(fixture));
  await t.test('kill -9 of one server loses nothing: the other one continues, and the killed one returns', () =>
    killed(fixture),
  );
  await t.test('replacing one server after the other fails no request, also without retries', (t) =>
    replaced(fixture, t),
  );
  await t.test('in the end every acknowledged credit is in the books once', async () => {
    const counts = await checkTraces(fixture.pool);
    const wrong = fixture.acknowledged.filter(({ reference }) => counts.get(reference) !== 1);
    assert.deepEqual(wrong, []);
    assert.equal(counts.size, fixture.acknowledged.length);
  });
});
