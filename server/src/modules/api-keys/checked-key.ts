// A key in the form that authentication needs: the digests of its secrets, how long each is valid, and the holder. Every attempt costs
// the same number of comparisons, also for a key that does not exist.

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
  /** Identifies the secret of the key that was presented. Only keys have it, never tokens. */
  readonly secretMark?: string;
};

/** `until` is in microseconds. */
type CheckedSecret = {
  readonly digest: Buffer;
  readonly mark: string;
  readonly until: number;
  readonly holder: Holder;
};

export type CheckedKey = {
  readonly marketplaceId: string;
  readonly keyId: string;
  readonly loadedAt: number;
  /** The current secret and the one before it. */
  readonly secrets: readonly [CheckedSecret, CheckedSecret];
};

const NO_HOLDER: Holder = { type: 'api_key', keyId: '', keyName: '', scopes: [], marketplaceId: '', rateLimit: null };
/** Matches no secret. */
const noSecret = (): CheckedSecret => ({ digest: randomBytes(32), mark: '', until: 0, holder: NO_HOLDER });

const NO_KEY: CheckedKey = { marketplaceId: '', keyId: '', loadedAt: 0, secrets: [noSecret(), noSecret()] };

const instantOr = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : (parseInstant(text) ?? 0);

export const checkedKeyOf = (
  key: ApiKey,
  { marketplaceId, loadedAt }: { marketplaceId: string; loadedAt: number },
): CheckedKey => {
  const end = key.revokedAt !== null ? 0 : instantOr(key.expiresAt, Number.POSITIVE_INFINITY);
  const checkedSecret = (stored: string, until: number): CheckedSecret => {
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
  const before =
    key.previousHash === null ? noSecret() : checkedSecret(key.previousHash, instantOr(key.previousExpiresAt, 0));
  return { marketplaceId, keyId: key.id, loadedAt, secrets: [checkedSecret(key.secretHash, end), before] };
};

/** The digest that is being compared. One for all comparisons, because each ends before the next one begins. */
const presented = Buffer.alloc(32);

/** The holder of the secret with this digest; null when the secret is not valid now. */
export const holderBySecret = (
  checked: CheckedKey | null,
  { digest, now }: { digest: string; now: number },
): Holder | null => {
  const [current, before] = (checked ?? NO_KEY).secrets;
  presented.write(digest, 'base64');
  const fitsCurrent = timingSafeEqual(presented, current.digest);
  const fitsBefore = timingSafeEqual(presented, before.digest);
  if (fitsCurrent && current.until > now) return current.holder;
  return fitsBefore && before.until > now ? before.holder : null;
};

/** The holder of the secret that a token was made from; null when that secret is no longer valid. */
export const holderByMark = (checked: CheckedKey, { mark, now }: { mark: string; now: number }): Holder | null =>
  checked.secrets.find((secret) => secret.mark === mark && secret.until > now)?.holder ?? null;
