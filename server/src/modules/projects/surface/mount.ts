// Turns an endpoint row of Surface B and its handler into a Fastify route that passes the same hooks as the API's.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { DRY_RUN_HEADER } from '@holdfast/contract/previews.ts';
import type { SurfaceBEndpoint } from '@holdfast/contract/surface-b/endpoint.ts';
import { successEnvelope } from '@holdfast/contract/surface-b/envelopes.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ignoreBodies, readJson } from '../../../http/body.ts';
import { createSerialisers, type Serialiser } from '../../../http/envelope.ts';
import { fail, JSON_TYPE } from '../../../http/error-reply.ts';
import { addressBucket } from '../../../http/rate-limit.ts';
import { validationError } from '../../../http/validation/messages.ts';
import { plainSchema } from '../../../http/validation/schema-shape.ts';
import type { PartValidator } from '../../../http/validation/validator.ts';
import { bodyCheck, emptyQueryCheck, queryCheck } from './check.ts';
import { refusal, wrap } from './envelope.ts';
import type { RequestB, SurfaceBRoute } from './route.ts';

const NOTHING = Object.freeze({});
const serialiserOf = createSerialisers(({ data, message }: SurfaceBEndpoint) =>
  plainSchema(successEnvelope(data, message)),
);
/** The id of the actor of a request without a token. */
const ANONYMOUS_ID = 'surface-b';

/** The endpoint as the admission hooks read it. */
export const admissionRow = ({ access, ...row }: SurfaceBEndpoint): Endpoint => ({
  ...row,
  access: access === 'bearer' ? 'any' : 'public',
  status: 200,
  wrapping: 'plain',
  errors: [],
});

type Place = { readonly route: SurfaceBRoute; readonly marketplaceId: string };

const requestOf = (request: FastifyRequest, { route: { endpoint }, marketplaceId }: Place): RequestB => {
  const caller = request.caller?.type === 'token' ? request.caller : null;
  const userId = caller?.keyId ?? null;
  return {
    query: endpoint.query ? (request.query as typeof NOTHING) : NOTHING,
    body: endpoint.body ? (request.body as typeof NOTHING) : NOTHING,
    userId,
    address: addressBucket(request.ip),
    context: {
      marketplaceId,
      actor: userId === null ? { type: 'system', id: ANONYMOUS_ID } : { type: 'user', id: userId },
      requestId: request.id,
    },
  };
};

/** Where no token is needed, a token that is sent must still be valid: otherwise the sender would act as another caller. */
const refuseBadToken = async (request: FastifyRequest): Promise<void> => {
  if (request.headers.authorization !== undefined && request.caller?.type !== 'token') throw refusal('noToken');
};

/** A request that asks for a preview must never be carried out. */
const refusePreview = ({ headers }: FastifyRequest): void => {
  if (headers[DRY_RUN_HEADER] === undefined) return;
  throw validationError(['This surface has no previews, and nothing was changed. Leave the header Dry-Run out']);
};

const mountRoute = (app: FastifyInstance, place: Place): void => {
  const { route } = place;
  const { endpoint } = route;
  const { method, path, query, body, message, access } = endpoint;
  const checks: Record<string, PartValidator> = {
    querystring: query ? queryCheck(query) : emptyQueryCheck,
    ...(body ? { body: bodyCheck(body) } : {}),
  };
  let text: Serialiser | undefined;

  const send = (reply: FastifyReply, answered: unknown): void => {
    text ??= serialiserOf(reply, endpoint);
    reply
      .code(200)
      .header('content-type', JSON_TYPE)
      .send(text(wrap(answered, message)));
  };

  app.route({
    method,
    url: path,
    config: { endpoint: admissionRow(endpoint), waits: WAITING.some((part) => path.startsWith(part)) },
    exposeHeadRoute: method === 'GET',
    schema: {
      // Without a schema the framework would not call the check, and unknown parameters would pass.
      querystring: query ?? NOTHING,
      ...(body ? { body } : {}),
    },
    validatorCompiler: ({ httpPart }) => checks[httpPart!]!,
    ...(access === 'optional' ? { onRequest: refuseBadToken } : {}),
    handler: (request: FastifyRequest, reply: FastifyReply): void => {
      if (method !== 'GET') refusePreview(request);
      const answered = route.answer(requestOf(request, place));
      answered.then((found) => send(reply, found)).catch((error: unknown) => fail(reply, error));
    },
  });
};

/** Escrow routes wait for outside systems. Logins have their own limit of concurrent checks. */
const WAITING = ['/escrow/', '/auth/'];

export const mountSurfaceB = async (
  app: FastifyInstance,
  { routes, marketplaceId }: { routes: readonly SurfaceBRoute[]; marketplaceId: string },
): Promise<void> => {
  const scopes = [
    { prepare: readJson, inside: routes.filter(({ endpoint }) => endpoint.body) },
    { prepare: ignoreBodies, inside: routes.filter(({ endpoint }) => !endpoint.body) },
  ];
  for (const { prepare, inside } of scopes) {
    await app.register(async (scope) => {
      prepare(scope);
      for (const route of inside) mountRoute(scope, { route, marketplaceId });
    });
  }
};
