// Sends one signed request and reads the beginning of its answer. No redirect is followed, certificates are verified, and time and size are
// limited. It never throws: a failure is a result.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { checkedLookup, RefusedAddress, type Resolve, requireAllowedLiteral, type TargetRules } from './target.ts';

type PostResult = {
  readonly status: number | null;
  /** Null: it was delivered. */
  readonly error: string | null;
  readonly responseHead: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
};

export type Post = (message: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<PostResult>;

type PostOptions = TargetRules & {
  readonly timeoutMs: number;
  /** Of all endpoints together. */
  readonly socketsMax: number;
  /** Only tests give another one. */
  readonly resolve?: Resolve;
};

const HEAD_CHARACTERS = 500;
const ANSWER_BYTES_MAX = 64 * 1_024;
const IDLE_SOCKET_MS = 10_000;

/** Seconds, or a date. */
const retryAfterOf = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
};

/** PostgreSQL cannot store the character U+0000. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();

/** Reads at most so many bytes. The rest is not waited for. */
const readHead = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) break;
  }
  return storable(Buffer.concat(chunks).toString('utf8').slice(0, HEAD_CHARACTERS));
};

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`;
  return `The receiver answered ${status}.`;
};

const failureOf = (error: unknown, timeoutMs: number): string => {
  if (error instanceof RefusedAddress) return `The address was refused: ${error.message}.`;
  const { message, code, cause } = error as NodeJS.ErrnoException;
  if ((cause as Error | undefined)?.name === 'TimeoutError')
    return `There was no answer within ${timeoutMs / 1_000} seconds.`;
  return storable(`The request failed: ${code ?? message}.`);
};

const exchange = (url: URL, { body, ...options }: RequestOptions & { body: string }): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
    request.once('error', reject);
    request.end(body);
  });

export const createPost = (options: PostOptions): { readonly post: Post; close(): void } => {
  const { timeoutMs, socketsMax } = options;
  const lookup = checkedLookup(options, options.resolve);
  const agentOptions = {
    keepAlive: true,
    keepAliveMsecs: IDLE_SOCKET_MS,
    maxTotalSockets: socketsMax,
    timeout: IDLE_SOCKET_MS + timeoutMs,
  };
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) };

  const attempt = async (url: URL, { headers, body, signal }: Parameters<Post>[0]) => {
    requireAllowedLiteral(url, options);
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const timeout = AbortSignal.timeout(timeoutMs);
    const answer = await exchange(url, {
      method: 'POST',
      headers: { ...headers, ...length },
      body,
      lookup,
      agent: agents[url.protocol as 'http:' | 'https:'],
      signal: AbortSignal.any([signal, timeout]),
    });
    const status = answer.statusCode!;
    return {
      status,
      error: errorOf(status),
      responseHead: await readHead(answer),
      retryAfterMs: retryAfterOf(answer.headers['retry-after'], Date.now()),
    };
  };

  return {
    async post(message) {
      const began = performance.now();
      const durationMs = (): number => Math.round(performance.now() - began);
      try {
        return { ...(await attempt(new URL(message.url), message)), durationMs: durationMs() };
      } catch (error) {
        const failed = { status: null, responseHead: null, retryAfterMs: null };
        return { ...failed, error: failureOf(error, timeoutMs), durationMs: durationMs() };
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
};
