// One endpoint row as an OpenAPI operation: parameters, body, responses and all errors.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { APPROVABLE } from '@holdfast/contract/approvable.ts';
import { envelopeOf } from '@holdfast/contract/envelopes.ts';
import { isChanging, whyNotPreviewed } from '@holdfast/contract/previews.ts';
import type { TSchema } from 'typebox';
import { plainSchema, type SchemaShape } from '../validation/schema-shape.ts';
import { codeSamplesOf } from './code-samples.ts';
import { exampleOf, tellingExampleOf } from './example.ts';
import { apiExamples, type Example } from './examples.ts';
import { ALWAYS, headerRef, refusalsOf } from './refusals.ts';
import { SDK_CALLS } from './sdk-calls.ts';

type Json = Record<string, unknown>;

const WHEN_IDEMPOTENT = {
  'X-Idempotency-Key': headerRef('IdempotencyKey'),
  'Idempotency-Replay': headerRef('IdempotencyReplay'),
};

const routeOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

const recordedOf = (endpoint: Endpoint): Example | undefined => apiExamples()[routeOf(endpoint)];

export const operationOf = (endpoint: Endpoint, prefix: string): Json => ({
  operationId: operationIdOf(endpoint),
  tags: [endpoint.tag],
  summary: endpoint.summary,
  description: [endpoint.description, heavySentence(endpoint), previewSentence(endpoint), accessSentence(endpoint)]
    .filter(Boolean)
    .join('\n\n'),
  security: endpoint.access === 'public' ? [] : [{ bearer: [] }],
  parameters: parametersOf(endpoint),
  ...(endpoint.body ? { requestBody: bodyOf(endpoint, endpoint.body) } : {}),
  responses: {
    [endpoint.status]: successOf(endpoint),
    ...(endpoint.otherStatus ? { [endpoint.otherStatus]: successOf(endpoint) } : {}),
    ...(isApprovable(endpoint) ? { 202: { $ref: '#/components/responses/WaitingForApproval' } } : {}),
    ...refusalsOf(endpoint),
  },
  // Not among the responses: a real request never gets it.
  ...(isPreviewed(endpoint) ? { 'x-dry-run-response': { $ref: '#/components/responses/Preview' } } : {}),
  ...samplesOf(endpoint, prefix),
});

const samplesOf = (endpoint: Endpoint, prefix: string): Json => {
  const example = recordedOf(endpoint);
  if (example === undefined) return {};
  const { method, path, access } = endpoint;
  const call = SDK_CALLS[routeOf(endpoint)];
  const shown = {
    method,
    path: prefix + path,
    call,
    client: 'holdfast',
    needsKey: access !== 'public',
    example,
  } as const;
  return { 'x-codeSamples': codeSamplesOf(shown) };
};

const isApprovable = ({ method, path }: Endpoint): boolean => APPROVABLE[`${method} ${path}`] !== undefined;

const isPreviewed = (endpoint: Endpoint): boolean => isChanging(endpoint) && whyNotPreviewed(endpoint) === undefined;

const previewSentence = (endpoint: Endpoint): string | null => {
  const reason = isChanging(endpoint) ? whyNotPreviewed(endpoint) : undefined;
  return reason === undefined ? null : `Has no preview: ${reason} \`Dry-Run\` is refused with 400.`;
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
  ...fieldsOf(endpoint.params).map(({ name, schema }) => ({
    name,
    in: 'path',
    required: true,
    ...shown(schema),
    ...pathExample(endpoint, name),
  })),
  ...fieldsOf(endpoint.query).map(({ name, schema, required }) => ({
    name,
    in: 'query',
    required,
    ...shown(schema),
    ...(required ? pathExample(endpoint, name) : unused(schema)),
  })),
  { $ref: '#/components/parameters/RequestId' },
  ...(endpoint.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ...(isPreviewed(endpoint) ? [{ $ref: '#/components/parameters/DryRun' }] : []),
  ...(endpoint.access === 'public' ? [] : [{ $ref: '#/components/parameters/MarketplaceId' }]),
];

/** The value that the story sent. */
const pathExample = (endpoint: Endpoint, name: string): Json => {
  const { params = {}, query = {} } = recordedOf(endpoint) ?? {};
  const value = params[name] ?? query[name];
  return value === undefined ? {} : { example: value };
};

/** A filter that "try it" of the reference page offers and does not send: with all filters at once a list is empty. */
export const unused = (schema: SchemaShape): Json => {
  const value = tellingExampleOf(schema);
  return value === undefined ? {} : { examples: { default: { value, 'x-disabled': true } } };
};

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

const bodyOf = (endpoint: Endpoint, schema: TSchema): Json => ({
  required: endpoint.bodyOptional !== true,
  content: {
    'application/json': {
      schema: plainSchema(schema),
      example: recordedOf(endpoint)?.body ?? exampleOf(schema as SchemaShape),
    },
  },
});

const SHORTENED = 'The example is shortened.';

const successOf = (endpoint: Endpoint): Json => {
  const headers = endpoint.idempotent ? { ...ALWAYS, ...WHEN_IDEMPOTENT } : ALWAYS;
  const recorded = recordedOf(endpoint);
  const description = [
    endpoint.wrapping === 'raw' ? 'See the description above.' : 'Done.',
    recorded?.shortened && SHORTENED,
  ]
    .filter(Boolean)
    .join(' ');
  if (endpoint.wrapping === 'raw') return { description, headers, ...rawContent(recorded) };
  const envelope = envelopeOf(endpoint);
  const example = recorded?.answer ?? exampleOf(envelope as SchemaShape);
  const csv = endpoint.asCsv ? { 'text/csv': { schema: { type: 'string' } } } : {};
  const content = { 'application/json': { schema: plainSchema(envelope), example }, ...csv };
  return { description, headers, content };
};

/** A route that writes its own answer: the description says what it is, and the example shows it. */
const rawContent = (recorded: Example | undefined): Json => {
  if (recorded === undefined) return {};
  const { contentType, answer } = recorded;
  return {
    content: { [contentType]: { schema: typeof answer === 'string' ? { type: 'string' } : {}, example: answer } },
  };
};
