// The published `eventsource` package reads the stream. Connections are cut in the middle of a story, and the server is killed and restarted:
// the package sends Last-Event-ID by itself, and sees every event once and in order.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EVENTS } from '@holdfast/contract/events.ts';
import { Holdfast } from '@holdfast/sdk';
import { EventSource } from 'eventsource';
import { newKey, openEmbedded, startServer } from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { openLine } from '../sdk/line.ts';

const SETTINGS = { SANDBOX: 'on', SANDBOX_PORT: '0' };
const ORDER = `select envelope::json ->> 'eventId' as id from events where marketplace_id = 'mkt_default' order by position`;

type Reader = { readonly ids: readonly string[]; readonly source: EventSource; connections(): number };

/** Listens to every type of event, as a program that wants all of them must. */
const openReader = (t: TestContext, { url, apiKey }: { url: string; apiKey: string }): Reader => {
  const ids: string[] = [];
  let connections = 0;
  const source = new EventSource(`${url}/api/v1/events`, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${apiKey}` } }),
  });
  source.addEventListener('open', () => connections++);
  for (const type of Object.keys(EVENTS)) {
    source.addEventListener(type, ({ data }) => ids.push(JSON.parse(data).eventId));
  }
  afterwards(t, () => source.close());
  return { ids, source, connections: () => connections };
};

/** An order with its money in escrow, released; cuts the connections of the readers between the steps. */
const liveOrder = async (client: Holdfast, cut: () => Promise<void>): Promise<void> => {
  const { id: buyerId } = await client.users.create({ externalUserId: crypto.randomUUID() });
  const { id: sellerId } = await client.users.create({ externalUserId: crypto.randomUUID() });
  await client.balances.credit(buyerId, { amount: '500.00' });
  await cut();
  const { id } = await client.orders.create({ buyerId, sellerId, amount: '100.00' });
  await client.orders.reserve(id);
  await client.orders.createEscrow(id);
  await cut();
  await client.orders.fundEscrow(id);
  await client.orders.release(id);
};

test('EventSource sees every event once and in order over cut connections, kill -9 and a restart in good order', async (t) => {
  const dataDir = await temporaryFolder(t);
  let server = await startServer(t, { dataDir, env: SETTINGS });
  const apiKey = await newKey(server.url);
  const client = new Holdfast({ url: server.url, apiKey, maxRetries: 50 });
  const line = await openLine(t, server.url);
  const reader = openReader(t, { url: line.url, apiKey });
  await until(() => reader.source.readyState === EventSource.OPEN, 'the stream is open');
  const caughtUp = async (): Promise<string[]> => {
    const { rows } = await openEmbedded(t, dataDir).query<{ id: string }>(ORDER);
    await until(() => reader.ids.length >= rows.length, `${rows.length} events were seen`);
    return rows.map(({ id }) => id);
  };

  let before = 0;
  /** The reader has connected again since the last cut: there is a connection to cut. */
  const cut = async (): Promise<void> => {
    await until(() => reader.connections() > before, 'the reader is connected');
    before = reader.connections();
    line.cut();
  };

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await liveOrder(client, cut);
    await caughtUp();
    await server.kill(signal);
    server = await startServer(t, { dataDir, env: { ...SETTINGS, PORT: new URL(server.url).port } });
  }
  await liveOrder(client, cut);
  const written = await caughtUp();
  assert.deepEqual(reader.ids.slice(0, written.length), written);
  assert.equal(new Set(reader.ids).size, reader.ids.length);
  assert.ok(reader.ids.length > 30, `${reader.ids.length} events`);
  assert.ok(reader.connections() > 5, `${reader.connections()} connections`);
  const resumed = line.passed.filter(({ headers }) => headers['last-event-id'] !== undefined);
  assert.ok(resumed.length >= reader.connections() - 1, 'every connection but the first resumes');
  t.diagnostic(`${reader.ids.length} events, ${reader.connections()} connections`);
});
