// Measures the server over HTTP, everything on: credit, also with an Idempotency-Key and as a preview, reserve, the reads of a balance, a
// user, an order and a page of orders, and the creation and the reserve of orders, on 64 keep-alive connections; beside an
// empty Fastify POST with the same validation, under the same load from the same process. Also how long the server takes
// to start and how much memory it holds afterwards. The lives of orders are measured by bench/orders.ts.
//
//   node bench/http.ts [--seconds 2] [--rounds 3] [--markdown | --json]

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clusterFolder } from '../server/src/postgres/cluster.ts';
import { runningConnection } from '../server/src/postgres/for-command.ts';
import { startChild } from '../tools/measure/child.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { percentiles, ratio, runRounds, type Step, type Taken, typical } from '../tools/measure/rounds.ts';
import { call } from './api.ts';
import { cpuMicros } from './cpu.ts';
import { serverVersion } from './databases.ts';
import type { LoadAnswer, LoadOrder } from './http-load.ts';
import { type Budget, printReport, rounded, speedTable } from './report.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const CONNECTIONS = 64;
const USERS = 1_000;
const ORDERS = 1_000;
const AT_ONCE = 50;
const WARM_UP_SECONDS = 1;
const START_MONEY = '1000000.00';
const EMPTY = 'empty Fastify POST, same validation';

const options = readOptions({
  name: 'bench:http',
  about: 'Measures the server over HTTP, compared with an empty POST.',
  seconds: 2,
  rounds: 3,
});

/** Makes this many of something, some at a time. */
const makeMany = async (count: number, make: (n: number) => Promise<string>): Promise<string[]> => {
  const made: string[] = [];
  for (let first = 0; first < count; first += AT_ONCE) {
    made.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => make(first + i)))));
  }
  return made;
};

const makeUsers = (server: ServerProcess, key: string): Promise<string[]> =>
  makeMany(USERS, async (n) => {
    const { id } = await call(server.url, { key, request: 'POST /users', body: { externalUserId: `user-${n}` } });
    await call(server.url, { key, request: `POST /users/${id}/balance/credit`, body: { amount: START_MONEY } });
    return id;
  });

/** Each with two milestones. */
const makeOrders = (server: ServerProcess, { key, users }: { key: string; users: string[] }): Promise<string[]> =>
  makeMany(ORDERS, async (n) => {
    const milestones = [
      { ref: 'first', title: 'first half', amount: '10.00' },
      { ref: 'second', title: 'second half', amount: '10.00' },
    ];
    const parties = { buyerId: users[n % USERS], sellerId: users[(n + 1) % USERS] };
    const body = { ...parties, title: `order ${n}`, amount: '20.00', milestones };
    return (await call(server.url, { key, request: 'POST /orders', body })).data.id;
  });

const residentMib = async (server: ServerProcess): Promise<number> => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20;
};

const below = (of: { what: string; most: number; measured: number; unit: string }): Budget => ({
  what: of.what,
  budget: `under ${of.most} ${of.unit}`,
  measured: `${rounded(of.measured, 1)} ${of.unit}`,
  met: of.measured < of.most,
});

/** The processes of the server and of its PostgreSQL; empty where the system does not tell their processor time. */
const partsOf = async (pid: number, dataDir: string): Promise<CpuParts> => {
  if (process.platform !== 'linux') return {};
  const postmaster = await readFile(path.join(clusterFolder(dataDir), 'postmaster.pid'), 'utf8');
  return { serverMicros: [pid], postgresMicros: [Number(postmaster.split('\n')[0])] };
};

type CpuParts = Readonly<Record<string, readonly number[]>>;

/** What `work` used, for one of the requests that it counts. */
const cpuOfEach = async <Work extends { timesMs: readonly number[] }>(parts: CpuParts, work: () => Promise<Work>) => {
  if (Object.keys(parts).length === 0) return { ...(await work()), cpu: {} };
  const before = await cpuMicros(parts);
  const done = await work();
  const after = await cpuMicros(parts);
  const each = Object.keys(parts).map((name) => [name, (after[name]! - before[name]!) / done.timesMs.length]);
  return { ...done, cpu: Object.fromEntries(each) as Record<string, number> };
};

