// Measures whole lives of orders over HTTP: create, reserve, make the escrow, fund it, release it, against simulators without
// delay in a process of their own. Beside it the same calls of a contract by a bare script, in turns. Says how often a
// life asks the outside systems and commits, and with --profile where the server's time goes.
//
//   node bench/orders.ts [--seconds 5] [--rounds 3] [--profile] [--markdown | --json]

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clusterFolder } from '../server/src/postgres/cluster.ts';
import { runningConnection } from '../server/src/postgres/for-command.ts';
import { startChild } from '../tools/measure/child.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { percentiles, ratio, runRounds, type Sample } from '../tools/measure/rounds.ts';
import { cpuMicros } from './cpu.ts';
import { serverVersion } from './databases.ts';
import { openBareLives } from './orders/bare-lives.ts';
import { call, fillTreasury, settingsFor } from './orders/server.ts';
import type { Counts, Simulators } from './orders/simulators.ts';
import { topOfFolder } from './profile.ts';
import { printReport, rounded, speedTable } from './report.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const AT_ONCE = 16;
const PAIRS = 16;
const BARE = 'the same calls by a bare script';
const SPREAD = `lives of ${PAIRS} buyers`;
const HOT = 'lives of one buyer';

const options = readOptions({
  name: 'bench:orders',
  about: 'Measures whole orders over HTTP, compared with a bare script.',
  seconds: 5,
  rounds: 3,
});

/** Lives, so many at once, for as long as is asked. */
const measure = async (live: (n: number) => Promise<void>): Promise<Sample & { lives: number }> => {
  const timesMs: number[] = [];
  const started = performance.now();
  const end = started + options.seconds * 1_000;
  const worker = async (n: number): Promise<void> => {
    while (performance.now() < end) {
      const begun = performance.now();
      await live(n);
      timesMs.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => worker(n)));
  const perSecond = timesMs.length / ((performance.now() - started) / 1_000);
  return { perSecond, lives: timesMs.length, ...percentiles(timesMs) };
};

type Commits = { readonly commits: number; readonly fromMemory: number; readonly fromDatabase: number };

const commitsOf = async (server: ServerProcess): Promise<Commits> => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const metric = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    commits: metric(/^holdfast_committer_commit_duration_seconds_count(?:\{[^}]*\})? (\S+)/m),
    fromMemory: metric(/^holdfast_committer_commands_total\{rows="memory"\} (\S+)/m),
    fromDatabase: metric(/^holdfast_committer_commands_total\{rows="database"\} (\S+)/m),
  };
};

type Pair = { readonly buyer: string; readonly seller: string };

/** Users in pairs. Each buyer has money for all orders of the measurement. */
const createPairs = (server: ServerProcess, key: string): Promise<Pair[]> => {
  const user = async (name: string): Promise<string> => {
    const { id } = await call(server, { key, request: 'POST /users', body: { externalUserId: name } });
    return id;
  };
  return Promise.all(
    Array.from({ length: PAIRS }, async (_, n) => {
      const [buyer, seller] = await Promise.all([user(`buyer-${n}`), user(`seller-${n}`)]);
      const body = { amount: '1000000.00' };
      await call(server, { key, request: `POST /users/${buyer}/balance/credit`, body });
      return { buyer, seller };
    }),
  );
};

type PerLife = Readonly<Record<string, number>>;

/** Per life. */
type Counted = {
  readonly commits: number;
  /** The part of all commands that was decided without a query. */
  readonly memoryShare: number;
  /** Requests by outside system. */
  readonly calls: PerLife;
  /** Milliseconds of processor time by program. */
  readonly cpuMs: PerLife;
};

