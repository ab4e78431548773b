// Two server processes on one database, with a listener each: both see every event once and in order, though they hang up
// and connect again at any moment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPool } from '../../server/src/store/connection.ts';
import { inspectBooks } from '../books/inspect.ts';
import { until } from '../committer/bend.ts';
import { newKey, newUser, post, type ServerProcess, seeded, startServer } from '../crash/server-process.ts';
import { type Listener, listen, type Message, positionsOf, range } from '../stream/listener.ts';
import { afterwards } from '../support/afterwards.ts';
import { createDatabase } from '../support/database.ts';
import { temporaryFolder } from '../support/folder.ts';

const WORKERS = 4;
const EACH = 60;
const FROM_THE_START = '?since=2000-01-01T00:00:00Z';

/** Listens, hangs up after a random number of messages, and comes back with the last id that it saw. */
const listenInPieces = async (
  server: ServerProcess,
  of: { key: string; random: () => number; wanted: number },
): Promise<{ heard: Message[]; pieces: number }> => {
  const heard: Message[] = [];
  let lastEventId: string | undefined;
  let pieces = 0;
  while (heard.length < of.wanted) {
    const listener: Listener = await listen(server, {
      key: of.key,
      ...(lastEventId === undefined ? { query: FROM_THE_START } : { lastEventId }),
    });
    pieces++;
    const enough = Math.min(of.wanted - heard.length, 1 + Math.floor(of.random() * 40));
    await listener.take(enough);
    // Whatever else has arrived by now was heard too: a client keeps what it has read.
    listener.hangUp();
    heard.push(...listener.messages);
    lastEventId = listener.lastId();
  }
  return { heard, pieces };
};

test('listeners of two processes each hear every event once, in order, across reconnects', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const ask = new URLSearchParams({ host: connection.host, user: connection.user, port: String(connection.port) });
  const env = { DATABASE_URL: `postgres:///${connection.database}?${ask}` };
  const servers = [
    await startServer(t, { dataDir: await temporaryFolder(t), env }),
    await startServer(t, { dataDir: await temporaryFolder(t), env }),
  ];
  const key = await newKey(servers[0]!.url);
  const userId = await newUser(servers[0]!.url, { key, externalUserId: 'busy' });

  // The user and the wallet, then the credits.
  const wanted = 2 + servers.length * WORKERS * EACH;
  const listening = servers.map((server, i) => listenInPieces(server, { key, random: seeded(i + 1), wanted }));
  const work = async (server: ServerProcess): Promise<void> => {
    for (let n = 0; n < EACH; n++) {
      const answer = await post(server.url, { path: `/users/${userId}/balance/credit`, key, body: { amount: '0.01' } });
      assert.equal(answer?.status, 200, answer?.text ?? 'no answer');
    }
  };
  await Promise.all(servers.flatMap((server) => Array.from({ length: WORKERS }, () => work(server))));

  const all = await Promise.all(listening);
  for (const { heard, pieces } of all) {
    assert.deepEqual(positionsOf(heard), range(1, wanted));
    assert.ok(pieces > 2, 'it hung up and came back');
  }
  assert.deepEqual(
    all[0]!.heard.map(({ data }) => data.eventId),
    all[1]!.heard.map(({ data }) => data.eventId),
    'both heard the very same events',
  );
  await inspectBooks(pool, 'mkt_default');
  for (const server of servers) assert.equal((await server.kill('SIGTERM')).code, 0);
});

test('when one of two processes is killed under load, the other goes on and its listener misses nothing', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const ask = new URLSearchParams({ host: connection.host, user: connection.user, port: String(connection.port) });
  const env = { DATABASE_URL: `postgres:///${connection.database}?${ask}` };
  const doomed = await startServer(t, { dataDir: await temporaryFolder(t), env });
  const other = await startServer(t, { dataDir: await temporaryFolder(t), env });
  const key = await newKey(doomed.url);
  const userId = await newUser(doomed.url, { key, externalUserId: 'busy' });
  const listener = await listen(other, { key, query: FROM_THE_START });

  const credit = (server: ServerProcess) =>
    post(server.url, { path: `/users/${userId}/balance/credit`, key, body: { amount: '0.01' } });
  let acknowledged = 0;
  const work = async (server: ServerProcess, times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      const answer = await credit(server);
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
  const last = Number(rows[0]!.last);
  // Each dying worker may have one credit that happened and was never answered.
  assert.ok(last >= 2 + acknowledged && last <= 2 + acknowledged + WORKERS, `${last} events, ${acknowledged} answers`);
  assert.deepEqual(positionsOf(await listener.take(last)), range(1, last));
  listener.hangUp();
  await inspectBooks(pool, 'mkt_default');
});
