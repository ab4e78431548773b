// Remembers the keys in use for a few seconds, so that most requests ask no database. A key that is told to be forgotten
// is read again by the very next request. It remembers only keys that exist, and only so many.

import type { Clock } from '../../base/instant.ts';
import type { ApiKey } from './api-key.ts';
import { type Lock, lockOf } from './checked-key.ts';

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
