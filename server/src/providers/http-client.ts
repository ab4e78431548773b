// Sends requests to one provider over HTTP, with deadline, rate, concurrency, circuit breaker and a limited number of repetitions,
// which happen only where they are safe. An uncertain outcome is an unknown; a missing answer is never turned into a no.

import { type Answer, no, type Unknown, unknown } from '../base/answer.ts';
import { pause } from '../base/wait.ts';
import { attempt, type Reply, type Request } from './attempt.ts';
import { createBreaker } from './breaker.ts';
import type { OnCall, Provider } from './call-record.ts';
import { createPace, type PaceRules, type Requester } from './pace.ts';
import { Unreadable } from './reply-fields.ts';
import type { Priority } from './waiting-line.ts';
import { UnsendableAmount } from './wire-amount.ts';

export type ClientOptions = {
  provider: Provider;
  baseUrl: string;
  headers?: Readonly<Record<string, string>>;
  timeoutMs: number;
  rate?: PaceRules['rate'];
  concurrencyMax?: number;
  queueMax?: number;
  sharePercent?: number;
  attemptsMax?: number;
  breaker?: { failuresMax: number; pauseMs: number };
  onCall?: OnCall;
  now?: () => number;
};

export type Call<T> = {
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Replaces the base address and path, for an address that the provider itself named. Our key is not sent there. */
  absoluteUrl?: string;
  query?: Readonly<Record<string, string | readonly string[]>>;
  /** A function, because writing an amount may fail. */
  json?: () => unknown;
  form?: Readonly<Record<string, string>>;
  /** A second request with the same content has no further effect. Without it only requests that had no effect are repeated. */
  repeatable: boolean;
  /** Reads the reply with a 2xx status. */
  read(reply: Reply): Answer<T>;
  /** Reads a reply with another status where its content is clear; null where it is not. */
  readError?(reply: Reply): Answer<T> | null;
};

export type ProviderClient = {
  request<T>(call: Call<T>): Promise<Answer<T>>;
  /** The same client, with its pace and breaker, for requests of another priority. Without it requests are operations. */
  withPriority(priority: Priority): ProviderClient;
  /** The same, for requests that count for this marketplace. Without it they are of the whole service. */
  forMarketplace(marketplaceId: string): ProviderClient;
  readonly breakerState: string;
};

const DEFAULTS = {
  concurrencyMax: 32,
  queueMax: 1_000,
  sharePercent: 75,
  attemptsMax: 3,
  breaker: { failuresMax: 8, pauseMs: 5_000 },
};
const BACK_OFF_MS = 100;
// The provider is reachable and answers, whatever the answer is.
const ALIVE_CODES = new Set(['unclear', 'lagging', 'stale', 'mismatch', 'misconfigured', 'rate-limited']);

/** What was sent so far. */
type Sent = { attempts: number; status: number | null };

