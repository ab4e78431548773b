// A line between the SDK and a server, on a real port: it passes everything on, and does with single requests what bad
// networks and proxies do. It notes what passed.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';

type Trick =
  /** The request does not arrive. */
  | 'lose-request'
  /** It arrives and is answered, but the connection breaks before the answer is here. */
  | 'lose-answer'
  /** The connection breaks in the middle of the answer. */
  | 'cut-answer'
  /** It arrives, and the line never says anything. */
  | 'hang'
  /** The line answers in the server's place. */
  | { status: number; headers?: Record<string, string>; body?: string };

type Passed = {
  readonly request: string;
  readonly headers: IncomingMessage['headers'];
  readonly trick: Trick | null;
  readonly at: number;
};

export type Line = {
  readonly url: string;
  readonly passed: Passed[];
  /** Plays these, one after the other, on requests whose `POST /path` has this in it. */
  play(on: string, ...tricks: Trick[]): void;
  /** Told when a trick has had its effect, before the client notices. */
  onTrick: (() => unknown) | null;
  /** Breaks every connection that is open. */
  cut(): void;
  /** Keeps connections open and lets nothing more through, until it is told to go on. */
  silent: boolean;
};

type Rule = { readonly on: string; readonly tricks: Trick[] };

export const openLine = async (t: TestContext, target: string): Promise<Line> => {
  const rules: Rule[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer((asked, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    void pass(asked, response).catch(() => response.destroy());
  });

  const pass = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = `${asked.method} ${asked.url}`;
    const rule = rules.find(({ on, tricks }) => tricks.length > 0 && name.includes(on));
    const trick = rule?.tricks.shift() ?? null;
    line.passed.push({ request: name, headers: asked.headers, trick, at: performance.now() });
    const body = await buffer(asked);
    if (trick === 'lose-request') return void response.destroy();
    if (typeof trick === 'object' && trick) {
      await line.onTrick?.();
      return void response.writeHead(trick.status, trick.headers).end(trick.body);
    }
    const onward = request(`${target}${asked.url}`, {
      method: asked.method!,
      headers: { ...asked.headers, host: new URL(target).host, connection: 'close' },
      agent: false,
    });
    response.on('close', () => onward.destroy());
    onward.end(body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    if (trick) return spoil(trick, { answer, response });
    response.writeHead(answer.statusCode!, answer.headers);
    answer.on('error', () => response.destroy());
    answer.on('data', (piece) => line.silent || response.write(piece));
    answer.on('end', () => (answer.complete ? response.end() : response.destroy()));
  };

  const spoil = async (
    trick: Trick,
    { answer, response }: { answer: IncomingMessage; response: ServerResponse },
  ): Promise<void> => {
    const whole = await buffer(answer);
    await line.onTrick?.();
    if (trick === 'hang') return;
    if (trick === 'lose-answer') return void response.destroy();
    response.writeHead(answer.statusCode!, answer.headers);
    response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy());
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line: Line = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: [],
    play: (on, ...tricks) => void rules.push({ on, tricks }),
    onTrick: null,
    cut() {
      for (const response of open) response.destroy();
    },
    silent: false,
  };
  afterwards(t, async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return line;
};

/** Requests that passed and have this in their `POST /path`. */
export const passedOf = (line: Line, on: string): Passed[] =>
  line.passed.filter(({ request: name }) => name.includes(on));
