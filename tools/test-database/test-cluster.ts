// A coordinator and two workers for the tests, with a migrated and distributed template database on each of them. Like the embedded
// PostgreSQL of the tests it does not wait for the disk.

import pg from 'pg';
import { distribute } from '../../server/src/distributed/distribute.ts';
import { createDistributedDatabase, type Nodes, startNodes } from '../distributed/nodes.ts';
import type { Programs } from '../distributed/programs.ts';
import { aside } from './aside.ts';
import { freeDatabase } from './free-database.ts';
import { closeTemplate, fillTemplate, type TestConnection, type TestPostgres, templateOf } from './template.ts';

const WORKERS = 2;
/** Each table has so many shards, and a test database copies the files of all of them. */
const SHARDS = 4;
const PREFIX = 'test';

const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: 1_000,
  max_prepared_transactions: 1_000,
  shared_buffers: '48MB',
  max_wal_size: '128MB',
  // Citus runs a background worker in each database that is in use.
  max_worker_processes: 120,
};

const freeTemplate = async (connection: TestConnection, template: string): Promise<void> => {
  await closeTemplate(connection, template);
  await freeDatabase({ query: (text: string, values?: unknown[]) => aside(connection, text, values) }, template);
};

const distributeTemplate = async (connection: TestConnection): Promise<void> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`set citus.shard_count to ${SHARDS}`);
    await distribute(client, () => {});
  } finally {
    await client.end();
  }
};

const prepareNodes = async (nodes: Nodes): Promise<TestPostgres> => {
  const template = templateOf(PREFIX);
  // Statements about whole databases are sent to a database that is never copied.
  const [connection, ...workers] = [nodes.coordinator, ...nodes.workers].map((node) => ({
    ...node.connection,
    database: 'postgres',
  }));
  await createDistributedDatabase(nodes, template);
  await fillTemplate({ ...connection!, database: template });
  await distributeTemplate({ ...connection!, database: template });
  const all = [connection!, ...workers];
  for (const node of all) await freeTemplate(node, template);
  return { connection: connection!, template, prefix: PREFIX, nodes: all, strategy: 'file_copy' };
};

export const prepareTestCluster = async (
  programs: Programs,
  folder: string,
): Promise<TestPostgres & { stop(): Promise<void> }> => {
  const nodes = await startNodes({ programs, folder, workers: WORKERS, settings: SETTINGS });
  try {
    return { ...(await prepareNodes(nodes)), stop: nodes.stop };
  } catch (error) {
    await nodes.stop();
    throw error;
  }
};
