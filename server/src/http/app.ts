// Builds the HTTP application: the endpoints under one prefix, the hooks every request passes, and the answers to
// everything that fails before a handler is reached.

import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import type { DomainError } from '../base/domain-error.ts';
import type { Submit } from '../commit/command.ts';
import type { FindAnswer } from '../commit/stored-answers.ts';
import { NO_TRACING, type Tracing } from '../observability/tracing.ts';
import { createCrowd } from './admission.ts';
import { ignoreBodies, keepBytes, readJson } from './body.ts';
import type { Authenticator } from './caller.ts';
import { answerClientErrors } from './client-error.ts';
import type { Beside } from './companion.ts';
import { admitConsole, mountConsole, ownsConsole } from './console/mount.ts';
import type { ConsoleSite } from './console/site.ts';
import { type ErrorAnswering, sendFault, toFault } from './error-reply.ts';
import type { Route } from './route.ts';
import './fastify-parts.ts';
import { admit, countIn, type RateLimit, rateHeaders } from './hooks/admit.ts';
import { greet, setCommonHeaders } from './hooks/greet.ts';
import { createInFlight } from './idempotency/in-flight.ts';
import { mount } from './mount.ts';
import { missingRoute } from './not-found.ts';
import { addressBucket } from './rate-limit/address.ts';
import type { Limiter } from './rate-limit/limiter.ts';
import { mountReference } from './reference/page.ts';
import { requestIdOf } from './request-id.ts';
import { closeWithin } from './shutdown.ts';
import { UNWATCHED, type Watch } from './watch.ts';

export const API_PREFIX = '/api/v1';

export type AppOptions = {
  readonly routes: readonly Route[];
  /** Surface B, where it is served. */
  readonly beside?: Beside;
  /** The operator's page, where it is served. */
  readonly consoleSite?: ConsoleSite;
  readonly submit: Submit;
  /** Reads the stored answer to a request with an Idempotency-Key. */
  readonly findAnswer: FindAnswer;
  readonly authenticate: Authenticator;
  readonly limiter: Limiter;
  readonly rateLimit: RateLimit;
  readonly logger: FastifyBaseLogger;
  readonly watch?: Watch;
  readonly tracing?: Tracing;
  readonly bodyLimitBytes: number;
  /** Whether an error only says that the database is not to be had just now. */
  isAway?(error: unknown): boolean;
  /** How many proxies stand in front, or their addresses. */
  readonly trustProxy: false | number | readonly string[];
  readonly corsOrigins: readonly string[];
  readonly idempotencyRetentionHours: number;
  readonly shutdownGraceMs: number;
  readonly version: string;
  readonly now?: () => number;
  /** Requests worked on at once, at most; more are refused until there is room. */
  readonly requestsMax?: number;
  /** Sockets at once; a flood beyond it is dropped before it costs anything. */
  readonly connectionsMax?: number;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How often slow clients are looked for. */
  readonly timeoutCheckMs?: number;
};

// More than the event streams may take, so that they cannot lock the API out.
const CONNECTIONS_MAX = 25_000;
/** Eight times as many as keep it busy: 64 connections were as fast as more. */
const REQUESTS_MAX = 512;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUT_CHECK_MS = 5_000;
const KEEP_ALIVE_MS = 72_000;
const PATH_PART_MAX = 300;
/** Twice as long as the balancer of deploy/haproxy.cfg needs to see that a server goes. */
const NOTICE_MS = 3_000;

