// Headers that every response carries: the id of the request, and what tells a browser to be strict. A page that needs more sets it
// itself.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@holdfast/contract/limits.ts';

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Only where a trusted proxy says that the client used TLS: on plain HTTP browsers must ignore it. */
export const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains';

const TOKEN = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,${LIMITS.requestIdLength - 1}}$`);

/**
 * The id of a request in responses, events, audit entries and the log. The caller's own id is used when it is a plain token, so that
 * it cannot break a log line or a header.
 */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && TOKEN.test(given) ? given : randomUUID();
};
