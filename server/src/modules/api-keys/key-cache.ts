// Caches the keys in use for a few seconds, so that most requests need no query, and the verified tokens. A key that is forgotten is
// read again by the very next request. Only keys that exist are cached, and both caches have a maximum size.

import type { Clock } from '../../base/instant.ts';
import type { ApiKey } from './api-key.ts';
import { type CheckedKey, checkedKeyOf, type Holder } from './checked-key.ts';
import type { TokenClaims } from './tokens.ts';

export type KeyRef = { readonly marketplaceId: string; readonly keyId: string };

export type FindKey = (marketplaceId: string, keyId: string) => Promise<ApiKey | null>;

type KeyCache = {
  /** The cached key; undefined when it is missing or too old. */
  peek(ref: KeyRef): CheckedKey | undefined;
  /** Whether the key is known to exist, or is being looked up: another lookup of it is no guess. */
  isFamiliar(ref: KeyRef): boolean;
  load(ref: KeyRef): Promise<CheckedKey | null>;
  forget(keyIds: readonly string[]): void;
  forgetAll(): void;
};

const nameOf = ({ marketplaceId, keyId }: KeyRef): string => `${marketplaceId}/${keyId}`;

export const createKeyCache = (parts: {
  readonly findKey: FindKey;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly keysMax: number;
}): KeyCache => {
  const { findKey, clock, keysMax } = parts;
  const ttlMicros = parts.ttlMs * 1_000;
  const keys = new Map<string, CheckedKey>();
  const loading = new Map<string, Promise<CheckedKey | null>>();
  // Counts the calls of `forget`. A key that was read before such a call and arrives after it may be out of date, so it is not cached.
  let forgetCalls = 0;

  const remember = (checked: CheckedKey): void => {
    // Deleted and inserted again, so that the first entry is always the oldest.
    keys.delete(checked.keyId);
    keys.set(checked.keyId, checked);
    if (keys.size <= keysMax) return;
    for (const keyId of keys.keys()) {
      keys.delete(keyId);
      return;
    }
  };

  const readKey = async ({ marketplaceId, keyId }: KeyRef): Promise<CheckedKey | null> => {
    const before = forgetCalls;
    const loadedAt = clock();
    const key = await findKey(marketplaceId, keyId);
    const checked = key && checkedKeyOf(key, { marketplaceId, loadedAt });
    if (checked && before === forgetCalls) remember(checked);
    return checked;
  };

  return {
    peek({ marketplaceId, keyId }) {
      const checked = keys.get(keyId);
      if (checked === undefined || checked.marketplaceId !== marketplaceId) return undefined;
      const age = clock() - checked.loadedAt;
      return age >= 0 && age < ttlMicros ? checked : undefined;
    },
    isFamiliar: (ref) => keys.get(ref.keyId)?.marketplaceId === ref.marketplaceId || loading.has(nameOf(ref)),
    load(ref) {
      const name = nameOf(ref);
      const underway = loading.get(name);
      if (underway) return underway;
      const started = readKey(ref).finally(() => {
        if (loading.get(name) === started) loading.delete(name);
      });
      loading.set(name, started);
      return started;
    },
    forget(keyIds) {
      forgetCalls++;
      loading.clear();
      for (const keyId of keyIds) keys.delete(keyId);
    },
    forgetAll() {
      forgetCalls++;
      loading.clear();
      keys.clear();
    },
  };
};

export type VerifiedToken = {
  readonly claims: TokenClaims;
  /** The holder of the key that `holder` was made from. */
  from: Holder | null;
  holder: Holder | null;
};

/**
 * Tokens with a valid signature, by their digest, so that each signature is verified once. Whether the key of a token is still valid is
 * checked at every request.
 */
export const createTokenCache = (tokensMax: number) => {
  const verified = new Map<string, VerifiedToken>();
  return {
    get: (digest: string): VerifiedToken | undefined => verified.get(digest),
    put(digest: string, claims: TokenClaims): VerifiedToken {
      if (verified.size >= tokensMax) {
        const oldest = verified.keys().next();
        if (!oldest.done) verified.delete(oldest.value);
      }
      const token = { claims, from: null, holder: null };
      verified.set(digest, token);
      return token;
    },
  };
};