export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { logger, watch = UNWATCHED, limiter, rateLimit, bodyLimitBytes, beside, now = Date.now } = options;
  const behindProxy = options.trustProxy !== false;
  const answering: ErrorAnswering = { logger, bodyLimitBytes, ...(options.isAway ? { isAway: options.isAway } : {}) };
  const refuse = (reply: FastifyReply, fault: DomainError): void =>
    beside?.owns(reply.request.url) ? beside.refuse(reply, fault) : sendFault(reply, fault);

  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines carry the request's id themselves; a child logger for each request would only cost.
    childLoggerFactory: (parent) => parent,
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustOf(options.trustProxy),
    routerOptions: { maxParamLength: PATH_PART_MAX },
    // The hooks answer these, in the envelope.
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
      setCommonHeaders(request, reply, behindProxy);
      const fault = toFault(error, { ...answering, requestId: request.id, contentType: null });
      Promise.resolve(limiter.take(addressBucket(request.ip), rateLimit.max)).then((taken) => {
        reply.headers(rateHeaders(taken));
        refuse(reply, fault);
      });
    },
  });
  app.server.maxConnections = options.connectionsMax ?? CONNECTIONS_MAX;
  // Any other expectation than 100-continue may be ignored; Node would answer without the envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  const graceMs = options.shutdownGraceMs;
  const { leaving, closing } = closeWithin(app, { graceMs, noticeMs: behindProxy ? Math.min(NOTICE_MS, graceMs) : 0 });
  const endpoints = options.routes.map((route) => route.endpoint);
  const missing = missingRoute({ prefix: API_PREFIX, endpoints });
  app.decorateRequest('caller', null);
  app.decorateRequest('rawBody', null);
  app.addHook('onRequest', greet({ logger, watch, behindProxy, tracing: options.tracing ?? NO_TRACING }));
  if (options.corsOrigins.length > 0) await app.register(cors, corsOf(options.corsOrigins));
  const crowd = createCrowd(options.requestsMax ?? REQUESTS_MAX);
  const admission = { limiter, rateLimit, bodyLimitBytes, watch, crowd, leaving, closing, now };
  const enter = admit({ ...admission, authenticate: options.authenticate, missing });
  const enterBeside = beside
    ? admit({ ...admission, authenticate: beside.authenticate, missing: beside.missing })
    : enter;
  const enterConsole = admitConsole({ limiter, rateLimit, closing, now });
  const entranceOf = (url: string) => {
    if (options.consoleSite && ownsConsole(url)) return enterConsole;
    return beside?.owns(url) ? enterBeside : enter;
  };
  app.addHook('onRequest', (request, reply, done) => entranceOf(request.url)(request, reply, done));
  app.addHook('preValidation', countIn(crowd));
  // The hooks have refused it before this is reached.
  app.setNotFoundHandler((request, reply) => refuse(reply, missing(request)));
  app.setErrorHandler((error, request, reply) => {
    const contentType = request.headers['content-type'] ?? null;
    const fault = toFault(error, { ...answering, requestId: request.id, contentType });
    if (fault.status === 413) drainIfShort(request.headers['content-length'], reply);
    refuse(reply, fault);
  });

  const others = beside ? [beside.document] : [];
  await mountReference(app, { version: options.version, prefix: API_PREFIX, endpoints, others });
  const writing = {
    submit: options.submit,
    findAnswer: options.findAnswer,
    inFlight: createInFlight(),
    retentionHours: options.idempotencyRetentionHours,
    watch,
  };
  const scopes = [
    { prepare: keepBytes, routes: options.routes.filter((route) => route.kind === 'receive') },
    { prepare: readJson, routes: options.routes.filter((route) => route.kind !== 'receive' && route.endpoint.body) },
    { prepare: ignoreBodies, routes: options.routes.filter((route) => !route.endpoint.body) },
  ];
  for (const { prepare, routes } of scopes) {
    await app.register(
      async (scope) => {
        prepare(scope);
        for (const route of routes) mount(scope, route, writing);
      },
      { prefix: API_PREFIX },
    );
  }
  await beside?.mount(app);
  if (options.consoleSite) mountConsole(app, options.consoleSite);
  return app;
};

const trustOf = (trusted: AppOptions['trustProxy']) => {
  if (typeof trusted === 'number') return (_address: string, hop: number): boolean => hop < trusted;
  return trusted === false ? false : [...trusted];
};

const corsOf = (origins: readonly string[]) => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'Last-Event-ID',
    'X-Marketplace-Id',
    'X-Request-ID',
  ],
  exposedHeaders: [
    'Idempotency-Replay',
    'Retry-After',
    'X-Idempotency-Key',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-ID',
  ],
  maxAge: 600,
  // Strict mode answers without the envelope.
  strictPreflight: false,
});

const DRAINED_MAX_BYTES = 4 * 1024 * 1024;

// Closing at once resets the connection while the client still sends, and many clients then never see the answer. A body
// of moderate, known length is read to its end instead.
const drainIfShort = (contentLength: string | undefined, reply: FastifyReply): void => {
  if (Number(contentLength) <= DRAINED_MAX_BYTES) reply.removeHeader('connection');
  else reply.header('connection', 'close');
};
