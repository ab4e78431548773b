// Sets the headers that every response must carry, counts and traces the request, and writes one log line when it has ended, also
// when the client disconnected first.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { NO_TRACING, type Tracing } from '../../observability/tracing.ts';
import { SECURITY_HEADERS, STRICT_TRANSPORT } from '../headers.ts';

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
  readonly isBehindProxy: boolean;
  readonly tracing?: Tracing;
};

/** The status that proxies log for a client that disconnected before its response. */
const CLIENT_CLOSED_REQUEST = 499;

export const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply, isBehindProxy: boolean): void => {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  if (isBehindProxy && request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
};

export const observeRequests = (parts: Parts) => {
  const { logger, watch, isBehindProxy, tracing = NO_TRACING } = parts;

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    setCommonHeaders(request, reply, isBehindProxy);
    watch.began();
    const span = tracing.start({
      name: `${request.method} ${request.routeOptions.url ?? 'unmatched'}`,
      attributes: { 'http.request.method': request.method, 'holdfast.request_id': request.id },
      parent: tracing.parentOf(request.headers),
    });
    reply.raw.on('close', () => {
      const { method } = request;
      const route = request.is404 ? undefined : request.routeOptions.url;
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
