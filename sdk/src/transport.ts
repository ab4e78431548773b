// Sends one call to the service and returns its answer, with deadline, retries and the Idempotency-Key that makes a retry safe. A
// request is repeated only when a second one cannot do the work twice.

import { baseOf, fillPath, type Query, searchOf } from './addresses.ts';
import {
  approvalPending,
  notPreviewed,
  refusalOf as serviceRefusalOf,
  unwrap,
  type Wrapping,
  waitingIn,
} from './answers.ts';
import { HoldfastError } from './errors.ts';
import { afterDoubt, disconnected, isPassing, isRefusal, knownAs, namesRunning, timedOut } from './failures.ts';
import type { MaybePreview } from './previews.ts';
import { backOffMs, deadline, limitOf, newKey, retriesOf, wait } from './waiting.ts';

export type Route = {
  readonly method: string;
  readonly path: string;
  readonly wrapping: Wrapping;
  readonly idempotent: boolean;
};

/** Options of one call besides its input. */
export type CallOptions = {
  /** Aborts the call; the call then rejects with the reason of the signal. */
  signal?: AbortSignal;
  /** Time limit of one attempt. The default is 35 seconds, because the server itself may wait 25 seconds for an outside system. */
  timeoutMs?: number;
  /** Retries after the first attempt. The default is 3; 0 means none. */
  maxRetries?: number;
  /**
   * Your own UUID, stored with your record of the work, so that a retry is safe even after a restart of your program. Without it
   * the client generates one for each call. Orders need none: their own state shows what was done. There your own UUID counts only
   * where the server runs with ORDER_IDEMPOTENCY=honour.
   */
  idempotencyKey?: string;
  /**
   * Only shows what the call would do now, as a `Preview`, and changes nothing. Calls that read ignore it, and calls without a preview
   * fail with VALIDATION_ERROR.
   */
  dryRun?: boolean;
  /**
   * Returns `{ approval }` when a rule of the marketplace makes the request wait for another actor. Without it such a call fails with
   * APPROVAL_PENDING, so that a request that waits is never taken for one that was done.
   */
  approvals?: boolean;
};

export type ClientOptions = CallDefaults & {
  /** The address of the server, such as `http://127.0.0.1:4000`. */
  url: string;
  /** An API key, a token, or the master key. Keep it on a server: the key can move money. */
  apiKey?: string;
  /** The marketplace. Only the master key can choose it; every other key belongs to one marketplace. */
  marketplaceId?: string;
  /** Another implementation of fetch, for a proxy or for tracing. */
  fetch?: typeof fetch;
  /** Called after every attempt, for logs and metrics. Errors of the callback are ignored. */
  onAttempt?: (attempt: AttemptRecord) => void;
};

type CallDefaults = Pick<CallOptions, 'timeoutMs' | 'maxRetries'>;

export type AttemptRecord = {
  readonly method: string;
  /** The path of the route with parameter names instead of ids: suitable as a metric label. */
  readonly path: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Null without an answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly durationMs: number;
};

export type Ask = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly accept?: string;
  /** The answer is returned as bytes. */
  readonly bytes?: true;
};

export type Settle<Result> = {
  /**
   * Reads the result of the work. Called when an earlier attempt may have done it and the retry was refused, or when the service
   * is still working on it. Null means that the refusal stands.
   */
  settle?: (refusal: HoldfastError) => Promise<Result | null>;
};

