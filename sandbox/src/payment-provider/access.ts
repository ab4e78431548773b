// Access to the payment provider's API: HTTP Basic with a key of an enterprise, and ten requests a second each when that limit is switched on.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { Refusal } from '../refusal.ts';
import type { PaymentConfig } from '../sandbox-config.ts';
import type { Enterprises } from './enterprises.ts';
import { problem } from './problems.ts';

const REQUESTS_MAX = 10;
const WINDOW_MS = 1000;

type Tools = {
  app: FastifyInstance;
  clock: Clock;
  config: PaymentConfig;
  enterprises: Enterprises;
  log: (sentence: string) => void;
};

// The name of the enterprise that sent the request.
export type EnterpriseOf = (request: FastifyRequest) => string;

export function guard({ app, clock, config, enterprises, log }: Tools): EnterpriseOf {
  const callers = new WeakMap<FastifyRequest, string>();
  const recent = new Map<string, number[]>();

  app.addHook('onRequest', async (request, reply) => {
    const name = enterprises.authenticate(request.headers.authorization ?? '');
    if (name === null) {
      reply.header('www-authenticate', 'Basic');
      throw problem('unauthorized');
    }
    callers.set(request, name);
    if (!config.rateLimit) return;
    const now = clock.now();
    const kept = (recent.get(name) ?? []).filter((time) => now - time < WINDOW_MS);
    recent.set(name, kept);
    if (kept.length >= REQUESTS_MAX) throw problem('tooMany');
    kept.push(now);
  });

  // Refusals of the HTTP server itself, such as broken JSON, in this provider's form.
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof Refusal && hasCode(error.body)) return reply.code(error.status).send(error.body);
    const status = error instanceof Refusal ? error.status : (error.statusCode ?? 500);
    const { body } = status < 500 ? problem('invalid', { request: error.message }) : problem('unexpected');
    if (status >= 500) log(`${request.method} ${request.url} failed: ${error.stack}`);
    return reply.code(status).send(body);
  });
  app.setNotFoundHandler(async (request) => {
    throw problem('notFound', { path: request.url });
  });
  return (request) => callers.get(request)!;
}

const hasCode = (body: unknown) => typeof body === 'object' && body !== null && 'code' in body;
