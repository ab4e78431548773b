// Turns an endpoint row and its handler into a Fastify route: its schemas become compiled checks and a compiled serialiser, and its
// access rule is read by the hooks.

import { syncBalance, verifyBalance } from '@holdfast/contract/api/balances.ts';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { getFloatTotal } from '@holdfast/contract/api/reconciliation.ts';
import { getSandboxState, listSandboxFaults } from '@holdfast/contract/api/sandbox.ts';
import { getWallet, listWalletTransactions } from '@holdfast/contract/api/wallets.ts';
import { createWithdrawal } from '@holdfast/contract/api/withdrawals.ts';
import { envelopeOf } from '@holdfast/contract/envelopes.ts';
import { isChanging } from '@holdfast/contract/previews.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWrite, send, type Writing } from './answer-command.ts';
import { answerAct } from './answer-operation.ts';
import { answerPreview, wantsPreview } from './answer-preview.ts';
import { answerOrHold, previewHold } from './approval-gate.ts';
import { contextOf } from './caller.ts';
import { sendCsv, wantsCsv } from './csv-answer.ts';
import { createSerialisers, type Serialiser, wrap } from './envelope.ts';
import { fail } from './error-reply.ts';
import { addressBucket } from './rate-limit.ts';
import type { AnyRouteRequest, Delivery, Entered, Handler, Route, Wire } from './route.ts';
import { attemptOf, isSameOrigin, sessionTokenOf } from './session-cookie.ts';
import { createUploads } from './uploads.ts';
import { plainSchema } from './validation/schema-shape.ts';
import {
  bodyValidator,
  emptyQueryValidator,
  type PartValidator,
  paramsValidator,
  queryValidator,
} from './validation/validator.ts';

const NOTHING = Object.freeze({});
const serialiserOf = createSerialisers((endpoint: Endpoint) => plainSchema(envelopeOf(endpoint)));

/** Aborted when the response has ended, or its client has left. */
const leftSignal = ({ raw }: FastifyReply): AbortSignal => {
  const leaving = new AbortController();
  if (raw.destroyed) leaving.abort();
  else raw.once('close', () => leaving.abort());
  return leaving.signal;
};

const routeRequestOf = (
  endpoint: Endpoint,
  { request, reply }: Pick<Entered, 'request' | 'reply'>,
): AnyRouteRequest => {
  const caller = request.caller!;
  return {
    params: endpoint.params ? (request.params as typeof NOTHING) : NOTHING,
    query: endpoint.query ? (request.query as typeof NOTHING) : NOTHING,
    body: endpoint.body ? (request.body as typeof NOTHING) : NOTHING,
    caller,
    requestId: request.id,
    requestKey: null,
    context: contextOf(caller, request.id),
    input: undefined,
    ...(endpoint.heavy || endpoint.wrapping === 'raw' ? { left: leftSignal(reply) } : {}),
  };
};

/** Endpoints that wait for an outside system, in addition to those of kind `act`. */
const WAIT_FOR_OUTSIDE: ReadonlySet<Endpoint> = new Set<Endpoint>([
  getWallet,
  listWalletTransactions,
  syncBalance,
  verifyBalance,
  createWithdrawal,
  getSandboxState,
  listSandboxFaults,
  getFloatTotal,
]);

type Validators = Readonly<Record<string, PartValidator>>;

const compileValidators = ({ params, query, body, bodyOptional }: Endpoint): Validators => ({
  ...(params ? { params: paramsValidator(params) } : {}),
  querystring: query ? queryValidator(query) : emptyQueryValidator,
  ...(body ? { body: bodyValidator(body, { optional: bodyOptional === true }) } : {}),
});

const compiled = new WeakMap<Endpoint, Validators>();

/** Compiled at the first request of an endpoint, and once for all servers of a process. Compiling all took a tenth of every start. */
const validatorsOf = (endpoint: Endpoint): Validators => {
  const known = compiled.get(endpoint) ?? compileValidators(endpoint);
  compiled.set(endpoint, known);
  return known;
};

/** Where bodies may be large. */
const uploading = ({ bodyLimitBytes: bodyLimit }: Route) =>
  bodyLimit === undefined ? {} : { bodyLimit, onRequest: createUploads() };

export const mount = (app: FastifyInstance, { route, writing }: { route: Route; writing: Writing }): void => {
  const { endpoint, bodyLimitBytes } = route;
  let validators: Validators | undefined;
  const check = (part: string, value: unknown) => {
    validators ??= validatorsOf(endpoint);
    return validators[part]!(value);
  };
  const { params, query, body } = endpoint;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: {
      endpoint,
      waits: route.kind === 'act' || route.kind === 'raw' || WAIT_FOR_OUTSIDE.has(endpoint),
      ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
    },
    ...uploading(route),
    // A HEAD request of a stream would never end.
    exposeHeadRoute: endpoint.method === 'GET' && route.kind !== 'raw',
    schema: {
      ...(params ? { params } : {}),
      // Without a schema the framework would not call the validator, and unknown parameters would pass.
      ...(endpoint.ignoresQuery ? {} : { querystring: query ?? NOTHING }),
      ...(body ? { body } : {}),
    },
    validatorCompiler:
      ({ httpPart }) =>
      (value: unknown) =>
        check(httpPart!, value),
    ...(route.kind === 'receive' ? { preValidation: checked(route.parts.check) } : {}),
    handler: placed(route, handlerOf(route, writing)),
  });
};

