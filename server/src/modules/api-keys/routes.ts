// Routes of keys and tokens. The master key may change every key, an API key only itself, and a token none.

import * as api from '@holdfast/contract/api/keys.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { MoneyScope, Scope } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, formatInstant, parseInstant } from '../../base/instant.ts';
import { step } from '../../base/machine.ts';
import { newId } from '../../base/ulid.ts';
import type { Caller } from '../../http/caller.ts';
import { checkedCursor } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { Holder } from './checked-key.ts';
import { type CreateApiKeyInput, createApiKey } from './create-api-key.ts';
import { issueToken } from './issue-token.ts';
import { formatKeyText, freshSecret } from './key-text.ts';
import { API_KEY_MACHINE, apiKeyStatus, requireCurrentSecret } from './machine.ts';
import { presentApiKey, presentFreshKey } from './present.ts';
import type { ApiKeyReads } from './queries.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';
import { narrowScopes, type Tokens } from './tokens.ts';

type Parts = {
  readonly keys: ApiKeyReads;
  readonly tokens: Tokens;
  readonly rotationOverlapMs: number;
  /** The scopes that `write` contains. */
  readonly writeIncludes: readonly MoneyScope[];
  readonly clock: Clock;
  /** The last use in this process, which may not be saved yet. */
  lastUse(keyId: string): string | null;
};

/** Accepts only the master key and the key itself. Returns the mark of the key's secret; null for the master key. */
const presentedMark = (caller: Caller, keyId: string): string | null => {
  if (caller.type === 'master') return null;
  if (caller.type === 'api_key' && caller.keyId === keyId) return caller.secretMark ?? '';
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message:
      caller.type === 'token'
        ? 'A token cannot do this. Send the API key itself, or the master key.'
        : 'Only the master key and this key itself may do this.',
    details: { requiredScope: 'master', scopes: caller.scopes },
  });
};

const expiry = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const micros = parseInstant(text);
  if (micros === null || !Number.isSafeInteger(micros)) throw validationError(['expiresAt is too far in the future']);
  return formatInstant(micros);
};

/** A key with one of these can move money alone, or decide about it. With `write` it decides about orders, whatever `write` contains here. */
const WIDE_SCOPES: readonly Scope[] = ['*', 'write', 'treasury', 'payout', 'support'];

type KeptKey = { readonly id: string; readonly hash: string };

/** The key exists once its request is approved. Its requester has the text at once, and only its hash is kept. */
const keepKey = (marketplaceId: string) => {
  const { hash, reveal } = freshSecret();
  const id = newId('apiKey', Date.now());
  const kept: KeptKey = { id, hash };
  return { kept, shown: { key: formatKeyText({ marketplaceId, keyId: id, secret: reveal() }) } };
};

const keptKey = (kept: unknown): Pick<CreateApiKeyInput, 'id' | 'secret'> => {
  if (kept === undefined) return { secret: freshSecret() };
  const { id, hash } = kept as KeptKey;
  return { id, secret: { hash, reveal: () => '' } };
};

/** The new secret of a key that waits for approval. */
const keepRotation = (marketplaceId: string, keyId: string) => {
  const { hash, reveal } = freshSecret();
  const kept: KeptKey = { id: keyId, hash };
  return { kept, shown: { key: formatKeyText({ marketplaceId, keyId, secret: reveal() }) } };
};

/** A key about itself gets nothing new. The master key gets what acts in the name of the key, so that it could approve its own requests. */
const weighOthers = ({ caller }: { readonly caller: Caller }) =>
  caller.type === 'master' ? ({ action: 'api-key.create', amount: null, currency: null } as const) : null;

const latest = (a: string | null, b: string | null): string | null => (a !== null && (b === null || a > b) ? a : b);

/** The requester has the text, and the approver never sees it. */
const withoutText = <Fresh extends { key: unknown; api_key?: unknown }>({ key: _, api_key: __, ...others }: Fresh) =>
  others;

