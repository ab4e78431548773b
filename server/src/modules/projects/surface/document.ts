// The OpenAPI 3.1 document of Surface B, printed from its endpoint rows and its refusals.

import type { SurfaceBEndpoint } from '@holdfast/contract/surface-b/endpoint.ts';
import { RefusalEnvelope, successEnvelope } from '@holdfast/contract/surface-b/envelopes.ts';
import { REFUSALS, type RefusalName } from '@holdfast/contract/surface-b/refusals.ts';
import type { TSchema } from 'typebox';
import { codeSamplesOf } from '../../../http/reference/code-samples.ts';
import { exampleOf } from '../../../http/reference/example.ts';
import { type Example, surfaceBExamples } from '../../../http/reference/examples.ts';
import { unused } from '../../../http/reference/operation.ts';
import { SURFACE_B_CALLS } from '../../../http/reference/sdk-calls.ts';
import { tagsOf } from '../../../http/reference/tags.ts';
import { plainSchema, type SchemaShape } from '../../../http/validation/schema-shape.ts';

type Json = Record<string, unknown>;

/** The version of the interface, not of the server. */
const VERSION = '1.0.0';

const INTRODUCTION = [
  'Registration, balances, wallets, projects and their escrow, over the same users and books as the API.',
  'Send the token of `/auth/register` or `/auth/login` as `Authorization: Bearer <token>` and bodies as JSON. Every answer',
  'is `{ code, type, ok, message, data }`, and `code` is the HTTP status. Amounts are JSON numbers with at most two',
  'decimal places.',
].join('\n');

const header = (description: string): Json => ({ description, schema: { type: 'integer' } });

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

const HEADERS = {
  'X-Request-ID': headerRef('RequestId'),
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
};

/** The replies of the HTTP layer, before a route is reached. */
const HTTP_LAYER_REFUSALS: Readonly<Record<number, string>> = {
  413: 'The body is too large.',
  415: 'Send the body as `Content-Type: application/json`.',
  429: 'Too many requests. Wait and try again.',
  500: 'Something went wrong on our side.',
  503: 'The service is busy. Try again after the time in Retry-After.',
};

const refusalsOf = ({ access, body, refusals }: SurfaceBEndpoint): RefusalName[] => {
  const names: RefusalName[] = [];
  if (access === 'bearer') names.push('noToken');
  if (body) names.push('unreadable');
  names.push('invalid');
  return [...new Set([...names, ...refusals])];
};

const refusalExample = (name: RefusalName): Json => {
  const { status, message } = REFUSALS[name];
  const errors = name === 'invalid' ? { errors: ['Title is required'] } : {};
  return { code: status, type: 'error', ok: false, message, data: null, ...errors };
};

const refusalAnswers = (endpoint: SurfaceBEndpoint): Record<string, Json> => {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (name) => REFUSALS[name].status);
  const httpStatuses = Object.keys(HTTP_LAYER_REFUSALS)
    .map(Number)
    .filter((status) => endpoint.body || (status !== 413 && status !== 415));
  const statuses = [...new Set([...byStatus.keys(), ...httpStatuses])].sort((a, b) => a - b);
  return Object.fromEntries(statuses.map((status) => [status, refusalAnswer(status, byStatus.get(status) ?? [])]));
};

const refusalAnswer = (status: number, names: readonly RefusalName[]): Json => ({
  description: [
    ...names.map((name) => REFUSALS[name].message),
    ...(HTTP_LAYER_REFUSALS[status] ? [HTTP_LAYER_REFUSALS[status]] : []),
  ].join('\n\n'),
  headers: { ...HEADERS, ...(status === 429 || status === 503 ? { 'Retry-After': headerRef('RetryAfter') } : {}) },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Refusal' },
      ...(names.length > 0
        ? { examples: Object.fromEntries(names.map((name) => [name, { value: refusalExample(name) }])) }
        : {}),
    },
  },
});

const SECURITY: Readonly<Record<SurfaceBEndpoint['access'], Json[]>> = {
  open: [],
  bearer: [{ bearer: [] }],
  optional: [{}, { bearer: [] }],
};

const parametersOf = (query: TSchema | undefined): Json[] => {
  const { properties = {} } = (query ?? {}) as SchemaShape;
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...plain } = plainSchema(schema as TSchema);
    const told = description ? { description } : {};
    return { name, in: 'query', required: false, ...told, schema: plain, ...unused(schema) };
  });
};

const shown = (schema: TSchema, recorded: unknown): Json => ({
  'application/json': { schema: plainSchema(schema), example: recorded ?? exampleOf(schema as SchemaShape) },
});

const samplesOf = ({ method, path, access }: SurfaceBEndpoint, example: Example | undefined): Json => {
  if (example === undefined) return {};
  const call = SURFACE_B_CALLS[`${method} ${path}`];
  const needsKey = access !== 'open';
  return { 'x-codeSamples': codeSamplesOf({ method, path, call, client: 'person', needsKey, example }) };
};

const operationOf = (endpoint: SurfaceBEndpoint): Json => {
  const { method, path, tag, summary, description, access, query, body, data, message } = endpoint;
  const example = surfaceBExamples()[`${method} ${path}`];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: SECURITY[access],
    parameters: parametersOf(query),
    ...(body ? { requestBody: { required: true, content: shown(body, example?.body) } } : {}),
    responses: {
      200: { description: message, headers: HEADERS, content: shown(successEnvelope(data, message), example?.answer) },
      ...refusalAnswers(endpoint),
    },
    ...samplesOf(endpoint, example),
  };
};

export const surfaceBDocument = (endpoints: readonly SurfaceBEndpoint[]): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast Surface B', version: VERSION, description: INTRODUCTION },
    servers: [{ url: '/' }],
    tags: tagsOf(endpoints.map(({ tag }) => tag)),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Refusal: plainSchema(RefusalEnvelope) },
      headers: {
        RequestId: { description: 'The id of the request.', schema: { type: 'string' } },
        RateLimitLimit: header('Requests per window.'),
        RateLimitRemaining: header('Requests left in this window.'),
        RateLimitReset: header('When the window ends, in Unix seconds.'),
        RetryAfter: header('Seconds to wait.'),
      },
    },
  };
};
