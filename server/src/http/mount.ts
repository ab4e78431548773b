// Turns an endpoint row and its handler into a Fastify route: its schemas become compiled checks and a compiled
// serialiser, its access becomes what the hooks read.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { envelopeOf } from '@holdfast/contract/api/envelopes.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerWrite, send, type Writing } from './answer-write.ts';
import { contextOf } from './caller.ts';
import type { AnyAsked, Route, Wire } from './door.ts';
import { wrap } from './envelope.ts';
import { fail } from './error-reply.ts';
import { plainSchema } from './reference/plain-schema.ts';
import { bodyValidator, type PartValidator, paramsValidator, queryValidator } from './validation/validator.ts';

const NOTHING = Object.freeze({});

const askedOf = (endpoint: Endpoint, request: FastifyRequest): AnyAsked => {
  const caller = request.caller!;
  return {
    params: endpoint.params ? (request.params as typeof NOTHING) : NOTHING,
    query: endpoint.query ? (request.query as typeof NOTHING) : NOTHING,
    body: endpoint.body ? (request.body as typeof NOTHING) : NOTHING,
    caller,
    requestId: request.id,
    context: contextOf(caller, request.id),
    input: undefined,
  };
};

const validatorsOf = ({ params, query, body, bodyOptional }: Endpoint): Record<string, PartValidator> => ({
  ...(params ? { params: paramsValidator(params) } : {}),
  ...(query ? { querystring: queryValidator(query) } : {}),
  ...(body ? { body: bodyValidator(body, { optional: bodyOptional === true }) } : {}),
});

export const mount = (app: FastifyInstance, route: Route, writing: Writing): void => {
  const { endpoint } = route;
  const validators = validatorsOf(endpoint);
  const { params, query, body } = endpoint;
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // A HEAD of a stream would never end.
    exposeHeadRoute: endpoint.method === 'GET' && route.kind !== 'raw',
    schema: {
      ...(params ? { params } : {}),
      ...(query ? { querystring: query } : {}),
      ...(body ? { body } : {}),
      ...(route.kind === 'raw' ? {} : { response: { '2xx': plainSchema(envelopeOf(endpoint)) } }),
    },
    validatorCompiler: ({ httpPart }) => validators[httpPart!]!,
    handler: handlerOf(route, writing),
  });
};

const handlerOf = (route: Route, writing: Writing) => {
  const { endpoint } = route;
  let text: ((envelope: unknown) => string) | undefined;
  const textOf = (reply: FastifyReply) => {
    text ??= reply.getSerializationFunction('2xx') as (envelope: unknown) => string;
    return text;
  };

  if (route.kind === 'write') {
    const answer = answerWrite(route, writing);
    const contextFor = route.parts.context;
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const asked = askedOf(endpoint, request);
      const placed = contextFor ? { ...asked, context: contextFor(asked) } : asked;
      void answer({ asked: placed, reply, text: textOf(reply) });
    };
  }
  if (route.kind === 'raw') {
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const result = route.answer(askedOf(endpoint, request), wireOf(request, reply));
      if (result instanceof Promise) result.catch((error: unknown) => failRaw(reply, error));
    };
  }
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const finish = (data: unknown): void => {
      const envelope = wrap(endpoint.wrapping, data, request.id);
      send(reply, { status: endpoint.status, body: textOf(reply)(envelope) });
    };
    const data = route.answer(askedOf(endpoint, request));
    if (data instanceof Promise) data.then(finish).catch((error: unknown) => fail(reply, error));
    else finish(data);
  };
};

const wireOf = (request: FastifyRequest, reply: FastifyReply): Wire => ({
  request: request.raw,
  open(status, headers) {
    reply.hijack();
    return reply.raw.writeHead(status, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  },
});

// Once the head is out the client can only be told by cutting the answer off.
const failRaw = (reply: FastifyReply, error: unknown): void => {
  if (!reply.raw.headersSent) {
    fail(reply, error);
    return;
  }
  reply.log.error({ requestId: reply.request.id, err: error }, 'request failed');
  reply.raw.destroy();
};
