// Turns the tables of a migrated database into tables that are distributed by `marketplace_id`, so that all rows of a marketplace are on
// one machine. It can be repeated: tables that are distributed already stay as they are.

import type pg from 'pg';
import { createWriteFunctions } from '../commit/write-functions.ts';

/** Every table of marketplaces has this column in front of its keys. The first table places all others. */
const COLUMN = 'marketplace_id';
const FIRST = 'marketplaces';

const UNDISTRIBUTED = `select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)
  order by c.relname <> $2, c.relname`;

/** Called on the machine that has the rows. */
const FUNCTIONS = ['require_rows(bigint, bigint, text)'];

export const undistributedTables = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(UNDISTRIBUTED, [COLUMN, FIRST]);
  return rows.map(({ name }) => name);
};

const TRIGGERS = `select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
  where tgrelid = $1::regclass and not tgisinternal`;

/** In one transaction: the triggers of the table would refuse to remove the rows that were copied to the shards. */
const distributeTable = async (client: pg.ClientBase, table: string): Promise<void> => {
  const colocated = table === FIRST ? '' : `, colocate_with => '${FIRST}'`;
  const { rows: triggers } = await client.query<{ name: string; definition: string }>(TRIGGERS, [table]);
  for (const { name } of triggers) await client.query(`drop trigger ${name} on ${table}`);
  await client.query(`select create_distributed_table('${table}', '${COLUMN}'${colocated})`);
  // What is left of the rows in the table itself is invisible and only takes space.
  await client.query(`select truncate_local_data_after_distributing_table('${table}')`);
  for (const { definition } of triggers) await client.query(definition);
};

export const distribute = async (client: pg.ClientBase, log: (line: string) => void): Promise<string[]> => {
  const tables = await undistributedTables(client);
  // Our triggers refuse a statement by itself or by rows of the same shard, so they work on each shard alone.
  await client.query('set citus.enable_unsafe_triggers to on');
  for (const name of tables) {
    await client.query('begin');
    try {
      await distributeTable(client, name);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
    log(`Distributed ${name}`);
  }
  for (const signature of FUNCTIONS) await client.query(`select create_distributed_function('${signature}')`);
  await createWriteFunctions(client, { isDistributed: true });
  return tables;
};
