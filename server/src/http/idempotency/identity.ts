// Decides whether two requests are the same: the caller, the Idempotency-Key and the content. Only hashes leave this file, so a
// stored row reveals neither the key nor the body.

import { hash } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { AnyRouteRequest } from '../route.ts';
import { validationError } from '../validation/messages.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Null: the header was not sent. */
export const idempotencyKeyOf = (header: string | string[] | undefined): string | null => {
  if (header === undefined) return null;
  if (typeof header === 'string' && UUID_V4.test(header)) return header;
  throw validationError(['Idempotency-Key must be a UUID of version 4']);
};

export const keyHashOf = (routeRequest: AnyRouteRequest, idempotencyKey: string): Buffer =>
  hash(
    'sha256',
    `${routeRequest.caller.marketplaceId}\n${routeRequest.caller.keyId}\n${idempotencyKey.toLowerCase()}`,
    'buffer',
  );

/** JSON with sorted keys: equal content gives equal text. */
export const canonical = (value: unknown): string => {
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