export function createClient(options: ClientOptions): ProviderClient {
  // A monotonic clock, because the time of day may jump.
  const now = options.now ?? (() => performance.now());
  const { concurrencyMax, queueMax, sharePercent, attemptsMax, breaker: rules } = { ...DEFAULTS, ...options };
  const breaker = createBreaker({ ...rules, now });
  const pace = createPace({ rate: options.rate ?? null, concurrencyMax, queueMax, sharePercent, now });

  async function request<T>(call: Call<T>, requester: Requester): Promise<Answer<T>> {
    const startedAt = now();
    const sent: Sent = { attempts: 0, status: null };
    const answer = await requestUntil(call, { deadline: startedAt + options.timeoutMs, requester, sent });
    const { provider } = options;
    const code = answer.kind === 'unknown' ? answer.code : null;
    const durationMs = Math.round(now() - startedAt);
    options.onCall?.({ provider, operation: call.operation, ...sent, outcome: answer.kind, code, durationMs });
    return answer;
  }

  async function requestUntil<T>(
    call: Call<T>,
    { deadline, requester, sent }: { deadline: number; requester: Requester; sent: Sent },
  ): Promise<Answer<T>> {
    let http: Omit<Request, 'timeoutMs'>;
    try {
      http = write(call, options);
    } catch (error) {
      if (error instanceof UnsendableAmount) return no(error.message, { code: 'unsayable' });
      throw error;
    }
    // Whether all attempts so far certainly changed nothing.
    let untouched = true;
    for (;;) {
      const leave = await pace.enter({ ...requester, deadline });
      if (leave === null) return tooBusy(untouched);
      if (!breaker.admit()) {
        leave();
        return unknown('The provider keeps failing; requests are paused for a few seconds.', {
          code: 'circuit-open',
          untouched,
        });
      }
      sent.attempts++;
      const answer = await tryOnce(call, { http: { ...http, timeoutMs: deadline - now() }, sent }).finally(leave);
      if (answer.kind !== 'unknown') return answer;
      if (answer.code === 'rate-limited') pace.holdUntil(now() + (answer.retryAfterMs ?? 0));
      untouched &&= answer.untouched;
      const waitMs = repeatAfter(answer, { tries: sent.attempts, repeatable: call.repeatable });
      if (waitMs === null || sent.attempts >= attemptsMax || now() + waitMs >= deadline)
        return { ...answer, untouched };
      await pause(waitMs);
    }
  }

  async function tryOnce<T>(call: Call<T>, { http, sent }: { http: Request; sent: Sent }) {
    let health: Parameters<typeof breaker.report>[0] = 'undecided';
    try {
      const outcome = await attempt(http);
      if (!('kind' in outcome)) sent.status = outcome.status;
      const answer: Answer<T> = 'kind' in outcome ? outcome : readReply(call, outcome);
      health = healthOf(answer);
      return answer;
    } finally {
      breaker.report(health);
    }
  }

  const clientFor = (requester: Requester): ProviderClient => ({
    request: (call) => request(call, requester),
    withPriority: (priority) => clientFor({ ...requester, priority }),
    forMarketplace: (marketplaceId) => clientFor({ ...requester, marketplaceId }),
    get breakerState() {
      return breaker.state;
    },
  });
  return clientFor({ priority: 'operation', marketplaceId: null });
}

const tooBusy = (untouched: boolean): Unknown =>
  unknown('Too many requests to the provider are waiting.', { code: 'busy', untouched, retryAfterMs: 1_000 });

function write<T>(call: Call<T>, { baseUrl, headers = {} }: ClientOptions) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of [value].flat()) query.append(name, item as string);
  }
  const address = call.absoluteUrl ?? baseUrl + call.path;
  const url = query.size === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  const own = call.absoluteUrl === undefined ? headers : {};
  const common = { method: call.method, url };
  if (call.form !== undefined) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return { ...common, headers: { ...own, ...type }, body: String(new URLSearchParams(call.form)) };
  }
  if (call.json === undefined) return { ...common, headers: own, body: null };
  const type = { 'content-type': 'application/json' };
  return { ...common, headers: { ...own, ...type }, body: JSON.stringify(call.json()) };
}

function readReply<T>(call: Call<T>, reply: Reply): Answer<T> {
  const { status, retryAfterMs } = reply;
  try {
    if (status === 429) {
      return unknown('The provider limits the rate of requests.', {
        code: 'rate-limited',
        untouched: true,
        retryAfterMs,
      });
    }
    if (status >= 200 && status < 300) return call.read(reply);
    const clear = call.readError?.(reply) ?? null;
    if (clear !== null) return clear;
    if (status === 401 || status === 403) {
      return unknown(`The provider does not accept our key (${status}).`, { code: 'misconfigured', untouched: true });
    }
    if (status >= 500) return unknown(`The provider failed (${status}).`, { code: 'provider-error', retryAfterMs });
    if (status < 400) return unknown(`The provider is not at this address (${status}).`, { code: 'misconfigured' });
    return unknown(`The provider's answer (${status}) has an unexpected form.`, { code: 'unclear' });
  } catch (error) {
    if (error instanceof Unreadable)
      return unknown(`The answer cannot be read: ${error.message}`, { code: 'unreadable' });
    throw error;
  }
}

function healthOf(answer: Answer<unknown>): 'alive' | 'failing' {
  return answer.kind !== 'unknown' || ALIVE_CODES.has(answer.code) ? 'alive' : 'failing';
}

// Null: do not repeat. Full jitter, so that many callers do not return at the same time.
function repeatAfter(answer: Unknown, { tries, repeatable }: { tries: number; repeatable: boolean }): number | null {
  const isWorthIt = ['connection', 'provider-error', 'rate-limited'].includes(answer.code);
  if (!isWorthIt || !(repeatable || answer.untouched)) return null;
  const backOff = Math.random() * BACK_OFF_MS * 2 ** tries;
  return Math.max(answer.retryAfterMs ?? 0, backOff);
}
