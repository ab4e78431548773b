// Builds the HTTP application: the routes under one prefix, the hooks that every request passes, and the answers to requests that
// fail before a handler is reached.

import cors from '@fastify/cors';
import { MONEY_SCOPES, type MoneyScope } from '@holdfast/contract/scopes.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from '../base/domain-error.ts';
import type { Submit } from '../commit/command.ts';
import type { Previews } from '../commit/preview/preview.ts';
import type { FindAnswer } from '../commit/stored-answers.ts';
import { NO_TRACING, type Tracing } from '../observability/tracing.ts';
import { type AdmissionControl, createAdmissionControl } from './admission.ts';
import { markPreview } from './answer-preview.ts';
import type { ApprovalGate } from './approval-terms.ts';
import { ignoreBodies, keepBytes, readJson } from './body.ts';
import type { Authenticator } from './caller.ts';
import type { CompanionSurface } from './companion.ts';
import { admitConsole, mountConsole, ownsConsole } from './console/mount.ts';
import type { ConsoleSite } from './console/site.ts';
import { mountDocs } from './docs/mount.ts';
import { mountRoot } from './docs/root.ts';
import { type ErrorOptions, sendError, toDomainError } from './error-reply.ts';
import { admit, countAdmitted } from './hooks/admit.ts';
import { type HttpWatch, observeRequests, UNWATCHED } from './hooks/observe.ts';
import type { RouteFacts } from './hooks/route-facts.ts';
import { createInFlight } from './idempotency.ts';
import { createKeyLookups } from './key-lookups.ts';
import { missingRoute } from './missing/missing-route.ts';
import { withPages } from './missing/suggest-pages.ts';
import { createSuggestRoutes } from './missing/suggest-routes.ts';
import { mount } from './mount.ts';
import { mountReference } from './reference/page.ts';
import type { Route } from './route.ts';
import { type Closing, closeWithin, createServer, type ServerOptions } from './server.ts';

export const API_PREFIX = '/api/v1';

export type AppOptions = ServerOptions & {
  readonly routes: readonly Route[];
  /** Surface B, where it is served. */
  readonly companion?: CompanionSurface;
  /** The operator's console, where it is served. */
  readonly consoleSite?: ConsoleSite;
  /** The folder of the documentation; that of the project unless given. */
  readonly docsFolder?: string;
  readonly submit: Submit;
  /** Reads the stored answer to a request with an Idempotency-Key. */
  readonly findAnswer: FindAnswer;
  /** Left out by tests that have no database. */
  readonly previews?: Previews;
  /** Left out by tests that have no rules. */
  readonly approvals?: ApprovalGate;
  readonly authenticate: Authenticator;
  /** Finds the operator of a session cookie. Absent: cookies are ignored. */
  readonly authenticateSession?: Authenticator;
  /** Routes at the root, beside the page of the console. */
  readonly consoleRoutes?: readonly Route[];
  /** The origin of the console, where it is set. */
  readonly publicOrigin?: string | null;
  readonly watch?: HttpWatch;
  readonly tracing?: Tracing;
  /** True for an error that says that the database is unreachable. */
  isAway?(error: unknown): boolean;
  readonly corsOrigins: readonly string[];
  /** The scopes that `write` contains; all of them unless given. */
  readonly writeIncludes?: readonly MoneyScope[];
  readonly idempotencyRetentionHours: number;
  readonly shutdownGraceMs: number;
  readonly version: string;
  readonly now?: () => number;
  /** Requests processed at once. More are refused until one has ended. */
  readonly requestsMax?: number;
  /** Database connections of the process. */
  readonly databasePoolMax?: number;
};

/** Eight times the number that is needed for full throughput: more than 64 connections were not faster. */
const REQUESTS_MAX = 512;
/** As DATABASE_POOL_MAX has it. */
const DATABASE_POOL_MAX = 10;
/** Twice the time in which the load balancer of deploy/haproxy.cfg notices that a server is stopping. */
const NOTICE_MS = 3_000;

