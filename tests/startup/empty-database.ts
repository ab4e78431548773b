// A database without a schema, and a folder for migrations.

import type { TestContext } from 'node:test';
import pg from 'pg';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';

export const openEmptyDatabase = async (t: TestContext): Promise<{ pool: pg.Pool; folder: string }> => {
  const database = await createDatabase({ empty: true });
  afterwards(t, database.drop);
  const pool = new pg.Pool(database.connection);
  // A connection that is already closing may still receive the error that the database is dropped.
  pool.on('error', () => {});
  afterwards(t, () => pool.end());
  return { pool, folder: await temporaryFolder(t) };
};
