// One HTTP request to a neighbour, with a deadline and a bound on the answer's size. Gives the reply, or the unknown that
// was met instead; never throws, never follows a redirect (it would carry our key to another address).

import { type Unknown, unknown } from '../base/answer.ts';
import { readJson } from './reply-fields.ts';

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  timeoutMs: number;
};

export type Reply = {
  readonly status: number;
  /** With numbers as their digits; undefined when it is no JSON. */
  readonly json: unknown;
  readonly retryAfterMs: number | null;
};

const REPLY_BYTES_MAX = 4 * 1024 * 1024;

// The connection was never made, so nothing can have happened.
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const isNeverSent = (code: string) =>
  NEVER_SENT.has(code) || code === 'UND_ERR_CONNECT_TIMEOUT' || /CERT|^ERR_TLS_/.test(code);

export async function attempt({ method, url, headers, body, timeoutMs }: Request): Promise<Reply | Unknown> {
  const signal = AbortSignal.timeout(Math.max(Math.ceil(timeoutMs), 1));
  try {
    // Node keeps the connections to each origin alive and uses them again.
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    const text = await readBounded(response);
    if (text === null) return unknown('unreadable', `The answer is larger than ${REPLY_BYTES_MAX} bytes.`);
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
    return { status: response.status, json: readJson(text), retryAfterMs };
  } catch (error) {
    if (signal.aborted) return unknown('timeout', 'No answer in time.');
    const code = causeOf(error);
    return unknown('connection', `The connection failed (${code}).`, { untouched: isNeverSent(code) });
  }
}

async function readBounded(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > REPLY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

// Only the code: the message names the address.
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'no code';
}

function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - Date.now(), 0);
}