type Refuse = (reply: FastifyReply, error: DomainError) => void;
type Missing = ReturnType<typeof missingRoute>;

export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { logger, watch = UNWATCHED, bodyLimitBytes, companion } = options;
  const isBehindProxy = options.trustProxy !== false;
  const errors: ErrorOptions = { logger, bodyLimitBytes, ...(options.isAway ? { isAway: options.isAway } : {}) };
  const refuse: Refuse = (reply, error) =>
    companion?.owns(placeOf(reply.request)) ? companion.refuse(reply, error) : sendError(reply, error);
  const app = createServer(options, { errors, refuse });

  const graceMs = options.shutdownGraceMs;
  const noticeMs = isBehindProxy ? Math.min(NOTICE_MS, graceMs) : 0;
  const closing = closeWithin(app, { graceMs, noticeMs });
  const endpoints = options.routes.map((route) => route.endpoint);
  const api = { prefix: API_PREFIX, endpoints };
  const surfaces = companion ? [api, { prefix: '', endpoints: companion.endpoints }] : [api];
  const suggest = withPages(createSuggestRoutes(surfaces), { hasConsole: options.consoleSite !== undefined });
  const missing = missingRoute({ ...api, suggest });
  app.decorateRequest('caller', null);
  app.decorateRequest('rawBody', null);
  app.decorateRequest('facts', null);
  app.decorateRequest('isAdmitted', false);
  const tracing = options.tracing ?? NO_TRACING;
  const admission = createAdmissionControl(options.requestsMax ?? REQUESTS_MAX);
  app.addHook('onRequest', observeRequests({ logger, watch, admission, isBehindProxy, tracing }));
  app.addHook('onRequest', (request, reply, done) => {
    markPreview(request, reply);
    done();
  });
  if (options.corsOrigins.length > 0) await app.register(cors, corsOf(options.corsOrigins));
  addAdmission(app, { options, admission, closing, missing });
  addErrorHandlers(app, { errors, refuse, missing });

  const others = companion ? [companion.document] : [];
  await mountReference(app, { version: options.version, prefix: API_PREFIX, endpoints, others });
  mountDocs(app, { folder: options.docsFolder });
  mountRoot(app, { version: options.version, api: API_PREFIX });
  await mountRoutes(app, options);
  await companion?.mount(app);
  if (options.consoleSite) mountConsole(app, options.consoleSite);
  return app;
};

/**
 * The path that says which surface a request is for. The router decodes a path before it finds the route, so that the path of the route counts, and
 * not how the caller spells it.
 */
const placeOf = ({ url, facts }: FastifyRequest): string => facts?.url ?? url;

type Admitting = {
  readonly options: AppOptions;
  readonly admission: AdmissionControl;
  readonly closing: Closing;
  readonly missing: Missing;
};

/** Every request passes one of three admissions: the API's, the console's, or that of Surface B. */
const addAdmission = (app: FastifyInstance, { options, admission, closing, missing }: Admitting): void => {
  const { companion, limiter, rateLimit, bodyLimitBytes, watch = UNWATCHED, now = Date.now } = options;
  const { writeIncludes = MONEY_SCOPES } = options;
  const { max, windowMs } = rateLimit;
  const lookups = createKeyLookups({ max, windowMs, poolMax: options.databasePoolMax ?? DATABASE_POOL_MAX, now });
  const parts = { limiter, lookups, rateLimit, bodyLimitBytes, writeIncludes, watch, admission, now, ...closing };
  const { authenticateSession, publicOrigin = null } = options;
  const sessions = authenticateSession ? { authenticateSession, publicOrigin } : {};
  const admitApi = admit({ ...parts, ...sessions, authenticate: options.authenticate, missing });
  const admitCompanion = companion
    ? admit({ ...parts, authenticate: companion.authenticate, missing: missingIn(companion, missing) })
    : admitApi;
  const admitFiles = admitConsole({ limiter, rateLimit, isClosing: closing.isClosing, now });
  const admissionOf = (request: FastifyRequest) => {
    const place = placeOf(request);
    // The routes beside the console's page are routes like any other; what is left of its paths are files.
    if (options.consoleSite && ownsConsole(place)) return request.facts?.endpoint ? admitApi : admitFiles;
    return companion?.owns(place) ? admitCompanion : admitApi;
  };
  const known = new WeakMap<RouteFacts, typeof admitApi>();
  const admissionFor = (request: FastifyRequest) => {
    const { facts, is404 } = request;
    const admitting = known.get(facts!) ?? admissionOf(request);
    if (!is404) known.set(facts!, admitting);
    return admitting;
  };
  app.addHook('onRequest', (request, reply, done) => admissionFor(request)(request, reply, done));
  app.addHook('preValidation', countAdmitted(admission));
};

