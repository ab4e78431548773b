// A cluster of PostgreSQL with Citus for the tests of one process, and databases on it that are not distributed yet. Where no Citus is
// installed a test ends at once, with the reason.

import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { proveBooks } from '../../server/src/books/proof.ts';
import { migrate } from '../../server/src/commit/migrate.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { openHeavyPool } from '../../server/src/postgres/connection.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { runDistribute } from '../../server/src/programs/distribute/run.ts';
import {
  createDistributedDatabase,
  type Node,
  type Nodes,
  queryNode,
  startNodes,
} from '../../tools/distributed/nodes.ts';
import { findPrograms } from '../../tools/distributed/programs.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { atTheEnd } from '../../tools/test-database/at-the-end.ts';
import { openFixture, replyOf, usd } from '../commit/fixture.ts';

const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  max_connections: 100,
  max_prepared_transactions: 100,
  shared_buffers: '32MB',
};
/** Few, so that a distribution takes seconds. */
export const SHARDS = 4;
const NO_CITUS = 'no PostgreSQL with Citus is installed';

let starting: Promise<Nodes | null> | null = null;

const startOnce = async (): Promise<Nodes | null> => {
  const programs = await findPrograms();
  if (programs === null) return null;
  const folder = await mkdtemp(path.join(await realpath(os.tmpdir()), 'hf-'));
  await chmod(folder, 0o711);
  atTheEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const nodes = await startNodes({ programs, folder, workers: 2, settings: SETTINGS });
  atTheEnd(nodes.stop);
  return nodes;
};

/** Null: there is no Citus, and the test has to end; the reason is printed. */
export const openNodes = async (t: TestContext): Promise<Nodes | null> => {
  starting ??= startOnce();
  const nodes = await starting;
  if (nodes === null) t.skip(NO_CITUS);
  return nodes;
};

let databases = 0;

export type Place = {
  readonly nodes: Nodes;
  readonly connection: Connection;
  readonly pool: pg.Pool;
  /** Asks the coordinator, or another node. */
  ask(text: string, node?: Node): Promise<pg.QueryResult>;
};

/** A new database on every node; the coordinator's is the one to migrate and to distribute. */
export const openDatabase = async (t: TestContext, nodes: Nodes): Promise<Place> => {
  const database = `test_${++databases}`;
  await createDistributedDatabase(nodes, database);
  const connection = { ...nodes.coordinator.connection, database };
  const pool = new pg.Pool({ ...connection, max: 2 });
  pool.on('error', () => {});
  afterwards(t, () => pool.end());
  return {
    nodes,
    connection,
    pool,
    ask: (text, node = nodes.coordinator) => queryNode(node, text, { database }),
  };
};

/** One user with some credits in each marketplace. */
export const writeBooks = async (
  { connection }: { readonly connection: pg.PoolConfig },
  marketplaces: readonly string[],
): Promise<void> => {
  await using closing = new AsyncDisposableStack();
  const hooks = { after: (hook: () => Promise<void>): void => void closing.defer(hook) };
  const fixture = await openFixture(hooks, { connection });
  for (const marketplaceId of marketplaces) {
    const input = {
      baseCurrency: 'USD',
      externalUserId: randomUUID(),
      email: null,
      type: 'BOTH',
      metadata: {},
    } as const;
    const { user } = replyOf(await fixture.submit(createUser, input, { marketplaceId }));
    for (const amount of ['10.00', '2.50', '0.01']) {
      const credit = { userId: user.id, currency: 'USD', amount: usd(amount) } as const;
      await fixture.submit(creditBalance, credit, { marketplaceId });
    }
  }
};

/** The marketplaces whose books do not hold. */
export const unproved = async (
  { connection }: Pick<Place, 'connection'>,
  marketplaces: readonly string[],
): Promise<string[]> => {
  const pool = openHeavyPool(connection, { max: 1, timeoutMs: 60_000, onError: () => {} });
  try {
    const wrong: string[] = [];
    for (const id of marketplaces) if (!(await proveBooks(pool, id)).holds) wrong.push(id);
    return wrong;
  } finally {
    await pool.end();
  }
};

export const MARKETPLACES = ['mkt_a', 'mkt_b', 'mkt_c', 'mkt_d', 'mkt_e', 'mkt_f', 'mkt_default'];

/** A migrated database with books, not distributed. */
export const openFilled = async (t: TestContext, nodes: Nodes): Promise<Place> => {
  const place = await openDatabase(t, nodes);
  await migrate({ pool: place.pool });
  await writeBooks(place, MARKETPLACES);
  return place;
};

/** As `holdfast distribute --yes` does it. */
export const distributeAll = ({ connection }: Pick<Place, 'connection'>, say: (line: string) => void = () => {}) =>
  runDistribute({ connection, shards: SHARDS, confirm: async () => true, say });
