// The first hook of a request, before its body is read: key, scope and rate, in this order. Nothing is awaited when the key and the
// count are in memory. A key that is not known here is looked up only after its address was counted.

import { DEFAULT_MARKETPLACE, MARKETPLACE_ID_PATTERN } from '@holdfast/contract/ids.ts';
import type { MoneyScope } from '@holdfast/contract/scopes.ts';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError } from '../../base/domain-error.ts';
import type { AdmissionControl } from '../admission.ts';
import { ANONYMOUS, type Authenticator, bearerOf, type Caller, refusalOf } from '../caller.ts';
import { type KeyLookups, type LookUp, TooManyLookups } from '../key-lookups.ts';
import { addressBucket, type Limiter, type Taken } from '../rate-limit.ts';
import type { Closing } from '../server.ts';
import { isOwnChange, sessionTokenOf } from '../session-cookie.ts';
import { validationError } from '../validation/messages.ts';
import type { HttpWatch } from './observe.ts';
import type { RouteFacts } from './route-facts.ts';

export type RateLimit = {
  readonly max: number;
  readonly windowMs: number;
  /** Per address at the webhook receivers, which have a bucket of their own. */
  readonly webhookMax?: number;
};

export type Admission = Closing & {
  readonly authenticate: Authenticator;
  /** Finds the operator of a session cookie. Absent: cookies are ignored. */
  readonly authenticateSession?: Authenticator;
  /** The origin of the console, where it is set. */
  readonly publicOrigin?: string | null;
  readonly lookups: KeyLookups;
  readonly limiter: Limiter;
  readonly rateLimit: RateLimit;
  readonly bodyLimitBytes: number;
  /** The scopes that `write` contains. */
  readonly writeIncludes: readonly MoneyScope[];
  readonly watch: HttpWatch;
  readonly admission: AdmissionControl;
  /** The refusal of a path that has no route. */
  readonly missing: (request: FastifyRequest) => DomainError;
  readonly now: () => number;
};

type Entering = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: HookHandlerDoneFunction;
  readonly facts: RouteFacts;
  /** The server is at its limit: the request is refused without looking its key up. */
  readonly isRefused: boolean;
};

/** The caller after its request was counted. Null: the caller is unknown. */
type Counted = { readonly caller: Caller | null; readonly taken: Taken };

const MARKETPLACE_ID = new RegExp(MARKETPLACE_ID_PATTERN);

export const admit = (parts: Admission) => {
  const count = (caller: Caller | null, entering: Entering): void => {
    const { bucket, limit } = bucketOf(entering, { caller, rateLimit: parts.rateLimit });
    const taken = parts.limiter.take(bucket, limit);
    if (taken instanceof Promise) taken.then((late) => decide(entering, { caller, taken: late }), entering.done);
    else decide(entering, { caller, taken });
  };

  const decide = (entering: Entering, counted: Counted): void => {
    const { request, reply, done } = entering;
    const { caller, taken } = counted;
    reply.headers(rateHeaders(taken));
    request.caller = caller ?? ANONYMOUS;
    const refusal = refusalFor(entering, counted);
    if (refusal) {
      done(refusal);
      return;
    }
    const named = request.headers['x-marketplace-id'];
    if ((caller?.type === 'master' || caller?.isEverywhere) && named !== undefined) {
      if (typeof named !== 'string' || !MARKETPLACE_ID.test(named)) {
        done(validationError([`X-Marketplace-Id must look like ${DEFAULT_MARKETPLACE}`]));
        return;
      }
      request.caller = { ...caller, marketplaceId: named };
    }
    done();
  };

  const refuseLookup = (error: unknown, entering: Entering): void => {
    if (error instanceof TooManyLookups) decide(entering, { caller: null, taken: error.taken });
    else entering.done(error as Error);
  };

  const refusalFor = (entering: Entering, { caller, taken }: Counted): DomainError | null => {
    const { request, facts, isRefused } = entering;
    const { endpoint, isWebhook, isHealthCheck, bodyLimitBytes = parts.bodyLimitBytes } = facts;
    if (isRefused || parts.isClosing() || (isHealthCheck && parts.isLeaving())) return busy();
    if (caller?.type === 'operator' && !isOwnChange(request, parts.publicOrigin ?? null))
      return new DomainError('CSRF');
    const refusal = endpoint ? refusalOf(endpoint, { caller, writeIncludes: parts.writeIncludes }) : null;
    // An unknown caller is counted first: otherwise keys could be guessed at any speed.
    if (refusal && (caller !== null || taken.allowed)) return refusal;
    // A load balancer checks all servers often and from one address. A 429 would make it take a healthy server out.
    if (!taken.allowed && !isHealthCheck) return tooMany(taken, isWebhook ? 'webhook' : 'api');
    return request.is404 ? parts.missing(request) : oddRequest(request, bodyLimitBytes);
  };

  const tooMany = (taken: Taken, bucket: 'api' | 'webhook'): DomainError => {
    parts.watch.rateLimited(bucket);
    return rateLimited(taken, { windowMs: parts.rateLimit.windowMs, nowMs: parts.now() });
  };

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const facts = request.facts!;
    const { endpoint, isWebhook } = facts;
    const isRefused = facts.isCounted && !parts.admission.hasCapacity();
    const entering = { request, reply, done, facts, isRefused };
    if (endpoint?.body === undefined) request.raw.headers['content-type'] = undefined;
    // A signed webhook is read as JSON whatever content type its sender declares, including an invalid one.
    else if (isWebhook && request.headers['content-type'] !== undefined) {
      request.raw.headers['content-type'] = 'application/json';
    }
    // A webhook receiver identifies its sender by the signature, so an Authorization header is ignored.
    const bearer = isWebhook ? null : bearerOf(request.headers.authorization);
    const cookie = bearer === null && parts.authenticateSession && usesCookie(request) ? sessionTokenOf(request) : null;
    // Finding the caller may need the database, and a refusal for overload must not wait for that.
    if ((bearer === null && cookie === null) || isRefused) {
      count(null, entering);
      return;
    }
    const lookUp: LookUp = (search) => parts.lookups.for(addressBucket(request.ip))(search);
    const found = bearer === null ? parts.authenticateSession!(cookie!, lookUp) : parts.authenticate(bearer, lookUp);
    if (!(found instanceof Promise)) count(found, entering);
    else found.then((late) => count(late, entering)).catch((error: unknown) => refuseLookup(error, entering));
  };
};

