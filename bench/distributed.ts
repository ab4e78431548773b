// Measures what a command costs on one PostgreSQL and on a coordinator with 1 and 2 workers, all on this machine: processor time of the
// server, the coordinator and the workers for one credit. The processors are shared, so requests per second say little. Needs Citus.
//
//   node bench/distributed.ts [--seconds 3] [--rounds 3] [--sizes 0,1,2] [--markdown | --json]

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '../server/src/commit/migrate.ts';
import { distribute } from '../server/src/distributed/distribute.ts';
import { type Connection, openPool } from '../server/src/postgres/connection.ts';
import { createDistributedDatabase, type Nodes, startNodes } from '../tools/distributed/nodes.ts';
import { findPrograms } from '../tools/distributed/programs.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { median } from '../tools/measure/rounds.ts';
import { assertProof, type Bank, drive, openBank } from './bank.ts';
import { cpuMicros } from './cpu.ts';
import { type Cell, printReport, rounded } from './report.ts';

const IN_FLIGHT = 64;
const USERS = 1_024;
/** The counts of marketplaces over which the users are spread. */
const SPREADS = [1, 32, 1_024];
const WARM_UP_SECONDS = 1;

const options = readOptions({
  name: 'bench:distributed',
  about: 'Measures a command on one PostgreSQL and on a coordinator with workers.',
  seconds: 3,
  rounds: 3,
  sizes: [0, 1, 2],
});

type Taken = { perSecond: number; groupSize: number; server: number; coordinator: number; workers: number };

/** A database of its own, distributed when there are workers. */
const prepare = async (nodes: Nodes, database: string): Promise<Connection> => {
  await createDistributedDatabase(nodes, database);
  const connection = { ...nodes.coordinator.connection, database };
  const pool = openPool(connection, { max: 1, onError() {} });
  await migrate({ pool }).finally(() => pool.end());
  if (nodes.workers.length === 0) return connection;
  const client = new pg.Client(connection);
  await client.connect();
  await distribute(client, () => {}).finally(() => client.end());
  return connection;
};

const takeOne = async (bank: Bank, nodes: Nodes): Promise<Taken> => {
  const parts = { coordinator: [nodes.coordinator.pid()], workers: nodes.workers.map((node) => node.pid()) };
  const before = await cpuMicros(parts);
  const sample = await drive(bank, { inFlight: IN_FLIGHT, seconds: options.seconds });
  const after = await cpuMicros(parts);
  const count = sample.perSecond * options.seconds;
  const of = (part: 'coordinator' | 'workers'): number => (after[part]! - before[part]!) / count;
  return {
    perSecond: sample.perSecond,
    groupSize: sample.groupSize!,
    server: sample.cpuMicros!,
    coordinator: of('coordinator'),
    workers: of('workers'),
  };
};

type Case = {
  readonly workers: number;
  readonly spread: number;
  /** The functions of a distributed database, on one PostgreSQL. */
  readonly functions: boolean;
};

const CASES: readonly Omit<Case, 'workers'>[] = SPREADS.map((spread) => ({ spread, functions: false }));
const CASES_OF_ONE: readonly Omit<Case, 'workers'>[] = [
  ...CASES,
  ...CASES.map(({ spread }) => ({ spread, functions: true })),
];

const nameOf = ({ workers, functions }: Case): string =>
  workers > 0 ? `1 + ${workers}` : `one PostgreSQL${functions ? ', by functions' : ''}`;

const rowOf = (of: Case, taken: readonly Taken[]): Cell[] => {
  const at = (field: keyof Taken): number => median(taken.map((each) => each[field]));
  const micros = [at('server'), at('coordinator'), at('workers')].map(Math.round);
  return [nameOf(of), of.spread, Math.round(at('perSecond')), rounded(at('groupSize'), 1), ...micros];
};

const measureCase = async (of: Case, nodes: Nodes): Promise<Cell[]> => {
  const { spread, functions } = of;
  say(`${nameOf(of)}: migrating${of.workers === 0 ? '' : ' and distributing'}`);
  const connection = await prepare(nodes, `bench_${spread}${functions ? '_functions' : ''}`);
  const bank = await openBank({
    connection,
    users: USERS,
    marketplaces: spread,
    ...(functions ? { isDistributed: true } : {}),
  });
  try {
    await bank.warmUp();
    await drive(bank, { inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS });
    const taken: Taken[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      const one = await takeOne(bank, nodes);
      taken.push(one);
      say(`${nameOf(of)}, marketplaces: ${spread}, round ${round}: ${Math.round(one.perSecond)}/s`);
    }
    await assertProof(bank);
    return rowOf(of, taken);
  } finally {
    await bank.close();
  }
};

const measure = async (workers: number, cleanUp: AsyncDisposableStack): Promise<Cell[][]> => {
  const programs = await findPrograms();
  if (!programs) throw new Error('No PostgreSQL with Citus is installed. Set PG_CONFIG, or see docs/scaling.md.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-nodes-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const nodes = await opening(cleanUp, startNodes({ programs, folder, workers }));
  const rows: Cell[][] = [];
  for (const each of workers === 0 ? CASES_OF_ONE : CASES) rows.push(await measureCase({ ...each, workers }, nodes));
  return rows;
};

await runBench(async (cleanUp) => {
  const programs = await findPrograms();
  const rows: Cell[][] = [];
  for (const workers of options.sizes) {
    await using own = new AsyncDisposableStack();
    cleanUp.use(own);
    rows.push(...(await measure(workers, own)));
  }
  printReport(
    {
      title: 'Distributed PostgreSQL',
      postgres: programs?.version ?? '',
      columns: [
        ...['nodes', 'marketplaces', 'credits per second', 'commands per commit'],
        ...['server CPU µs each', 'coordinator CPU µs each', 'workers CPU µs each'],
      ],
      rows,
      budgets: [],
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each; ${IN_FLIGHT} in flight, ${USERS} users.`,
        'All nodes, the server and the load share the processors of this machine. Each node waits for its disk.',
      ],
    },
    options.format,
  );
});
