// The id under which a request is found again in answers, events, audit entries and the log. The caller's own is kept
// when it is a plain token, so that nothing it holds can break a log line or a header.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@holdfast/contract/limits.ts';

const TOKEN = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,${LIMITS.requestIdLength - 1}}$`);

export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && TOKEN.test(given) ? given : randomUUID();
};