type Loads = Readonly<Record<string, LoadOrder>>;

type LoadParts = {
  readonly port: number;
  readonly emptyPort: number;
  readonly key: string;
  readonly users: readonly string[];
  readonly orders: readonly string[];
};

/** The load of each line of the report: the empty server first, then the requests to the server that is measured. */
const loadsOf = (of: LoadParts): Loads => {
  const request = (
    wanted: Pick<LoadOrder, 'method' | 'path' | 'body' | 'keepsOrders'> & { headers?: readonly string[] },
  ): LoadOrder => ({
    port: of.port,
    connections: CONNECTIONS,
    seconds: options.seconds,
    users: of.users,
    ...wanted,
    headers: [`Authorization: Bearer ${of.key}`, ...(wanted.headers ?? [])],
  });
  const get = (path: string): LoadOrder => request({ method: 'GET', path: `/api/v1${path}`, body: null });
  const money = '{"amount":"1.00","reference":"bench"}';
  const credit = request({ method: 'POST', path: '/api/v1/users/{user}/balance/credit', body: money });
  return {
    [EMPTY]: { ...credit, port: of.emptyPort },
    credit,
    'credit with Idempotency-Key': { ...credit, headers: [...credit.headers, 'Idempotency-Key: {uuid}'] },
    'credit as a preview': { ...credit, headers: [...credit.headers, 'Dry-Run: true'] },
    reserve: request({
      method: 'POST',
      path: '/api/v1/users/{user}/balance/reserve',
      body: '{"amount":"0.01","orderId":"ord_bench_{n}"}',
    }),
    'get balance': get('/users/{user}/balance'),
    'get user': get('/users/{user}'),
    'get order': { ...get('/orders/{user}'), users: of.orders },
    'list of 20 orders': get('/orders?limit=20'),
    'create order': request({
      method: 'POST',
      path: '/api/v1/orders',
      body: '{"buyerId":"{user}","sellerId":"{next user}","amount":"0.01","title":"A table"}',
      keepsOrders: true,
    }),
    // Of the orders that the line before has made.
    'reserve order': request({ method: 'POST', path: '/api/v1/orders/{order}/reserve', body: null }),
  };
};

/** Runs every load in rounds, each beside the empty server. A response that is not 2xx ends the measurement. */
const measure = async (
  loads: Loads,
  of: { server: ServerProcess; emptyPid: number; parts: CpuParts; cleanUp: AsyncDisposableStack },
): Promise<Taken> => {
  const load = await startChild(new URL('./http-load.ts', import.meta.url), of.cleanUp);
  const run = async (name: string, seconds: number) => {
    const parts = name === EMPTY && of.parts.serverMicros ? { serverMicros: [of.emptyPid] } : of.parts;
    const { perSecond, timesMs, refused, cpu } = await cpuOfEach(parts, () =>
      load.ask<LoadAnswer>({ ...loads[name], seconds }),
    );
    if (Object.keys(refused).length > 0) {
      await of.server.stop(); // Its log is complete when it has ended.
      for (const line of await of.server.troubles()) say(line);
      throw new Error(`${name}: these answers are not 2xx, by status: ${JSON.stringify(refused)}`);
    }
    return { perSecond, ...percentiles(timesMs), ...cpu };
  };
  for (const name of Object.keys(loads)) await run(name, WARM_UP_SECONDS);
  const step = (name: string): Step => ({ name, run: () => run(name, options.seconds) });
  const names = Object.keys(loads).filter((name) => name !== EMPTY);
  return runRounds(
    names.flatMap((name) => [step(EMPTY), step(name)]),
    options.rounds,
  );
};

type Measured = {
  readonly memory: number;
  readonly memoryAtStart: number;
  readonly startMs: number;
  readonly restartMs: number;
};

