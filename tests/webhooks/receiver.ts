// A receiver of webhooks on a real port: it remembers what arrived, and answers as the test says.

import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';

export type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: an event is read like JavaScript would, and the assertions are the types
  readonly event: any;
};

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Answers from now on. Null: never answers. */
  answer(reply: Reply | null | ((received: Received) => Reply | null)): void;
  /** Resolves when so many have arrived. */
  count(wanted: number): Promise<void>;
};

const OK: Reply = { status: 200, body: 'thanks' };

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

export const startReceiver = async (t: Hooks): Promise<Receiver> => {
  const received: Received[] = [];
  let reply: (received: Received) => Reply | null = () => OK;
  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    const one = { headers: request.headers, body, event: JSON.parse(body) };
    received.push(one);
    const chosen = reply(one);
    if (chosen) response.writeHead(chosen.status, chosen.headers).end(chosen.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    answer(next) {
      reply = typeof next === 'function' ? next : () => next;
    },
    count: (wanted) => until(() => received.length >= wanted),
  };
};
