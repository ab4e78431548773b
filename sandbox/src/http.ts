// The HTTP server of the sandbox. It answers only on loopback: the keys of the simulators are public and the control API has none.

import { isIPv4 } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { Refusal } from './refusal.ts';

export function openHttp({ flush, log }: { flush: () => void; log: (sentence: string) => void }): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    bodyLimit: 2_000_000,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
  });

  // Many clients send a JSON content type without a body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, JSON.parse(body as string));
    } catch {
      done(new Refusal(400, 'The body is not valid JSON.'));
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );

  // The content of every answer must survive a crash of this process.
  app.addHook('onSend', async () => flush());
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(error.body);
    const status = error.statusCode ?? 500;
    if (status >= 500) log(`${request.method} ${request.url} failed: ${error.stack}`);
    return reply.code(status).send({ error: error.message });
  });
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `The sandbox has no route ${request.method} ${request.url.split('?')[0]}.` }),
  );
  return app;
}

export function requireLoopback(host: string): void {
  if (isLoopback(host)) return;
  throw new Error(
    `The sandbox listens only on this machine, and ${host} is not loopback: use 127.0.0.1, localhost or ::1.`,
  );
}

// A host name, or an address in the form of a socket.
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/^::ffff:/, '');
  return address === 'localhost' || address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}
