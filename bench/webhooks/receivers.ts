// The receivers of bench/webhooks.ts, in a process of their own: each has a port. Healthy ones answer at once and note how old the event
// is, silent ones never answer, and dead ones refuse connections.

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Kinds<Of> = { readonly healthy: Of; readonly silent: Of; readonly dead: Of };

export type Figures = { count: number; p50: number; p99: number; seconds: number; sample: string };

export type Question = { readonly open: Kinds<number> } | { readonly resets: boolean };

let delays: number[] = [];
let sample = '';
let firstAt = 0;
let lastAt = 0;

const OCCURRED_AT = /"occurredAt":"([^"]+)"/;

const take: RequestListener = (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    response.writeHead(200, { 'content-length': 2 }).end('ok');
    lastAt = Date.now();
    firstAt ||= lastAt;
    sample ||= body;
    delays.push(lastAt - Date.parse(OCCURRED_AT.exec(body)![1]!));
  });
};

const listen = async (handler: RequestListener) => {
  const server = createServer({ keepAliveTimeout: 60_000 }, handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
};

const ports = async (count: number, handler: RequestListener): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(handler)));
  return servers.map(({ port }) => port);
};

const closedPorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(() => {})));
  await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return servers.map(({ port }) => port);
};

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0;

const figures = (): Figures => {
  const sorted = delays.toSorted((one, other) => one - other);
  const seconds = (lastAt - firstAt) / 1_000;
  return { count: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), seconds, sample };
};

process.on('message', async (question: Question) => {
  if ('open' in question) {
    const { healthy, silent, dead } = question.open;
    process.send!({
      healthy: await ports(healthy, take),
      silent: await ports(silent, () => {}),
      dead: await closedPorts(dead),
    });
    return;
  }
  process.send!(figures());
  if (!question.resets) return;
  delays = [];
  firstAt = 0;
});
process.send!('ready');
