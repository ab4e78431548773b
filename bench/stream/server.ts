// The server side of the stream's measurement, in a process of its own: either the real thing (front door, committer,
// feed) or the yardstick, a bare node server that writes the same bytes to the same number of sockets.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { formatInstant, systemClock } from '../../server/src/base/instant.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { createCommitter } from '../../server/src/commit/committer.ts';
import { migrate } from '../../server/src/commit/migrate.ts';
import { buildApp } from '../../server/src/http/app.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { eventRoutes } from '../../server/src/modules/events/routes.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import { openLane, openPool } from '../../server/src/postgres/connection.ts';
import { createNotifier } from '../../server/src/postgres/notifier.ts';
import { TABLES } from '../../server/src/registry.ts';
import { eventsAfter, findStart, listEvents } from '../../server/src/stream/event-queries.ts';
import { createStream } from '../../server/src/stream/sse.ts';

type Emit = (event: { n: number; dueMicros: number }) => Promise<void>;

const [kind = '', connectionJson = '{}', marketplaces = '1'] = process.argv.slice(2);
const names = Array.from({ length: Number(marketplaces) }, (_, i) => `mkt_${i}`);
const { port, emit } = kind === 'bare' ? await startBare() : await startStream();

process.on('disconnect', () => process.exit());
process.on('message', async (order: { emit: number; seconds: number } | 'memory') => {
  if (order === 'memory') {
    globalThis.gc?.();
    process.send!({ memory: process.memoryUsage().rss });
    return;
  }
  const lateMs = await emitEvenly(order);
  process.send!({ emitted: true, lateMs, cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 });
});
process.send!({ port });

/** So many per second, on the clock: a late turn makes up for what it missed. Returns how late 99 of 100 events were at most. */
async function emitEvenly({ emit: perSecond, seconds }: { emit: number; seconds: number }): Promise<number> {
  const started = performance.now();
  const startedMicros = systemClock();
  const sent: Promise<void>[] = [];
  const late: number[] = [];
  while (sent.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - started) / 1_000) * perSecond);
    while (sent.length < due) {
      const n = sent.length;
      late.push(performance.now() - started - (n / perSecond) * 1_000);
      sent.push(emit({ n, dueMicros: startedMicros + Math.round((n / perSecond) * 1e6) }));
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(sent);
  return late.toSorted((one, other) => one - other)[Math.floor(late.length * 0.99)] ?? 0;
}

async function startStream(): Promise<{ port: number; emit: Emit }> {
  const connection = JSON.parse(connectionJson);
  const trouble = (message: string, error: unknown) => console.error(message, error);
  const pool = openPool(connection, { max: 10, onError: (error) => trouble('pool', error) });
  await migrate({ pool });
  const notifier = createNotifier({ connection, onTrouble: trouble });
  const committer = createCommitter({
    tables: TABLES,
    connect: () => openLane(connection),
    clock: systemClock,
    lanes: 4,
    groupMax: 512,
    queueMax: 10_000,
    patienceMs: 10_000,
    watch: { committed() {}, refused() {}, retried() {} },
    onEvents: (ids) => notifier.notify('holdfast_events', ids),
    onTrouble: trouble,
  });
  const stream = createStream({
    eventsAfter: (request) => eventsAfter(pool, request),
    listEvents: (page) => listEvents(pool, page),
    findStart: (request) => findStart(pool, request),
    stillValid: () => true,
    watch: { opened() {}, closed() {}, sent() {}, cutOff: () => console.error('a reader was cut off') },
    onTrouble: trouble,
    clock: systemClock,
    pingMs: 30_000,
    bufferMax: 1_000,
    connectionsMax: 20_000,
  });
  notifier.on('holdfast_events', stream.refresh);

  const contexts = names.map(
    (marketplaceId) => ({ marketplaceId, actor: { type: 'system', id: 'bench' }, requestId: 'req_bench' }) as const,
  );
  const users = await Promise.all(
    contexts.map(async (context) => {
      const input = { baseCurrency: 'USD', externalUserId: 'u', email: null, type: 'BOTH', metadata: {} } as const;
      const outcome = await committer.submit({ command: createUser, input, context });
      if (outcome.kind !== 'reply') throw new Error('expected a fresh answer');
      return outcome.reply.user.id;
    }),
  );
  const app = await buildApp({
    routes: eventRoutes({ stream }),
    submit: committer.submit,
    findAnswer: async () => null,
    authenticate: (bearer) => ({
      type: 'api_key',
      keyId: bearer,
      keyName: bearer,
      scopes: ['read'],
      marketplaceId: bearer,
    }),
    limiter: memoryLimiter({ windowMs: 60_000, now: Date.now }),
    rateLimit: { max: 1_000_000, windowMs: 60_000 },
    logger: pino({ level: 'warn' }),
    bodyLimitBytes: 64 * 1024,
    trustProxy: false,
    corsOrigins: [],
    idempotencyRetentionHours: 24,
    shutdownGraceMs: 1_000,
    version: 'bench',
  });
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  return {
    port: (app.server.address() as AddressInfo).port,
    async emit({ n }) {
      const i = n % names.length;
      const input = { userId: users[i]!, currency: 'USD', amount: fromUnits(10_000_000n) } as const;
      await committer.submit({ command: creditBalance, input, context: contexts[i]! });
    },
  };
}

async function startBare(): Promise<{ port: number; emit: Emit }> {
  const readers = new Map<string, Set<ServerResponse>>(names.map((name) => [name, new Set()]));
  const server = createServer((request, response) => {
    const own = readers.get(request.headers.authorization?.slice('Bearer '.length) ?? '')!;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    own.add(response);
    response.on('close', () => own.delete(response));
  });
  await new Promise<void>((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, resolve);
  });
  // As long as a real envelope of balance.credited.
  const envelope = JSON.stringify({ eventId: 'evt_', filler: 'x'.repeat(530) });
  return {
    port: (server.address() as AddressInfo).port,
    // Dated when it was due: a server too busy to look at the clock must not look quicker for it.
    async emit({ n, dueMicros }) {
      const frame = Buffer.from(`id: ${formatInstant(dueMicros)}\nevent: balance.credited\ndata: ${envelope}\n\n`);
      for (const response of readers.get(names[n % names.length]!)!) response.write(frame);
    },
  };
}
