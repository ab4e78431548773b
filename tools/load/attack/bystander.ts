// The quiet tenant of `npm run attack`, in a process of its own: a few connections with a pause after each answer, that credit and
// read balances, list orders and open streams, and one that runs whole orders with their escrow, one after the other.

import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { httpRequest } from '../../processes/http-request.ts';
import { runWholeOrder } from './orders.ts';

export type BystanderOrder = {
  readonly url: string;
  readonly key: string;
  readonly users: readonly string[];
  readonly until: { readonly ms: number } | { readonly requests: number };
};

export type BystanderAnswer = {
  /** Of credits, balances and lists, each from the request to the last byte of the answer. */
  readonly timesMs: readonly number[];
  /** Of whole orders: created, reserved, escrow created and funded, released. */
  readonly ordersMs: readonly number[];
  /** Until a stream has begun, each on a new connection. */
  readonly streamsMs: readonly number[];
  /** Whatever was not a success, by request and status. */
  readonly refused: Readonly<Record<string, number>>;
  readonly elapsedMs: number;
  /** How late this process itself was, which is in every time that it measured. */
  readonly ownDelayP99Ms: number;
};

type Run = {
  readonly order: BystanderOrder;
  readonly timesMs: number[];
  readonly ordersMs: number[];
  readonly streamsMs: number[];
  readonly refused: Record<string, number>;
  isOver(): boolean;
};

const CONNECTIONS = 4;
/** A quiet tenant: about a hundred requests a second of all its connections together. */
const THINK_MS = 25;
const STREAM_EVERY_MS = 100;

const refuse = ({ refused }: Run, name: string): void => {
  refused[name] = (refused[name] ?? 0) + 1;
};

type Ask = readonly [name: string, method: 'GET' | 'POST', path: string, body?: object];

const askAt = ({ users }: BystanderOrder, at: number): Ask => {
  const userId = users[at % users.length]!;
  if (at % 10 === 9) return ['list', 'GET', '/orders?limit=20'];
  if (at % 2 === 0) return ['balance', 'GET', `/users/${userId}/balance`];
  return ['credit', 'POST', `/users/${userId}/balance/credit`, { amount: '0.01', reference: randomUUID() }];
};

const send = async (run: Run, [name, method, path, body]: Ask): Promise<void> => {
  const { url, key } = run.order;
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {}),
  };
  const begunAt = performance.now();
  const answer = await httpRequest(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => null);
  if (answer === null || answer.status >= 300) refuse(run, `${name} ${answer?.status ?? 'no answer'}`);
  run.timesMs.push(performance.now() - begunAt);
};

const browse = async (run: Run, first: number): Promise<void> => {
  for (let at = first; !run.isOver(); at += CONNECTIONS) {
    await send(run, askAt(run.order, at));
    await pause(THINK_MS);
  }
};

/** Opens a stream, and closes it when it has begun. */
const listen = async (run: Run): Promise<void> => {
  const { url, key } = run.order;
  while (!run.isOver()) {
    const begunAt = performance.now();
    const status = await new Promise<number | null>((resolve) => {
      const asked = request(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${key}` }, agent: false });
      asked.on('error', () => resolve(null));
      asked.on('response', ({ statusCode }) => {
        resolve(statusCode ?? 0);
        asked.destroy();
      });
      asked.end();
    });
    if (status !== 200) refuse(run, `stream ${status ?? 'no answer'}`);
    run.streamsMs.push(performance.now() - begunAt);
    await pause(STREAM_EVERY_MS);
  }
};

const trade = async (run: Run): Promise<void> => {
  const { url, key, users } = run.order;
  const client = new Holdfast({ url, apiKey: key, maxRetries: 0, timeoutMs: 60_000 });
  while (!run.isOver()) {
    try {
      run.ordersMs.push(await runWholeOrder(client, users));
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      refuse(run, `order ${error.status ?? 'no answer'}`);
      await pause(THINK_MS);
    }
  }
};

/** Opens the connections: a tenant has them already when an attack begins. */
const connect = async (order: BystanderOrder): Promise<void> => {
  const headers = { authorization: `Bearer ${order.key}` };
  const ask = () => httpRequest(`${order.url}/api/v1/orders?limit=1`, { method: 'GET', headers });
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
};

const live = async (order: BystanderOrder): Promise<BystanderAnswer> => {
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  const begunAt = performance.now();
  const { until } = order;
  const run: Run = {
    order,
    timesMs: [],
    ordersMs: [],
    streamsMs: [],
    refused: {},
    isOver: () => ('ms' in until ? performance.now() - begunAt >= until.ms : run.timesMs.length >= until.requests),
  };
  const browsing = Promise.all(Array.from({ length: CONNECTIONS }, (_, first) => browse(run, first)));
  const others = Promise.all([listen(run), trade(run)]);
  await browsing;
  // An order that is under way ends after the phase; the requests are counted until here.
  const elapsedMs = performance.now() - begunAt;
  await others;
  own.disable();
  const { timesMs, ordersMs, streamsMs, refused } = run;
  return { timesMs, ordersMs, streamsMs, refused, elapsedMs, ownDelayP99Ms: own.percentile(99) / 1e6 };
};

process.on('disconnect', () => process.exit());
process.on('message', async ({ connecting, ...order }: BystanderOrder & { connecting?: true }) => {
  if (connecting) await connect(order);
  process.send!(connecting ? { connected: true } : await live(order));
});
process.send!({ ready: true });
