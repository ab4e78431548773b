// Keys, their short-lived tokens, and who the caller is. A secret is shown in the answer that makes it and never again.

import Type from 'typebox';
import { MARKETPLACE_ID_PATTERN } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { SCOPES } from '../scopes.ts';
import { endpoint } from './endpoint.ts';
import { CreatedBetween, Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

export const API_KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;

export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

export const KEY_RATE_LIMIT_MAX = 1_000_000;

const ScopeName = Type.Enum(SCOPES);

const AskedScopes = (description: string) =>
  Type.Array(ScopeName, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true, description, examples: [['read']] });

const HeldScopes = Type.Array(ScopeName, { description: 'What it may do; `*` is everything.' });

const Status = Type.Enum(API_KEY_STATUSES, { description: 'Only an ACTIVE key is accepted.' });

const record = {
  id: Id('apiKey', 'Id of the key. It is part of the key itself and no secret.'),
  name: Type.String({ description: 'As given when it was made.' }),
  scopes: HeldScopes,
  marketplaceId: Type.String({ description: 'The only marketplace it can see or change.' }),
  status: Status,
  rateLimit: Nullable(Type.Integer({ description: "Requests per window; null: the service's own limit." })),
  createdAt: Timestamp('When it was made.'),
  expiresAt: Nullable(Timestamp('From then on it is refused; null: never.')),
  revokedAt: Nullable(Timestamp('When it was revoked.')),
};

const secret = {
  key: Type.String({ description: 'The key. It is shown only now: save it.' }),
  api_key: Type.String({ description: 'The same value under its other name.' }),
};

export const ApiKeyRecord = Type.Object(record);

export const ListedApiKey = Type.Object({
  ...record,
  lastUsedAt: Nullable(Timestamp('When it was last used, within some seconds; null: never.')),
});

export const CreatedApiKey = Type.Object({ ...record, ...secret });

export const RotatedApiKey = Type.Object({
  ...record,
  ...secret,
  previousKeyExpiresAt: Timestamp('Until then the key before this one still works.'),
});

export const AccessToken = Type.Object({
  token: Type.String({ description: 'Send it as `Authorization: Bearer <token>`. It is shown only now.' }),
  tokenType: Type.Literal('Bearer'),
  expiresAt: Timestamp('From then on it is refused. It also ends with the key it was made from.'),
  scopes: HeldScopes,
});

export const Me = Type.Object({
  apiKeyId: Type.String({ description: 'Id of the key, or `master`.' }),
  apiKeyName: Type.String(),
  scopes: HeldScopes,
  marketplaceId: Type.String({ description: 'The marketplace this request acts in.' }),
  type: Type.Enum(['master', 'api_key', 'token']),
});

// A malformed id cannot exist, so it is as unknown as any other: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Id of the key.' }) });

const OWN_KEY =
  'By the master key, or by that very key (not by a token, and not by a secret that a rotation replaced).';

export const createApiKey = endpoint({
  method: 'POST',
  path: '/auth/api-keys',
  access: 'master',
  tag: 'Keys',
  summary: 'Create an API key',
  description:
    'The key is in the answer and nowhere else. `marketplaceId` in the body wins over the header X-Marketplace-Id; ' +
    'an Idempotency-Key counts within that marketplace.',
  body: Strict({
    name: Text(LIMITS.nameLength, 'For people: who uses it, and for what.', 'Checkout server'),
    scopes: AskedScopes('What it may do: `read`, `write`, `support`, or `*` for everything.'),
    marketplaceId: Type.Optional(
      Type.String({ pattern: MARKETPLACE_ID_PATTERN, description: 'Its marketplace.', examples: ['mkt_default'] }),
    ),
    expiresAt: Type.Optional(Timestamp('From then on it is refused. Without it the key does not expire.')),
    rateLimit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: KEY_RATE_LIMIT_MAX, description: 'Requests per window.', examples: [600] }),
    ),
  }),
  status: 201,
  wrapping: 'plain',
  data: CreatedApiKey,
  errors: [],
  idempotent: true,
  secretAnswer: true,
});

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/auth/api-keys',
  access: 'read',
  tag: 'Keys',
  summary: 'List API keys',
  description: 'Those of the own marketplace, newest first, without their secrets.',
  query: Strict({
    ...Page,
    status: Type.Optional(Status),
    ...CreatedBetween,
  }),
  status: 200,
  wrapping: 'list',
  data: ListedApiKey,
  errors: [],
});

export const revokeApiKey = endpoint({
  method: 'DELETE',
  path: '/auth/api-keys/:id',
  access: 'any',
  tag: 'Keys',
  summary: 'Revoke an API key',
  description: `${OWN_KEY} It and its tokens are refused from then on. Revoking it again is the same answer.`,
  params,
  status: 200,
  wrapping: 'plain',
  data: ApiKeyRecord,
  errors: ['API_KEY_NOT_FOUND', 'INSUFFICIENT_SCOPE'],
});

export const rotateApiKey = endpoint({
  method: 'POST',
  path: '/auth/api-keys/:id/rotate',
  access: 'any',
  tag: 'Keys',
  summary: 'Rotate an API key',
  description: `${OWN_KEY} Gives it a new secret; the one before works until \`previousKeyExpiresAt\`.`,
  params,
  status: 201,
  wrapping: 'plain',
  data: RotatedApiKey,
  errors: ['API_KEY_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_STATE'],
  idempotent: true,
  secretAnswer: true,
});

export const issueToken = endpoint({
  method: 'POST',
  path: '/auth/api-keys/:id/token',
  access: 'any',
  tag: 'Keys',
  summary: 'Make a short-lived token',
  description: `${OWN_KEY} The token can do what the key can, or less when \`scopes\` says so, and ends with the key.`,
  params,
  body: Strict({ scopes: Type.Optional(AskedScopes("Fewer scopes than the key's; without it, all of them.")) }),
  bodyOptional: true,
  status: 201,
  wrapping: 'plain',
  data: AccessToken,
  errors: ['API_KEY_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_STATE'],
  idempotent: true,
  secretAnswer: true,
});

export const getMe = endpoint({
  method: 'GET',
  path: '/auth/me',
  access: 'any',
  tag: 'Keys',
  summary: 'Who am I',
  description: 'The key or token this request was sent with, and what it may do.',
  status: 200,
  wrapping: 'plain',
  data: Me,
  errors: [],
});
