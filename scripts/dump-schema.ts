// Prints the schema after all migrations to server/src/commit/schema.sql.
// Run it after adding a migration.

import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../server/src/commit/migrate.ts';
import { dumpSchema } from '../server/src/commit/schema-dump.ts';
import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';

const SCHEMA = new URL('../server/src/commit/schema.sql', import.meta.url);

const postgres = await startTemporaryPostgres();
const pool = new pg.Pool({ ...postgres.connection, max: 1 });
// The server may say goodbye to a connection that is already on its way out.
pool.on('error', () => {});
try {
  const { applied } = await migrate({ pool });
  const client = await pool.connect();
  await writeFile(SCHEMA, await dumpSchema(client)).finally(() => client.release());
  console.log(`server/src/commit/schema.sql: the schema after ${applied.at(-1)}`);
} finally {
  await pool.end();
  await postgres.stop();
}
