// One HTTP request to a provider, with a deadline and a maximum size of the answer. Returns the reply, or an unknown when there is
// none. Never throws and never follows a redirect, which would send our key to another address.

import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
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
  readonly headers: { get(name: string): string | null };
};

/**
 * Whether the status says that the request itself was refused. The excluded statuses concern our key, our rate or the provider's
 * health, and are not a refusal of what was requested.
 */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);

const REPLY_BYTES_MAX = 4 * 1024 * 1024;

// The connection was never opened, or Node refused to write the request. So the request had no effect.
const NEVER_SENT = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_PROXY_TUNNEL'],
  ...['ERR_INVALID_URL', 'ERR_INVALID_CHAR', 'ERR_INVALID_PROTOCOL'],
]);
const isNeverSent = (code: string) => NEVER_SENT.has(code) || /CERT|^ERR_TLS_/.test(code);

/** Node's own switch for `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. Agents of our own have to be told. */
const PROXY = process.env.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: process.env } : {};
/** Providers close idle connections without notice. A request that is sent at that moment has an unknown result. */
const IDLE_MS = 4_000;
/** Connections stay open and are used again. An open connection without a request does not keep the process alive. */
const OPEN = { keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS, ...PROXY } as const;
const AGENTS = { http: new HttpAgent(OPEN), https: new HttpsAgent(OPEN) };

const COMMON_HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'holdfast' };

class NoAnswerInTime extends Error {}
class AnswerTooLarge extends Error {}
class OtherProtocol extends Error {}

type Exchanged = { readonly answer: IncomingMessage; readonly body: Buffer };

/**
 * Not `fetch`: its streams cost the server more processor time than this, and an order makes two dozen requests. The deadline ends the
 * exchange by itself: a request that still waits for a connection through a proxy reports nothing when it is destroyed.
 */
const exchange = async ({ method, url, headers, body, timeoutMs }: Request): Promise<Exchanged> => {
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged>();
  const isSecure = /^https:/i.test(url);
  const agent = isSecure ? AGENTS.https : AGENTS.http;
  const options = { method, headers: { ...COMMON_HEADERS, ...headers }, agent };
  const request = (isSecure ? httpsRequest : httpRequest)(url, options);
  const fail = (error: Error): void => {
    clearTimeout(timer);
    reject(error);
    request.destroy(error);
  };
  const timer = setTimeout(() => fail(new NoAnswerInTime()), Math.max(Math.ceil(timeoutMs), 1));
  request.on('error', fail);
  // Without this listener Node closes the connection and reports neither an answer nor an error. With it, the socket is ours to close.
  request.on('upgrade', (_answer, socket) => {
    socket.destroy();
    fail(new OtherProtocol());
  });
  request.on('response', (answer) => {
    const chunks: Buffer[] = [];
    let size = 0;
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > REPLY_BYTES_MAX) fail(new AnswerTooLarge());
    });
    answer.on('error', fail);
    answer.on('end', () => {
      clearTimeout(timer);
      resolve({ answer, body: Buffer.concat(chunks) });
    });
  });
  request.end(body ?? undefined);
  return promise;
};

const unzip = promisify(gunzip);

/** Undefined when the answer is not compressed as it says. */
const textOf = async (body: Buffer, headers: IncomingHttpHeaders): Promise<string | undefined> => {
  if (headers['content-encoding'] !== 'gzip') return body.toString('utf8');
  try {
    return (await unzip(body, { maxOutputLength: REPLY_BYTES_MAX })).toString('utf8');
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new AnswerTooLarge();
    return undefined;
  }
};

export async function attempt(request: Request): Promise<Reply | Unknown> {
  try {
    const { answer, body } = await exchange(request);
    const { headers, statusCode } = answer;
    const text = await textOf(body, headers);
    const get = (name: string): string | null => headers[name]?.toString() ?? null;
    return {
      status: statusCode!,
      json: text === undefined ? undefined : readJson(text),
      retryAfterMs: readRetryAfter(get('retry-after')),
      headers: { get },
    };
  } catch (error) {
    if (error instanceof NoAnswerInTime) return unknown('No answer in time.', { code: 'timeout' });
    if (error instanceof AnswerTooLarge)
      return unknown(`The answer is larger than ${REPLY_BYTES_MAX} bytes.`, { code: 'unreadable' });
    if (error instanceof OtherProtocol)
      return unknown('The answer changes to another protocol.', { code: 'unreadable' });
    const code = codeOf(error);
    return unknown(`The connection failed (${code}).`, { code: 'connection', untouched: isNeverSent(code) });
  }
}

// Only the code, because the message contains the address.
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : 'no code';
}

function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - Date.now(), 0);
}
