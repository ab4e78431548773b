// What keeps a database from being distributed, as a sentence with the next step. It only reads.

import type pg from 'pg';
import { workersOf } from './plan.ts';
import { findCoordinator } from './service-part.ts';

const HAS_EXTENSION = `select 1 from pg_extension where extname = 'citus'`;
const UNREACHABLE = `select distinct to_nodename || ':' || to_nodeport as name from citus_check_cluster_node_health()
  where result is not true`;
const SERVERS = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name like 'holdfast%' and pid <> pg_backend_pid()`;

type Asked = {
  /** The names of the migrations of this version. */
  readonly migrations: readonly string[];
};

const missingMigrations = async (client: pg.ClientBase, migrations: readonly string[]): Promise<string[]> => {
  const known = await client.query<{ isThere: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as "isThere"`,
  );
  if (!known.rows[0]!.isThere) return [...migrations];
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return migrations.filter((name) => !rows.some((row) => row.name === name));
};

const obstacleOfCluster = async (client: pg.ClientBase): Promise<string | null> => {
  if ((await client.query(HAS_EXTENSION)).rows.length === 0) {
    return 'The database has no Citus. Install it, put it into shared_preload_libraries, and run `create extension citus` in this database on every machine.';
  }
  if ((await workersOf(client)).length === 0) {
    return "No worker is known. On the coordinator run `select citus_set_coordinator_host('HOST', PORT)`, and `select citus_add_node('HOST', PORT)` for each worker.";
  }
  if ((await findCoordinator(client)) === null) {
    return "The coordinator does not know the address that the workers reach it by. Run `select citus_set_coordinator_host('HOST', PORT)` there.";
  }
  const unreachable = (await client.query<{ name: string }>(UNREACHABLE)).rows.map(({ name }) => name);
  if (unreachable.length === 0) return null;
  return `Machines cannot be reached: ${unreachable.join(', ')}. Start them, or remove them with \`select citus_remove_node('HOST', PORT)\`.`;
};

/** Null: the database can be distributed. */
export const findObstacle = async (client: pg.ClientBase, { migrations }: Asked): Promise<string | null> => {
  const missing = await missingMigrations(client, migrations);
  if (missing.length > 0) {
    return `The database lacks ${missing.length} migrations, the first is ${missing[0]}. Run \`holdfast migrate\` first.`;
  }
  const { count } = (await client.query<{ count: number }>(SERVERS)).rows[0]!;
  if (count > 0) {
    return `A server or another program of Holdfast is connected to the database (${count} connections). Stop all of them first.`;
  }
  return obstacleOfCluster(client);
};
