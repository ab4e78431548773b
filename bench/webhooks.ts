// Measures webhooks out: 1,000 endpoints in 50 marketplaces, some of them dead or silent, with events at a steady rate and then all at
// once; beside it in the same run the yardstick, a bare script that signs and posts the same bodies to the same receivers.
//
//   node bench/webhooks.ts [--marketplaces=50] [--rate=20] [--seconds=15] [--burst=500] [--markdown | --json]
//
// Delays are from the time of the event, which is before its commit, to its arrival at a healthy receiver.

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fewAtOnce } from '../server/src/base/concurrency.ts';
import { runningConnection } from '../server/src/postgres/for-command.ts';
import { decimal, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { startChild } from '../tools/measure/child.ts';
import { opening, runBench, say } from '../tools/measure/options.ts';
import { call } from './api.ts';
import { cpuMicros } from './cpu.ts';
import { serverVersion } from './databases.ts';
import { type Budget, type Cell, printReport, rounded } from './report.ts';
import { startServer } from './server-process.ts';
import type { Figures, Kinds, Question } from './webhooks/receivers.ts';

const options = scriptCommand('bench:webhooks', 'Measures webhooks out, compared with a bare sender.')
  .option('--marketplaces <number>', 'number of marketplaces, each with 20 endpoints', whole({ from: 1 }), 50)
  .option('--rate <number>', 'events per second of all marketplaces', whole({ from: 1 }), 20)
  .option('--seconds <number>', 'how long events come at the rate', decimal({ from: 0.5 }), 15)
  .option('--burst <number>', 'events that come at once afterwards', whole({ from: 1 }), 500)
  .option('--profile <folder>', 'write a processor profile of the server there')
  .option('--markdown', 'print the report as Markdown', false)
  .option('--json', 'print the report as JSON', false)
  .parse()
  .opts<{
    marketplaces: number;
    rate: number;
    seconds: number;
    burst: number;
    profile?: string;
    markdown: boolean;
    json: boolean;
  }>();

const EACH = 20;
/** Of the endpoints of a marketplace; of all marketplaces 100 dead ones and 20 silent ones, when there are 50. */
const DEAD_EACH = 2;
const SILENT_PART = 0.4;
const CREDITS_AT_ONCE = 32;
const BARE_SOCKETS_EACH = 8;
/** As many requests as the server has on their way at most. */
const BARE_SOCKETS_MAX = 1_024;
const P99_MAX_MS = 250;
const SHARE_MIN = 0.4;
const PATIENCE_MS = 120_000;

type Shop = { readonly key: string; readonly user: string; readonly healthy: number };

type Receivers = { ask<Answer>(question: Question): Promise<Answer> };

const openShop = async (
  { url, masterKey }: { url: string; masterKey: string },
  { marketplaceId, ports }: { marketplaceId: string; ports: Kinds<readonly number[]> },
): Promise<Shop> => {
  const body = { name: 'bench', scopes: ['*'], marketplaceId };
  const { key } = await call(url, { key: masterKey, request: 'POST /auth/api-keys', body });
  const { id: user } = await call(url, { key, request: 'POST /users', body: { externalUserId: 'ann' } });
  for (const port of [...ports.dead, ...ports.silent, ...ports.healthy]) {
    const endpoint = { url: `http://127.0.0.1:${port}/hooks`, events: ['balance.*'] };
    await call(url, { key, request: 'POST /webhook-endpoints', body: endpoint });
  }
  return { key, user, healthy: ports.healthy.length };
};

/** The ports of each marketplace. */
const shares = (all: Kinds<readonly number[]>, marketplaces: number): Kinds<readonly number[]>[] => {
  const left = { dead: [...all.dead], silent: [...all.silent], healthy: [...all.healthy] };
  return Array.from({ length: marketplaces }, () => {
    const dead = left.dead.splice(0, DEAD_EACH);
    const silent = left.silent.splice(0, 1);
    return { dead, silent, healthy: left.healthy.splice(0, EACH - dead.length - silent.length) };
  });
};

const credit = (url: string, { key, user }: Shop) =>
  call(url, { key, request: `POST /users/${user}/balance/credit`, body: { amount: '1.00' } });

/** Begins a credit at each tick, whether or not the ones before have ended. Returns how many deliveries are to arrive. */
const steadily = async (url: string, shops: readonly Shop[]): Promise<number> => {
  const count = Math.round(options.rate * options.seconds);
  const credits: Promise<unknown>[] = [];
  const began = performance.now();
  let deliveries = 0;
  for (let n = 0; n < count; n++) {
    const ms = began + (n * 1_000) / options.rate - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    const shop = shops[n % shops.length]!;
    deliveries += shop.healthy;
    credits.push(credit(url, shop));
  }
  await Promise.all(credits);
  return deliveries;
};

const atOnce = async (url: string, shops: readonly Shop[]): Promise<number> => {
  const wanted = Array.from({ length: options.burst }, (_, n) => shops[n % shops.length]!);
  await fewAtOnce(wanted, { atOnce: CREDITS_AT_ONCE, work: (shop) => credit(url, shop) });
  return wanted.reduce((sum, { healthy }) => sum + healthy, 0);
};

const arrived = async (receivers: Receivers, wanted: number): Promise<Figures> => {
  const began = performance.now();
  for (;;) {
    const figures = await receivers.ask<Figures>({ resets: false });
    if (figures.count >= wanted) return receivers.ask<Figures>({ resets: true });
    if (performance.now() - began > PATIENCE_MS) throw new Error(`only ${figures.count} of ${wanted} have arrived`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

type Phase = Figures & { readonly cpuEach: number };

const measured = async (
  receivers: Receivers,
  { pid, work }: { pid: number; work: () => Promise<number> },
): Promise<Phase> => {
  await receivers.ask({ resets: true });
  const before = await cpuMicros({ server: [pid] });
  const figures = await arrived(receivers, await work());
  const after = await cpuMicros({ server: [pid] });
  return { ...figures, cpuEach: (after.server! - before.server!) / figures.count };
};

const rowOf = (name: string, { count, seconds, p50, p99, cpuEach }: Phase): Cell[] => [
  name,
  count,
  Math.round(count / seconds),
  p50,
  p99,
  Math.round(cpuEach),
];

const budgetsOf = (steady: Phase, share: number): Budget[] => [
  {
    what: 'delay of healthy endpoints at the steady rate, p99',
    budget: `below ${P99_MAX_MS} ms`,
    measured: `${steady.p99} ms`,
    met: steady.p99 < P99_MAX_MS,
  },
  {
    what: 'deliveries per second, all at once',
    budget: `at least ${SHARE_MIN * 100} % of the bare sender`,
    measured: `${rounded(share * 100, 1)} %`,
    met: share >= SHARE_MIN,
  },
];

await runBench(async (cleanUp) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-webhooks-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const masterKey = `master_${randomBytes(24).toString('hex')}`;
  const nodeOptions = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const env = { WEBHOOK_PRIVATE_ADDRESSES: 'allow' };
  const server = await opening(cleanUp, startServer({ folder, masterKey, env, nodeOptions }));
  const postgres = await serverVersion((await runningConnection(path.join(folder, 'data')))!);
  const receivers = await startChild<string>(new URL('./webhooks/receivers.ts', import.meta.url), cleanUp);
  const bare = await startChild<string>(new URL('./webhooks/bare-sender.ts', import.meta.url), cleanUp);

  const { marketplaces } = options;
  const endpoints = marketplaces * EACH;
  const dead = marketplaces * DEAD_EACH;
  const silent = Math.round(marketplaces * SILENT_PART);
  const healthy = endpoints - dead - silent;
  say(`creating ${endpoints} endpoints in ${marketplaces} marketplaces`);
  const ports = await receivers.ask<Kinds<number[]>>({ open: { healthy, silent, dead } });
  const shops: Shop[] = [];
  for (const [n, own] of shares(ports, marketplaces).entries()) {
    shops.push(await openShop({ url: server.url, masterKey }, { marketplaceId: `mkt_bench-${n}`, ports: own }));
  }
  say('warming up');
  await measured(receivers, { pid: server.pid, work: () => atOnce(server.url, shops.slice(0, 10)) });
  say(`${options.rate} events per second for ${options.seconds} s`);
  const steady = await measured(receivers, { pid: server.pid, work: () => steadily(server.url, shops) });
  say(`${options.burst} events at once`);
  const burst = await measured(receivers, { pid: server.pid, work: () => atOnce(server.url, shops) });
  say('the bare sender');
  const each = Math.max(Math.round(burst.count / ports.healthy.length), 1);
  const sockets = Math.min(ports.healthy.length * BARE_SOCKETS_EACH, BARE_SOCKETS_MAX);
  const order = { ports: ports.healthy, body: burst.sample, each, sockets };
  const own = await bare.ask<{ seconds: number; cpuMicros: number }>(order);
  const ownCount = each * ports.healthy.length;
  const share = burst.count / burst.seconds / (ownCount / own.seconds);

  printReport(
    {
      title: 'Webhooks out',
      postgres,
      columns: ['what', 'deliveries', 'per second', 'delay p50 ms', 'delay p99 ms', 'sender CPU µs each'],
      rows: [
        ['bare sender', ownCount, Math.round(ownCount / own.seconds), null, null, Math.round(own.cpuMicros / ownCount)],
        rowOf(`${options.rate} events per second`, steady),
        rowOf(`${options.burst} events at once`, burst),
      ],
      budgets: budgetsOf(steady, share),
      notes: [
        `${endpoints} endpoints in ${marketplaces} marketplaces, each with a receiver on a port of its own: ${dead} refuse connections, ${silent} never answer. Only deliveries to healthy ones are counted.`,
        'The processor time of the server contains the credits that make the events, the failed attempts and the records of all attempts; PostgreSQL is not in it.',
        `The bare sender signs and posts the same bodies to the healthy receivers with ${sockets} requests at once, and records nothing.`,
        'Server, PostgreSQL, receivers and load share the machine.',
      ],
    },
    options.markdown ? 'markdown' : options.json ? 'json' : 'text',
  );
});
