// The OpenAPI 3.1 document, generated from the endpoint rows and the error table, so that it always matches the server.

import { WaitingForApproval } from '@holdfast/contract/api/approvals.ts';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { ErrorEnvelope, envelopeOf } from '@holdfast/contract/envelopes.ts';
import { MARKETPLACE_ID_PATTERN } from '@holdfast/contract/ids.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { Preview } from '@holdfast/contract/previews.ts';
import { plainSchema } from '../validation/schema-shape.ts';
import { apiExamples } from './examples.ts';
import { INTRODUCTION } from './introduction.ts';
import { operationOf } from './operation.ts';
import { ALWAYS, sharedExamples, sharedRefusals } from './refusals.ts';
import { tagsOf } from './tags.ts';

export type DocumentOptions = {
  readonly version: string;
  readonly prefix: string;
  readonly endpoints: readonly Endpoint[];
};

type Json = Record<string, unknown>;

export const openApiDocument = ({ version, prefix, endpoints }: DocumentOptions): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = prefix + endpoint.path.replace(/:([^/]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, prefix) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Holdfast API', version, description: INTRODUCTION },
    // Relative, so that the page calls the server that served it.
    servers: [{ url: '/' }],
    tags: tagsOf(endpoints.map(({ tag }) => tag)),
    paths,
    components: {
      ...COMPONENTS,
      responses: { ...sharedResponses(), ...sharedRefusals(endpoints) },
      examples: sharedExamples(endpoints),
    },
  };
};

const PreviewEnvelope = envelopeOf({ wrapping: 'plain', data: Preview });
const WaitingEnvelope = envelopeOf({ wrapping: 'plain', data: WaitingForApproval });

const header = (description: string, schema: Json): Json => ({ description, schema });

/** Answers that many routes share; the story has one of each. */
const sharedResponses = (): Json => ({
  WaitingForApproval: {
    description:
      'A rule of the marketplace binds the request: it was checked and stored, and another actor decides. Without such a rule the route never ' +
      'answers this. `Dry-Run: true` shows it as `status` 202, with what the request would do once it is approved.',
    headers: ALWAYS,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/WaitingForApproval' },
        example: apiExamples()['* waiting']?.answer,
      },
    },
  },
  Preview: {
    description: 'What the request would do now. Nothing was changed.',
    headers: { 'Dry-Run': { $ref: '#/components/headers/DryRun' } },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Preview' },
        example: apiExamples()['* preview']?.answer,
      },
    },
  },
});

const COMPONENTS: Json = {
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer', description: 'An API key, a token made from one, or the master key.' },
  },
  schemas: {
    Error: plainSchema(ErrorEnvelope),
    Preview: plainSchema(PreviewEnvelope),
    WaitingForApproval: plainSchema(WaitingEnvelope),
  },
  parameters: {
    RequestId: {
      name: 'X-Request-ID',
      in: 'header',
      required: false,
      description:
        'Your own id for this request, ideally a UUID; comes back in the answer, and in events and audit entries.',
      schema: { type: 'string', maxLength: LIMITS.requestIdLength },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'A UUID of version 4. A repeat with the same key and content gets the first answer again.',
      schema: { type: 'string', format: 'uuid' },
    },
    DryRun: {
      name: 'Dry-Run',
      in: 'header',
      required: false,
      description:
        '`true`: the answer is a preview, and nothing is changed. It is 200 with the header `Dry-Run: true` and the schema `Preview`: what the ' +
        'request would answer now, the money it would move, its events, and the calls of outside systems, which the preview assumes to ' +
        'succeed. A request that would be refused gets the very refusal, with the header. Any other value is 400. An `Idempotency-Key` is ' +
        'neither read nor used up.',
      schema: { type: 'string', enum: ['true'] },
      // "Try it" of the reference page would send it otherwise, and change nothing.
      examples: { default: { value: 'true', 'x-disabled': true } },
    },
    MarketplaceId: {
      name: 'X-Marketplace-Id',
      in: 'header',
      required: false,
      description: 'Only with the master key: the marketplace to act in. An API key is bound to its own.',
      schema: { type: 'string', pattern: MARKETPLACE_ID_PATTERN },
    },
  },
  headers: {
    DryRun: header('`true` in the answer to a preview.', { type: 'string' }),
    RequestId: header('The id of the request.', { type: 'string' }),
    RateLimitLimit: header('Requests per window.', { type: 'integer' }),
    RateLimitRemaining: header('Requests left in this window.', { type: 'integer' }),
    RateLimitReset: header('When the window ends, in Unix seconds.', { type: 'integer' }),
    RetryAfter: header('Seconds to wait.', { type: 'integer' }),
    IdempotencyKey: header('The Idempotency-Key, when it was applied.', { type: 'string' }),
    IdempotencyReplay: header('`true` when this is the answer to an earlier request.', { type: 'string' }),
  },
};
