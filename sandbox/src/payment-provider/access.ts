// Access to the payment provider's API: HTTP Basic, and ten requests a second when that limit is switched on.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import { Refusal } from '../refusal.ts';
import type { PaymentConfig } from '../sandbox-config.ts';
import { problem } from './problems.ts';

const REQUESTS_MAX = 10;
const WINDOW_MS = 1000;

type Tools = { app: FastifyInstance; clock: Clock; config: PaymentConfig; log: (sentence: string) => void };

export function guard({ app, clock, config, log }: Tools): void {
  const wanted = digest(`Basic ${Buffer.from(`${config.key}:${config.secret}`).toString('base64')}`);
  let recent: number[] = [];

  app.addHook('onRequest', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted)) {
      reply.header('www-authenticate', 'Basic');
      throw problem('unauthorized');
    }
    if (!config.rateLimit) return;
    const now = clock.now();
    recent = recent.filter((time) => now - time < WINDOW_MS);
    if (recent.length >= REQUESTS_MAX) throw problem('tooMany');
    recent.push(now);
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
}

const digest = (text: string) => createHash('sha256').update(text).digest();

const hasCode = (body: unknown) => typeof body === 'object' && body !== null && 'code' in body;
