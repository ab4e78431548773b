// Creates the triggers that refuse `truncate` on the shards too. Citus creates them there only when it moves a shard, and otherwise refuses
// `truncate` on a shard by a setting that the owner of the tables can change. It can be repeated.

import type pg from 'pg';

/** Bit 5 of the type of a trigger: before or after truncate. */
const TRIGGERS = `select t.tgrelid::regclass::text as table, t.tgfoid::regproc::text as called
  from pg_trigger t join pg_dist_partition p on p.logicalrelid = t.tgrelid
  where not t.tgisinternal and t.tgtype & 32 > 0`;

type Trigger = { readonly table: string; readonly called: string };

/** Citus puts the name of the shard in place of `%1$s`. The trigger has a name that no migration changes. */
const createSql = ({ called }: Trigger): string => `do $do$ begin
  if not exists (select 1 from pg_trigger where tgrelid = '%1$s'::regclass and tgname = 'shard_stays') then
    create trigger shard_stays before truncate on %1$s for each statement execute function ${called}();
  end if;
end $do$`;

const RUN = `select nodename || ':' || nodeport as node, result from run_command_on_placements($1::regclass, $2)
  where not success`;

/** Outside of a transaction: the shards are changed by connections of their own. */
export const createTruncateTriggers = async (client: pg.ClientBase): Promise<void> => {
  const { rows: triggers } = await client.query<Trigger>(TRIGGERS);
  for (const trigger of triggers) {
    const { rows: failed } = await client.query<{ node: string; result: string }>(RUN, [
      trigger.table,
      createSql(trigger),
    ]);
    if (failed[0])
      throw new Error(`A trigger of ${trigger.table} is missing on ${failed[0].node}: ${failed[0].result}`);
  }
};
