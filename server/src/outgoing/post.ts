// Sends one signed request and reads the beginning of its answer. No redirect is followed, certificates are verified, and time and size are
// limited. It never throws: a failure is a result.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createFairPlaces } from './fair-places.ts';
import { checkedLookup, RefusedAddress, type Resolve, requireAllowed, type TargetRules } from './target.ts';

type PostResult = {
  readonly status: number | null;
  /** Null: it was delivered. */
  readonly error: string | null;
  readonly responseHead: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
};

export type Post = (message: {
  /** Whose request it is. When many are on their way, owners share the places. */
  readonly owner: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}) => Promise<PostResult>;

type PostOptions = TargetRules & {
  readonly timeoutMs: number;
  /** Requests on their way, of all owners together. */
  readonly atOnce: number;
  /** Only tests give another one. */
  readonly resolve?: Resolve;
};

const HEAD_CHARACTERS = 500;
const ANSWER_BYTES_MAX = 64 * 1_024;
const IDLE_SOCKET_MS = 10_000;
/** To one receiver; as many as one endpoint uses at once. */
const IDLE_SOCKETS_MAX = 8;

/** Seconds, or a date. */
const retryAfterOf = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
};

/** PostgreSQL cannot store the character U+0000. */
const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed();

/** Reads at most so many bytes. The status has decided already, so a body that breaks off or takes too long changes nothing. */
const readHead = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) break;
    }
  } catch {
    answer.destroy();
  }
  return storable(Buffer.concat(chunks).toString('utf8').slice(0, HEAD_CHARACTERS));
};

const errorOf = (status: number): string | null => {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed.`;
  return `The receiver answered ${status}.`;
};

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection without an answer.',
  EHOSTUNREACH: 'The receiver could not be reached.',
  ENETUNREACH: 'The receiver could not be reached.',
  ETIMEDOUT: 'The receiver could not be reached.',
  ENOTFOUND: 'The name of the receiver does not exist.',
  EPROTO: 'The receiver does not answer with TLS. Does its port expect http instead of https?',
  ENODATA: 'The name of the receiver has no address.',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
};

const CERTIFICATE_CODE = /CERT|UNABLE_TO_VERIFY/;

/** The name servers have failed, and not the receiver: `ECONNREFUSED` is about them. */
const isLookupFailure = ({ syscall, code }: NodeJS.ErrnoException): boolean =>
  syscall !== undefined && /^(query|getaddrinfo)/.test(syscall) && code !== 'ENOTFOUND' && code !== 'ENODATA';

const failureOf = (error: unknown, timeoutMs: number): string => {
  if (error instanceof RefusedAddress) return `The address was refused: ${error.message}.`;
  const { message, code, cause } = error as NodeJS.ErrnoException;
  if ((cause as Error | undefined)?.name === 'TimeoutError')
    return `There was no answer within ${timeoutMs / 1_000} seconds.`;
  if (isLookupFailure(error as NodeJS.ErrnoException))
    return `The name of the receiver could not be resolved: ${code}.`;
  const known = FAILURES[code ?? ''];
  if (known === undefined && CERTIFICATE_CODE.test(code ?? ''))
    return `The certificate of the receiver is not valid: ${code}.`;
  return known ?? storable(`The request failed: ${code ?? message}.`);
};

const CLOSED_BY_RECEIVER = new Set(['ECONNRESET', 'EPIPE']);

/**
 * A receiver may close a kept connection at the moment when a request is written to it. That says nothing about the receiver, so the
 * request is made again, until it has a connection of its own.
 */
const exchange = (url: URL, options: RequestOptions & { body: string }): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { body, ...rest } = options;
    let isAnswered = false;
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, rest, (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered) return;
      if (request.reusedSocket && CLOSED_BY_RECEIVER.has(error.code ?? '')) resolve(exchange(url, options));
      else reject(error);
    });
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('the receiver wants another protocol'));
    });
    // Whatever has happened, the caller gets an outcome.
    request.on('close', () => reject(new Error('the connection was closed')));
    request.end(body);
  });

/** A signal that ends with another one, or after a time. */
const limitedBy = (signal: AbortSignal, timeoutMs: number) => {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
};

type Message = Parameters<Post>[0];

export const createPost = (options: PostOptions): { readonly post: Post; close(): void } => {
  const { timeoutMs } = options;
  const lookup = checkedLookup(options, options.resolve);
  const places = createFairPlaces(options.atOnce);
  // No limit of sockets here: idle ones would count, and those of some receivers would keep requests to others waiting.
  const agentOptions = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS_MAX, timeout: IDLE_SOCKET_MS };
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) };

  const answerOf = async (url: URL, { headers, body, signal }: Omit<Message, 'owner' | 'url'>) => {
    requireAllowed(url, options);
    const answer = await exchange(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      body,
      lookup,
      agent: agents[url.protocol as 'http:' | 'https:'],
      signal,
    });
    const status = answer.statusCode!;
    return {
      status,
      error: errorOf(status),
      responseHead: await readHead(answer),
      retryAfterMs: retryAfterOf(answer.headers['retry-after'], Date.now()),
    };
  };

  /** The time begins when there is a place: what waits for others must not count against the receiver. */
  const timed = async ({ url, headers, body, signal }: Message): Promise<PostResult> => {
    const began = performance.now();
    const durationMs = (): number => Math.round(performance.now() - began);
    const limit = limitedBy(signal, timeoutMs);
    try {
      const answer = await answerOf(new URL(url), { headers, body, signal: limit.signal });
      return { ...answer, durationMs: durationMs() };
    } catch (error) {
      const failed = { status: null, responseHead: null, retryAfterMs: null };
      return { ...failed, error: failureOf(error, timeoutMs), durationMs: durationMs() };
    } finally {
      limit.end();
    }
  };

  return {
    async post(message) {
      const { owner, signal } = message;
      try {
        await places.enter(owner, signal);
      } catch {
        return {
          status: null,
          responseHead: null,
          retryAfterMs: null,
          error: 'The sender was stopped.',
          durationMs: 0,
        };
      }
      try {
        return await timed(message);
      } finally {
        places.leave(owner);
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
};
