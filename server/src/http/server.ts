// The Fastify instance with its limits and timeouts, before any hook or route: what it accepts from the network, and what it
// answers to requests that never reach a hook.

import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import type { DomainError } from '../base/domain-error.ts';
import { answerClientErrors } from './client-error.ts';
import { type ErrorOptions, toDomainError } from './error-reply.ts';
import { requestIdOf } from './headers.ts';
import { type RateLimit, rateHeaders } from './hooks/admit.ts';
import { setCommonHeaders } from './hooks/observe.ts';
import { addressBucket, type Limiter } from './rate-limit/limiter.ts';

export type ServerOptions = {
  readonly logger: FastifyBaseLogger;
  readonly limiter: Limiter;
  readonly rateLimit: RateLimit;
  readonly bodyLimitBytes: number;
  /** How many proxies stand in front, or their addresses. */
  readonly trustProxy: false | number | readonly string[];
  /** Open sockets. Connections beyond this number are dropped before they cost anything. */
  readonly connectionsMax?: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How often the server checks for slow clients. */
  readonly timeoutCheckMs?: number;
};

type Refusals = { readonly errors: ErrorOptions; refuse(reply: FastifyReply, error: DomainError): void };

/** More than the event streams may use, so that they cannot lock out the API. */
const CONNECTIONS_MAX = 25_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 72_000;
const PATH_PART_MAX = 300;

const trustOf = (trusted: ServerOptions['trustProxy']) => {
  if (typeof trusted === 'number') return (_address: string, hop: number): boolean => hop < trusted;
  return trusted === false ? false : [...trusted];
};

export const createServer = (options: ServerOptions, { errors, refuse }: Refusals): FastifyInstance => {
  const { logger, limiter, rateLimit, bodyLimitBytes, trustProxy } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines carry the request id themselves. A child logger per request would only cost time.
    childLoggerFactory: (parent) => parent,
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustOf(trustProxy),
    routerOptions: { maxParamLength: PATH_PART_MAX },
    // The hooks refuse requests while the server closes, with the error envelope.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: options.timeoutCheckMs ?? TIMEOUT_CHECK_MS,
      requireHostHeader: false,
    },
    clientErrorHandler: answerClientErrors({ limiter, rateMax: rateLimit.max }),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply, trustProxy !== false);
      const refusal = toDomainError(error, { ...errors, requestId: request.id, contentType: null });
      Promise.resolve(limiter.take(addressBucket(request.ip), rateLimit.max)).then((taken) => {
        reply.headers(rateHeaders(taken));
        refuse(reply, refusal);
      });
    },
  });
  app.server.maxConnections = options.connectionsMax ?? CONNECTIONS_MAX;
  // Any expectation other than 100-continue may be ignored. Node would answer without the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app;
};
