// Puts on every answer what it must carry whatever happens next, and writes one log line when it is over, also when the
// client hung up first.

import type { FastifyBaseLogger, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { NO_TRACING, type Tracing } from '../../observability/tracing.ts';
import { SECURITY_HEADERS, STRICT_TRANSPORT } from '../security-headers.ts';
import type { Watch } from '../watch.ts';

export type Greeting = {
  readonly logger: FastifyBaseLogger;
  readonly watch: Watch;
  readonly behindProxy: boolean;
  readonly tracing?: Tracing;
};

/** What proxies write for a client that left before its answer. */
const CLIENT_LEFT = 499;

export const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply, behindProxy: boolean): void => {
  reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  if (behindProxy && request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT);
};

export const greet = (parts: Greeting) => {
  const { logger, watch, behindProxy, tracing = NO_TRACING } = parts;

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    setCommonHeaders(request, reply, behindProxy);
    watch.began();
    const span = tracing.start({
      name: `${request.method} ${request.routeOptions.url ?? 'unmatched'}`,
      attributes: { 'http.request.method': request.method, 'holdfast.request_id': request.id },
      parent: tracing.parentOf(request.headers),
    });
    reply.raw.on('close', () => {
      const { method } = request;
      const route = request.is404 ? undefined : request.routeOptions.url;
      const status = reply.raw.headersSent ? reply.raw.statusCode : CLIENT_LEFT;
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
