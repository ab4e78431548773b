// The clients of an overload, in their own process: many connections on plain sockets. Each sends one request at a time, and
// the next one as soon as it has the answer. Every answer is checked: it must be a success or a well-formed refusal.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Answer, answerIn, judgeAnswer } from './overload-answers.ts';
import { type AskName, type Asks, asksOf } from './overload-requests.ts';

export type ClientsOrder = {
  readonly port: number;
  readonly connections: number;
  /** Connections that send a few bytes of a request now and then. */
  readonly slowClients: number;
  /** Until the time is over, or so much was asked. */
  readonly until: { readonly ms: number } | { readonly asks: number };
  readonly weights: Readonly<Partial<Record<AskName, number>>>;
  readonly key: string;
  readonly users: readonly string[];
  readonly visitor: { readonly email: string; readonly password: string };
};

export type Credit = { readonly userId: string; readonly reference: string; readonly idempotencyKey: string };

export type ClientsAnswer = {
  /** On connections that had been answered before. */
  readonly acceptedMs: readonly number[];
  readonly refusedMs: readonly number[];
  /** The first answer on each connection: it also waits until the runtime accepts that, one in each turn of its loop. */
  readonly freshMs: readonly number[];
  readonly refusedCount: number;
  /** By what was asked and the status that came. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first malformed answers, and their number. */
  readonly odd: readonly string[];
  readonly oddCount: number;
  /** Requests whose connection ended without an answer, by what ended it. */
  readonly cut: Readonly<Record<string, number>>;
  readonly acknowledged: readonly string[];
  readonly unanswered: readonly Credit[];
  /** Slow clients that the server has disconnected. */
  readonly sentAway: number;
  /** How late this process itself was, which is in every time that it measured. */
  readonly ownDelayMs: { readonly p50: number; readonly p99: number; readonly most: number };
};

const ODD_MAX = 20;
const SLOW_MS = 1_000;
/** The longest wait for an answer, far beyond every deadline of the server. */
const HANG_MS = 60_000;
const AGAIN_MS = 50;
/** Half as long as Retry-After asks for. */
const REFUSED_MS = 500;

const isRefusal = ({ status }: Answer): boolean => status === 429 || status === 503;

type Asked = { readonly name: AskName; readonly at: number; readonly credit: Credit | null };

const tally = (of: Record<string, number>, name: string): void => {
  of[name] = (of[name] ?? 0) + 1;
};

/** What one run shares between its connections: the requests, the time limit and the figures. */
const openRun = (order: ClientsOrder) => {
  const asks: Asks = asksOf(order);
  const { until } = order;
  const begunAt = performance.now();
  let asksBegun = 0;
  const figures = {
    acceptedMs: [] as number[],
    refusedMs: [] as number[],
    freshMs: [] as number[],
    refusedCount: 0,
    counts: {} as Record<string, number>,
    odd: [] as string[],
    oddCount: 0,
    cut: {} as Record<string, number>,
    acknowledged: [] as string[],
    unanswered: [] as Credit[],
    sentAway: 0,
  };
  return {
    port: order.port,
    figures,
    isOver: (): boolean => ('ms' in until ? performance.now() - begunAt >= until.ms : asksBegun >= until.asks),
    next() {
      asksBegun++;
      return asks.next();
    },
    record(answer: Answer, { name, credit, ms, isFresh }: Omit<Asked, 'at'> & { ms: number; isFresh: boolean }): void {
      tally(figures.counts, `${name} ${answer.status}`);
      const trouble = judgeAnswer(name, answer);
      if (trouble) {
        figures.oddCount++;
        if (figures.odd.length < ODD_MAX) figures.odd.push(`${name}: ${trouble}`);
      }
      if (isRefusal(answer)) figures.refusedCount++;
      if (isFresh) figures.freshMs.push(ms);
      else if (isRefusal(answer)) figures.refusedMs.push(ms);
      else figures.acceptedMs.push(ms);
      if (credit && answer.status === 200) figures.acknowledged.push(credit.reference);
      // Refused with an unknown outcome: the credit may have happened.
      else if (credit && answer.text.includes('"unknown"')) figures.unanswered.push(credit);
    },
  };
};

type Run = ReturnType<typeof openRun>;

/** One connection, until it ends or the run is over. */
const converse = ({ port, figures, isOver, next, record }: Run): Promise<void> =>
  new Promise((resolve) => {
    let pending = '';
    let asked: Asked | null = null;
    let failure = 'closed';
    let isFresh = true;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.setEncoding('latin1');
    socket.setTimeout(HANG_MS, () => {
      failure = 'hung';
      socket.destroy();
    });
    const ask = (): void => {
      const { name, text, credit } = next();
      asked = { name, at: performance.now(), credit };
      socket.write(text, 'latin1');
    };
    socket.on('connect', ask);
    socket.on('data', (chunk: string) => {
      pending += chunk;
      const answer = answerIn(pending);
      if (!answer || !asked) return;
      const { name, at, credit } = asked;
      pending = pending.slice(answer.end);
      asked = null;
      record(answer, { name, ms: performance.now() - at, isFresh, credit });
      isFresh = false;
      if (isOver() || answer.isLast) socket.destroy();
      else if (isRefusal(answer)) setTimeout(() => (isOver() ? socket.destroy() : ask()), REFUSED_MS);
      else ask();
    });
    socket.on('error', (error: Error & { code?: string }) => {
      failure = error.code ?? error.message;
    });
    socket.on('close', () => {
      if (asked) {
        tally(figures.cut, `${asked.name} ${failure}`);
        if (asked.credit) figures.unanswered.push(asked.credit);
      } else if (failure !== 'closed') tally(figures.cut, `idle ${failure}`);
      resolve();
    });
  });

const stayConnected = async (run: Run): Promise<void> => {
  while (!run.isOver()) {
    const begunAt = performance.now();
    await converse(run);
    // A client does not reconnect a thousand times a second to a server that refuses connections.
    if (performance.now() - begunAt < AGAIN_MS) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
};

/** A client that never finishes its request. */
const sendSlowly = ({ port, figures, isOver }: Run): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.on('connect', () => socket.write('GET /api/v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\n'));
    const sending = setInterval(() => {
      if (isOver()) socket.destroy();
      else socket.write(`X-${randomUUID()}: slowly\r\n`);
    }, SLOW_MS);
    socket.on('data', () => {});
    socket.on('close', () => {
      clearInterval(sending);
      if (!isOver()) figures.sentAway++;
      resolve();
    });
  });

const run = async (order: ClientsOrder): Promise<ClientsAnswer> => {
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  const opened = openRun(order);
  await Promise.all([
    ...Array.from({ length: order.connections }, () => stayConnected(opened)),
    ...Array.from({ length: order.slowClients }, () => sendSlowly(opened)),
  ]);
  own.disable();
  const ownDelayMs = { p50: own.percentile(50) / 1e6, p99: own.percentile(99) / 1e6, most: own.max / 1e6 };
  return { ...opened.figures, ownDelayMs };
};

process.on('disconnect', () => process.exit());
process.on('message', async (order: ClientsOrder) => process.send!(await run(order)));
process.send!({ ready: true });
