// The attacker of `npm run attack`, in a process of its own: begins when it gets an order, ends when it gets the next message, and
// answers with what came back, counted by request and status.

import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Ask, type AttackOrder, FORCES, nextAsk } from './requests.ts';

export type AttackAnswer = {
  readonly sent: number;
  /** By what was asked and the status that came; `no answer` where the connection ended instead. */
  readonly counts: Readonly<Record<string, number>>;
};

type Run = {
  readonly order: AttackOrder;
  readonly agent: Agent;
  readonly counts: Record<string, number>;
  readonly open: Set<ClientRequest>;
  sent: number;
  isOver: boolean;
};

/** A refused attacker waits a moment, so that its own process does not take the whole machine. */
const REFUSED_MS = 5;
/** As long as Retry-After asks for: this attacker wants the streams, not the requests. */
const REOPEN_MS = 1_000;
const TICK_MS = 20;

const tally = ({ counts, isOver }: Run, name: string): void => {
  // What ends because the attack is over tells nothing of the server.
  if (!isOver) counts[name] = (counts[name] ?? 0) + 1;
};

const begin = ({ order, agent, open }: Run, { method, path, key, body }: Ask): ClientRequest => {
  const headers = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const target = { host: '127.0.0.1', port: order.port, localAddress: order.localAddress, agent };
  const asked = request({ ...target, method, path: `/api/v1${path}`, headers });
  open.add(asked);
  asked.on('close', () => open.delete(asked));
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  return asked;
};

/** Resolves with the status when the answer has been read, or with null. */
const ask = (run: Run, one: Ask): Promise<number | null> =>
  new Promise((resolve) => {
    run.sent++;
    const asked = begin(run, one);
    const end = (status: number | null): void => {
      tally(run, `${one.name} ${status ?? 'no answer'}`);
      resolve(status);
    };
    asked.on('error', () => end(null));
    asked.on('response', (response) => {
      response.resume();
      response.on('end', () => end(response.statusCode ?? 0));
    });
  });

const insist = async (run: Run): Promise<void> => {
  while (!run.isOver) {
    const status = await ask(run, nextAsk(run.order, run.sent));
    if (status === null || status >= 400) await pause(REFUSED_MS);
  }
};

/** By the clock: what is not answered yet delays nothing. */
const flood = async (run: Run, perSecond: number): Promise<void> => {
  const begunAt = performance.now();
  while (!run.isOver) {
    const due = Math.floor(((performance.now() - begunAt) * perSecond) / 1_000);
    while (run.sent < due) void ask(run, nextAsk(run.order, run.sent));
    await pause(TICK_MS);
  }
};

/** Opens one stream after the other and never closes one. A refused one is asked for again. */
const hold = async (run: Run): Promise<void> => {
  while (!run.isOver) {
    run.sent++;
    const one = nextAsk(run.order, run.sent);
    const asked = begin(run, one);
    await new Promise<void>((resolve) => {
      asked.on('error', () => {
        tally(run, `${one.name} no answer`);
        resolve();
      });
      asked.on('response', (response) => {
        response.resume();
        tally(run, `${one.name} ${response.statusCode}`);
        response.on('error', () => {});
        response.on('close', resolve);
      });
    });
    if (!run.isOver) await pause(REOPEN_MS);
  }
};

const attack = async (run: Run): Promise<void> => {
  const force = FORCES[run.order.attack];
  if ('perSecond' in force) return flood(run, force.perSecond);
  const [count, work] = 'held' in force ? [force.held, hold] : [force.connections, insist];
  await Promise.all(Array.from({ length: count }, () => work(run)));
};

const CONNECTIONS_MAX = 4_096;

let running: { readonly run: Run; readonly ended: Promise<void> } | null = null;

const start = (order: AttackOrder): void => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const run: Run = { order, agent, counts: {}, open: new Set(), sent: 0, isOver: false };
  running = { run, ended: attack(run) };
  process.send!({ begun: true });
};

const stop = async (): Promise<void> => {
  const { run, ended } = running!;
  run.isOver = true;
  for (const asked of run.open) asked.destroy();
  run.agent.destroy();
  await ended;
  running = null;
  process.send!({ sent: run.sent, counts: run.counts } satisfies AttackAnswer);
};

process.on('disconnect', () => process.exit());
process.on('message', (message: AttackOrder | { stop: true }) => ('stop' in message ? stop() : start(message)));
process.send!({ ready: true });
