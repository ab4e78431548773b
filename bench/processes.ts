// Measures 1, 2 and 4 server processes behind HAProxy with deploy/haproxy.cfg, on one PostgreSQL with one Redis: credits and
// reads of many marketplaces and of one. Compares them with as many empty servers behind HAProxy, and with one transaction per
// request on the same PostgreSQL. Also measures the processor time of each part. Needs HAProxy.
//
//   node bench/processes.ts [--seconds 2] [--rounds 3] [--sizes 1,2,4] [--markdown | --json]

import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedPostgres } from '../server/src/postgres/embedded.ts';
import {
  type Balancer,
  type BalancerStart,
  findProgram,
  HAPROXY_MISSING,
  startBalancer,
} from '../tools/cluster/balancer.ts';
import { openStage, startCluster } from '../tools/cluster/cluster.ts';
import { startDatabase, urlOf } from '../tools/cluster/database.ts';
import { startRedis } from '../tools/cluster/redis.ts';
import { freePort } from '../tools/drills/server.ts';
import type { Stage } from '../tools/drills/stage.ts';
import { startChild } from '../tools/measure/child.ts';
import { readOptions, runBench, say } from '../tools/measure/options.ts';
import { median, percentiles } from '../tools/measure/rounds.ts';
import { cpuMicros } from './cpu.ts';
import { serverVersion } from './databases.ts';
import type { LoadAnswer, LoadOrder } from './http-load.ts';
import { openOneTransaction } from './one-transaction.ts';
import { type Environment, proveEnvironment, settleEnvironment } from './process-environment.ts';
import { type Cell, printReport, rounded } from './report.ts';

/** For each process, so that more processes mean more load and not fewer requests per commit. */
const CONNECTIONS_EACH = 32;
const MARKETPLACES = 32;
/** A duration that no measurement uses, so that the warm-up is recognised. */
const WARM_UP_SECONDS = 1.001;
const IDLE_SECONDS = 2;
const PARTS = ['servers', 'PostgreSQL', 'balancer', 'Redis'] as const;

type Part = (typeof PARTS)[number];
/** The processes of each part, or their processor time. */
type OfParts<Value> = { readonly [Each in Part]?: Value };
type Run = { perSecond: number; p50Ms: number; p99Ms: number; micros: OfParts<number> };
type Work = () => Promise<Omit<Run, 'micros'> & { count: number }>;
type Step = { readonly work: Work; readonly parts: OfParts<number[]>; readonly warmUp?: () => Promise<unknown> };
type Fixture = { readonly postgres: EmbeddedPostgres; readonly redis: { url: string; pid: number } | null };
type Ask = (order: LoadOrder) => ReturnType<Work>;

const EMPTY = 'empty POST';
const MANY = `credit, ${MARKETPLACES} marketplaces`;
const options = readOptions({
  name: 'bench:processes',
  about: 'Measures several server processes behind HAProxy.',
  seconds: 2,
  rounds: 3,
  sizes: [1, 2, 4],
});

/** Processor time of the parts in a second without any request: jobs that poll, connections that are kept open. */
const idleOf = async (parts: OfParts<number[]>): Promise<OfParts<number>> => {
  const before = await cpuMicros(parts);
  await pause(IDLE_SECONDS * 1_000);
  const after = await cpuMicros(parts);
  return Object.fromEntries(Object.keys(parts).map((part) => [part, (after[part]! - before[part]!) / IDLE_SECONDS]));
};

const timed = async ({ work, parts }: Step, idle: OfParts<number>): Promise<Run> => {
  const before = await cpuMicros(parts);
  const { count, ...speed } = await work();
  const after = await cpuMicros(parts);
  const seconds = count / speed.perSecond;
  const usedBy = (part: Part): number => after[part]! - before[part]! - (idle[part] ?? 0) * seconds;
  const micros = PARTS.filter((part) => part in parts).map((part) => [part, usedBy(part) / count]);
  return { ...speed, micros: Object.fromEntries(micros) };
};

/** All steps in turn, round after round. */
const takeRounds = async (steps: Readonly<Record<string, Step>>): Promise<Map<string, Run[]>> => {
  for (const { warmUp } of Object.values(steps)) await warmUp?.();
  const idles = await Promise.all(Object.values(steps).map(({ parts }) => idleOf(parts)));
  const taken = new Map(Object.keys(steps).map((name): [string, Run[]] => [name, []]));
  for (let round = 1; round <= options.rounds; round++) {
    for (const [i, [name, step]] of Object.entries(steps).entries()) {
      const run = await timed(step, idles[i]!);
      taken.get(name)!.push(run);
      say(`round ${round} of ${options.rounds}: ${name}: ${Math.round(run.perSecond)}/s`);
    }
  }
  return taken;
};

