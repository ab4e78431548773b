// The marketplace with the rows of the whole service is on the coordinator: also in a database that was distributed before, after an
// interruption, and after a rebalance. Its rows are written there and stay append-only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { type Node, queryNode } from '../../tools/distributed/nodes.ts';
import { distributeAll, MARKETPLACES, openFilled, openNodes, type Place, unproved, writeBooks } from './fixture.ts';

const PART = `select shardid, shard_name as name, nodename as host from citus_shards
  where shardid = get_shard_id_for_distribution_column('TABLE', '${DEFAULT_MARKETPLACE}')`;

const partOf = async (
  { ask }: Place,
  table = 'marketplaces',
): Promise<{ shardid: string; name: string; host: string }> => (await ask(PART.replace('TABLE', table))).rows[0];

const move = async (place: Place, { from, to }: { from: Node; to: Node }): Promise<void> => {
  const { shardid } = await partOf(place);
  const hosts = [from, to].map(({ connection }) => `'${connection.host}', ${connection.port}`).join(', ');
  await place.ask(`select citus_move_shard_placement(${shardid}, ${hosts}, 'block_writes')`);
};

/** As earlier versions distributed a database: on a worker, and without a rule for rebalances. */
const distributeAsBefore = async (place: Place): Promise<void> => {
  const { coordinator, workers } = place.nodes;
  await distributeAll(place);
  await move(place, { from: coordinator, to: workers[0]! });
  await place.ask(`select citus_set_default_rebalance_strategy('by_disk_size');
    delete from pg_dist_rebalance_strategy where name = 'holdfast'; drop function part_may_be_on; drop function room_for_parts`);
  await place.ask(
    `select citus_set_node_property('${coordinator.connection.host}', ${coordinator.connection.port}, 'shouldhaveshards', false)`,
  );
};

const isOnCoordinator = async (place: Place): Promise<boolean> =>
  (await partOf(place)).host === place.nodes.coordinator.connection.host;

const EVERY_ONE = { marketplaces: MARKETPLACES.length, compared: MARKETPLACES.length, problems: [] };

test('its rows are written on the coordinator, and stay append-only there', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  const outcome = await distributeAll(place);
  assert.ok(outcome.kind === 'done' && outcome.plan.placesService);
  assert.ok(await isOnCoordinator(place));
  await writeBooks(place, [DEFAULT_MARKETPLACE]);
  assert.deepEqual(await unproved(place, MARKETPLACES), []);
  for (const table of ['postings', 'audit_entries']) {
    const { name } = await partOf(place, table);
    const of = `where marketplace_id = '${DEFAULT_MARKETPLACE}'`;
    for (const text of [
      `update ${table} set marketplace_id = marketplace_id ${of}`,
      `delete from ${table} ${of}`,
      `truncate ${table}`,
      `update ${name} set marketplace_id = marketplace_id`,
      `delete from ${name}`,
      `set citus.enable_manual_changes_to_shards to on; truncate ${name}`,
    ])
      await assert.rejects(queryNode(nodes.coordinator, text, place.connection), { code: 'HF002' }, text);
  }
});

test('a database that was distributed before gets it with the next run, and is proved before and after', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  await distributeAsBefore(place);
  await writeBooks(place, MARKETPLACES);
  assert.ok(!(await isOnCoordinator(place)));
  const outcome = await distributeAll(place);
  assert.ok(outcome.kind === 'done' && outcome.plan.tables.length === 0 && outcome.plan.placesService);
  assert.deepEqual(outcome.comparison, EVERY_ONE);
  assert.ok(await isOnCoordinator(place));
  assert.equal((await distributeAll(place)).kind, 'nothing-done');
});

test('it is completed after an interruption before, between and after its steps', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  const stopAt = (line: string): void => {
    if (line.startsWith(`Placed ${DEFAULT_MARKETPLACE}`)) throw new Error('interrupted');
  };
  await assert.rejects(distributeAll(place, stopAt), /interrupted/);
  assert.ok(await isOnCoordinator(place));
  // Cut out of its part, and not moved yet.
  await move(place, { from: nodes.coordinator, to: nodes.workers[1]! });
  const outcome = await distributeAll(place);
  assert.ok(outcome.kind === 'done' && outcome.plan.done > 0 && outcome.plan.placesService);
  assert.deepEqual(outcome.comparison, EVERY_ONE);
  assert.ok(await isOnCoordinator(place));
});

test('a rebalance leaves it on the coordinator or brings it back, and places nothing else there', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  await distributeAll(place);
  const [first] = nodes.workers;
  await move(place, { from: nodes.coordinator, to: first! });
  await place.ask(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`);
  const { rows } = await place.ask(
    `select array_agg(shardid::text) as shards from citus_shards
     where table_name = 'marketplaces'::regclass and nodename = '${nodes.coordinator.connection.host}'`,
  );
  assert.deepEqual(rows[0].shards, [String((await partOf(place)).shardid)]);
  assert.equal((await distributeAll(place)).kind, 'nothing-done');
});

test('a coordinator without an address is refused, with the next step', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  const { host, port } = nodes.coordinator.connection;
  await place.ask(`select citus_remove_node('${host}', ${port})`);
  const outcome = await distributeAll(place);
  assert.match(
    outcome.kind === 'refused' ? outcome.reason : '',
    /does not know the address.*citus_set_coordinator_host/,
  );
});
