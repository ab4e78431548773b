// Prints the schema after all migrations to server/src/store/schema.sql.
// Run it after adding a migration.

import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { startTemporaryPostgres } from '../server/src/postgres/temporary.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { dumpSchema } from '../server/src/store/schema-dump.ts';

const SCHEMA = new URL('../server/src/store/schema.sql', import.meta.url);

const postgres = await startTemporaryPostgres();
const pool = new pg.Pool({ ...postgres.connection, max: 1 });
// The server may say goodbye to a connection that is already on its way out.
pool.on('error', () => {});
try {
  const { applied } = await migrate({ pool });
  const client = await pool.connect();
  await writeFile(SCHEMA, await dumpSchema(client)).finally(() => client.release());
  console.log(`server/src/store/schema.sql: the schema after ${applied.at(-1)}`);
} finally {
  await pool.end();
  await postgres.stop();
}
