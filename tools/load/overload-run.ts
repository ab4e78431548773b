// An overload: the server at ease, then many times more than it can take, then at ease again. Judged: every answer is a success
// or a refusal in its proper form, its health can be asked for all the while, memory stays within bounds, and afterwards it is
// as fast as before with everything that was acknowledged in the books once.

import { setTimeout as pause } from 'node:timers/promises';
import { Holdfast, SurfaceB } from '@holdfast/sdk';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { orInterrupted } from '../../server/src/programs/interruption.ts';
import { startChild } from '../measure/child.ts';
import { type Fixture, openFixture } from './environment.ts';
import type { ClientsAnswer, ClientsOrder } from './overload-clients.ts';
import type { ProcessMetrics } from './process-metrics.ts';

export type Mode = 'queues' | 'rate';

type Until = ClientsOrder['until'];

type OverloadOptions = {
  readonly mode: Mode;
  /** How long, or how much in all. */
  readonly until: Until;
  readonly calmUntil: Until;
  readonly processes: number;
  /** Of all processes together. */
  readonly connections: number;
  readonly slowClients: number;
  readonly database?: Connection;
  readonly env?: Readonly<Record<string, string>>;
  /** Aborted: everything is put away, and nothing is told. */
  readonly signal?: AbortSignal;
  say?(line: string): void;
};

export type Health = { readonly timesMs: readonly number[]; readonly others: Readonly<Record<string, number>> };

export type Books = {
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly lost: number;
  readonly twice: number;
  readonly unknown: number;
  readonly proofHolds: boolean;
};

export type Overload = {
  readonly before: ClientsAnswer;
  readonly full: ClientsAnswer;
  readonly clients: ClientsAnswer;
  readonly clientsMs: number;
  readonly after: ClientsAnswer;
  readonly health: Health;
  /** Resident memory before and its maximum during the overload; the heap after collections before and afterwards. */
  readonly memory: {
    readonly rssBefore: number;
    readonly rssMost: number;
    readonly heapBefore: number;
    readonly heapAfter: number;
  };
  readonly books: Books;
  readonly postgres: string;
};

const USERS = 40;
const CALM_CONNECTIONS = 8;
/** Enough connections to keep the server busy. */
const FULL_CONNECTIONS = 64;
const STREAMS_MAX = 50;
const LOOK_MS = 200;
const PATIENCE_MS = 60_000;
const CALM = { credit: 1, balance: 1 } as const;
const CLIENTS = { credit: 50, balance: 25, list: 10, login: 5, stream: 5, large: 5 } as const;
const VISITOR = { email: 'visitor@home.example', password: 'correct horse battery staple' };
/** Requests per second of one key: a small part of the server's capacity. */
const RATE_PER_SECOND = 100;

const settingsOf = (mode: Mode): Record<string, string> => ({
  SSE_CONNECTIONS_MAX: String(STREAMS_MAX),
  ...(mode === 'rate' ? { RATE_LIMIT_MAX: String(RATE_PER_SECOND), RATE_LIMIT_WINDOW_S: '1' } : {}),
});

const WITHOUT_LIMIT = 1_000_000;

const prepare = async ({ url, masterKey }: Fixture) => {
  const master = new Holdfast({ url, apiKey: masterKey });
  const { key: calmKey } = await master.keys.create({ name: 'calm', scopes: ['*'], rateLimit: WITHOUT_LIMIT });
  const { key: clientsKey } = await master.keys.create({ name: 'overload', scopes: ['*'] });
  const client = new Holdfast({ url, apiKey: calmKey });
  const made = Array.from({ length: USERS }, (_, n) => client.users.create({ externalUserId: `user-${n}` }));
  const users = (await Promise.all(made)).map(({ id }) => id);
  await new SurfaceB({ url }).register({ ...VISITOR, name: 'Visitor' });
  return { calmKey, clientsKey, users, client };
};

const askHealth = async (url: string): Promise<{ status: string; ms: number }> => {
  const begunAt = performance.now();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // A new connection each time, as a load balancer opens one.
  const headers = { connection: 'close' };
  const status = await fetch(`${url}/api/v1/health`, { signal, headers }).then(
    async (answer) => {
      await answer.text();
      return String(answer.status);
    },
    (error: Error) => error.name,
  );
  return { status, ms: performance.now() - begunAt };
};

