// A key as the door checks it: the digests of its secrets, how long each opens, and who then stands inside. Every try
// costs the same number of comparisons, also against a key that does not exist.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Scope } from '@holdfast/contract/scopes.ts';
import { parseInstant } from '../../base/instant.ts';
import type { ApiKey } from './api-key.ts';
import { digestOfHash, secretMark } from './key-text.ts';

export type Holder = {
  readonly type: 'master' | 'api_key' | 'token';
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
  readonly marketplaceId: string;
  readonly rateLimit: number | null;
  /** Which of the key's secrets was presented; only keys have it, never tokens. */
  readonly secretMark?: string;
};

/** Times are microseconds. */
type Pin = { readonly digest: Buffer; readonly mark: string; readonly until: number; readonly holder: Holder };

export type Lock = {
  readonly marketplaceId: string;
  readonly keyId: string;
  readonly loadedAt: number;
  /** The present secret and the one before it. */
  readonly pins: readonly [Pin, Pin];
};

const NOBODY: Holder = { type: 'api_key', keyId: '', keyName: '', scopes: [], marketplaceId: '', rateLimit: null };
const shut = (): Pin => ({ digest: randomBytes(32), mark: '', until: 0, holder: NOBODY });

const NO_LOCK: Lock = { marketplaceId: '', keyId: '', loadedAt: 0, pins: [shut(), shut()] };

const instantOr = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : (parseInstant(text) ?? 0);

export const lockOf = (key: ApiKey, { marketplaceId, loadedAt }: { marketplaceId: string; loadedAt: number }): Lock => {
  const end = key.revokedAt !== null ? 0 : instantOr(key.expiresAt, Number.POSITIVE_INFINITY);
  const pin = (stored: string, until: number): Pin => {
    const mark = secretMark(stored);
    const { id, name, scopes, rateLimit } = key;
    const holder = {
      type: 'api_key',
      keyId: id,
      keyName: name,
      scopes,
      marketplaceId,
      rateLimit,
      secretMark: mark,
    } as const;
    return { digest: digestOfHash(stored), mark, until: Math.min(until, end), holder };
  };
  const before = key.previousHash === null ? shut() : pin(key.previousHash, instantOr(key.previousExpiresAt, 0));
  return { marketplaceId, keyId: key.id, loadedAt, pins: [pin(key.secretHash, end), before] };
};

/** Who comes in with this secret now; null: nobody. */
export const openWithSecret = (lock: Lock | null, digest: Buffer, now: number): Holder | null => {
  const [present, before] = (lock ?? NO_LOCK).pins;
  const fitsPresent = timingSafeEqual(digest, present.digest);
  const fitsBefore = timingSafeEqual(digest, before.digest);
  if (fitsPresent && present.until > now) return present.holder;
  return fitsBefore && before.until > now ? before.holder : null;
};

/** The holder of the secret that a token was made from, while that secret still opens. */
export const openWithMark = (lock: Lock, mark: string, now: number): Holder | null =>
  lock.pins.find((pin) => pin.mark === mark && pin.until > now)?.holder ?? null;
