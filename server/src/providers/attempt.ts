// One HTTP request to a provider, with a deadline and a maximum size of the answer. Returns the reply, or an unknown when there is
// none. Never throws and never follows a redirect, which would send our key to another address.

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
  /** Numbers are kept as their digits; undefined when the body is not JSON. */
  readonly json: unknown;
  readonly retryAfterMs: number | null;
  readonly headers: Pick<Headers, 'get'>;
};

/**
 * Whether the status says that the request itself was refused. The excluded statuses concern our key, our rate or the provider's
 * health, and are not a refusal of what was requested.
 */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);

const REPLY_BYTES_MAX = 4 * 1024 * 1024;

// The connection was never opened, so the request had no effect.
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const isNeverSent = (code: string) =>
  NEVER_SENT.has(code) || code === 'UND_ERR_CONNECT_TIMEOUT' || /CERT|^ERR_TLS_/.test(code);

export async function attempt({ method, url, headers, body, timeoutMs }: Request): Promise<Reply | Unknown> {
  const signal = AbortSignal.timeout(Math.max(Math.ceil(timeoutMs), 1));
  try {
    // Node keeps the connections to each origin alive and reuses them.
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    const text = await readBounded(response);
    if (text === null) return unknown(`The answer is larger than ${REPLY_BYTES_MAX} bytes.`, { code: 'unreadable' });
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
    return { status: response.status, json: readJson(text), retryAfterMs, headers: response.headers };
  } catch (error) {
    if (signal.aborted) return unknown('No answer in time.', { code: 'timeout' });
    const code = causeOf(error);
    return unknown(`The connection failed (${code}).`, { code: 'connection', untouched: isNeverSent(code) });
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

// Only the code, because the message contains the address.
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
