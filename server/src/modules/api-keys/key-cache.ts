// Remembers the keys in use for a few seconds, so that most requests ask no database. A key that is told to be forgotten
// is read again by the very next request. It remembers only keys that exist, and only so many.

import type { Clock } from '../../base/instant.ts';
import type { ApiKey } from './api-key.ts';
import { type Holder, type Lock, lockOf } from './checked-key.ts';
import type { TokenClaims } from './tokens.ts';

export type KeyRef = { readonly marketplaceId: string; readonly keyId: string };

export type FindKey = (marketplaceId: string, keyId: string) => Promise<ApiKey | null>;

export type LockCache = {
  /** What is remembered and fresh. */
  peek(ref: KeyRef): Lock | undefined;
  load(ref: KeyRef): Promise<Lock | null>;
  forget(keyIds: readonly string[]): void;
  forgetAll(): void;
};

export const createLockCache = (parts: {
  readonly findKey: FindKey;
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly locksMax: number;
}): LockCache => {
  const { findKey, clock, locksMax } = parts;
  const ttlMicros = parts.ttlMs * 1_000;
  const locks = new Map<string, Lock>();
  const loading = new Map<string, Promise<Lock | null>>();
  // Counts the forgetting: what was read before it may be out of date when it arrives after it.
  let forgettings = 0;

  const remember = (lock: Lock): void => {
    // Inserted anew, so that the first one is the one read longest ago.
    locks.delete(lock.keyId);
    locks.set(lock.keyId, lock);
    if (locks.size <= locksMax) return;
    for (const keyId of locks.keys()) {
      locks.delete(keyId);
      return;
    }
  };

  const readLock = async ({ marketplaceId, keyId }: KeyRef): Promise<Lock | null> => {
    const began = forgettings;
    const loadedAt = clock();
    const key = await findKey(marketplaceId, keyId);
    const lock = key && lockOf(key, { marketplaceId, loadedAt });
    if (lock && began === forgettings) remember(lock);
    return lock;
  };

  return {
    peek({ marketplaceId, keyId }) {
      const lock = locks.get(keyId);
      if (lock === undefined || lock.marketplaceId !== marketplaceId) return undefined;
      const age = clock() - lock.loadedAt;
      return age >= 0 && age < ttlMicros ? lock : undefined;
    },
    load(ref) {
      const name = `${ref.marketplaceId}/${ref.keyId}`;
      const underway = loading.get(name);
      if (underway) return underway;
      const started = readLock(ref).finally(() => {
        if (loading.get(name) === started) loading.delete(name);
      });
      loading.set(name, started);
      return started;
    },
    forget(keyIds) {
      forgettings++;
      loading.clear();
      for (const keyId of keyIds) locks.delete(keyId);
    },
    forgetAll() {
      forgettings++;
      loading.clear();
      locks.clear();
    },
  };
};

// Tokens whose signature was found good, by their digest, so that each is verified once. It says nothing about whether
// they still open anything, and holds only so many.
export type SeenToken = {
  readonly claims: TokenClaims;
  /** The key's holder that `holder` was made from. */
  from: Holder | null;
  holder: Holder | null;
};

export const createTokenCache = (tokensMax: number) => {
  const seen = new Map<string, SeenToken>();
  return {
    get: (digest: string): SeenToken | undefined => seen.get(digest),
    put(digest: string, claims: TokenClaims): SeenToken {
      if (seen.size >= tokensMax) {
        const oldest = seen.keys().next();
        if (!oldest.done) seen.delete(oldest.value);
      }
      const token = { claims, from: null, holder: null };
      seen.set(digest, token);
      return token;
    },
  };
};