const createRoute = (now: () => string): Route =>
  write(api.createApiKey, {
    command: createApiKey,
    context: ({ body, context }) => ({ ...context, marketplaceId: body.marketplaceId ?? context.marketplaceId }),
    input: ({ body, kept }) => ({
      name: body.name,
      scopes: body.scopes,
      expiresAt: expiry(body.expiresAt),
      rateLimit: body.rateLimit ?? null,
      ...keptKey(kept),
    }),
    present: (key, { context: { marketplaceId }, input: { secret } }) =>
      presentFreshKey(key, { marketplaceId, now: now(), secret }),
    approval: {
      actions: ['api-key.create'],
      weighRequest: ({ body: { scopes } }) =>
        scopes.some((scope) => WIDE_SCOPES.includes(scope))
          ? { action: 'api-key.create', amount: null, currency: null }
          : null,
      keepSecret: ({ body, context }) => keepKey(body.marketplaceId ?? context.marketplaceId),
      shown: withoutText,
    },
  });

const rotateRoute = (overlapMs: number, now: () => string): Route =>
  write(api.rotateApiKey, {
    command: rotateApiKey,
    input: ({ params: { id }, caller, kept }) => ({
      id,
      presentedMark: presentedMark(caller, id),
      secret: keptKey(kept).secret,
      overlapMs,
    }),
    present: (key, { context: { marketplaceId }, input: { secret } }) => ({
      ...presentFreshKey(key, { marketplaceId, now: now(), secret }),
      previousKeyExpiresAt: key.previousExpiresAt,
    }),
    approval: {
      actions: ['api-key.create'],
      weighRequest: weighOthers,
      keepSecret: ({ params: { id }, context: { marketplaceId } }) => keepRotation(marketplaceId, id),
      shown: withoutText,
    },
  });

export const keyRoutes = ({ keys, tokens, rotationOverlapMs, writeIncludes, clock, lastUse }: Parts): Route[] => {
  const now = (): string => formatInstant(clock());

  const ownRoutes = [
    write(api.revokeApiKey, {
      command: revokeApiKey,
      input: ({ params: { id }, caller }) => ({ id, presentedMark: presentedMark(caller, id) }),
      present: (key, { context: { marketplaceId } }) => presentApiKey(key, { marketplaceId, now: now() }),
    }),
    rotateRoute(rotationOverlapMs, now),
    write(api.issueToken, {
      command: issueToken,
      async input({ params: { id }, body, caller, context: { marketplaceId } }) {
        const mark = presentedMark(caller, id);
        const key = await keys.find(marketplaceId, id);
        if (!key) throw new DomainError('API_KEY_NOT_FOUND');
        requireCurrentSecret(key, mark);
        step(API_KEY_MACHINE, { from: apiKeyStatus(key, now()), on: 'use' });
        const scopes = narrowScopes(body.scopes ?? key.scopes, { scopes: key.scopes, writeIncludes });
        return { id, presentedMark: mark, signed: await tokens.sign({ key, marketplaceId, scopes }) };
      },
      present: (_key, { input: { signed } }) => ({
        token: signed.token,
        tokenType: 'Bearer' as const,
        expiresAt: signed.expiresAt,
        scopes: [...signed.scopes],
      }),
      approval: {
        actions: ['api-key.create'],
        weighRequest: weighOthers,
        // A token is valid from its signature on, so none can be made before the approval and shown to the requester alone.
        refuse: () =>
          new DomainError('INSUFFICIENT_SCOPE', {
            message: 'A rule for api-key.create binds the master key here: the key itself must ask for its token.',
            details: { requiredScope: 'api_key', scopes: ['*'] },
          }),
      },
    }),
  ];

  return [
    createRoute(now),
    list(api.listApiKeys, async ({ query, context: { marketplaceId } }) => {
      const at = { marketplaceId, now: now() };
      const page = await keys.list({
        ...query,
        ...at,
        limit: query.limit ?? LIMITS.pageSizeDefault,
        cursor: checkedCursor('apiKey', query.cursor),
      });
      const items = page.rows.map((key) => ({
        ...presentApiKey(key, at),
        lastUsedAt: latest(key.lastUsedAt, lastUse(key.id)),
      }));
      return { items, nextCursor: page.nextCursor };
    }),
    ...ownRoutes,
    read(api.getMe, ({ caller }) => ({
      apiKeyId: caller.keyId,
      apiKeyName: caller.keyName,
      scopes: [...caller.scopes],
      marketplaceId: caller.marketplaceId,
      type: caller.type as Holder['type'] | 'operator',
    })),
  ];
};
