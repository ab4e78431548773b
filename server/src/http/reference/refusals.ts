// The refusals of an operation in the OpenAPI document: every code by its status, with its details and an example. What several routes
// refuse in the same way is written once, among the components of the document.

import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import { ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import { detailsSentence, recordedRefusal, refusalExample } from './error-examples.ts';

type Json = Record<string, unknown>;

export const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** The headers of every answer. */
export const ALWAYS = {
  'X-Request-ID': headerRef('RequestId'),
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
};

const errorsOf = (endpoint: Endpoint): ErrorCode[] => {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (endpoint.access !== 'public') codes.push('UNAUTHORIZED');
  if (endpoint.access !== 'public' && endpoint.access !== 'any') codes.push('INSUFFICIENT_SCOPE');
  if (endpoint.heavy) codes.push('TOO_MANY_HEAVY_READS');
  if (endpoint.method !== 'GET') codes.push('PAYLOAD_TOO_LARGE');
  // A webhook is read as JSON with any content type.
  if (endpoint.body && endpoint.wrapping !== 'raw') codes.push('UNSUPPORTED_MEDIA_TYPE');
  if (endpoint.idempotent) codes.push('IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_KEY_IN_PROGRESS');
  return [...new Set([...codes, ...endpoint.errors])];
};

type Refusal = { readonly status: number; readonly codes: readonly ErrorCode[] };

const byStatus = (endpoint: Endpoint): Refusal[] =>
  [...Map.groupBy(errorsOf(endpoint), (code) => endpoint.errorStatus?.[code] ?? ERRORS[code].status)]
    .map(([status, codes]) => ({ status, codes: codes.toSorted() }))
    .sort((a, b) => a.status - b.status);

const routeOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** No example of the route itself is known, so the refusal is the same on other routes. */
const isShared = (endpoint: Endpoint, { codes }: Refusal): boolean =>
  codes.every((code) => recordedRefusal(routeOf(endpoint), code) === undefined);

const nameOf = ({ status, codes }: Refusal): string => `${status}-${codes.join('-')}`;

export const refusalsOf = (endpoint: Endpoint): Record<string, Json> =>
  Object.fromEntries(
    byStatus(endpoint).map((refusal) => [
      refusal.status,
      isShared(endpoint, refusal)
        ? { $ref: `#/components/responses/${nameOf(refusal)}` }
        : refusalOf(refusal, (code) => recordedRefusal(routeOf(endpoint), code)),
    ]),
  );

/** The components that these references point to. */
export const sharedRefusals = (endpoints: readonly Endpoint[]): Record<string, Json> =>
  Object.fromEntries(
    endpoints.flatMap((endpoint) =>
      byStatus(endpoint)
        .filter((refusal) => isShared(endpoint, refusal))
        .map((refusal) => [nameOf(refusal), refusalOf(refusal, () => undefined)]),
    ),
  );

/** Examples of the codes for which some route has no recorded one. */
export const sharedExamples = (endpoints: readonly Endpoint[]): Record<string, Json> => {
  const codes = endpoints.flatMap((endpoint) =>
    errorsOf(endpoint).filter((code) => recordedRefusal(routeOf(endpoint), code) === undefined),
  );
  return Object.fromEntries([...new Set(codes)].sort().map((code) => [code, { value: refusalExample(code) }]));
};

const refusalOf = ({ codes }: Refusal, recorded: (code: ErrorCode) => unknown): Json => ({
  description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}${detailsSentence(code)}`).join('\n\n'),
  headers: {
    ...ALWAYS,
    ...(codes.some((code) => (ERRORS[code].details as readonly string[]).includes('retryAfter'))
      ? { 'Retry-After': headerRef('RetryAfter') }
      : {}),
  },
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(
        codes.map((code) => {
          const value = recorded(code);
          return [code, value === undefined ? { $ref: `#/components/examples/${code}` } : { value }];
        }),
      ),
    },
  },
});
