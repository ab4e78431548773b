// Finds out who sends a request: the master key, an API key, or a token. For a key in use it answers at once, with one
// hash and no promise. It never keeps a secret or a token, only their digests, and compares them in constant time.

import { hash, timingSafeEqual } from 'node:crypto';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type { Clock } from '../../base/instant.ts';
import { type Holder, type Lock, openWithMark, openWithSecret } from './checked-key.ts';
import { createLockCache, createTokenCache, type FindKey, type SeenToken } from './key-cache.ts';
import { digestSecret, type KeyText, parseKeyText } from './key-text.ts';
import { commonScopes, type Tokens } from './tokens.ts';

export type AuthenticatorParts = {
  readonly masterKey: string;
  readonly tokens: Tokens;
  readonly findKey: FindKey;
  readonly clock: Clock;
  /** Told of every key that was let in, also by its token. */
  readonly onUse?: (use: { marketplaceId: string; keyId: string }) => void;
  /** A safety net only: changes are told by `forget`. */
  readonly ttlMs?: number;
  readonly locksMax?: number;
  readonly tokensMax?: number;
};

export type KeyAuthenticator = {
  authenticate(bearer: string): Holder | null | Promise<Holder | null>;
  /** To be called when these keys have changed. */
  forget(keyIds: readonly string[]): void;
  forgetAll(): void;
};

const TTL_MS = 5_000;
const LOCKS_MAX = 10_000;
const TOKENS_MAX = 10_000;
// A secret that does not fit may be newer than what is remembered; asking anew each time would let strangers ask.
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

const digestOf = (bearer: string): Buffer => hash('sha256', bearer, 'buffer');

export const createAuthenticator = (parts: AuthenticatorParts): KeyAuthenticator => {
  const { clock, tokens, onUse } = parts;
  const masterDigest = digestOf(parts.masterKey);
  const cache = createLockCache({
    findKey: parts.findKey,
    clock,
    ttlMs: parts.ttlMs ?? TTL_MS,
    locksMax: parts.locksMax ?? LOCKS_MAX,
  });
  const seen = createTokenCache(parts.tokensMax ?? TOKENS_MAX);

  const welcome = (holder: Holder | null): Holder | null => {
    if (holder) onUse?.(holder);
    return holder;
  };

  const asMaster = (digest: Buffer): Holder | null => (timingSafeEqual(digest, masterDigest) ? MASTER : null);

  // A master key chosen by hand may look like any other key, so a key that does not open is still compared with it.
  const byKey = (presented: KeyText, bearer: string): Holder | null | Promise<Holder | null> => {
    const digest = digestSecret(presented.secret);
    const known = cache.peek(presented);
    if (known) {
      const holder = openWithSecret(known, digest, clock());
      if (holder) return welcome(holder);
      if (clock() - known.loadedAt < RECHECK_MICROS) return asMaster(digestOf(bearer));
    }
    return cache
      .load(presented)
      .then((lock) => welcome(openWithSecret(lock, digest, clock())) ?? asMaster(digestOf(bearer)));
  };

  const openWithToken = (token: SeenToken, lock: Lock | null): Holder | null => {
    const { claims } = token;
    const now = clock();
    const holder = lock && claims.expiresAt > now ? openWithMark(lock, claims.mark, now) : null;
    if (!holder) return null;
    if (token.from !== holder) {
      const { secretMark: _, ...rest } = holder;
      token.from = holder;
      token.holder = { ...rest, type: 'token', scopes: commonScopes(claims.scopes, holder.scopes) };
    }
    return welcome(token.holder);
  };

  const byToken = (bearer: string, digest: Buffer): Holder | null | Promise<Holder | null> => {
    const name = digest.toString('latin1');
    const known = seen.get(name);
    if (!known) {
      return tokens.verify(bearer).then((claims) => {
        if (!claims) return null;
        const token = seen.put(name, claims);
        const lock = cache.peek(claims);
        return lock ? openWithToken(token, lock) : cache.load(claims).then((late) => openWithToken(token, late));
      });
    }
    const lock = cache.peek(known.claims);
    if (lock) return openWithToken(known, lock);
    return cache.load(known.claims).then((late) => openWithToken(known, late));
  };

  return {
    authenticate(bearer) {
      const presented = parseKeyText(bearer);
      if (presented) return byKey(presented, bearer);
      const digest = digestOf(bearer);
      return asMaster(digest) ?? (JWT.test(bearer) ? byToken(bearer, digest) : null);
    },
    forget: cache.forget,
    forgetAll: cache.forgetAll,
  };
};