const typical = (runs: readonly Run[]): Run => {
  const of = (read: (run: Run) => number): number => median(runs.map(read));
  const parts = PARTS.filter((part) => part in runs[0]!.micros);
  return {
    perSecond: of((run) => run.perSecond),
    p50Ms: of((run) => run.p50Ms),
    p99Ms: of((run) => run.p99Ms),
    micros: Object.fromEntries(parts.map((part) => [part, of(({ micros }) => micros[part]!)])),
  };
};

const rowOf = (
  name: string,
  { runs, size, empty }: { runs: Run[]; size: number | null; empty: Run[] | null },
): Cell[] => {
  const run = typical(runs);
  const ratio = empty && median(runs.map(({ perSecond }, i) => perSecond / empty[i]!.perSecond));
  return [
    ...[name, size, Math.round(run.perSecond), ratio === null ? null : rounded(ratio, 2)],
    ...[rounded(run.p50Ms, 1), rounded(run.p99Ms, 1)],
    ...PARTS.map((part) => (run.micros[part] === undefined ? null : Math.round(run.micros[part]))),
  ];
};

const openBalancer = async (stage: Stage, start: Omit<BalancerStart, 'folder' | 'port'>): Promise<Balancer> => {
  const balancer = await startBalancer({ ...start, port: await freePort(), folder: await stage.folder() });
  if (balancer === null) throw new Error(HAPROXY_MISSING);
  stage.afterwards(balancer.stop);
  return balancer;
};

/** As many empty servers behind the same balancer. */
const openEmpty = async (stage: Stage, { size, own }: { size: number; own: AsyncDisposableStack }) => {
  const empties = await Promise.all(
    Array.from({ length: size }, () =>
      startChild<{ port: number; pid: number }>(new URL('./empty-server.ts', import.meta.url), own),
    ),
  );
  const serverPorts = empties.map(({ first }) => first.port);
  const balancer = await openBalancer(stage, { serverPorts });
  return { balancer, parts: { servers: empties.map(({ first }) => first.pid), balancer: [balancer.pid] } };
};

const openServers = async (stage: Stage, { size, fixture }: { size: number; fixture: Fixture }) => {
  const { postgres, redis } = fixture;
  const cluster = await startCluster(stage, {
    servers: size,
    databaseUrl: urlOf(postgres.connection),
    redisUrl: redis?.url ?? null,
    env: { RATE_LIMIT_MAX: '10000000' },
  });
  const serverPorts = cluster.servers.map(({ url }) => Number(new URL(url).port));
  const scattered = await openBalancer(stage, { serverPorts, scattered: true });
  if (cluster.balancer === null) throw new Error(HAPROXY_MISSING);
  const parts = (balancer: Balancer): OfParts<number[]> => ({
    servers: cluster.servers.map((server) => server.pid()),
    PostgreSQL: [postgres.pid],
    balancer: [balancer.pid],
    ...(redis ? { Redis: [redis.pid] } : {}),
  });
  return { cluster, balancer: cluster.balancer, scattered, parts };
};

const CREDIT = { method: 'POST', path: '/api/v1/users/{user}/balance/credit', body: '{"amount":"1.00"}' } as const;
const READ = { method: 'GET', path: '/api/v1/users/{user}/balance', body: null } as const;

type What = typeof CREDIT | typeof READ;

const orderOf = (
  what: What,
  { balancer, environment, size }: { balancer: Balancer; environment: Environment; size: number },
): LoadOrder => ({
  ...what,
  ...environment,
  port: Number(new URL(balancer.url).port),
  seconds: options.seconds,
  connections: CONNECTIONS_EACH * size,
  headers: ['Authorization: Bearer {key}'],
});

