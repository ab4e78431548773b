// Measures the reads of a large marketplace: fills one by SQL, starts the server on it, and asks every GET route of the contract with each
// of its filters, typical and rare, one request at a time. Prints the times of each route and its slowest request.
//
//   node bench/large.ts [--users 20000] [--orders 100000] [--postings 1000000] [--times 20] [--markdown | --json]
//
// The budget is for 1,000,000 users, 5,000,000 orders and 50,000,000 postings, which take 65 GB of disk and about 75 minutes to fill.

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { migrate } from '../server/src/commit/migrate.ts';
import { type Connection, openPool } from '../server/src/postgres/connection.ts';
import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';
import { scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { fillMarketplace } from '../tools/large/fill.ts';
import { observeFilled } from '../tools/large/observe.ts';
import { type Read, readsOf } from '../tools/large/requests.ts';
import { readSamples } from '../tools/large/samples.ts';
import { opening, runBench, say } from '../tools/measure/options.ts';
import { percentiles } from '../tools/measure/rounds.ts';
import { until } from '../tools/until.ts';
import { call } from './api.ts';
import { databaseUrl, serverVersion } from './databases.ts';
import { type Cell, printReport, rounded } from './report.ts';
import { startServer } from './server-process.ts';

const BUDGET_MS = 100;
/** Read into memory by the first request, which an operator sees once after a start. */
const WARM_UPS = 1;
const SEALING_MS = 3_600_000;

/** Nothing here outlives the measurement, so its indexes are built without the write-ahead log. */
const FILLING = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  autovacuum: 'off',
};

type LargeOptions = {
  readonly users: number;
  readonly orders: number;
  readonly postings: number;
  readonly times: number;
  readonly markdown: boolean;
  readonly json: boolean;
};

const options = scriptCommand('bench:large', 'Measures every list, filter, search and report of a large marketplace.')
  .option('--users <number>', 'users of the marketplace', whole({ from: 1_000 }), 20_000)
  .option('--orders <number>', 'orders of the marketplace', whole({ from: 10_000 }), 100_000)
  .option('--postings <number>', 'postings of the marketplace', whole({ from: 1 }), 1_000_000)
  .option('--times <number>', 'how often each request is measured', whole({ from: 1 }), 20)
  .option('--markdown', 'print the report as Markdown', false)
  .option('--json', 'print the report as JSON', false)
  .parse()
  .opts<LargeOptions>();

type Timed = { readonly read: Read; readonly times: readonly number[] };

const fillDatabase = async (connection: Connection): Promise<Read[]> => {
  const pool = openPool(connection, { max: 1, onError: (error) => console.error(error) });
  try {
    await migrate({ pool });
    await fillMarketplace(connection, { sizes: options, say });
    const started = performance.now();
    await observeFilled(connection);
    say(`full proof, checkpoint and sums: ${rounded((performance.now() - started) / 1_000, 1)} s`);
    return readsOf(await readSamples(pool));
  } finally {
    await pool.end();
  }
};

const startOn = async (connection: Connection, cleanUp: AsyncDisposableStack) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-large-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const masterKey = `master_${randomBytes(24).toString('base64url')}`;
  const env = {
    DATABASE_URL: databaseUrl(connection),
    HEAVY_READ_TIMEOUT_MS: '60000',
    // The records are up to a year old, and must not be deleted while they are asked for.
    WEBHOOK_DELIVERY_RETENTION_DAYS: '3650',
    APPROVAL_RETENTION_DAYS: '3650',
    EVENT_RETENTION_DAYS: '3650',
  };
  const server = await opening(cleanUp, startServer({ folder, masterKey, env }));
  const body = { name: 'bench', scopes: ['*'], marketplaceId: 'mkt_default' };
  const { key } = await call(server.url, { key: masterKey, request: 'POST /auth/api-keys', body });
  return { url: server.url, key: key as string, masterKey };
};

const SEALED = `select 1 from closings where to_at = date_trunc('month', now() - interval '1 hour')`;

