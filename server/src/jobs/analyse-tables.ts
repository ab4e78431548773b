// Statistics for tables that have none: after a restore, an upgrade of PostgreSQL or an import the tables are full and the planner knows
// nothing of them. Autovacuum gives them statistics too, one table after the other, within minutes.

import type pg from 'pg';
import { PATIENT } from '../postgres/connection.ts';
import { scheduled } from './schedule.ts';
import type { Job } from './scheduler.ts';

/** Below so many pages any plan is fast. Young databases have no larger table, and cost nothing here. */
const PAGES_MIN = 64;

// Only those that this role may analyse. A distributed table has no pages here; its workers analyse their parts. A table whose rows are all
// deleted has no statistics after an analysis either: the time of the last one says that there was one.
const UNKNOWN = `select c.oid::regclass::text as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and pg_has_role(c.relowner, 'USAGE')
    and pg_relation_size(c.oid) >= ${PAGES_MIN} * current_setting('block_size')::bigint
    and not exists (select 1 from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname)
    and coalesce(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) is null
  order by pg_relation_size(c.oid)`;

const analyse = async (pool: pg.Pool, name: string): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(PATIENT);
    // The name is quoted by the database.
    await client.query(`analyze ${name}`);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
};

/** Returns the names of the tables that have statistics now, the small ones first. */
export const analyseUnknownTables = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(UNKNOWN);
  for (const { name } of rows) await analyse(pool, name);
  return rows.map(({ name }) => name);
};

type Options = { readonly pool: pg.Pool; onAnalysed(tables: readonly string[]): void };

export const analyseTables = ({ pool, onAnalysed }: Options): Job => ({
  ...scheduled('analyse-tables'),
  atStart: true,
  async run() {
    const tables = await analyseUnknownTables(pool);
    if (tables.length > 0) onAnalysed(tables);
  },
});
