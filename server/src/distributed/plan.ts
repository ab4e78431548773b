// What `holdfast distribute` will do: the machines, the tables that are distributed already, and those that will be, with their rows.

import type pg from 'pg';
import { undistributedTables } from '../commit/distributed/tables.ts';
import { isDistributed } from '../postgres/distributed.ts';
import { isServicePlaced } from './service-part.ts';

export type Plan = {
  /** The machines that get shards. The coordinator gets only that of the whole service. */
  readonly workers: readonly string[];
  readonly shards: number;
  readonly tables: readonly { readonly name: string; readonly rows: bigint }[];
  /** How many tables an earlier run has distributed. */
  readonly done: number;
  /** Whether the marketplace with the rows of the whole service has to be placed on the coordinator. */
  readonly placesService: boolean;
};

const WORKERS = `select nodename || ':' || nodeport as name from pg_dist_node
  where isactive and noderole = 'primary' and shouldhaveshards
    and (groupid > 0 or not exists (select 1 from pg_dist_node w where w.groupid > 0))
  order by nodeid`;

const DONE = `select count(*)::int as tables, max(shard_count)::int as shards from citus_tables
  where citus_table_type = 'distributed'`;

export const workersOf = async (client: pg.ClientBase): Promise<string[]> =>
  (await client.query<{ name: string }>(WORKERS)).rows.map(({ name }) => name);

const countRows = async (client: pg.ClientBase, table: string): Promise<bigint> =>
  BigInt((await client.query<{ rows: string }>(`select count(*)::text as rows from ${table}`)).rows[0]!.rows);

/** Tables that are added to distributed ones have their number of shards. */
export const makePlan = async (client: pg.ClientBase, shards: number): Promise<Plan> => {
  const tables: { name: string; rows: bigint }[] = [];
  for (const name of await undistributedTables(client)) tables.push({ name, rows: await countRows(client, name) });
  const done = (await client.query<{ tables: number; shards: number | null }>(DONE)).rows[0]!;
  const isBegun = await isDistributed(client);
  return {
    workers: await workersOf(client),
    shards: isBegun ? (done.shards ?? shards) : shards,
    tables,
    done: done.tables,
    placesService: !(await isServicePlaced(client)),
  };
};