export type Transport = {
  /** A call that changes something, or only previews the change. */
  change<Result, Options extends CallOptions>(
    route: Route,
    ask: Ask & Settle<Result>,
    options: Options | undefined,
  ): Promise<MaybePreview<Result, Options>>;
  call<Result>(route: Route, ask?: Ask, options?: CallOptions & Settle<Result>): Promise<Result>;
  /** For streams: one attempt without its own deadline. */
  open(route: Route, ask: Ask & { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  urlOf(route: Route, ask: Ask): string;
};

export const API_PREFIX = '/api/v1';

const DRY_RUN = 'dry-run';

const TIMEOUT_MS = 35_000;
const RETRIES_MAX = 3;
const BACK_OFF = { firstMs: 250, mostMs: 8_000 };
/** How often, and for how long, to request the answer of an attempt that is still running. */
const ASKING = { firstMs: 250, mostMs: 2_000 };
const PATIENCE_MS = 60_000;
/** A longer requested wait is returned to the caller as an error. */
const RETRY_AFTER_MAX_S = 60;
/** Following a redirect would send the key elsewhere. Not every edge runtime supports `error`. */
const REDIRECT = 'manual';

/** The differences of Surface B. */
export type Dialect = {
  readonly prefix: string;
  bearer(): string | undefined;
  refusalOf(text: string, response: Response): HoldfastError;
};

/** The parts of a request that are the same for every call of one client. */
const createRequests = (client: ClientOptions, dialect?: Dialect) => {
  const { prefix, bearer, refusalOf } = dialect ?? {
    prefix: API_PREFIX,
    bearer: () => client.apiKey,
    refusalOf: serviceRefusalOf,
  };
  const base = baseOf(client.url, prefix);
  // A browser's fetch must be called on the window, so it is not detached from it.
  const send = client.fetch ?? ((input: string, init: RequestInit) => globalThis.fetch(input, init));

  const urlOf = (route: Route, { params, query }: Ask): string =>
    base + fillPath(route.path, params ?? {}) + searchOf(query ?? {});

  /** Throws for values that a header cannot carry, because they are a mistake of the caller. */
  const headersOf = (ask: Ask, more: Record<string, string>): Headers => {
    const key = bearer()?.trim();
    // Checked here, because the platform's error message would show the key.
    if (key && !/^[\x21-\x7e]+$/.test(key))
      throw new TypeError('The key contains a space, a line break or a non-ASCII character');
    return new Headers({
      accept: ask.accept ?? 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(client.marketplaceId === undefined ? {} : { 'x-marketplace-id': client.marketplaceId }),
      ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    });
  };

  return { urlOf, headersOf, send, refusalOf };
};

type Requests = ReturnType<typeof createRequests>;

const report = ({ onAttempt }: ClientOptions, record: AttemptRecord): void => {
  try {
    onAttempt?.(record);
  } catch {
    // An observer must not turn a successful payment into a failure.
  }
};

/** Sends a request once and reads its answer. */
const createAttempt =
  (client: ClientOptions, { urlOf, headersOf, send, refusalOf }: Requests) =>
  async (route: Route, { ask, ...how }: Attempting): Promise<unknown> => {
    const { method, path, wrapping } = route;
    const url = urlOf(route, ask);
    const headers = headersOf(ask, {
      ...(how.key === null ? {} : { 'idempotency-key': how.key }),
      ...(how.dryRun ? { [DRY_RUN]: 'true' } : {}),
    });
    const body = ask.body === undefined ? {} : { body: JSON.stringify(ask.body) };
    const limit = deadline(how.timeoutMs, how.signal);
    const startedAt = performance.now();
    let response: Response | null = null;
    try {
      response = await send(url, { method, headers, signal: limit.signal, redirect: REDIRECT, ...body });
      if (ask.bytes && response.ok) return new Uint8Array(await response.arrayBuffer());
      const text = await response.text();
      if (!response.ok) throw refusalOf(text, response);
      if (how.dryRun && response.headers.get(DRY_RUN) !== 'true') throw notPreviewed(text, response);
      const waiting = waitingIn(text, response);
      if (waiting && !how.approvals) throw approvalPending(waiting, response);
      return waiting ?? unwrap(text, { wrapping, response });
    } catch (error) {
      if (error instanceof HoldfastError) throw error;
      if (how.signal?.aborted) throw how.signal.reason;
      throw limit.passed() ? timedOut({ url, method }, how.timeoutMs) : disconnected({ url }, error);
    } finally {
      limit.end();
      report(client, {
        method,
        path,
        attempt: how.attempt,
        status: response?.status ?? null,
        requestId: response?.headers.get('x-request-id') ?? null,
        durationMs: performance.now() - startedAt,
      });
    }
  };

export const createTransport = (client: ClientOptions, dialect?: Dialect): Transport => {
  const requests = createRequests(client, dialect);
  const { urlOf, headersOf, send } = requests;
  const attempt = createAttempt(client, requests);

  const call = async <Result>(
    given: Route,
    ask: Ask = {},
    options: CallOptions & Settle<Result> = {},
  ): Promise<Result> => {
    const dryRun = options.dryRun === true && given.method !== 'GET';
    // A preview has one form on all routes, and no search for what was done. It keeps the key, and is repeated only where the call itself
    // would be: an older server ignores the header and carries the request out.
    const route: Route = dryRun ? { ...given, wrapping: 'plain' } : given;
    const { signal, approvals = false } = options;
    const settle = dryRun ? undefined : options.settle;
    const timeoutMs = limitOf('timeoutMs', options.timeoutMs ?? client.timeoutMs ?? TIMEOUT_MS);
    const maxRetries = retriesOf(options.maxRetries ?? client.maxRetries ?? RETRIES_MAX);
    // One key for all attempts: the first one to arrive counts, and the others get its answer.
    const isRead = route.method === 'GET';
    const ownKey = isRead ? undefined : options.idempotencyKey;
    // Order routes ignore the key unless the server's ORDER_IDEMPOTENCY says otherwise, so only a key of the caller is sent there.
    const key = ownKey ?? (route.idempotent ? newKey() : null);
    const isHarmless = route.method !== 'POST' || route.idempotent || settle !== undefined;
    const patientUntil = performance.now() + PATIENCE_MS;
    let mayBeDone = false;
    let mayHaveBegun = false;
    let tries = 0;
    for (let made = 1; ; made++) {
      try {
        return (await attempt(route, { ask, timeoutMs, signal, key, dryRun, approvals, attempt: made })) as Result;
      } catch (failure) {
        if (!(failure instanceof HoldfastError)) throw failure;
        const error = knownAs(failure, {
          idempotencyKey: key,
          outcomeUnknown: failure.outcomeUnknown && !isRead && (!dryRun || failure.code === 'UNEXPECTED_ANSWER'),
        });
        // The service continues the work; a retry would not help.
        const isUnderWay = error.code === 'PROVIDER_TIMEOUT' && route.method === 'POST';
        // An earlier attempt may have begun it, and the retry finds it done or in progress.
        const isFound = mayHaveBegun && (isRefusal(error) || namesRunning(error));
        if (settle && (isUnderWay || isFound)) {
          const settled = await settle(error).catch(inDoubt);
          if (settled !== null) return settled;
        }
        // While an earlier attempt is still running, requesting its answer does not count as another attempt.
        const isRunning = error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS' && performance.now() < patientUntil;
        if (!isRunning || maxRetries === 0) tries++;
        const hasEnded = isUnderWay || tries > maxRetries || !isPassing(error);
        if (hasEnded || (failure.outcomeUnknown && !isHarmless) || (error.retryAfter ?? 0) > RETRY_AFTER_MAX_S) {
          throw mayBeDone ? afterDoubt(error, route) : error;
        }
        mayBeDone ||= error.outcomeUnknown;
        // A busy service may have become busy in the middle of the work.
        mayHaveBegun ||= mayBeDone || error.status === 503;
        await wait((error.retryAfter ?? 0) * 1_000 + backOffMs(made - 1, isRunning ? ASKING : BACK_OFF), signal);
      }
    }
  };

  return {
    call,
    change: (route, { settle, ...ask }, options) =>
      call(route, ask, { ...options, ...(settle ? { settle } : {}) } as never),
    urlOf,
    open(route, { headers, signal, ...ask }) {
      return send(urlOf(route, ask), { headers: headersOf(ask, headers), signal, redirect: REDIRECT });
    },
  };
};

type Attempting = {
  readonly ask: Ask;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly key: string | null;
  readonly dryRun: boolean;
  readonly approvals: boolean;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
};

/** The outcome is unknown. */
const inDoubt = (error: unknown): never => {
  throw error instanceof HoldfastError ? knownAs(error, { outcomeUnknown: true }) : error;
};
