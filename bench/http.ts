// Measures the server over HTTP, everything on: credit, credit with an Idempotency-Key, reserve and get, on 64 keep-alive
// connections; beside an empty Fastify POST with the same validation, under the same load from the same process. Also how
// long the server takes to start and how much memory it holds afterwards. The lives of orders are measured by
// bench/orders.ts.
//
//   node bench/http.ts [--seconds 2] [--rounds 3] [--markdown | --json]

import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runningConnection } from '../server/src/postgres/for-command.ts';
import { startChild } from '../tools/measure/child.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { percentiles, ratio, runRounds, type Step, type Taken, typical } from '../tools/measure/rounds.ts';
import { call } from './api.ts';
import { serverVersion } from './databases.ts';
import type { LoadAnswer, LoadOrder } from './http-load.ts';
import { type Budget, printReport, rounded, speedTable } from './report.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const CONNECTIONS = 64;
const USERS = 1_000;
const USERS_AT_ONCE = 50;
const WARM_UP_SECONDS = 1;
const START_MONEY = '1000000.00';
const EMPTY = 'empty Fastify POST, same validation';

const options = readOptions({
  name: 'bench:http',
  about: 'Measures the server over HTTP, compared with an empty POST.',
  seconds: 2,
  rounds: 3,
});

const makeUsers = async (server: ServerProcess, key: string): Promise<string[]> => {
  const users: string[] = [];
  const make = async (n: number): Promise<void> => {
    const { id } = await call(server.url, { key, request: 'POST /users', body: { externalUserId: `user-${n}` } });
    await call(server.url, { key, request: `POST /users/${id}/balance/credit`, body: { amount: START_MONEY } });
    users.push(id);
  };
  for (let first = 0; first < USERS; first += USERS_AT_ONCE) {
    await Promise.all(Array.from({ length: USERS_AT_ONCE }, (_, i) => make(first + i)));
  }
  return users;
};

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

type Loads = Readonly<Record<string, LoadOrder>>;

/** The load of each line of the report: the empty server first, then the requests to the server that is measured. */
const loadsOf = (of: { port: number; emptyPort: number; key: string; users: readonly string[] }): Loads => {
  const request = (
    wanted: Pick<LoadOrder, 'method' | 'path' | 'body'> & { headers?: readonly string[] },
  ): LoadOrder => ({
    port: of.port,
    connections: CONNECTIONS,
    seconds: options.seconds,
    users: of.users,
    ...wanted,
    headers: [`Authorization: Bearer ${of.key}`, ...(wanted.headers ?? [])],
  });
  const money = '{"amount":"1.00","reference":"bench"}';
  const credit = request({ method: 'POST', path: '/api/v1/users/{user}/balance/credit', body: money });
  return {
    [EMPTY]: { ...credit, port: of.emptyPort },
    credit,
    'credit with Idempotency-Key': { ...credit, headers: [...credit.headers, 'Idempotency-Key: {uuid}'] },
    reserve: request({
      method: 'POST',
      path: '/api/v1/users/{user}/balance/reserve',
      body: '{"amount":"0.01","orderId":"ord_bench_{n}"}',
    }),
    'get balance': request({ method: 'GET', path: '/api/v1/users/{user}/balance', body: null }),
  };
};

/** Runs every load in rounds, each beside the empty server. A response that is not 2xx ends the measurement. */
const measure = async (loads: Loads, of: { server: ServerProcess; cleanUp: AsyncDisposableStack }): Promise<Taken> => {
  const load = await startChild(new URL('./http-load.ts', import.meta.url), of.cleanUp);
  const run = async (name: string, seconds: number) => {
    const { perSecond, timesMs, refused } = await load.ask<LoadAnswer>({ ...loads[name], seconds });
    if (Object.keys(refused).length > 0) {
      await of.server.stop(); // Its log is complete when it has ended.
      for (const line of await of.server.troubles()) say(line);
      throw new Error(`${name}: these answers are not 2xx, by status: ${JSON.stringify(refused)}`);
    }
    return { perSecond, ...percentiles(timesMs) };
  };
  for (const name of Object.keys(loads)) await run(name, WARM_UP_SECONDS);
  const step = (name: string): Step => ({ name, run: () => run(name, options.seconds) });
  const names = Object.keys(loads).filter((name) => name !== EMPTY);
  return runRounds(
    names.flatMap((name) => [step(EMPTY), step(name)]),
    options.rounds,
  );
};

type Measured = { readonly memory: number; readonly startMs: number; readonly restartMs: number };

const budgetsOf = (taken: Taken, { memory, startMs, restartMs }: Measured): Budget[] => {
  const share = ratio(taken, 'credit', EMPTY);
  return [
    {
      what: 'credit',
      budget: 'at least 40 % of the empty POST',
      measured: `${rounded(share * 100, 1)} %`,
      met: share >= 0.4,
    },
    below({ what: 'credit, p99', most: 60, measured: typical(taken, 'credit').p99Ms!, unit: 'ms' }),
    below({ what: 'start, new data folder', most: 25, measured: startMs / 1_000, unit: 's' }),
    below({ what: 'start, existing data folder', most: 10, measured: restartMs / 1_000, unit: 's' }),
    below({ what: 'memory of the server afterwards', most: 300, measured: memory, unit: 'MiB' }),
  ];
};

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

  const empty = await startChild<{ port: number }>(new URL('./empty-server.ts', import.meta.url), cleanUp);
  const loads = loadsOf({ port: server.port, emptyPort: empty.first.port, key, users });
  const names = Object.keys(loads).filter((name) => name !== EMPTY);
  const taken = await measure(loads, { server, cleanUp });

  const memory = await residentMib(server);
  const proof = await call(server.url, { key, request: 'GET /audit/proof' });
  if (!proof.holds) throw new Error(`the books do not add up: ${JSON.stringify(proof.checks)}`);
  await server.stop();
  const again = await opening(cleanUp, startServer({ folder, masterKey }));
  await again.stop();

  printReport(
    {
      title: 'HTTP',
      postgres,
      ...speedTable(taken, [
        { name: EMPTY },
        ...names.map((name) => ({ name, ratios: { '× empty POST': ratio(taken, name, EMPTY) } })),
      ]),
      budgets: budgetsOf(taken, { memory, startMs: server.startMs, restartMs: again.startMs }),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each; ratios are taken within a round.`,
        `${CONNECTIONS} keep-alive connections, ${USERS} users of one marketplace; every reservation has an order of its own.`,
        'Server with embedded PostgreSQL, fsync on, log at info into a file, keys checked, requests counted, metrics on.',
        'Server, PostgreSQL and load share the machine. The lives of orders are measured by bench:orders.',
        'Memory is the resident memory of the server’s process, without PostgreSQL. Afterwards the books were proved.',
      ],
    },
    options.format,
  );
});