const measure = async (size: number, { fixture, ask }: { fixture: Fixture; ask: Ask }) => {
  say(`processes: ${size}`);
  await using own = new AsyncDisposableStack();
  const stage = openStage(own);
  const { cluster, balancer, scattered, parts } = await openServers(stage, { size, fixture });
  const empty = await openEmpty(stage, { size, own });
  const names = Array.from({ length: MARKETPLACES }, (_, n) => `mkt_bench${size}x${n}`);
  const many = await settleEnvironment(cluster, names);
  const one = await settleEnvironment(cluster, [`mkt_bench${size}one`]);
  const step = (order: LoadOrder, of: OfParts<number[]>): Step => ({
    work: () => ask(order),
    parts: of,
    warmUp: () => ask({ ...order, seconds: WARM_UP_SECONDS }),
  });
  const ours = (what: What, { balancer, environment }: { balancer: Balancer; environment: Environment }): Step =>
    step(orderOf(what, { balancer, environment, size }), parts(balancer));
  const taken = await takeRounds({
    [EMPTY]: step(orderOf(CREDIT, { balancer: empty.balancer, environment: many, size }), empty.parts),
    [MANY]: ours(CREDIT, { balancer, environment: many }),
    'the same, keys scattered': ours(CREDIT, { balancer: scattered, environment: many }),
    'credit, one marketplace': ours(CREDIT, { balancer, environment: one }),
    'the same, key scattered': ours(CREDIT, { balancer: scattered, environment: one }),
    [`get balance, ${MARKETPLACES} marketplaces`]: ours(READ, { balancer, environment: many }),
  });
  for (const environment of [many, one]) await proveEnvironment(cluster.url, environment);
  return taken;
};

if ((await findProgram('haproxy')) === null) {
  console.error(HAPROXY_MISSING);
  process.exit(1);
}

await runBench(async (cleanUp) => {
  const stage = openStage(cleanUp);
  const postgres = await startDatabase(stage, Math.max(...options.sizes));
  const redis = await startRedis(await stage.folder());
  if (redis) stage.afterwards(redis.stop);
  const load = await startChild(new URL('./http-load.ts', import.meta.url), cleanUp);
  const ask: Ask = async (order) => {
    const { perSecond, timesMs, refused } = await load.ask<LoadAnswer>(order);
    // The first requests to a cold server queue up, and the server refuses those beyond its queue.
    const isWarm = order.seconds !== WARM_UP_SECONDS;
    if (isWarm && Object.keys(refused).length > 0)
      throw new Error(`these are not 2xx, by status: ${JSON.stringify(refused)}`);
    return { perSecond, ...percentiles(timesMs), count: timesMs.length };
  };

  const rows: Cell[][] = [];
  let first: Run | null = null;
  for (const size of options.sizes) {
    const taken = await measure(size, { fixture: { postgres, redis }, ask });
    const empty = taken.get(EMPTY)!;
    for (const [name, runs] of taken) rows.push(rowOf(name, { runs, size, empty: name === EMPTY ? null : empty }));
    first ??= typical(taken.get(MANY)!);
  }
  const { spread } = await openOneTransaction(postgres.connection, cleanUp);
  const work: Work = async () => {
    const { perSecond, p50Ms = 0, p99Ms = 0 } = await spread.run(options.seconds);
    return { perSecond, p50Ms, p99Ms, count: perSecond * options.seconds };
  };
  const alone = await takeRounds({ [spread.name]: { work, parts: { PostgreSQL: [postgres.pid] } } });
  rows.push(rowOf(spread.name, { runs: alone.get(spread.name)!, size: null, empty: null }));

  const perCore = (part: Part): string => Math.round(1e6 / (first?.micros[part] || 1)).toLocaleString('en-US');
  printReport(
    {
      title: 'Several processes',
      postgres: await serverVersion(postgres.connection),
      columns: ['what', 'processes', 'per second', '× empty', 'p50 ms', 'p99 ms', ...PARTS.map((part) => `${part} µs`)],
      rows,
      budgets: [],
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each; ratios are taken within a round; ${CONNECTIONS_EACH} keep-alive connections for each process.`,
        `fsync on; ${redis ? 'requests are counted in Redis' : 'no Redis here, each server counts separately'}. Afterwards the proof of every marketplace held.`,
        'µs: processor time of that part for one request, summed over all its processes, minus what they use when idle. Load, servers, PostgreSQL and balancer share the cores.',
        `Derived from the µs of the first credits, not measured: a dedicated core gives ${perCore('servers')} credits a second as a server, ${perCore('PostgreSQL')} as PostgreSQL, ${perCore('balancer')} as balancer.`,
      ],
    },
    options.format,
  );
});
