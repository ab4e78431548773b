// Sets the headers that every response must carry, counts and traces the request, and writes one log line when it has ended, also
// when the client disconnected first.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { NO_TRACING, type Tracing } from '../../observability/tracing.ts';
import type { AdmissionControl } from '../admission.ts';
import { routeFactsOf } from './route-facts.ts';

/** What the HTTP layer counts; the metrics implement it. Counting may never change or delay a response. */
export type HttpWatch = {
  began(): void;
  /** Once per request that began, also when the client disconnected. */
  ended(): void;
  answered(request: { method: string; route: string | undefined; status: number; durationMs: number }): void;
  rateLimited(bucket: 'api' | 'webhook'): void;
  replayed(): void;
};

export const UNWATCHED: HttpWatch = { began() {}, ended() {}, answered() {}, rateLimited() {}, replayed() {} };

type Parts = {
  readonly logger: FastifyBaseLogger;
  readonly watch: HttpWatch;
  readonly admission: AdmissionControl;
  readonly isBehindProxy: boolean;
  readonly tracing?: Tracing;
};

/** The status that proxies log for a client that disconnected before its response. */
const CLIENT_CLOSED_REQUEST = 499;

export const setCommonHeaders = (
  reply: FastifyReply,
  { request, isBehindProxy }: { request: FastifyRequest; isBehindProxy: boolean },
): void => {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  if (isBehindProxy && request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
};

export const observeRequests = (parts: Parts) => {
  const { logger, watch, admission, isBehindProxy, tracing = NO_TRACING } = parts;

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    setCommonHeaders(reply, { request, isBehindProxy });
    watch.began();
    const facts = routeFactsOf(request);
    request.facts = facts;
    const span = tracing.start(() => ({
      name: `${request.method} ${facts.url ?? 'unmatched'}`,
      attributes: { 'http.request.method': request.method, 'holdfast.request_id': request.id },
      parent: tracing.parentOf(request.headers),
    }));
    // The only listener of the end, also for the parts that have to know it: each listener costs every request.
    reply.raw.on('close', () => {
      if (request.isAdmitted) admission.release();
      const { method } = request;
      const route = request.is404 ? undefined : facts.url;
      const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_CLOSED_REQUEST;
      const durationMs = Math.round(reply.elapsedTime * 1_000) / 1_000;
      span.set({ 'http.response.status_code': status });
      span.end();
      watch.ended();
      watch.answered({ method, route, status, durationMs });
      const caller = request.caller?.type === 'anonymous' ? null : request.caller;
      logger.info(
        {
          request: {
            method,
            route: route ?? 'unmatched',
            requestId: request.id,
            status,
            durationMs,
            apiKeyId: caller?.keyId ?? null,
            marketplaceId: caller?.marketplaceId ?? null,
            traceId: span.traceId,
          },
        },
        'answered',
      );
    });
    span.run(done);
  };
};

/** Security headers of every response. A page that needs other values sets them in its handler. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Only where a trusted proxy says that the client used TLS: on plain HTTP browsers must ignore it. */
const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

const TOKEN = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,${LIMITS.requestIdLength - 1}}$`);

/**
 * The id of a request in responses, events, audit entries and the log. The caller's own id is used when it is a plain token, so that
 * it cannot break a log line or a header.
 */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && TOKEN.test(given) ? given : randomUUID();
};
