// Asks one neighbour over HTTP: deadline, rate, number at once, circuit breaker, and a bounded number of repeats, made
// only where a repeat is safe. What it cannot be sure of is an unknown; it never turns silence into a no.

import { type Answer, no, type Unknown, unknown } from '../base/answer.ts';
import { attempt, type Reply, type Request } from './attempt.ts';
import { createBreaker } from './breaker.ts';
import type { Provider, TellCall } from './call-record.ts';
import { createPace, type PaceRules } from './pace.ts';
import { Unreadable } from './reply-fields.ts';
import { Unsayable } from './wire-amount.ts';

export type ClientOptions = {
  provider: Provider;
  baseUrl: string;
  headers?: Readonly<Record<string, string>>;
  timeoutMs: number;
  rate?: PaceRules['rate'];
  concurrencyMax?: number;
  queueMax?: number;
  attemptsMax?: number;
  breaker?: { failuresMax: number; pauseMs: number };
  tell?: TellCall;
  now?: () => number;
};

export type Call<T> = {
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Instead of a path under the base address, for an address the neighbour itself named. Our key is not sent there. */
  elsewhere?: string;
  query?: Readonly<Record<string, string | readonly string[]>>;
  /** A function, because it may find an amount that cannot be said. */
  json?: () => unknown;
  form?: Readonly<Record<string, string>>;
  /** A second one with the same content has no further effect. Without it only what was never carried out is repeated. */
  repeatable: boolean;
  /** What a 2xx says. */
  read(reply: Reply): Answer<T>;
  /** What another status says, where the neighbour's own words make it clear; null where they do not. */
  otherwise?(reply: Reply): Answer<T> | null;
};

export type ProviderClient = { ask<T>(call: Call<T>): Promise<Answer<T>>; readonly breakerState: string };

const DEFAULTS = { concurrencyMax: 32, queueMax: 1_000, attemptsMax: 3, breaker: { failuresMax: 8, pauseMs: 5_000 } };
const BACK_OFF_MS = 100;
// The neighbour is there and answers, whatever it says.
const SIGNS_OF_LIFE = new Set(['unclear', 'lagging', 'stale', 'mismatch', 'misconfigured', 'rate-limited']);

export function createClient(options: ClientOptions): ProviderClient {
  // Not the time of day, which may jump.
  const now = options.now ?? (() => performance.now());
  const { concurrencyMax, queueMax, attemptsMax, breaker: rules } = { ...DEFAULTS, ...options };
  const breaker = createBreaker({ ...rules, now });
  const pace = createPace({ rate: options.rate ?? null, concurrencyMax, queueMax, now });

  async function ask<T>(call: Call<T>): Promise<Answer<T>> {
    const startedAt = now();
    const told = { attempts: 0, status: null as number | null };
    const answer = await askWithin(call, { deadline: startedAt + options.timeoutMs, told });
    const { provider } = options;
    const code = answer.kind === 'unknown' ? answer.code : null;
    const durationMs = Math.round(now() - startedAt);
    options.tell?.({ provider, operation: call.operation, ...told, outcome: answer.kind, code, durationMs });
    return answer;
  }

  type Within = { deadline: number; told: { attempts: number; status: number | null } };

  async function askWithin<T>(call: Call<T>, { deadline, told }: Within): Promise<Answer<T>> {
    let request: Omit<Request, 'timeoutMs'>;
    try {
      request = write(call, options);
    } catch (error) {
      if (error instanceof Unsayable) return no(error.message, { code: 'unsayable' });
      throw error;
    }
    // Whether everything so far certainly changed nothing.
    let untouched = true;
    for (;;) {
      const leave = await pace.enter(deadline);
      if (leave === null) return held(untouched);
      if (!breaker.admit()) {
        leave();
        return unknown('circuit-open', 'The provider has been failing; it is asked again shortly.', { untouched });
      }
      told.attempts++;
      const answer = await tryOnce(call, { request: { ...request, timeoutMs: deadline - now() }, told }).finally(leave);
      if (answer.kind !== 'unknown') return answer;
      if (answer.code === 'rate-limited') pace.holdUntil(now() + (answer.retryAfterMs ?? 0));
      untouched &&= answer.untouched;
      const waitMs = repeatAfter(answer, { tries: told.attempts, repeatable: call.repeatable });
      if (waitMs === null || told.attempts >= attemptsMax || now() + waitMs >= deadline)
        return { ...answer, untouched };
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  async function tryOnce<T>(call: Call<T>, { request, told }: Pick<Within, 'told'> & { request: Request }) {
    let health: Parameters<typeof breaker.report>[0] = 'undecided';
    try {
      const outcome = await attempt(request);
      if (!('kind' in outcome)) told.status = outcome.status;
      const answer: Answer<T> = 'kind' in outcome ? outcome : judge(call, outcome);
      health = healthOf(answer);
      return answer;
    } finally {
      breaker.report(health);
    }
  }

  return {
    ask,
    get breakerState() {
      return breaker.state;
    },
  };
}

const held = (untouched: boolean): Unknown =>
  unknown('busy', 'More calls to the provider are waiting than it takes in time.', { untouched, retryAfterMs: 1_000 });

function write<T>(call: Call<T>, { baseUrl, headers = {} }: ClientOptions) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    for (const item of [value].flat()) query.append(name, item as string);
  }
  const address = call.elsewhere ?? baseUrl + call.path;
  const url = query.size === 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  const own = call.elsewhere === undefined ? headers : {};
  const common = { method: call.method, url };
  if (call.form !== undefined) {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return { ...common, headers: { ...own, ...type }, body: String(new URLSearchParams(call.form)) };
  }
  if (call.json === undefined) return { ...common, headers: own, body: null };
  const type = { 'content-type': 'application/json' };
  return { ...common, headers: { ...own, ...type }, body: JSON.stringify(call.json()) };
}

function judge<T>(call: Call<T>, reply: Reply): Answer<T> {
  const { status, retryAfterMs } = reply;
  try {
    if (status === 429) {
      return unknown('rate-limited', 'The provider asks for fewer requests.', { untouched: true, retryAfterMs });
    }
    if (status >= 200 && status < 300) return call.read(reply);
    const clear = call.otherwise?.(reply) ?? null;
    if (clear !== null) return clear;
    if (status === 401 || status === 403) {
      return unknown('misconfigured', `The provider does not accept our key (${status}).`, { untouched: true });
    }
    if (status >= 500) return unknown('provider-error', `The provider failed (${status}).`, { retryAfterMs });
    if (status < 400) return unknown('misconfigured', `The provider is not at this address (${status}).`);
    return unknown('unclear', `The provider's answer (${status}) is not in its own form.`);
  } catch (error) {
    if (error instanceof Unreadable) return unknown('unreadable', `The answer cannot be read: ${error.message}`);
    throw error;
  }
}

function healthOf(answer: Answer<unknown>): 'alive' | 'failing' {
  return answer.kind !== 'unknown' || SIGNS_OF_LIFE.has(answer.code) ? 'alive' : 'failing';
}

// Null: not again. Full jitter, so that many callers do not come back together.
function repeatAfter(answer: Unknown, { tries, repeatable }: { tries: number; repeatable: boolean }): number | null {
  const isWorthIt = ['connection', 'provider-error', 'rate-limited'].includes(answer.code);
  if (!isWorthIt || !(repeatable || answer.untouched)) return null;
  const backOff = Math.random() * BACK_OFF_MS * 2 ** tries;
  return Math.max(answer.retryAfterMs ?? 0, backOff);
}
