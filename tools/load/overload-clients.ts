// A clients in a process of its own: many connections on bare sockets, each with one request on its way and the next one as
// soon as that is answered. Every answer is looked at: what is not a success has to be a refusal in its proper form.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Answer, answerIn, judgeAnswer } from './overload-answers.ts';
import { type AskName, type Asks, asksOf } from './overload-requests.ts';

export type ClientsOrder = {
  readonly port: number;
  readonly connections: number;
  /** Connections that send a few bytes of a request now and then. */
  readonly dawdlers: number;
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
  /** Answers in no proper form, the first of them, and how many. */
  readonly odd: readonly string[];
  readonly oddCount: number;
  /** Requests whose connection ended without an answer, by what ended it. */
  readonly cut: Readonly<Record<string, number>>;
  readonly acknowledged: readonly string[];
  readonly unanswered: readonly Credit[];
  /** Dawdlers that the server has sent away. */
  readonly sentAway: number;
  /** How late this process itself was, which is in every time that it measured. */
  readonly ownDelayMs: { readonly p50: number; readonly p99: number; readonly most: number };
};

const ODD_MAX = 20;
const DAWDLE_MS = 1_000;
/** Nobody is to wait longer than this for any answer: far beyond every deadline of the server's own. */
const HANG_MS = 60_000;
const AGAIN_MS = 50;
/** Half as long as Retry-After asks for. */
const REFUSED_MS = 500;

const isRefusal = ({ status }: Answer): boolean => status === 429 || status === 503;

const run = async (order: ClientsOrder): Promise<ClientsAnswer> => {
  const asks: Asks = asksOf(order);
  const [acceptedMs, refusedMs, freshMs]: [number[], number[], number[]] = [[], [], []];
  const [counts, cut]: [Record<string, number>, Record<string, number>] = [{}, {}];
  const odd: string[] = [];
  const acknowledged: string[] = [];
  const unanswered: Credit[] = [];
  let oddCount = 0;
  let sentAway = 0;
  let refusedCount = 0;
  const { until } = order;
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  const begunAt = performance.now();
  let asksBegun = 0;
  const isOver = (): boolean => ('ms' in until ? performance.now() - begunAt >= until.ms : asksBegun >= until.asks);
  const tally = (of: Record<string, number>, name: string): void => {
    of[name] = (of[name] ?? 0) + 1;
  };

  const take = (answer: Answer, of: { name: AskName; ms: number; isFresh: boolean; credit: Credit | null }): void => {
    tally(counts, `${of.name} ${answer.status}`);
    const trouble = judgeAnswer(of.name, answer);
    if (trouble) {
      oddCount++;
      if (odd.length < ODD_MAX) odd.push(`${of.name}: ${trouble}`);
    }
    if (isRefusal(answer)) refusedCount++;
    if (of.isFresh) freshMs.push(of.ms);
    else if (isRefusal(answer)) refusedMs.push(of.ms);
    else acceptedMs.push(of.ms);
    if (of.credit && answer.status === 200) acknowledged.push(of.credit.reference);
    // Refused and not known: it may have happened all the same.
    else if (of.credit && answer.text.includes('"unknown"')) unanswered.push(of.credit);
  };

  /** One connection, until it ends or the time is over. */
  const converse = (): Promise<void> =>
    new Promise((resolve) => {
      let pending = '';
      let asked: { name: AskName; at: number; credit: Credit | null } | null = null;
      let failure = 'closed';
      let isFresh = true;
      const socket: Socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
      socket.setEncoding('latin1');
      socket.setTimeout(HANG_MS, () => {
        failure = 'hung';
        socket.destroy();
      });
      const ask = (): void => {
        const { name, text, credit } = asks.next();
        asksBegun++;
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
        take(answer, { name, ms: performance.now() - at, isFresh, credit });
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
          tally(cut, `${asked.name} ${failure}`);
          if (asked.credit) unanswered.push(asked.credit);
        } else if (failure !== 'closed') tally(cut, `idle ${failure}`);
        resolve();
      });
    });

  const stayConnected = async (): Promise<void> => {
    while (!isOver()) {
      const begunAt = performance.now();
      await converse();
      // A door that is shut in one's face is not knocked at a thousand times a second.
      if (performance.now() - begunAt < AGAIN_MS) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  };

  const dawdle = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect({ port: order.port, host: '127.0.0.1' });
      socket.on('error', () => {});
      socket.on('connect', () => socket.write('GET /api/v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\n'));
      const dripping = setInterval(() => {
        if (isOver()) socket.destroy();
        else socket.write(`X-${randomUUID()}: slowly\r\n`);
      }, DAWDLE_MS);
      socket.on('data', () => {});
      socket.on('close', () => {
        clearInterval(dripping);
        if (!isOver()) sentAway++;
        resolve();
      });
    });

  await Promise.all([
    ...Array.from({ length: order.connections }, stayConnected),
    ...Array.from({ length: order.dawdlers }, dawdle),
  ]);
  own.disable();
  const ownDelayMs = { p50: own.percentile(50) / 1e6, p99: own.percentile(99) / 1e6, most: own.max / 1e6 };
  const times = { acceptedMs, refusedMs, freshMs, refusedCount, ownDelayMs };
  return { ...times, counts, odd, oddCount, cut, acknowledged, unanswered, sentAway };
};

process.on('disconnect', () => process.exit());
process.on('message', async (order: ClientsOrder) => process.send!(await run(order)));
process.send!({ ready: true });
