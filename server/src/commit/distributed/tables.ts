// The tables of a database that is distributed by `marketplace_id`: which ones are not distributed yet, and how one is. Everything happens in
// the transaction of the caller.

import type pg from 'pg';

/** Every table of marketplaces has this column in front of its keys. The first table places all others. */
const COLUMN = 'marketplace_id';
const FIRST = 'marketplaces';

/** The coordinator has shards too, of which Citus does not hide those that were moved away. */
const UNDISTRIBUTED = `select c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select 1 from pg_dist_partition p where p.logicalrelid = c.oid)
    and not relation_is_a_known_shard(c.oid)
  order by c.relname <> $2, c.relname`;

/** Called on the machine that has the rows. */
const FUNCTIONS = ['require_rows(bigint, bigint, text)'];

export const undistributedTables = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(UNDISTRIBUTED, [COLUMN, FIRST]);
  return rows.map(({ name }) => name);
};

const TRIGGERS = `select tgname as name, pg_get_triggerdef(oid) as definition from pg_trigger
  where tgrelid = $1::regclass and not tgisinternal`;

export type Content = { readonly rows: bigint; readonly digest: string };

/** The same for the same rows, in any order and on any machine. */
export const contentOf = async (client: pg.ClientBase, table: string): Promise<Content> => {
  const { rows } = await client.query<{ rows: string; digest: string }>(
    `select count(*)::text as rows, coalesce(sum(hash_record_extended(t, 0)), 0)::text as digest from ${table} t`,
  );
  return { rows: BigInt(rows[0]!.rows), digest: rows[0]!.digest };
};

/** In the caller's transaction: the triggers of the table would refuse to remove the rows that were copied to the shards. */
export const distributeTable = async (client: pg.ClientBase, table: string): Promise<bigint> => {
  const colocated = table === FIRST ? '' : `, colocate_with => '${FIRST}'`;
  await client.query(`lock table ${table} in exclusive mode`);
  const before = await contentOf(client, table);
  const { rows: triggers } = await client.query<{ name: string; definition: string }>(TRIGGERS, [table]);
  for (const { name } of triggers) await client.query(`drop trigger ${name} on ${table}`);
  await client.query(`select create_distributed_table('${table}', '${COLUMN}'${colocated})`);
  // What is left of the rows in the table itself is invisible and only takes space.
  await client.query(`select truncate_local_data_after_distributing_table('${table}')`);
  for (const { definition } of triggers) await client.query(definition);
  const after = await contentOf(client, table);
  if (after.rows !== before.rows || after.digest !== before.digest) {
    throw new Error(
      `The rows of ${table} on the shards differ from those before: ${before.rows} rows, then ${after.rows}.`,
    );
  }
  return after.rows;
};

/** Functions that a statement calls where the rows are. A function that is shared already stays as it is. */
export const shareFunctions = async (client: pg.ClientBase): Promise<void> => {
  for (const signature of FUNCTIONS) await client.query(`select create_distributed_function('${signature}')`);
};