/** Where the companion has no such path, the API's refusal names the routes of both that are close to it. */
const missingIn =
  (companion: CompanionSurface, missing: Missing): Missing =>
  (request) => {
    const refusal = companion.missing(request);
    return refusal.code === 'ROUTE_NOT_FOUND' ? missing(request) : refusal;
  };

const addErrorHandlers = (
  app: FastifyInstance,
  { errors, refuse, missing }: { errors: ErrorOptions; refuse: Refuse; missing: Missing },
): void => {
  // The admission hooks refuse such a request before this handler is reached.
  app.setNotFoundHandler((request, reply) => refuse(reply, missing(request)));
  app.setErrorHandler((error, request, reply) => {
    const contentType = request.headers['content-type'] ?? null;
    const { bodyLimitBytes = errors.bodyLimitBytes } = request.facts ?? {};
    const refusal = toDomainError(error, { ...errors, bodyLimitBytes, requestId: request.id, contentType });
    if (refusal.status === 413) drainIfShort(request.headers['content-length'], reply);
    refuse(reply, refusal);
  });
};

/** Routes in three scopes, because a content-type parser belongs to its scope. */
const mountRoutes = async (app: FastifyInstance, options: AppOptions): Promise<void> => {
  const writing = {
    submit: options.submit,
    findAnswer: options.findAnswer,
    ...(options.previews ? { previews: options.previews } : {}),
    ...(options.approvals ? { approvals: options.approvals } : {}),
    inFlight: createInFlight(),
    retentionHours: options.idempotencyRetentionHours,
    watch: options.watch ?? UNWATCHED,
  };
  const scopesOf = (routes: readonly Route[], prefix: string) => [
    { prefix, prepare: keepBytes, routes: routes.filter((route) => route.kind === 'receive') },
    { prefix, prepare: readJson, routes: routes.filter((route) => route.kind !== 'receive' && route.endpoint.body) },
    { prefix, prepare: ignoreBodies, routes: routes.filter((route) => !route.endpoint.body) },
  ];
  const scopes = [...scopesOf(options.routes, API_PREFIX), ...scopesOf(options.consoleRoutes ?? [], '')];
  for (const { prefix, prepare, routes } of scopes) {
    await app.register(
      async (scope) => {
        prepare(scope);
        for (const route of routes) mount(scope, { route, writing });
      },
      { prefix },
    );
  }
};

const corsOf = (origins: readonly string[]) => ({
  origin: [...origins],
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Dry-Run',
    'Idempotency-Key',
    'Last-Event-ID',
    'X-Marketplace-Id',
    'X-Request-ID',
  ],
  exposedHeaders: [
    'Dry-Run',
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

// Closing the connection while the client still sends resets it, and many clients then never see the answer. A body of
// moderate, known length is read to its end instead.
const drainIfShort = (contentLength: string | undefined, reply: FastifyReply): void => {
  if (Number(contentLength) <= DRAINED_MAX_BYTES) reply.removeHeader('connection');
  else reply.header('connection', 'close');
};
