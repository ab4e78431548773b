// Relays webhooks from the simulators to any server that is running. It delivers them badly on purpose: some arrive twice at
// once, some late and after others, old ones are delivered again, and some are forged.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random.ts';

type Webhook = { readonly path: string; readonly body: string; readonly headers: Record<string, string> };

type Options = {
  readonly random: Random;
  /** Where a server is now; null while there is none. */
  server(): string | null;
  /** Told of every answer that is not a success. */
  onRefusal(webhook: Webhook, answer: { status: number; text: string }): void;
};

const KEPT_MAX = 300;
/** Those of the connection itself are not for the next one. */
const NOT_CARRIED = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'accept-encoding'];

const carried = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_CARRIED.includes(name))) as Record<string, string>;

export const openWebhookRelay = async ({ random, server, onRefusal }: Options) => {
  const kept: Webhook[] = [];
  const held: Webhook[] = [];
  const counts = { delivered: 0, twice: 0, late: 0, repeated: 0, forged: 0 };

  /** The status that the server answers, or 502. */
  const deliver = async (webhook: Webhook): Promise<number> => {
    const url = server();
    if (url === null) return 502;
    try {
      const { path, body, headers } = webhook;
      const answer = await fetch(`${url}/api/v1/webhooks${path}`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) onRefusal(webhook, { status: answer.status, text });
      counts.delivered++;
      return answer.status;
    } catch {
      return 502;
    }
  };

  const handle = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await asked.toArray()).toString();
    const webhook = { path: asked.url ?? '/', body, headers: carried(asked.headers) };
    kept.push(webhook);
    if (kept.length > KEPT_MAX) kept.shift();
    if (random.is(15)) {
      counts.late++;
      held.push(webhook);
      reply.writeHead(200).end();
      return;
    }
    const isTwice = random.is(10);
    if (isTwice) counts.twice++;
    const [status] = await Promise.all([deliver(webhook), ...(isTwice ? [deliver(webhook)] : [])]);
    reply.writeHead(status).end();
  };

  const listener = createServer((asked, reply) => {
    handle(asked, reply).catch(() => reply.destroy());
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    counts,
    /** What was kept back, last first. */
    async deliverHeld(): Promise<void> {
      await Promise.all(held.splice(0).toReversed().map(deliver));
    },
    /** Old ones once more, in any order. */
    async repeat(times: number): Promise<void> {
      if (kept.length === 0) return;
      const webhooks = Array.from({ length: times }, () => random.pick(kept));
      counts.repeated += times;
      await Promise.all(webhooks.map(deliver));
    },
    /** A webhook about an order's escrow from a sender without the secret. */
    async forge(body: object): Promise<void> {
      counts.forged++;
      const headers = { 'content-type': 'application/json' };
      await deliver({ path: '/escrow-provider', body: JSON.stringify(body), headers });
    },
    close(): void {
      listener.close();
      listener.closeAllConnections();
    },
  };
};
