// What is stored as the answer to a request with an Idempotency-Key: which refusals are stored, and how an answer with a secret is
// sealed. The sealing key is derived from the caller's own Idempotency-Key, which is never stored, so the database alone cannot open
// a sealed answer.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { ErrorCode } from '@holdfast/contract/errors.ts';
import type { DomainError } from '../../base/domain-error.ts';

/** A repeated request may have another result than these refusals, so they are not stored. */
const NEVER_STORED: ReadonlySet<ErrorCode> = new Set([
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'INSUFFICIENT_SCOPE',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_PROGRESS',
]);

export const isStorable = (error: DomainError): boolean => error.status < 500 && !NEVER_STORED.has(error.code);

const MARK = 'sealed.v1.';
const INFO = 'holdfast stored answer';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type SealParts = { readonly idempotencyKey: string; readonly keyHash: Buffer };

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
