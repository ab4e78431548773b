// `holdfast distribute` on a coordinator with two workers: what it refuses, what it proves, that it goes on after an interruption, and that
// postings, audit entries and checkpoints stay append-only on the shards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { undistributedTables } from '../../server/src/commit/distributed/tables.ts';
import { migrate } from '../../server/src/commit/migrate.ts';
import { isDistributed } from '../../server/src/postgres/distributed.ts';
import { type Node, queryNode } from '../../tools/distributed/nodes.ts';
import {
  distributeAll,
  MARKETPLACES,
  openDatabase,
  openFilled,
  openNodes,
  type Place,
  SHARDS,
  unproved,
  writeBooks,
} from './fixture.ts';

const APPEND_ONLY = ['postings', 'audit_entries', 'proof_checkpoints'] as const;

const refusalOf = async (place: Pick<Place, 'connection'>): Promise<string> => {
  const outcome = await distributeAll(place);
  assert.equal(outcome.kind, 'refused');
  return outcome.kind === 'refused' ? outcome.reason : '';
};

const hasStatistics = async ({ ask }: Place, node: Node): Promise<boolean> =>
  (await ask("select 1 from pg_statistic where starelid::regclass::text like 'postings\\_%' limit 1", node)).rows
    .length > 0;

test('tables are distributed, the books are the same before and after, and a second run has nothing to do', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  const lines: string[] = [];
  const outcome = await distributeAll(place, (line) => lines.push(line));
  assert.equal(outcome.kind, 'done');
  if (outcome.kind !== 'done') return;
  assert.deepEqual(outcome.comparison, {
    marketplaces: MARKETPLACES.length,
    compared: MARKETPLACES.length,
    problems: [],
  });
  assert.equal(outcome.distributed.length, outcome.plan.tables.length);
  assert.ok(lines.some((line) => /^Distributed postings, \d+ rows \(\d+ of \d+\)$/.test(line)));
  assert.deepEqual(await undistributedTables(await clientOf(place)), []);
  const { rows } = await place.ask(
    `select count(distinct nodename)::int as nodes, count(distinct shardid)::int as shards from citus_shards
     where table_name = 'postings'::regclass`,
  );
  // Two workers and the coordinator. The part of the whole service was cut out of another one, so there are two more.
  assert.deepEqual(rows, [{ nodes: 3, shards: SHARDS + 2 }]);
  for (const node of [nodes.coordinator, ...nodes.workers])
    assert.ok(await hasStatistics(place, node), `the parts of ${node.name} have statistics`);
  assert.equal((await distributeAll(place)).kind, 'nothing-done');
  await writeBooks(place, MARKETPLACES);
  assert.deepEqual(await unproved(place, MARKETPLACES), []);
});

const clientOf = async ({ pool }: Place): Promise<pg.PoolClient> => {
  const client = await pool.connect();
  client.release();
  return client;
};

test('a database that cannot be distributed is left alone, with the reason and the next step', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const { connection, pool, ask } = await openDatabase(t, nodes);
  assert.match(await refusalOf({ connection }), /lacks \d+ migrations.*`holdfast migrate`/);
  await migrate({ pool });
  const server = new pg.Client({ ...connection, application_name: 'holdfast' });
  await server.connect();
  assert.match(await refusalOf({ connection }), /connected to the database \(1 connections\)\. Stop/);
  await server.end();
  await ask('select citus_remove_node(nodename, nodeport) from pg_dist_node where groupid > 0');
  assert.match(await refusalOf({ connection }), /No worker is known.*citus_add_node/);
  await ask('drop extension citus cascade');
  assert.match(await refusalOf({ connection }), /no Citus.*create extension citus/);
  assert.equal(await isDistributed(pool), false);
});

test('books that do not hold are refused before anything is distributed', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  await place.ask(`update accounts set balance = balance + 1 where marketplace_id = 'mkt_c' and id like '%available%'`);
  assert.match(await refusalOf(place), /The books do not hold.*mkt_c: accounts-equal-postings/);
  assert.equal(await isDistributed(place.pool), false);
});

test('an interrupted run is continued, and its books are compared with those before the first run', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  const stopAt = (line: string): void => {
    if (line.startsWith('Distributed events')) throw new Error('interrupted');
  };
  await assert.rejects(distributeAll(place, stopAt), /interrupted/);
  const lines: string[] = [];
  const outcome = await distributeAll(place, (line) => lines.push(line));
  assert.match(lines[0]!, /An earlier run has distributed \d+ tables$/);
  assert.ok(outcome.kind === 'done' && outcome.plan.done > 0 && outcome.plan.tables.length > 0);
  assert.deepEqual(outcome.kind === 'done' && outcome.comparison, {
    marketplaces: MARKETPLACES.length,
    compared: MARKETPLACES.length,
    problems: [],
  });
});

/** The shard of a marketplace, and the worker that has it. */
const shardOf = async ({ ask, nodes }: Place, of: { table: string; marketplaceId: string }) => {
  const { rows } = await ask(
    `select shard_name as name, nodename as host from citus_shards
     where shardid = get_shard_id_for_distribution_column('${of.table}', '${of.marketplaceId}')`,
  );
  return {
    name: rows[0].name as string,
    node: nodes.workers.find(({ connection }) => connection.host === rows[0].host)!,
  };
};

test('a change of append-only rows is refused through the coordinator and on the shard of a worker', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  await distributeAll(place);
  await place.ask(`insert into proof_checkpoints values ('mkt_a', 1, true, 1, 'h', 1, 1, '[]', now(), '', 'h')`);
  for (const table of APPEND_ONLY) {
    const { name, node } = await shardOf(place, { table, marketplaceId: 'mkt_a' });
    for (const [at, target] of [
      [nodes.coordinator, table],
      [node, name],
    ] as const) {
      const refused = (text: string) =>
        assert.rejects(place.ask(text, at), /is append-only|is a shard of a distributed table/, text);
      await refused(`update ${target} set marketplace_id = marketplace_id where marketplace_id = 'mkt_a'`);
      await refused(`truncate ${target}`);
      if (table === 'proof_checkpoints') continue;
      await refused(`delete from ${target}`);
      await refused(`delete from ${target} where marketplace_id = 'mkt_a'`);
    }
  }
  const direct = await shardOf(place, { table: 'postings', marketplaceId: 'mkt_a' });
  for (const change of ['delete from', 'update', 'truncate'] as const) {
    const rest = change === 'update' ? ' set amount = 1' : '';
    const text = `set citus.enable_manual_changes_to_shards to on; ${change} ${direct.name}${rest}`;
    await assert.rejects(queryNode(direct.node, text, { database: place.connection.database! }), { code: 'HF002' });
  }
});
