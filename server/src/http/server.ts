// The Fastify instance with its limits and timeouts, before any hook or route: what it accepts from the network, what it answers to
// requests that never reach a hook, and how it stops.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { DomainError } from '../base/domain-error.ts';
import { pause } from '../base/wait.ts';
import { type ErrorOptions, errorBody, errorHeaders, JSON_TYPE, toDomainError } from './error-reply.ts';
import { type RateLimit, rateHeaders } from './hooks/admit.ts';
import { requestIdOf, SECURITY_HEADERS, setCommonHeaders } from './hooks/observe.ts';
import { addressBucket, type Limiter } from './rate-limit.ts';

export type ServerOptions = {
  readonly logger: FastifyBaseLogger;
  readonly limiter: Limiter;
  readonly rateLimit: RateLimit;
  readonly bodyLimitBytes: number;
  /** The number of proxies in front of the server, or their addresses. */
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
      setCommonHeaders(reply, { request, isBehindProxy: trustProxy !== false });
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

const refusalOfClientError = (code: string | undefined): DomainError => {
  const refusal = (sentence: string, status = 400): DomainError =>
    new DomainError('VALIDATION_ERROR', { details: { validationErrors: [sentence] }, status });
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('The headers are too large.', 431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('The request did not arrive in time.', 408);
  return refusal('The request is not valid HTTP.');
};

// Answers connections that sent no valid HTTP request. There is no request object, so the envelope is written to the socket, which
// is then closed.
const answerClientErrors =
  (options: { limiter: Limiter; rateMax: number }) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = refusalOfClientError(error.code);
    const requestId = randomUUID();
    const body = errorBody(refusal, requestId);
    Promise.resolve(options.limiter.take(addressBucket(socket.remoteAddress), options.rateMax)).then(
      (taken) => {
        const headers = {
          ...SECURITY_HEADERS,
          ...errorHeaders(refusal),
          ...rateHeaders(taken),
          'x-request-id': requestId,
          'content-type': JSON_TYPE,
          'content-length': String(Buffer.byteLength(body)),
          connection: 'close',
        };
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join('')}\r\n${body}`);
      },
      () => socket.destroy(),
    );
  };

export type Closing = {
  /** True once the server is stopping: health checks fail, all other requests are still answered. */
  isLeaving(): boolean;
  /** True once new requests are refused. */
  isClosing(): boolean;
};

/**
 * Stops the server in order: first the load balancer is notified while requests are still answered, then running requests are
 * finished and idle connections closed, and after the grace period the remaining connections are cut. So `app.close()` always
 * returns. `noticeMs` is how long a load balancer has to notice that this server stops; 0 when there is none.
 */
export const closeWithin = (app: FastifyInstance, of: { graceMs: number; noticeMs: number }): Closing => {
  let isLeaving = false;
  let isClosing = false;
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    isLeaving = true;
    if (of.noticeMs > 0) await pause(of.noticeMs);
    isClosing = true;
    cut = setTimeout(() => app.server.closeAllConnections(), of.graceMs);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A kept-alive connection would delay the close until it times out, or be cut under its next request.
    if (isLeaving) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onClose', async () => clearTimeout(cut));
  return { isLeaving: () => isLeaving, isClosing: () => isClosing };
};
