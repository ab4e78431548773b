// Whether the tables of marketplaces are distributed over several machines. Then every transaction must be about one marketplace, so that
// one machine can carry it out.

import type pg from 'pg';

const HAS_EXTENSION = `select exists (select 1 from pg_extension where extname = 'citus') as "isThere"`;

// Only with the extension: without it the catalogue does not exist. A database that is not migrated has no such table.
const IS_DISTRIBUTED = `select exists (
  select 1 from pg_dist_partition where logicalrelid = to_regclass('public.marketplaces')) as "isThere"`;

export const isDistributed = async (client: Pick<pg.Client, 'query'>): Promise<boolean> => {
  const asked = async (text: string): Promise<boolean> =>
    (await client.query<{ isThere: boolean }>(text)).rows[0]!.isThere;
  return (await asked(HAS_EXTENSION)) && (await asked(IS_DISTRIBUTED));
};

const known = new WeakMap<pg.Pool, Promise<boolean>>();

/** Asked once for each pool. */
export const isPoolDistributed = (pool: pg.Pool): Promise<boolean> => {
  const earlier = known.get(pool);
  if (earlier) return earlier;
  const asked = isDistributed(pool);
  known.set(pool, asked);
  // A database that was unreachable is asked again.
  asked.catch(() => known.delete(pool));
  return asked;
};

/** For a connection: a distributed database finds the machine by the value of the marketplace, which a generic plan does not have. */
export const PLAN_FOR_VALUES = 'set plan_cache_mode = force_custom_plan';