/** The least part of the throughput of the empty POST, by line of the report. */
const SHARES = {
  credit: 0.45,
  'credit with Idempotency-Key': 0.4,
  reserve: 0.35,
  'create order': 0.35,
  'reserve order': 0.35,
  'get balance': 0.6,
  'get order': 0.5,
};

const shareOf = (taken: Taken, [what, least]: [string, number]): Budget => {
  const share = ratio(taken, what, EMPTY);
  return {
    what,
    budget: `at least ${rounded(least * 100, 0)} % of the empty POST`,
    measured: `${rounded(share * 100, 1)} %`,
    met: share >= least,
  };
};

const budgetsOf = (taken: Taken, { memory, memoryAtStart, startMs, restartMs }: Measured): Budget[] => [
  ...Object.entries(SHARES).map((each) => shareOf(taken, each)),
  below({ what: 'credit, p99', most: 60, measured: typical(taken, 'credit').p99Ms!, unit: 'ms' }),
  below({ what: 'start, new data folder', most: 25, measured: startMs / 1_000, unit: 's' }),
  below({ what: 'start, existing data folder', most: 10, measured: restartMs / 1_000, unit: 's' }),
  below({ what: 'memory of the server at its start', most: 150, measured: memoryAtStart, unit: 'MiB' }),
  below({ what: 'memory of the server afterwards', most: 250, measured: memory, unit: 'MiB' }),
];

await runBench(async (cleanUp) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-http-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const masterKey = `master_${randomBytes(24).toString('hex')}`;
  const server = await opening(cleanUp, startServer({ folder, masterKey }));
  const postgres = await serverVersion((await runningConnection(path.join(folder, 'data')))!);
  const body = { name: 'bench', scopes: ['*'], marketplaceId: 'mkt_default' };
  const { key } = await call(server.url, { key: masterKey, request: 'POST /auth/api-keys', body });
  say(`making ${USERS} users`);
  const users = await makeUsers(server, key);
  say(`making ${ORDERS} orders`);
  const orders = await makeOrders(server, { key, users });

  const empty = await startChild<{ port: number; pid: number }>(new URL('./empty-server.ts', import.meta.url), cleanUp);
  const loads = loadsOf({ port: server.port, emptyPort: empty.first.port, key, users, orders });
  const names = Object.keys(loads).filter((name) => name !== EMPTY);
  const parts = await partsOf(server.pid, path.join(folder, 'data'));
  const taken = await measure(loads, { server, emptyPid: empty.first.pid, parts, cleanUp });

  const memory = await residentMib(server);
  const proof = await call(server.url, { key, request: 'GET /audit/proof' });
  if (!proof.holds) throw new Error(`the books do not add up: ${JSON.stringify(proof.checks)}`);
  await server.stop();
  const again = await opening(cleanUp, startServer({ folder, masterKey }));
  const memoryAtStart = await residentMib(again);
  await again.stop();

  printReport(
    {
      title: 'HTTP',
      postgres,
      ...speedTable(taken, [
        { name: EMPTY },
        ...names.map((name) => ({ name, ratios: { '× empty POST': ratio(taken, name, EMPTY) } })),
      ]),
      budgets: budgetsOf(taken, { memory, memoryAtStart, startMs: server.startMs, restartMs: again.startMs }),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each; ratios are taken within a round.`,
        `${CONNECTIONS} keep-alive connections, ${USERS} users and ${ORDERS} orders of one marketplace, each order with two milestones; every reservation has an order of its own.`,
        'Server with embedded PostgreSQL, fsync on, log at info into a file, keys checked, requests counted, metrics on.',
        'The last two columns: processor time of the server and of PostgreSQL for one request, by /proc (only on Linux).',
        'Server, PostgreSQL and load share the machine. The lives of orders are measured by bench:orders.',
        'Memory is the resident memory of the server’s process, without PostgreSQL. Afterwards the books were proved.',
      ],
    },
    options.format,
  );
});
