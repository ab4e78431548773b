// Places the marketplace with the rows of the whole service, such as whether payments are held, on the coordinator: nothing works without
// the coordinator anyway, so the loss of a worker stops only the marketplaces of that worker. It can be repeated at every point.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { pause } from '../base/wait.ts';
import { type Content, contentOf } from '../commit/distributed/tables.ts';
import { isDistributed } from '../postgres/distributed.ts';

/** Null: the tables are not distributed yet. */
type Part = { readonly shard: string; readonly isAlone: boolean; readonly host: string; readonly port: number };

const COORDINATOR = `select nodename as host, nodeport as port, shouldhaveshards as "mayHaveParts" from pg_dist_node
  where groupid = 0 and noderole = 'primary'`;

const PART = `select s.shardid::text as shard, s.shardminvalue = s.shardmaxvalue as "isAlone", n.nodename as host, n.nodeport as port
  from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
  join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
  where s.shardid = get_shard_id_for_distribution_column('marketplaces', $1::text)`;

const TABLES = `select logicalrelid::text as name from pg_dist_partition
  where colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'marketplaces'::regclass)
  order by 1`;

/** The name of the rule in the catalogue of Citus. */
const RULE = 'holdfast';
const HAS_RULE = 'select 1 from pg_dist_rebalance_strategy where name = $1 and default_strategy';

/** A rebalance asks these two: the coordinator has this one part and no other, and its room does not count for the workers. */
const RULE_FUNCTIONS = [
  `create or replace function part_may_be_on(part bigint, node integer) returns boolean language sql stable as $$
    select (select n.groupid = 0 from pg_dist_node n where n.nodeid = node) = exists (
      select 1 from pg_dist_shard a join pg_dist_shard b on b.shardminvalue = a.shardminvalue
      where a.shardid = part
        and b.shardid = get_shard_id_for_distribution_column('marketplaces'::regclass, '${DEFAULT_MARKETPLACE}'::text))
  $$`,
  `create or replace function room_for_parts(node integer) returns real language sql stable as $$
    select case when n.groupid = 0 then 0 else 1 end::real from pg_dist_node n where n.nodeid = node
  $$`,
];

/** As Citus's own rule by the size on disk, which is the default of Citus. */
const ADD_RULE = `select citus_add_rebalance_strategy('${RULE}', 'citus_shard_cost_by_disk_size', 'room_for_parts',
    'part_may_be_on', 0.1, 0.01, 0.5)
  where not exists (select 1 from pg_dist_rebalance_strategy where name = '${RULE}')`;

type Coordinator = { readonly host: string; readonly port: number; readonly mayHaveParts: boolean };

/** Null: the coordinator does not know the address that the workers reach it by. */
export const findCoordinator = async (client: pg.ClientBase): Promise<Coordinator | null> =>
  (await client.query<Coordinator>(COORDINATOR)).rows[0] ?? null;

const findPart = async (client: pg.ClientBase): Promise<Part> =>
  (await client.query<Part>(PART, [DEFAULT_MARKETPLACE])).rows[0]!;

const isOn = (part: Part, { host, port }: Coordinator): boolean => part.host === host && part.port === port;

/** Whether the part is on the coordinator, and a rebalance leaves it there. */
export const isServicePlaced = async (client: pg.ClientBase): Promise<boolean> => {
  if (!(await isDistributed(client))) return false;
  const coordinator = await findCoordinator(client);
  if (!coordinator?.mayHaveParts || !isOn(await findPart(client), coordinator)) return false;
  return (await client.query(HAS_RULE, [RULE])).rows.length > 0;
};

const contentsOf = async (client: pg.ClientBase): Promise<Map<string, Content>> => {
  const { rows } = await client.query<{ name: string }>(TABLES);
  const contents = new Map<string, Content>();
  for (const { name } of rows) contents.set(name, await contentOf(client, name));
  return contents;
};

const MOVE = `select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`;
const CLEAN_UP = 'call citus_cleanup_orphaned_resources()';
/** Citus deletes in the background what an earlier step left on a machine, and refuses the next move until then. */
const IS_LEFT_OVER = /orphaned shard .* could not be cleaned up/;
const LEFT_OVER_PAUSE_MS = 500;
const LEFT_OVER_TRIES = 20;

const moveShard = async (client: pg.ClientBase, places: readonly unknown[]): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(MOVE, [...places]);
      return;
    } catch (error) {
      if (!IS_LEFT_OVER.test(String(error)) || tries === LEFT_OVER_TRIES) throw error;
    }
    await pause(LEFT_OVER_PAUSE_MS);
    await client.query(CLEAN_UP);
  }
};

/** No server may write during the move. */
const move = async (client: pg.ClientBase, coordinator: Coordinator): Promise<void> => {
  const before = await contentsOf(client);
  if (!(await findPart(client)).isAlone)
    await client.query(
      `select isolate_tenant_to_new_shard('marketplaces', $1::text, 'CASCADE', shard_transfer_mode => 'block_writes')`,
      [DEFAULT_MARKETPLACE],
    );
  const { shard, host, port } = await findPart(client);
  await moveShard(client, [shard, host, port, coordinator.host, coordinator.port]);
  // What is left of the part at its old place would be deleted some seconds later.
  await client.query(CLEAN_UP);
  for (const [name, content] of await contentsOf(client)) {
    const { rows, digest } = before.get(name)!;
    if (content.rows !== rows || content.digest !== digest)
      throw new Error(
        `The rows of ${name} differ after the move of ${DEFAULT_MARKETPLACE}: ${rows}, then ${content.rows}.`,
      );
  }
};

/** Outside of a transaction. The first table must be distributed, and those that are still local follow its parts later. */
export const placeService = async (client: pg.ClientBase, log: (line: string) => void): Promise<void> => {
  if (await isServicePlaced(client)) return;
  const coordinator = await findCoordinator(client);
  if (coordinator === null) throw new Error('The coordinator does not know its own address.');
  for (const text of RULE_FUNCTIONS) await client.query(text);
  await client.query(ADD_RULE);
  await client.query('select citus_set_default_rebalance_strategy($1)', [RULE]);
  // Only now: before the first table is distributed, this would put other parts there too.
  await client.query(`select citus_set_node_property($1, $2, 'shouldhaveshards', true)`, [
    coordinator.host,
    coordinator.port,
  ]);
  if (!isOn(await findPart(client), coordinator)) await move(client, coordinator);
  log(`Placed ${DEFAULT_MARKETPLACE} on the coordinator, in a part of its own`);
};