/** The first start seals all months of the filling. A running marketplace seals one in a month. */
const monthsSealed = async (connection: Connection): Promise<void> => {
  const pool = openPool(connection, { max: 1, onError: (error) => console.error(error) });
  const started = performance.now();
  try {
    const isSealed = async (): Promise<boolean> => (await pool.query(SEALED)).rows.length > 0;
    await until(isSealed, { what: 'all months are sealed', deadlineMs: SEALING_MS });
    say(`months sealed: ${rounded((performance.now() - started) / 1_000, 1)} s`);
  } finally {
    await pool.end();
  }
};

type Server = { readonly url: string; readonly key: string; readonly masterKey: string };

const timeOf = async (server: Server, { path: of, isMasters }: Read): Promise<number> => {
  const headers = { authorization: `Bearer ${isMasters ? server.masterKey : server.key}` };
  const started = performance.now();
  const response = await fetch(`${server.url}/api/v1${of}`, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${of}: ${text}`);
  return performance.now() - started;
};

const timed = async (server: Server, read: Read): Promise<Timed> => {
  for (let n = 0; n < WARM_UPS; n++) await timeOf(server, read);
  const times: number[] = [];
  for (let n = 0; n < options.times; n++) times.push(await timeOf(server, read));
  return { read, times };
};

const p99Of = ({ times }: Timed): number => percentiles(times).p99Ms;

const rowOf = (route: string, all: readonly Timed[]): Cell[] => {
  const { p50Ms, p99Ms } = percentiles(all.flatMap(({ times }) => times));
  const slowest = all.toSorted((a, b) => p99Of(b) - p99Of(a))[0]!;
  const worst = percentiles(slowest.times);
  return [
    route,
    all.length,
    rounded(p50Ms, 1),
    rounded(p99Ms, 1),
    rounded(worst.p50Ms, 1),
    rounded(worst.p99Ms, 1),
    slowest.read.path,
  ];
};

await runBench(async (cleanUp) => {
  const postgres = await opening(cleanUp, startTemporaryPostgres(FILLING));
  const reads = await fillDatabase(postgres.connection);
  const server = await startOn(postgres.connection, cleanUp);
  await monthsSealed(postgres.connection);

  const measured: Timed[] = [];
  for (const read of reads) {
    const one = await timed(server, read);
    measured.push(one);
    const { p50Ms, p99Ms } = percentiles(one.times);
    if (p99Ms > BUDGET_MS) say(`slow: GET ${read.path}: p50 ${rounded(p50Ms, 1)} ms, p99 ${rounded(p99Ms, 1)} ms`);
    if (measured.length % 50 === 0) say(`${measured.length} of ${reads.length} requests`);
  }
  const byRoute = Map.groupBy(measured, ({ read }) => read.route);
  const slow = measured.filter((one) => p99Of(one) > BUDGET_MS);
  printReport(
    {
      title: 'Large marketplace',
      postgres: await serverVersion(postgres.connection),
      columns: ['route', 'requests', 'p50 ms', 'p99 ms', 'slowest, p50 ms', 'slowest, p99 ms', 'slowest request'],
      rows: [...byRoute].map(([route, all]) => rowOf(route, all)),
      budgets: [
        {
          what: 'every request, p99',
          budget: `under ${BUDGET_MS} ms`,
          measured: `${slow.length} of ${measured.length} above`,
          met: slow.length === 0,
        },
      ],
      notes: [
        `One marketplace with ${options.users} users, ${options.orders} orders and ${options.postings} postings, filled by SQL.`,
        `Each request ${options.times} times after ${WARM_UPS} that is not counted, one at a time; server and PostgreSQL share the machine.`,
        'The routes and their filters are those of the contract. Not asked: routes that ask the ledger. Proof and verification begin at the checkpoint.',
        'Before the measurement the books were proved from every posting, the checkpoint and the sums of the reports were made, and all months were sealed.',
      ],
    },
    options.json ? 'json' : options.markdown ? 'markdown' : 'text',
  );
});
