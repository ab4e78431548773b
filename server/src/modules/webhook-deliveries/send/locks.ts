// Locks of PostgreSQL on one connection: one that every process holds together with the others, so that they can be counted, and one for
// each part of the work. All of them end with the connection.

import type pg from 'pg';

/** How many parts the marketplaces are divided into. */
export const PARTS = 32;

/** The first number of all locks here. The second one is the part, or PRESENT. */
const LOCKS = 0x68_66_77_68;
const PRESENT = PARTS;

const COUNT_PRESENT = `select count(*)::integer as count from pg_locks
  where locktype = 'advisory' and classid = $1::oid and objid = $2::oid and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())`;

export type Locks = {
  /** How many parts a process may hold when all hold about as many. */
  share(): Promise<number>;
  /** Returns whether the part was free. */
  take(part: number): Promise<boolean>;
  give(part: number): Promise<void>;
};

/** The database ends the session when it is silent for `silentMaxMs`, and the locks with it. */
export const openLocks = async (
  client: pg.Client,
  { silentMaxMs }: { readonly silentMaxMs: number },
): Promise<Locks> => {
  await client.query(`set idle_session_timeout = ${silentMaxMs}`);
  await client.query('select pg_advisory_lock_shared($1, $2)', [LOCKS, PRESENT]);
  return {
    async share() {
      const { rows } = await client.query<{ count: number }>(COUNT_PRESENT, [LOCKS, PRESENT]);
      return Math.ceil(PARTS / Math.max(rows[0]!.count, 1));
    },
    async take(part) {
      const text = 'select pg_try_advisory_lock($1, $2) as taken';
      return (await client.query<{ taken: boolean }>(text, [LOCKS, part])).rows[0]!.taken;
    },
    async give(part) {
      await client.query('select pg_advisory_unlock($1, $2)', [LOCKS, part]);
    },
  };
};

const FNV_START = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

/** The part of a marketplace, by a hash (FNV-1a) that spreads similar ids. */
export const partOf = (marketplaceId: string): number => {
  let hash = FNV_START;
  for (let i = 0; i < marketplaceId.length; i++) hash = Math.imul(hash ^ marketplaceId.charCodeAt(i), FNV_PRIME);
  return ((hash ^ (hash >>> 16)) >>> 0) % PARTS;
};