const listed = (counts: PerLife, places: number): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${rounded(count, places)}`)
    .join(', ');

/** What was added to each count, for one life. */
const perLife = (lives: number, { before, after }: { before: Counts; after: Counts }): PerLife =>
  Object.fromEntries(Object.keys(after).map((name) => [name, (after[name]! - (before[name] ?? 0)) / lives]));

const REQUESTS_MAX = { ledger: 14, 'escrow-provider': 10 } as const;
const RATIO_MIN = 0.45;
const MEMORY_MIN = 0.95;

const budgetsOf = ({ memoryShare, calls }: Counted, ofBare: number) => [
  {
    what: 'commands decided from rows in memory',
    budget: `at least ${MEMORY_MIN * 100} % of all commands`,
    measured: `${rounded(memoryShare * 100, 1)} %`,
    met: memoryShare >= MEMORY_MIN,
  },
  ...Object.entries(REQUESTS_MAX).map(([system, most]) => ({
    what: `requests to the ${system} per life`,
    budget: `at most ${most}`,
    measured: `${rounded(calls[system] ?? 0, 1)}`,
    // A life that was running when the count began adds a few requests.
    met: Math.round((calls[system] ?? 0) * 10) <= most * 10,
  })),
  {
    what: SPREAD,
    budget: `at least ${RATIO_MIN} × the bare script`,
    measured: `${rounded(ofBare, 2)}`,
    met: ofBare >= RATIO_MIN,
  },
];

const openLives =
  (server: ServerProcess, key: string) =>
  async ({ buyer, seller }: Pair): Promise<void> => {
    const body = { buyerId: buyer, sellerId: seller, amount: '1.00', title: 'A table' };
    const { id } = await call(server, { key, request: 'POST /orders', body });
    for (const step of ['reserve', 'escrow', 'escrow/fund', 'resolution/release']) {
      await call(server, { key, request: `POST /orders/${id}/${step}` });
    }
  };

/** The first process of the server's own PostgreSQL. */
const postmasterOf = async (folder: string): Promise<number> => {
  const file = path.join(clusterFolder(path.join(folder, 'data')), 'postmaster.pid');
  return Number((await readFile(file, 'utf8')).split('\n')[0]);
};

type CounterOptions = {
  readonly server: ServerProcess;
  readonly readCounts: () => Promise<Counts>;
  /** The processes of each program. */
  readonly programs: Readonly<Record<string, readonly number[]>>;
};

/** Counts commits, requests to outside systems and processor time during a sample. `last` has the counts of the last sample. */
const openCounter = ({ server, readCounts, programs }: CounterOptions) => {
  let last: Counted = { commits: 0, memoryShare: 0, calls: {}, cpuMs: {} };
  return {
    last: (): Counted => last,
    async count(work: () => ReturnType<typeof measure>): Promise<Sample> {
      const commitsBefore = await commitsOf(server);
      const before = await readCounts();
      const cpuBefore = await cpuMicros(programs);
      const sample = await work();
      const cpuAfter = await cpuMicros(programs);
      const after = await readCounts();
      const { lives } = sample;
      const { control: _, ...calls } = perLife(lives, { before, after });
      const commitsAfter = await commitsOf(server);
      const fromMemory = commitsAfter.fromMemory - commitsBefore.fromMemory;
      const fromDatabase = commitsAfter.fromDatabase - commitsBefore.fromDatabase;
      last = {
        commits: (commitsAfter.commits - commitsBefore.commits) / lives,
        memoryShare: fromMemory / (fromMemory + fromDatabase),
        calls,
        cpuMs: perLife(lives * 1_000, { before: cpuBefore, after: cpuAfter }),
      };
      return sample;
    },
  };
};

await runBench(async (cleanUp) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-orders-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const simulators = await startChild<Simulators>(new URL('./orders/simulators.ts', import.meta.url), cleanUp);
  const masterKey = `master_${randomBytes(24).toString('hex')}`;
  const profiles = path.join(folder, 'profiles');
  const server = await opening(
    cleanUp,
    startServer({
      folder,
      masterKey,
      ...(options.profile ? { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${profiles}`] } : {}),
      env: settingsFor(simulators.first),
    }),
  );
  const connection = (await runningConnection(path.join(folder, 'data')))!;
  const postgres = await serverVersion(connection);
  const asked = { name: 'bench', scopes: ['*'] };
  const { key } = await call(server, { key: masterKey, request: 'POST /auth/api-keys', body: asked });

  say(`making ${2 * PAIRS} users`);
  const pairs = await createPairs(server, key);
  const live = openLives(server, key);
  say('filling the treasury');
  await fillTreasury(connection, { simulators: simulators.first, first: () => live(pairs[0]!) });
  const bare = await openBareLives(simulators.first, PAIRS);

  const programs = {
    server: [server.pid],
    PostgreSQL: [await postmasterOf(folder)],
    simulators: [simulators.first.pid],
  };
  const counter = openCounter({ server, programs, readCounts: () => simulators.ask<Counts>({}) });
  const spread = (n: number): Promise<void> => live(pairs[n % PAIRS]!);
  say('warming up');
  await measure(bare);
  await measure(spread);
  const taken = await runRounds(
    [
      { name: BARE, run: () => measure(bare) },
      { name: SPREAD, run: () => counter.count(() => measure(spread)) },
      { name: BARE, run: () => measure(bare) },
      { name: HOT, run: () => measure(() => live(pairs[0]!)) },
    ],
    options.rounds,
  );
  const counted = counter.last();

  const proof = await call(server, { key, request: 'GET /audit/proof' });
  if (!proof.holds) throw new Error(`the books do not add up: ${JSON.stringify(proof.checks)}`);
  await server.stop();
  const top = options.profile ? await topOfFolder(profiles) : [];
  printReport(
    {
      title: 'Order lives',
      postgres,
      ...speedTable(taken, [
        { name: BARE },
        ...[SPREAD, HOT].map((name) => ({ name, ratios: { '× bare script': ratio(taken, name, BARE) } })),
      ]),
      budgets: budgetsOf(counted, ratio(taken, SPREAD, BARE)),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s; ${AT_ONCE} lives at once; five contract calls in each; before them one round of both that is not counted.`,
        `A life of ours asks the outside systems (per life): ${listed(counted.calls, 1)}; and takes ${rounded(counted.commits, 1)} commits.`,
        `Processor time per life, in milliseconds: ${listed(counted.cpuMs, 0)}.`,
        'Simulators in a process of their own, without delay; server, PostgreSQL, simulators and load share the machine.',
        'Afterwards the books were proved.',
        ...top.map((line) => `profile: ${line.trim()}`),
      ],
    },
    options.format,
  );
});
