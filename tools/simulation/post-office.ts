// Carries webhooks from the simulators to whichever server is there. It is a bad post office on purpose: some arrive twice at
// once, some late and after others, old ones come again, and now and then somebody else writes.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Chance } from './chance.ts';

type Letter = { readonly path: string; readonly body: string; readonly headers: Record<string, string> };

type Options = {
  readonly chance: Chance;
  /** Where a server is now; null while there is none. */
  server(): string | null;
  /** Told of every answer that is not a success. */
  onRefusal(letter: Letter, answer: { status: number; text: string }): void;
};

export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>;

const KEPT_MAX = 300;
/** Those of the connection itself are not for the next one. */
const NOT_CARRIED = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'accept-encoding'];

const carried = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_CARRIED.includes(name))) as Record<string, string>;

export const openPostOffice = async ({ chance, server, onRefusal }: Options) => {
  const kept: Letter[] = [];
  const held: Letter[] = [];
  const counts = { delivered: 0, twice: 0, late: 0, repeated: 0, forged: 0 };

  /** The status that the server answers, or 502. */
  const deliver = async (letter: Letter): Promise<number> => {
    const url = server();
    if (url === null) return 502;
    try {
      const { path, body, headers } = letter;
      const answer = await fetch(`${url}/api/v1/webhooks${path}`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) onRefusal(letter, { status: answer.status, text });
      counts.delivered++;
      return answer.status;
    } catch {
      return 502;
    }
  };

  const handle = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await asked.toArray()).toString();
    const letter = { path: asked.url ?? '/', body, headers: carried(asked.headers) };
    kept.push(letter);
    if (kept.length > KEPT_MAX) kept.shift();
    if (chance.is(15)) {
      counts.late++;
      held.push(letter);
      reply.writeHead(200).end();
      return;
    }
    const isTwice = chance.is(10);
    if (isTwice) counts.twice++;
    const [status] = await Promise.all([deliver(letter), ...(isTwice ? [deliver(letter)] : [])]);
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
      const letters = Array.from({ length: times }, () => chance.pick(kept));
      counts.repeated += times;
      await Promise.all(letters.map(deliver));
    },
    /** A word about an order's escrow from somebody who cannot sign. */
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
