// Two marketplaces on two machines of a cluster run the whole scenario. The database refuses no statement of the server, and each one
// uses the machines of its own marketplaces only, except for the listed statements. It needs `node tests/run.ts --cluster --long`.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { isDistributed } from '../../server/src/postgres/distributed.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { ACROSS } from '../support/tenancy-lists.ts';
import { openRouteJudge } from '../support/tenancy-machines.ts';
import { type Heard, MARKETPLACES, oneLine, runScenario } from '../support/tenancy-scenario.ts';
import type { Sent } from '../support/tenancy-wire.ts';

const MACHINES = `select nodename || ':' || nodeport as machine from pg_dist_shard_placement
  where shardid = get_shard_id_for_distribution_column('marketplaces', $1::text)`;

const isListed = (text: string): boolean => ACROSS.some(({ part }) => part.test(text));

/** How many marketplaces the values name; 1 when they name none. */
const namedIn = ({ values }: Sent): number => {
  const given = values.map(String).join(' ');
  return Math.max(1, MARKETPLACES.filter((id) => given.includes(id)).length);
};

type Judge = Awaited<ReturnType<typeof openRouteJudge>>;

const assertRouted = async (t: TestContext, { heard, judge }: { heard: Heard; judge: Judge }): Promise<void> => {
  const refused: string[] = [];
  const wide: string[] = [];
  const wideWrites: string[] = [];
  for (const [text, times] of heard) {
    for (const sent of times) {
      const { refusal, shards, isWrite } = await judge.route(sent);
      const shown = oneLine(text);
      if (refusal !== null) refused.push(`${refusal}: ${shown}`);
      if (shards <= namedIn(sent)) continue;
      if (isWrite) wideWrites.push(shown);
      else if (!isListed(shown)) wide.push(shown);
    }
  }
  await t.test('the database plans every statement', () => {
    assert.ok(heard.size > 200, `only ${heard.size} statements were recorded`);
    assert.deepEqual([...new Set(refused)], []);
  });
  await t.test('a statement uses the machines of its own marketplaces, except for those that are listed', () => {
    const advice = 'Name the marketplace as a value for every table, or list it in tests/support/tenancy-lists.ts:';
    assert.deepEqual([...new Set(wide)], [], advice);
  });
  await t.test('no statement writes or locks rows of all marketplaces', () => {
    assert.deepEqual([...new Set(wideWrites)], []);
  });
  await t.test('where rows of all marketplaces are due, a read finds the marketplaces first', () => {
    const sent = [...heard.keys()].map(oneLine);
    for (const { part, asks } of ACROSS.filter(({ isOfCluster }) => isOfCluster)) {
      assert.equal(sent.filter((text) => part.test(text)).length, 1, asks);
    }
  });
};

test('two marketplaces run the whole scenario on a cluster', { timeout: 600_000 }, async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const client = new pg.Client(connection);
  await client.connect();
  afterwards(t, () => client.end());
  assert.ok(await isDistributed(client));
  const machines = await Promise.all(
    MARKETPLACES.map(async (id) => (await client.query<{ machine: string }>(MACHINES, [id])).rows[0]!.machine),
  );
  assert.equal(new Set(machines).size, MARKETPLACES.length, 'the marketplaces are on different machines');

  const { places, heard, assertSettled } = await runScenario(t, connection);
  await assertSettled();
  await t.test('the proof of each marketplace holds', async () => {
    for (const { ask } of places) {
      assert.equal((await ask('GET /audit/verify')).holds, true);
      const { holds, checks } = await ask('GET /audit/proof?full=true');
      assert.ok(holds, JSON.stringify(checks));
    }
  });
  const judge = await openRouteJudge(connection);
  afterwards(t, judge.close);
  await assertRouted(t, { heard, judge });
});
