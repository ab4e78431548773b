// The PostgreSQL the tests share and the migrated database they clone. Started once per run by tests/run.ts.

import { existsSync } from 'node:fs';
import pg from 'pg';
import { MIGRATIONS, migrate } from '../../server/src/commit/migrate.ts';
import { SCHEDULES } from '../../server/src/jobs/schedule.ts';
import { prepareQueues } from '../../server/src/jobs/scheduler.ts';
import { startTemporaryPostgres } from '../../server/src/postgres/embedded.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';

export type TestPostgres = { connection: Connection; template: string };

const TEMPLATE = 'test_template';

// Nothing here has to outlive a power cut. Tests about durability start a PostgreSQL of their own.
export const startTestPostgres = () =>
  startTemporaryPostgres({
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_connections: 600,
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: '128MB',
    // Dropping a database looks through all of them, and every new connection maps what it touches.
    shared_buffers: '48MB',
  });

export async function prepareTemplate(connection: Connection): Promise<TestPostgres> {
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  const pool = new pg.Pool({ ...connection, database: TEMPLATE, max: 1 });
  // A connection that is already closing may still be told that the database is going away.
  pool.on('error', () => {});
  if (existsSync(MIGRATIONS)) await migrate({ pool });
  // The queues of the jobs too: each server would make them for itself.
  await prepareQueues({
    connection: { ...connection, database: TEMPLATE },
    jobs: Object.entries(SCHEDULES).map(([name, schedule]) => ({ name, schedule })),
    onError: (message, error) => console.error(message, error),
  });
  // The queue believes that it has looked at the clock already: no job begins by its time, in the middle of a test.
  await pool.query("update pgboss.version set cron_on = '2100-01-01'");
  await pool.end();
  // A connected database cannot be cloned, so connections to the template are refused.
  await admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  await admin.end();
  return { connection, template: TEMPLATE };
}
