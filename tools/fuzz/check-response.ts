// Says what is wrong with an answer: a status that the route does not document, an unexpected failure, a body
// that is not what the document promises, or words about our insides.

import path from 'node:path';
import { ERRORS } from '@holdfast/contract/errors.ts';
import type { Operation } from './document.ts';
import { SECRETS } from './recorded-app.ts';
import type { Heard, Sent } from './send.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What the front door answers to what never reaches this operation: odd URLs, methods, headers. */
const DOOR_STATUSES = [200, 204, 400, 401, 403, 404, 405, 413, 415, 429, 431];

const INSIDES: readonly RegExp[] = [
  /\n\s+at .+:\d+/,
  /node:internal|node_modules|\.ts:\d+/,
  /\bselect .+ from |insert into |relation "|column "|violates .+ constraint|syntax error at or near|\bpg_\w+/i,
  /ECONNREFUSED|ENOTFOUND|EPIPE|\bTypeError\b|\bRangeError\b|Cannot read propert/,
  // The pages of a payer and of an invitation are meant to be opened.
  /127\.0\.0\.1:\d+\/(?!payin|console\/join)/,
];

const HIDDEN = [ROOT, SECRETS.masterKey, SECRETS.jwtSecret, SECRETS.paymentWebhook, SECRETS.escrowWebhook];

const HEADERS_MAX = 16_000;

const HEADERS = ['x-request-id', 'x-content-type-options', 'content-security-policy', 'x-ratelimit-limit'];

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const messageOf = (body: unknown): unknown => {
  const { error, message } = (body ?? {}) as { error?: { message?: unknown }; message?: unknown };
  return error?.message ?? message;
};

/** All that is wrong; nothing is best. */
export const judge = (operation: Operation, sent: Sent, heard: Heard): string[] => {
  const { status, headers, text, trouble } = heard;
  if (status === null) return isLongHead(sent) ? [] : [trouble ?? 'no answer'];
  const found: string[] = [];
  const body = parsed(text);
  const isStray = sent.method !== operation.method || !isPathOf(operation, sent.target);
  const isKnown = operation.answers.has(status);
  if (!isKnown && !(DOOR_STATUSES.includes(status) && (isStray || [400, 413, 431].includes(status)))) {
    // A redirect to where the payer wanted to go is the callback's answer in words.
    if (status !== 302) found.push(`${status} is not documented`);
  }
  if (status === 500 && messageOf(body) === ERRORS.INTERNAL_ERROR.message) found.push('an unexpected failure');
  if (status === 503) found.push('503 without any load');
  if (isKnown && !isStray && sent.method !== 'HEAD' && !isTable(operation, heard)) {
    const check = operation.answers.get(status);
    const problem = check?.(body);
    if (problem) found.push(`the answer is not as documented: ${problem}`);
  }
  for (const pattern of INSIDES) {
    const [leak] = pattern.exec(text) ?? [];
    if (leak !== undefined) found.push(`it tells of our insides: ${leak.slice(0, 100)}`);
  }
  for (const secret of HIDDEN) if (text.includes(secret)) found.push('it tells a secret or a path of the machine');
  if (status !== 431) {
    for (const name of HEADERS) if (headers[name] === undefined) found.push(`the header ${name} is missing`);
  }
  return found;
};

/** A report answers as CSV when it is asked to. */
const isTable = ({ isAlsoCsv }: Operation, { status, headers }: Heard): boolean =>
  isAlsoCsv && status === 200 && String(headers['content-type']).startsWith('text/csv');

const isPathOf = ({ path }: Operation, target: string): boolean =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(target);

/** Refused before its method is known, so with a body, which no client expects of a HEAD. The connection ends with it. */
const isLongHead = ({ method, headers }: Sent): boolean =>
  method === 'HEAD' && headers.some(([, value]) => value.length > HEADERS_MAX);