/** A request that shows a key, valid or not, is not that of a session; and a public route needs no caller. */
const usesCookie = ({ headers, facts }: FastifyRequest): boolean =>
  headers.authorization === undefined && headers.cookie !== undefined && facts!.endpoint?.access !== 'public';

type Bounded = { readonly caller: Caller | null; readonly rateLimit: RateLimit };

const bucketOf = ({ request, facts, isRefused }: Entering, { caller, rateLimit }: Bounded) => {
  const { max, webhookMax = max } = rateLimit;
  if (caller) return { bucket: `key:${caller.keyId}`, limit: caller.rateLimit ?? max };
  const bucket = addressBucket(request.ip);
  // Requests refused for overload have their own bucket, because they used nothing.
  if (isRefused) return { bucket: `full:${bucket}`, limit: max };
  return facts.isWebhook ? { bucket: `webhook:${bucket}`, limit: webhookMax } : { bucket, limit: max };
};

const busy = (): DomainError => new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } });

/**
 * Counts a request when all of it has arrived. If it counted while its body arrives, a few slow connections of an unknown caller
 * could lock out all others.
 */
export const countAdmitted =
  (admission: AdmissionControl) =>
  (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (!request.facts!.isCounted || admission.admit(request, reply)) done();
    else done(busy());
  };

export const rateHeaders = (taken: Taken): Record<string, string> => ({
  'x-ratelimit-limit': String(taken.limit),
  'x-ratelimit-remaining': String(taken.remaining),
  'x-ratelimit-reset': String(Math.ceil(taken.resetAtMs / 1_000)),
});

export const rateLimited = (taken: Taken, { windowMs, nowMs }: { windowMs: number; nowMs: number }): DomainError =>
  new DomainError('RATE_LIMITED', {
    details: {
      limit: taken.limit,
      windowSeconds: windowMs / 1_000,
      retryAfter: Math.max(1, Math.ceil((taken.resetAtMs - nowMs) / 1_000)),
    },
  });

/** Refuses requests that the parser accepts but that no handler should see. */
const oddRequest = (request: FastifyRequest, bodyLimitBytes: number): DomainError | null => {
  if (request.raw.httpVersionMinor === 1 && request.headers.host === undefined) {
    return validationError(['The Host header is required.']);
  }
  if (request.url.includes('%00')) return validationError(['The URL must not contain a null character.']);
  // Fastify reads no body of a GET, so it does not measure it either.
  if (Number(request.headers['content-length']) > bodyLimitBytes) {
    return new DomainError('PAYLOAD_TOO_LARGE', { details: { limitBytes: bodyLimitBytes } });
  }
  return null;
};