/** Polls health and memory until the returned function is called. */
const watch = ({ url, server }: Fixture) => {
  const timesMs: number[] = [];
  const others: Record<string, number> = {};
  let isOver = false;
  let rssMost = 0;
  const watching = (async () => {
    while (!isOver) {
      const [{ status, ms }, metrics] = await Promise.all([askHealth(url), server.ask({ collect: false })]);
      if (status === '200') timesMs.push(ms);
      else others[status] = (others[status] ?? 0) + 1;
      rssMost = Math.max(rssMost, metrics.rss);
      await pause(LOOK_MS);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return { health: { timesMs, others }, rssMost };
  };
};

const joined = (answers: readonly ClientsAnswer[]): ClientsAnswer => {
  const summed = (read: (answer: ClientsAnswer) => Readonly<Record<string, number>>): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const answer of answers) {
      for (const [name, count] of Object.entries(read(answer))) sums[name] = (sums[name] ?? 0) + count;
    }
    return sums;
  };
  return {
    acceptedMs: answers.flatMap(({ acceptedMs }) => acceptedMs),
    refusedMs: answers.flatMap(({ refusedMs }) => refusedMs),
    freshMs: answers.flatMap(({ freshMs }) => freshMs),
    refusedCount: answers.reduce((sum, { refusedCount }) => sum + refusedCount, 0),
    counts: summed(({ counts }) => counts),
    odd: answers.flatMap(({ odd }) => odd),
    oddCount: answers.reduce((sum, { oddCount }) => sum + oddCount, 0),
    cut: summed(({ cut }) => cut),
    acknowledged: answers.flatMap(({ acknowledged }) => acknowledged),
    unanswered: answers.flatMap(({ unanswered }) => unanswered),
    sentAway: answers.reduce((sum, { sentAway }) => sum + sentAway, 0),
    ownDelayMs: answers.map(({ ownDelayMs }) => ownDelayMs).toSorted((a, b) => b.p99 - a.p99)[0]!,
  };
};

const CREDITS = `select reference, count(*)::int as n from postings
  where marketplace_id = 'mkt_default' and move = 'credit' and account_id like 'usr%' group by 1`;

const settle = async (
  { pool }: Fixture,
  { answers, client }: { answers: readonly ClientsAnswer[]; client: Holdfast },
) => {
  const { acknowledged, unanswered } = joined(answers);
  const { rows } = await pool.query<{ reference: string; n: number }>(CREDITS);
  const there = new Set(rows.map(({ reference }) => reference));
  const known = new Set([...acknowledged, ...unanswered.map(({ reference }) => reference)]);
  return {
    acknowledged: acknowledged.length,
    unanswered: unanswered.length,
    lost: acknowledged.filter((reference) => !there.has(reference)).length,
    twice: rows.filter(({ n }) => n > 1).length,
    unknown: rows.filter(({ reference }) => !known.has(reference)).length,
    proofHolds: (await client.audit.proof()).holds,
  };
};

const overload = async (cleanUp: AsyncDisposableStack, options: OverloadOptions): Promise<Overload> => {
  const { mode, say = () => {} } = options;
  const fixture = await openFixture(cleanUp, {
    withSandbox: false,
    ...(options.database ? { database: options.database } : {}),
    env: { ...settingsOf(mode), ...options.env },
  });
  const { calmKey, clientsKey, users, client } = await prepare(fixture);
  const children = await Promise.all(
    Array.from({ length: options.processes }, () =>
      startChild(new URL('./overload-clients.ts', import.meta.url), cleanUp),
    ),
  );
  const order = (of: Omit<ClientsOrder, 'port' | 'users' | 'visitor'>): ClientsOrder => ({
    port: Number(new URL(fixture.url).port),
    users,
    visitor: VISITOR,
    ...of,
  });
  const calm = (connections: number): Promise<ClientsAnswer> =>
    children[0]!.ask(order({ connections, slowClients: 0, until: options.calmUntil, weights: CALM, key: calmKey }));

  say('idle');
  // A first run warms the server up; only its credits are counted.
  const warm = await calm(CALM_CONNECTIONS);
  const before = await calm(CALM_CONNECTIONS);
  say('busy');
  const full = await calm(FULL_CONNECTIONS);
  const rested: ProcessMetrics = await fixture.server.ask({ collect: true });

  say(`${options.connections} connections at once`);
  const seen = watch(fixture);
  const begunAt = performance.now();
  const share = { connections: Math.ceil(options.connections / children.length), weights: CLIENTS, key: clientsKey };
  const slowClients = Math.ceil(options.slowClients / children.length);
  const until = 'ms' in options.until ? options.until : { asks: Math.ceil(options.until.asks / children.length) };
  const clients = joined(
    await Promise.all(children.map((child) => child.ask<ClientsAnswer>(order({ ...share, slowClients, until })))),
  );
  const clientsMs = performance.now() - begunAt;
  const { health, rssMost } = await seen();

  say('idle again');
  const after = await calm(CALM_CONNECTIONS);
  const then: ProcessMetrics = await fixture.server.ask({ collect: true });
  const books = await settle(fixture, { answers: [warm, before, full, clients, after], client });
  const { rows } = await fixture.pool.query<{ server_version: string }>('show server_version');
  return {
    before,
    full,
    clients,
    clientsMs,
    after,
    health,
    books,
    postgres: rows[0]!.server_version.split(' ')[0]!,
    memory: { rssBefore: rested.rss, rssMost, heapBefore: rested.heapLive!, heapAfter: then.heapLive! },
  };
};

export const runOverload = async (options: OverloadOptions): Promise<Overload> => {
  await using cleanUp = new AsyncDisposableStack();
  return await orInterrupted(overload(cleanUp, options), options.signal);
};