const placed = ({ endpoint, place }: Route, handle: Handler) => {
  if (!place) {
    return (request: FastifyRequest, reply: FastifyReply): void =>
      handle({ routeRequest: routeRequestOf(endpoint, { request, reply }), request, reply });
  }
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const found = Promise.resolve(place(routeRequestOf(endpoint, { request, reply })));
    found
      .then((routeRequest) => handle({ routeRequest, request, reply }))
      .catch((error: unknown) => fail(reply, error));
  };
};

const handlerOf = (route: Route, writing: Writing): Handler => {
  const carryOut = realHandlerOf(route, writing);
  const { endpoint } = route;
  if (!isChanging(endpoint)) return carryOut;
  const preview = answerPreview(route, { previews: writing.previews, approval: previewHold(route, writing) });
  const answer = answerOrHold(route, { writing, carryOut });
  return (entered) => {
    const { request, reply, routeRequest } = entered;
    if (wantsPreview(endpoint, request)) void preview({ routeRequest, reply, text: serialiserOf(reply, endpoint) });
    else answer(entered);
  };
};

const realHandlerOf = (route: Route, writing: Writing): Handler => {
  const { endpoint } = route;
  let text: Serialiser | undefined;
  const textOf = (reply: FastifyReply): Serialiser => {
    text ??= serialiserOf(reply, endpoint);
    return text;
  };

  if (route.kind === 'write') {
    const answer = answerWrite(route, writing);
    const contextFor = route.parts.context;
    return ({ routeRequest, reply }) => {
      const here = contextFor ? { ...routeRequest, context: contextFor(routeRequest) } : routeRequest;
      void answer({ routeRequest: here, reply, text: textOf(reply) });
    };
  }
  if (route.kind === 'act') {
    const answer = answerAct(route, writing);
    return ({ routeRequest, reply }) => void answer({ routeRequest, reply, text: textOf(reply) });
  }
  if (route.kind === 'receive') {
    return ({ routeRequest, request, reply }) => {
      const answered = route.parts.answer(routeRequest, deliveryOf(request));
      answered
        .then((data) => send(reply, { status: endpoint.status, body: textOf(reply)(data) }))
        .catch((error: unknown) => fail(reply, error));
    };
  }
  if (route.kind === 'raw') {
    return ({ routeRequest, request, reply }) => {
      const result = route.answer(routeRequest, wireOf(request, reply));
      if (result instanceof Promise) result.catch((error: unknown) => failRaw(reply, error));
    };
  }
  return ({ routeRequest, request, reply }) => {
    const finish = (data: unknown): void => {
      if (route.kind === 'read' && route.table && wantsCsv(request)) {
        sendCsv(reply, route.table(data));
        return;
      }
      const envelope = wrap(data, { wrapping: endpoint.wrapping, requestId: request.id });
      send(reply, { status: endpoint.status, body: textOf(reply)(envelope) });
    };
    const data = route.answer(routeRequest);
    if (data instanceof Promise) data.then(finish).catch((error: unknown) => fail(reply, error));
    else finish(data);
  };
};

const NO_BYTES = Buffer.alloc(0);

const deliveryOf = ({ headers, rawBody }: FastifyRequest): Delivery => ({ headers, rawBody: rawBody ?? NO_BYTES });

const checked =
  (check: (delivery: Delivery) => void | Promise<void>) =>
  async (request: FastifyRequest): Promise<void> =>
    check(deliveryOf(request));

const wireOf = (request: FastifyRequest, reply: FastifyReply): Wire => ({
  request: request.raw,
  address: addressBucket(request.ip),
  origin: `${request.protocol}://${request.host}`,
  sessionToken: request.headers.authorization === undefined ? sessionTokenOf(request) : null,
  attempt: attemptOf(request),
  isSameOrigin: (other) => isSameOrigin(request, other),
  open(status, headers) {
    reply.hijack();
    return reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  },
});

// After the headers are sent, the only way to report an error to the client is to cut the response off.
const failRaw = (reply: FastifyReply, error: unknown): void => {
  if (!reply.raw.headersSent) {
    fail(reply, error);
    return;
  }
  reply.log.error({ requestId: reply.request.id, err: error }, 'request failed');
  reply.raw.destroy();
};
