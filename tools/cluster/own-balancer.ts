// A load balancer for a machine that has none: the server with the fewest requests under way gets the next one, a server
// whose health is not good gets none. Only what was never sent goes to another server: what was sent may have been carried
// out, and is never sent twice.

import { once } from 'node:events';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Balancer, BalancerStart } from './balancer.ts';

type Target = {
  readonly port: number;
  readonly agent: http.Agent;
  /** Requests and event streams under way, apart: streams stay for hours. */
  readonly underWay: { requests: number; streams: number };
  given: number;
  failures: number;
};

const CHECK_MS = 250;
/** A busy server is slow, not away; one that is away says so at once. */
const CHECK_TIMEOUT_MS = 10_000;
const FAILURES_MAX = 2;
/** Shorter than the server's own: nothing is sent into a connection that it is just closing. */
const IDLE_MS = 30_000;
/** Of one connection only. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'upgrade'];

const refuse = (response: http.ServerResponse, { status, outcome }: { status: 502 | 503; outcome?: string }): void => {
  if (response.headersSent) {
    // Half an answer must not look like a whole one.
    response.destroy();
    return;
  }
  const message = outcome
    ? 'The server went away while it answered. Repeat it with the same Idempotency-Key, or look first.'
    : 'No server can take this just now. Try again.';
  const details = { retryAfter: 1, ...(outcome ? { outcome } : {}) };
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end(JSON.stringify({ error: { code: 'SERVICE_UNAVAILABLE', message, details } }));
};

const withoutHops = (headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));

const headersOf = ({ headers, socket }: http.IncomingMessage): http.OutgoingHttpHeaders => ({
  ...withoutHops(headers),
  'x-forwarded-for': [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', '),
});

const isStream = ({ url }: http.IncomingMessage): boolean => url?.split('?')[0] === '/api/v1/events';

const isWell = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/api/v1/health`, { signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );

/**
 * Sends it on and waits for the end of the answer. False: another server may have it, for nothing was sent, or it was a
 * stream that this one does not take.
 */
const pass = async (target: Target, request: http.IncomingMessage, response: http.ServerResponse): Promise<boolean> => {
  const { method, url: path } = request;
  const headers = headersOf(request);
  const onward = http.request({ agent: target.agent, host: '127.0.0.1', port: target.port, method, path, headers });
  onward.on('error', () => {});
  response.once('close', () => onward.destroy());
  let wasSent = false;
  try {
    const answered = once(onward, 'response') as Promise<[http.IncomingMessage]>;
    answered.catch(() => {});
    const [socket] = await Promise.race([once(onward, 'socket'), answered.then(() => [])]);
    if (socket?.connecting) await once(socket, 'connect');
    wasSent = true;
    request.pipe(onward);
    const [answer] = await answered;
    if (answer.statusCode === 503 && isStream(request)) {
      answer.resume();
      return false;
    }
    response.writeHead(answer.statusCode!, withoutHops(answer.headers));
    response.flushHeaders();
    await pipeline(answer, response);
  } catch {
    onward.destroy();
    if (!wasSent) {
      target.failures++;
      return false;
    }
    refuse(response, { status: 502, outcome: 'unknown' });
  }
  return true;
};

export const startOwnBalancer = async (start: BalancerStart): Promise<Balancer> => {
  const targets = start.serverPorts.map((port): Target => {
    const agent = new http.Agent({ keepAlive: true, timeout: IDLE_MS });
    return { port, agent, underWay: { requests: 0, streams: 0 }, given: 0, failures: 0 };
  });
  const isIn = ({ failures }: Target): boolean => failures < FAILURES_MAX;
  const check = async (target: Target): Promise<void> => {
    target.failures = (await isWell(target.port)) ? 0 : target.failures + 1;
  };
  const stopped = new AbortController();
  const watch = async (target: Target): Promise<void> => {
    while (!stopped.signal.aborted) {
      await check(target);
      await pause(CHECK_MS, null, { signal: stopped.signal }).catch(() => {});
    }
  };
  for (const target of targets) void watch(target);

  const server = http.createServer(async (request, response) => {
    const kind = isStream(request) ? 'streams' : 'requests';
    const left = new Set(targets);
    for (;;) {
      const [target] = [...left]
        .filter(isIn)
        .toSorted((a, b) => a.underWay[kind] - b.underWay[kind] || a.given - b.given);
      if (target === undefined || response.destroyed) break;
      left.delete(target);
      target.underWay[kind]++;
      target.given++;
      const wasSent = await pass(target, request, response);
      target.underWay[kind]--;
      if (wasSent) return;
    }
    refuse(response, { status: 503 });
  });
  server.requestTimeout = 0;
  server.listen(start.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    name: 'the balancer of tools/cluster',
    url: `http://127.0.0.1:${start.port}`,
    pid: process.pid,
    look: async () => targets.map((target) => ({ port: target.port, isIn: isIn(target), requests: target.given })),
    async stop() {
      stopped.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      for (const { agent } of targets) agent.destroy();
    },
  };
};
