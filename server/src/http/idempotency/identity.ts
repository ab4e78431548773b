// What makes two requests the same: who sent the key, and what it was sent with. Only hashes leave this file, so a
// stored row tells neither the key nor the body.

import { hash } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { AnyAsked } from '../route.ts';
import { validationError } from '../validation/messages.ts';
import { canonical } from './canonical.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Null: none was sent. */
export const idempotencyKeyOf = (header: string | string[] | undefined): string | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && UUID_V4.test(header)) return header;
  throw validationError(['Idempotency-Key must be a UUID of version 4']);
};

export const keyHashOf = (asked: AnyAsked, idempotencyKey: string): Buffer =>
  hash('sha256', `${asked.caller.marketplaceId}\n${asked.caller.keyId}\n${idempotencyKey.toLowerCase()}`, 'buffer');

/** Over the normalised request: another order of keys, or buyer_id for buyerId, is the same request. */
export const fingerprintOf = (endpoint: Endpoint, asked: AnyAsked): Buffer =>
  hash(
    'sha256',
    `${endpoint.method} ${endpoint.path}\n${canonical(asked.params)}\n${canonical(asked.query)}\n${canonical(asked.body)}`,
    'buffer',
  );
