// API keys, their short-lived tokens, and who the caller is. A secret is shown once, in the answer that creates it.

import Type from 'typebox';
import { MARKETPLACE_ID_PATTERN } from '../ids.ts';
import { SCOPES } from '../scopes.ts';
import { endpoint } from './endpoint.ts';
import { CreatedBetween, Id, Name, Nullable, Page, Strict, Timestamp } from './fields.ts';

export const API_KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;

export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

const KEY_RATE_LIMIT_MAX = 1_000_000;

const ScopeName = Type.Enum(SCOPES);

const AskedScopes = (description: string) =>
  Type.Array(ScopeName, { minItems: 1, maxItems: SCOPES.length, uniqueItems: true, description, examples: [['read']] });

const HeldScopes = Type.Array(ScopeName, { description: 'Permissions of the key; `*` means all.' });

const Status = Type.Enum(API_KEY_STATUSES, { description: 'Only an ACTIVE key is accepted.' });

const record = {
  id: Id('apiKey', 'Id of the key. It is part of the key and not secret.'),
  name: Type.String({ description: 'Name given at creation.' }),
  scopes: HeldScopes,
  marketplaceId: Type.String({ description: 'The only marketplace that the key can read or change.' }),
  status: Status,
  rateLimit: Nullable(
    Type.Integer({ description: "Requests per window; null when the service's default limit applies." }),
  ),
  createdAt: Timestamp('When the key was created.'),
  expiresAt: Nullable(Timestamp('When the key expires; null when it never expires.')),
  revokedAt: Nullable(Timestamp('When the key was revoked.')),
};

const secret = {
  key: Type.String({ description: 'The key. It is shown only once: save it now.' }),
  api_key: Type.String({ description: 'The same value under its other name.' }),
};

export const ApiKeyRecord = Type.Object(record);

export const ListedApiKey = Type.Object({
  ...record,
  lastUsedAt: Nullable(Timestamp('When the key was last used, accurate to a few seconds; null when never used.')),
});

export const CreatedApiKey = Type.Object({ ...record, ...secret });

export const RotatedApiKey = Type.Object({
  ...record,
  ...secret,
  previousKeyExpiresAt: Timestamp('The previous key works until this time.'),
});

export const AccessToken = Type.Object({
  token: Type.String({ description: 'Send it as `Authorization: Bearer <token>`. It is shown only once.' }),
  tokenType: Type.Literal('Bearer'),
  expiresAt: Timestamp('When the token expires. It also expires with the key that created it.'),
  scopes: HeldScopes,
});

export const Me = Type.Object({
  apiKeyId: Type.String({ description: 'Id of the key or of the operator, or `master`.' }),
  apiKeyName: Type.String(),
  scopes: HeldScopes,
  marketplaceId: Type.String({ description: 'The marketplace of this request.' }),
  type: Type.Enum(['master', 'api_key', 'token', 'operator']),
});

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Id of the key.' }) });

const OWN_KEY =
  'Allowed for the master key and for the key itself (not for a token, and not for a secret that a rotation replaced).';

export const createApiKey = endpoint({
  method: 'POST',
  path: '/auth/api-keys',
  access: 'master',
  tag: 'Keys',
  summary: 'Create an API key',
  description:
    'The answer is the only place that shows the key. `marketplaceId` in the body takes precedence over the header ' +
    'X-Marketplace-Id. A repeat with the same Idempotency-Key and another marketplace is 409 `IDEMPOTENCY_KEY_REUSED`.',
  body: Strict({
    name: Name('A name for people: who uses the key, and for what.', 'Checkout server'),
    scopes: AskedScopes(
      'Permissions: `read`, `write`, `treasury` (credit, debit, deduct and sync balances), `payout` (create and commit ' +
        'withdrawals), `support`, or `*` for everything. `write` contains `treasury` and `payout` unless the operator has ' +
        'separated them: see `writeIncludes` of GET /config.',
    ),
    marketplaceId: Type.Optional(
      Type.String({
        pattern: MARKETPLACE_ID_PATTERN,
        description: 'The marketplace of the key. A new marketplace is created if needed.',
        examples: ['mkt_default'],
      }),
    ),
    expiresAt: Type.Optional(Timestamp('When the key expires. Without it the key never expires.')),
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
  description: 'Keys of the own marketplace, newest first, without their secrets.',
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
  description: `${OWN_KEY} The key and its tokens are refused from now on. Revoking it again gives the same answer.`,
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
  description: `${OWN_KEY} Gives the key a new secret. The previous secret works until \`previousKeyExpiresAt\`.`,
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
  summary: 'Create a short-lived token',
  description: `${OWN_KEY} The token has the scopes of the key, or fewer when \`scopes\` says so, and expires with the key.`,
  params,
  body: Strict({ scopes: Type.Optional(AskedScopes("A subset of the key's scopes; all of them when left out.")) }),
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
  summary: 'Get the current key',
  description: 'The key or token of this request, and its scopes.',
  status: 200,
  wrapping: 'plain',
  data: Me,
  errors: [],
});
