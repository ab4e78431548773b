// One endpoint row as an OpenAPI operation: parameters, body, responses and all errors.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { APPROVABLE } from '@holdfast/contract/approvable.ts';
import { envelopeOf } from '@holdfast/contract/envelopes.ts';
import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import { isChanging, whyNotPreviewed } from '@holdfast/contract/previews.ts';
import type { TSchema } from 'typebox';
import { plainSchema, type SchemaShape } from '../validation/schema-shape.ts';
import { exampleDetails, exampleOf } from './example.ts';

type Json = Record<string, unknown>;

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
/** The headers of every answer. */
export const ALWAYS = {
  'X-Request-ID': headerRef('RequestId'),
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
};
const WHEN_IDEMPOTENT = {
  'X-Idempotency-Key': headerRef('IdempotencyKey'),
  'Idempotency-Replay': headerRef('IdempotencyReplay'),
};

export const operationOf = (endpoint: Endpoint): Json => ({
  operationId: operationIdOf(endpoint),
  tags: [endpoint.tag],
  summary: endpoint.summary,
  description: [endpoint.description, heavySentence(endpoint), previewSentence(endpoint), accessSentence(endpoint)]
    .filter(Boolean)
    .join('\n\n'),
  security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
  parameters: parametersOf(endpoint),
  ...(endpoint.body ? { requestBody: bodyOf(endpoint.body, endpoint.bodyOptional !== true) } : {}),
  responses: {
    [endpoint.status]: successOf(endpoint),
    ...(endpoint.otherStatus ? { [endpoint.otherStatus]: successOf(endpoint) } : {}),
    ...(isApprovable(endpoint) ? { 202: { $ref: '#/components/responses/WaitingForApproval' } } : {}),
    ...refusalsOf(endpoint),
  },
  // Not among the responses: a real request never gets it.
  ...(isPreviewed(endpoint) ? { 'x-dry-run-response': { $ref: '#/components/responses/Preview' } } : {}),
});

const isApprovable = ({ method, path }: Endpoint): boolean => APPROVABLE[`${method} ${path}`] !== undefined;

const isPreviewed = (endpoint: Endpoint): boolean => isChanging(endpoint) && whyNotPreviewed(endpoint) === undefined;

const previewSentence = (endpoint: Endpoint): string | null => {
  const reason = isChanging(endpoint) ? whyNotPreviewed(endpoint) : undefined;
  return reason === undefined ? null : `Has no preview: ${reason} \`Dry-Run\` is refused with 400.`;
};

const errorsOf = (endpoint: Endpoint): ErrorCode[] => {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (endpoint.access !== 'public') codes.push('UNAUTHORIZED');
  if (endpoint.access !== 'public' && endpoint.access !== 'any') codes.push('INSUFFICIENT_SCOPE');
  if (endpoint.heavy) codes.push('TOO_MANY_HEAVY_READS');
  if (endpoint.method !== 'GET') codes.push('PAYLOAD_TOO_LARGE');
  // A webhook is read as JSON with any content type.
  if (endpoint.body && endpoint.wrapping !== 'raw') codes.push('UNSUPPORTED_MEDIA_TYPE');
  if (endpoint.idempotent) codes.push('IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS');
  return [...new Set([...codes, ...endpoint.errors])];
};

const operationIdOf = ({ method, path }: Endpoint): string => {
  const words = path.split('/').filter(Boolean);
  const name = words.map((word) => (word.startsWith(':') ? `By-${word.slice(1)}` : word)).join('-');
  return method.toLowerCase() + `-${name}`.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
};

const heavySentence = ({ heavy }: Endpoint): string | null =>
  heavy
    ? 'A heavy read: each process of the server runs a few of a marketplace at once, some more wait, and the rest are refused with 429 `TOO_MANY_HEAVY_READS`.'
    : null;

const accessSentence = ({ access, moneyScope }: Endpoint): string => {
  if (moneyScope) {
    return `Needs a key with the scope \`${moneyScope}\`, which \`${access}\` contains unless \`writeIncludes\` of GET /config lacks it.`;
  }
  if (access === 'public') return 'Needs no key.';
  if (access === 'any') return 'Needs a valid key; no scope.';
  return access === 'master' ? 'Needs the master key.' : `Needs a key with the scope \`${access}\`.`;
};

const parametersOf = (endpoint: Endpoint): Json[] => [
  ...fieldsOf(endpoint.params).map(({ name, schema }) => ({ name, in: 'path', required: true, ...shown(schema) })),
  ...fieldsOf(endpoint.query).map(({ name, schema, required }) => ({ name, in: 'query', required, ...shown(schema) })),
  { $ref: '#/components/parameters/RequestId' },
  ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(isPreviewed(endpoint) ? [{ $ref: '#/components/parameters/DryRun' }] : []),
  ...(endpoint.access === 'public' ? [] : [{ $ref: '#/components/parameters/MarketplaceId' }]),
];

const fieldsOf = (schema: TSchema | undefined) => {
  const { properties = {}, required = [] } = (schema ?? {}) as SchemaShape;
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    schema: inner,
    required: required.includes(name),
  }));
};

const shown = (schema: SchemaShape): Json => {
  const { description, ...plain } = plainSchema(schema as TSchema);
  return { ...(description ? { description } : {}), schema: plain };
};

const bodyOf = (schema: TSchema, required: boolean): Json => ({
  required,
  content: { 'application/json': { schema: plainSchema(schema), example: exampleOf(schema as SchemaShape) } },
});

const successOf = (endpoint: Endpoint): Json => {
  const headers = endpoint.idempotent ? { ...ALWAYS, ...WHEN_IDEMPOTENT } : ALWAYS;
  if (endpoint.wrapping === 'raw') return { description: 'See the description above.', headers };
  const envelope = envelopeOf(endpoint);
  const example = exampleOf(envelope as SchemaShape);
  const csv = endpoint.asCsv ? { 'text/csv': { schema: { type: 'string' } } } : {};
  const content = { 'application/json': { schema: plainSchema(envelope), example }, ...csv };
  return { description: 'Done.', headers, content };
};

const refusalsOf = (endpoint: Endpoint): Record<string, Json> => {
  const byStatus = Map.groupBy(errorsOf(endpoint), (code) => endpoint.errorStatus?.[code] ?? ERRORS[code].status);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, codes]) => [status, refusalOf(codes)]));
};

const refusalOf = (codes: readonly ErrorCode[]): Json => ({
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
  headers: {
    ...ALWAYS,
    ...(codes.some((code) => (ERRORS[code].details as readonly string[]).includes('retryAfter'))
      ? { 'Retry-After': headerRef('RetryAfter') }
      : {}),
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
    },
  },
});

const errorExample = (code: ErrorCode): Json => {
  const { message } = ERRORS[code];
  return { error: { code, message, details: exampleDetails(code) } };
};
