// Which process sends for which marketplaces: each part has one owner, processes share the parts, and a lost process is replaced.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { PARTS, partOf } from '../../server/src/modules/webhook-deliveries/send/locks.ts';
import { createOwnership } from '../../server/src/modules/webhook-deliveries/send/ownership.ts';
import { openLane } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { until } from '../../tools/until.ts';

const MARKETPLACES = Array.from({ length: 400 }, (_, i) => `mkt_shop-${i}`);

const openProcess = (
  t: TestContext,
  connection: pg.ClientConfig,
  times: { everyMs: number; silentMaxMs?: number } = { everyMs: 20 },
) => {
  const clients: pg.Client[] = [];
  const lost: number[] = [];
  const ownership = createOwnership({
    async connect() {
      const client = await openLane(connection);
      clients.push(client);
      return client;
    },
    ...times,
    onTaken() {},
    async onLost(part) {
      lost.push(part);
    },
    onTrouble() {},
  });
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= ownership.close();
    return closed;
  };
  afterwards(t, close);
  return { clients, lost, owned: () => MARKETPLACES.filter(ownership.owns), close };
};

test('the parts spread marketplaces evenly', () => {
  const counts = Map.groupBy(MARKETPLACES, partOf);
  assert.equal(counts.size, PARTS);
  for (const [part, ids] of counts) assert.ok(ids.length < 40, `${part} has ${ids.length}`);
});

test('one process has all parts, two share them, and each marketplace always has at most one owner', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const one = openProcess(t, connection);
  await until(() => one.owned().length === MARKETPLACES.length);
  const other = openProcess(t, connection);
  const isShared = () => {
    const both = [...one.owned(), ...other.owned()];
    assert.equal(new Set(both).size, both.length, 'two processes own a marketplace');
    return both.length === MARKETPLACES.length && other.owned().length > 0;
  };
  await until(isShared);
  assert.equal(one.lost.length, PARTS / 2, 'half of the parts moved');
  await other.close();
  await until(() => one.owned().length === MARKETPLACES.length);
});

test('a process whose connection ends owns nothing until it has the locks again', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const one = openProcess(t, connection);
  await until(() => one.owned().length === MARKETPLACES.length);
  const killer = await openLane(connection);
  afterwards(t, () => killer.end());
  await killer.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
  await until(() => one.lost.length === PARTS);
  await until(() => one.owned().length === MARKETPLACES.length);
  assert.equal(one.clients.length, 2);
});

test('the parts of a process that says nothing any more go to another process', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  // It looks once, and then does nothing, as a stopped process.
  const silent = openProcess(t, connection, { everyMs: 600_000, silentMaxMs: 300 });
  await until(() => silent.owned().length === MARKETPLACES.length);
  const other = openProcess(t, connection);
  await until(() => other.owned().length > 0);
  assert.ok(silent.lost.length > 0, 'the database has ended its session');
});

test('the database watches the connections to the machines of the servers', async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const client = await openLane(connection);
  afterwards(t, () => client.end());
  const text = `select name from pg_settings where name like 'tcp_keepalives%' and source = 'client' order by name`;
  const names = (await client.query(text)).rows.map(({ name }) => name);
  assert.deepEqual(names, ['tcp_keepalives_count', 'tcp_keepalives_idle', 'tcp_keepalives_interval']);
});
