// Idempotency-Keys: whether two requests are the same, which requests are being processed, and what is stored as the answer. A stored row
// contains only hashes of the key and the body, and an answer with a secret is sealed with a key that only the caller has.

import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { ErrorCode } from '@holdfast/contract/errors.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../base/domain-error.ts';
import type { AnyRouteRequest } from './route.ts';
import { validationError } from './validation/messages.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Null: the header was not sent. */
export const idempotencyKeyOf = (header: string | string[] | undefined): string | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && UUID_V4.test(header)) return header;
  throw validationError(['Idempotency-Key must be a UUID of version 4']);
};

/**
 * The marketplace in which the key of a request counts. A route of the master key alone gets its marketplace from the path or the body,
 * so there X-Marketplace-Id must not make a new request of a repeat.
 */
export const keyPlaceOf = ({ access }: Endpoint, { caller }: AnyRouteRequest): string =>
  access === 'master' ? DEFAULT_MARKETPLACE : caller.marketplaceId;

type KeyedRequest = { readonly routeRequest: AnyRouteRequest; readonly idempotencyKey: string };

export const keyHashOf = (endpoint: Endpoint, { routeRequest, idempotencyKey }: KeyedRequest): Buffer =>
  hash(
    'sha256',
    `${keyPlaceOf(endpoint, routeRequest)}\n${routeRequest.caller.keyId}\n${idempotencyKey.toLowerCase()}`,
    'buffer',
  );

/** JSON with sorted keys: equal content gives equal text. */
const canonical = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${canonical(member)}`);
  }
  return `{${members.join(',')}}`;
};

/** Made from the normalised request: another order of keys, or buyer_id for buyerId, is the same request. */
export const fingerprintOf = (endpoint: Endpoint, routeRequest: AnyRouteRequest): Buffer =>
  hash(
    'sha256',
    `${endpoint.method} ${endpoint.path}\n${canonical(routeRequest.params)}\n${canonical(routeRequest.query)}\n${canonical(routeRequest.body)}`,
    'buffer',
  );

// The Idempotency-Keys of requests that this process is processing. A second request with the same key is refused at once. Between
// processes the stored row of the committer has the same effect.
export type InFlight = {
  /** Refuses when the key is in use. Returns the function to call when the request has ended. */
  enter(keyHash: Buffer): () => void;
  readonly size: number;
};

export const createInFlight = (): InFlight => {
  const keys = new Set<string>();
  return {
    get size() {
      return keys.size;
    },
    enter(keyHash) {
      const name = keyHash.toString('base64');
      if (keys.has(name)) throw new DomainError('IDEMPOTENCY_KEY_IN_PROGRESS');
      keys.add(name);
      return () => keys.delete(name);
    },
  };
};

/** A repeated request may have another result than these refusals, so they are not stored. */
const NEVER_STORED: ReadonlySet<ErrorCode> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMITED',
  // The facts may be others when the request is repeated.
  'CORRECTION_REFUSED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
]);

export const isStorable = (error: DomainError): boolean => error.status < 500 && !NEVER_STORED.has(error.code);

const MARK = 'sealed.v1.';
const INFO = 'holdfast stored answer';
const IV_BYTES = 12;
const TAG_BYTES = 16;

type SealParts = { readonly idempotencyKey: string; readonly keyHash: Buffer };

// The sealing key is derived from the caller's own Idempotency-Key, which is never stored, so the database alone cannot open a sealed
// answer.
const sealingKey = ({ idempotencyKey, keyHash }: SealParts): Buffer =>
  Buffer.from(hkdfSync('sha256', idempotencyKey, keyHash, INFO, 32));

export const seal = (text: string, parts: SealParts): string => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(parts), iv).setAAD(parts.keyHash);
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return MARK + sealed.toString('base64url');
};

export const unseal = (text: string, parts: SealParts): string => {
  if (!text.startsWith(MARK)) throw new Error('a stored answer that must be sealed is not');
  const sealed = Buffer.from(text.slice(MARK.length), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(parts), sealed.subarray(0, IV_BYTES));
  decipher.setAAD(parts.keyHash).setAuthTag(sealed.subarray(-TAG_BYTES));
  return decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};
