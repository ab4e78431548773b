// Authenticates the caller of a request: the master key, an API key, or a token. A key in the cache costs one hash and no promise. It
// never stores a secret or a token, only their digests, and compares them in constant time.

import { hash, timingSafeEqual } from 'node:crypto';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { MONEY_SCOPES, type MoneyScope } from '@holdfast/contract/scopes.ts';
import type { Clock } from '../../base/instant.ts';
import type { LookUp } from '../../http/key-lookups.ts';
import { type CheckedKey, type Holder, holderByMark, holderBySecret } from './checked-key.ts';
import { createKeyCache, createTokenCache, type FindKey, type VerifiedToken } from './key-cache.ts';
import { digestSecret, type KeyText, parseKeyText } from './key-text.ts';
import { commonScopes, type Tokens } from './tokens.ts';

type AuthenticatorParts = {
  readonly masterKey: string;
  readonly tokens: Tokens;
  readonly findKey: FindKey;
  /** The scopes that `write` contains; all of them unless given. */
  readonly writeIncludes?: readonly MoneyScope[];
  readonly clock: Clock;
  /** Called for every accepted key, also when its token was used. */
  readonly onUse?: (use: { marketplaceId: string; keyId: string }) => void;
  /** Only a safety net: `forget` is called for every change. */
  readonly ttlMs?: number;
  readonly keysMax?: number;
  readonly tokensMax?: number;
};

export type KeyAuthenticator = {
  /** Searches a credential that is not known here through `lookUp`; without it, at once. */
  authenticate(bearer: string, lookUp?: LookUp): Holder | null | Promise<Holder | null>;
  /** Must be called when these keys have changed. */
  forget(keyIds: readonly string[]): void;
  forgetAll(): void;
};

const TTL_MS = 5_000;
const KEYS_MAX = 10_000;
const TOKENS_MAX = 10_000;
// A secret that does not match may be newer than the cached key, so the key is read again. At most once per second, because otherwise
// unknown callers could cause a query per request.
const RECHECK_MICROS = 1_000_000;
const JWT = /^[\w-]{1,500}\.[\w-]{1,2000}\.[\w-]{1,200}$/;

const MASTER: Holder = {
  type: 'master',
  keyId: 'master',
  keyName: 'master',
  scopes: ['*'],
  marketplaceId: DEFAULT_MARKETPLACE,
  rateLimit: null,
};

type Presented = { readonly bearer: string; readonly lookUp: LookUp };

const digestOf = (bearer: string): Buffer => hash('sha256', bearer, 'buffer');

export const createAuthenticator = (parts: AuthenticatorParts): KeyAuthenticator => {
  const { clock, tokens, onUse, writeIncludes = MONEY_SCOPES } = parts;
  const masterDigest = digestOf(parts.masterKey);
  const cache = createKeyCache({
    findKey: parts.findKey,
    clock,
    ttlMs: parts.ttlMs ?? TTL_MS,
    keysMax: parts.keysMax ?? KEYS_MAX,
  });
  const verified = createTokenCache(parts.tokensMax ?? TOKENS_MAX);

  const recordUse = (holder: Holder | null): Holder | null => {
    if (holder) onUse?.(holder);
    return holder;
  };

  const asMaster = (digest: Buffer): Holder | null => (timingSafeEqual(digest, masterDigest) ? MASTER : null);

  // A master key that an operator chose may look like an API key, so a key that is not valid is still compared with the master key.
  const byKey = (presented: KeyText, { bearer, lookUp }: Presented): Holder | null | Promise<Holder | null> => {
    const digest = digestSecret(presented.secret);
    const known = cache.peek(presented);
    if (known) {
      const holder = holderBySecret(known, { digest, now: clock() });
      if (holder) return recordUse(holder);
    }
    const master = asMaster(digestOf(bearer));
    if (master || (known && clock() - known.loadedAt < RECHECK_MICROS)) return master;
    const search = async () => recordUse(holderBySecret(await cache.load(presented), { digest, now: clock() }));
    return cache.isFamiliar(presented) ? search() : lookUp(search);
  };

  const holderByToken = (token: VerifiedToken, key: CheckedKey | null): Holder | null => {
    const { claims } = token;
    const now = clock();
    const holder = key && claims.expiresAt > now ? holderByMark(key, { mark: claims.mark, now }) : null;
    if (!holder) return null;
    if (token.from !== holder) {
      const { secretMark: _, ...rest } = holder;
      token.from = holder;
      token.holder = { ...rest, type: 'token', scopes: commonScopes(claims.scopes, { ...holder, writeIncludes }) };
    }
    return recordUse(token.holder);
  };

  const byToken = (digest: Buffer, { bearer, lookUp }: Presented): Holder | null | Promise<Holder | null> => {
    const name = digest.toString('latin1');
    const known = verified.get(name);
    if (!known) {
      return lookUp(async () => {
        const claims = await tokens.verify(bearer);
        if (!claims) return null;
        const token = verified.put(name, claims);
        return holderByToken(token, cache.peek(claims) ?? (await cache.load(claims)));
      });
    }
    const key = cache.peek(known.claims);
    if (key) return holderByToken(known, key);
    return cache.load(known.claims).then((late) => holderByToken(known, late));
  };

  return {
    authenticate(bearer, lookUp = (search) => search()) {
      const presented = parseKeyText(bearer);
      if (presented) return byKey(presented, { bearer, lookUp });
      const digest = digestOf(bearer);
      return asMaster(digest) ?? (JWT.test(bearer) ? byToken(digest, { bearer, lookUp }) : null);
    },
    forget: cache.forget,
    forgetAll: cache.forgetAll,
  };
};
