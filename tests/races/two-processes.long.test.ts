// Two server processes on one database, with a listener each: both receive every event once and in order, although they
// disconnect and reconnect at any moment.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { openPool } from '../../server/src/postgres/connection.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import {
  newKey,
  newUser,
  post,
  type ServerProcess,
  seeded,
  startServer,
} from '../../tools/processes/server-process.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { until } from '../../tools/until.ts';
import { type Listener, listen, type Message, positionsOf, range } from '../stream/listener.ts';

const WORKERS = 4;
const EACH = 30;
const FROM_THE_START = '?since=2000-01-01T00:00:00Z';

/** Listens, disconnects after a random number of messages, and reconnects with the last event id. */
const listenInPieces = async (
  server: ServerProcess,
  of: { key: string; random: () => number; wanted: number },
): Promise<{ received: Message[]; pieces: number }> => {
  const received: Message[] = [];
  let lastEventId: string | undefined;
  let pieces = 0;
  while (received.length < of.wanted) {
    const listener: Listener = await listen(server, {
      key: of.key,
      ...(lastEventId === undefined ? { query: FROM_THE_START } : { lastEventId }),
    });
    pieces++;
    const enough = Math.min(of.wanted - received.length, 1 + Math.floor(of.random() * 40));
    await listener.take(enough);
    // Messages that have arrived by now count too: a client keeps what it has read.
    listener.hangUp();
    received.push(...listener.messages);
    lastEventId = listener.lastId();
  }
  return { received, pieces };
};

type Processes = {
  readonly servers: readonly [ServerProcess, ServerProcess];
  readonly pool: pg.Pool;
  readonly key: string;
  readonly userId: string;
};

const openTwo = async (t: TestContext): Promise<Processes> => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const env = { DATABASE_URL: urlOf(connection) };
  const servers = [
    await startServer(t, { dataDir: await temporaryFolder(t), env }),
    await startServer(t, { dataDir: await temporaryFolder(t), env }),
  ] as const;
  const key = await newKey(servers[0].url);
  return { servers, pool, key, userId: await newUser(servers[0].url, { key, externalUserId: 'busy' }) };
};

const creditIn = async (server: ServerProcess, { key, userId }: Processes) =>
  post(server.url, { path: `/users/${userId}/balance/credit`, key, body: { amount: '0.01' } });

/** Returns the messages of each listener across its reconnects. */
const listenToAll = async (processes: Processes): Promise<Message[][]> => {
  const { servers, key } = processes;
  // The user and the wallet, then the credits.
  const wanted = 2 + servers.length * WORKERS * EACH;
  const listening = servers.map((server, i) => listenInPieces(server, { key, random: seeded(i + 1), wanted }));
  const work = async (server: ServerProcess): Promise<void> => {
    for (let n = 0; n < EACH; n++) {
      const answer = await creditIn(server, processes);
      assert.equal(answer?.status, 200, answer?.text ?? 'no answer');
    }
  };
  await Promise.all(servers.flatMap((server) => Array.from({ length: WORKERS }, () => work(server))));
  const all = await Promise.all(listening);
  for (const { received, pieces } of all) {
    assert.deepEqual(positionsOf(received), range(1, wanted));
    assert.ok(pieces > 2, 'the listener disconnected and reconnected');
  }
  return all.map(({ received }) => received);
};

/** Kills the first process under load. Returns the number of events at the end and of acknowledged credits. */
const killOne = async (processes: Processes): Promise<{ events: number; acknowledged: number }> => {
  const { servers, pool } = processes;
  const [doomed, other] = servers;
  let acknowledged = 0;
  const work = async (server: ServerProcess, times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      const answer = await creditIn(server, processes);
      if (answer === null) return;
      assert.equal(answer.status, 200, answer.text);
      acknowledged++;
    }
  };
  const dying = Array.from({ length: WORKERS }, () => work(doomed, 100_000));
  const living = Array.from({ length: WORKERS }, () => work(other, 100));
  await until(() => acknowledged > 100, 'both are busy');
  await doomed.kill('SIGKILL');
  await Promise.all([...dying, ...living]);
  const { rows } = await pool.query<{ last: bigint }>('select max(position) as last from events');
  return { events: Number(rows[0]!.last), acknowledged };
};

test('listeners of two processes receive every event once, across reconnects and when one process is killed', async (t) => {
  const processes = await openTwo(t);
  const { servers, pool, key } = processes;
  const [here, there] = await listenToAll(processes);
  assert.deepEqual(
    here!.map(({ data }) => data.eventId),
    there!.map(({ data }) => data.eventId),
    'both received the same events',
  );
  const before = here!.length;
  const listener = await listen(servers[1], { key, query: FROM_THE_START });
  const { events, acknowledged } = await killOne(processes);
  // Each worker of the killed process may have one credit that happened and was never answered.
  const known = before + acknowledged;
  assert.ok(events >= known && events <= known + WORKERS, `${events} events, ${known} are expected at least`);
  assert.deepEqual(positionsOf(await listener.take(events)), range(1, events));
  listener.hangUp();
  await inspectBooks(pool, 'mkt_default');
  assert.equal((await servers[1].kill('SIGTERM')).code, 0);
});
