// Turns the tables of a migrated database into tables that are distributed by `marketplace_id`, so that all rows of a marketplace are on
// one machine. It can be repeated: tables that are distributed already stay as they are. `citus.shard_count` of the connection is the number
// of shards. The rows of the whole service go to the coordinator.

import type pg from 'pg';
import { distributeTable, shareFunctions, undistributedTables } from '../commit/distributed/tables.ts';
import { createWriteFunctions } from '../commit/write-functions.ts';
import { isDistributed } from '../postgres/distributed.ts';
import { placeService } from './service-part.ts';
import { createTruncateTriggers } from './truncate-triggers.ts';

/** The rows were copied into new tables. The workers plan by the statistics of these, and autovacuum comes later. */
const analyse = async (client: pg.ClientBase): Promise<void> => {
  const text = 'select logicalrelid::text as name from pg_dist_partition order by 1';
  for (const { name } of (await client.query<{ name: string }>(text)).rows) await client.query(`analyze ${name}`);
};

/** One transaction per table, so an interrupted run keeps the tables that it has distributed. Returns their names. */
export const distribute = async (client: pg.ClientBase, log: (line: string) => void): Promise<string[]> => {
  const tables = await undistributedTables(client);
  // Our triggers refuse a statement by itself or by rows of the same shard, so they work on each shard alone.
  await client.query('set citus.enable_unsafe_triggers to on');
  if (await isDistributed(client)) await placeService(client, log);
  for (const [index, name] of tables.entries()) {
    await client.query('begin');
    try {
      const rows = await distributeTable(client, name);
      await client.query('commit');
      log(`Distributed ${name}, ${rows} rows (${index + 1} of ${tables.length})`);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
    // After the first table, which places all others, so that little has to be moved.
    if (index === 0) await placeService(client, log);
  }
  await shareFunctions(client);
  await createWriteFunctions(client, { isDistributed: true });
  await createTruncateTriggers(client);
  await analyse(client);
  return tables;
};
