// The first thing that happens to a request, before its body is read: headers every answer has, then key, scope and
// rate, in this order. Nothing is awaited when key and count are at hand.

import { DEFAULT_MARKETPLACE, MARKETPLACE_ID_PATTERN } from '@holdfast/contract/ids.ts';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError } from '../../base/domain-error.ts';
import type { Crowd } from '../admission.ts';
import { ANONYMOUS, type Authenticator, bearerOf, type Caller, refusalOf } from '../caller.ts';
import { addressBucket } from '../rate-limit/address.ts';
import type { Limiter, Taken } from '../rate-limit/limiter.ts';
import { validationError } from '../validation/messages.ts';
import type { Watch } from '../watch.ts';

export type RateLimit = {
  readonly max: number;
  readonly windowMs: number;
  /** Per address at the webhook receivers, which have a bucket of their own. */
  readonly webhookMax?: number;
};

export type Admission = {
  readonly authenticate: Authenticator;
  readonly limiter: Limiter;
  readonly rateLimit: RateLimit;
  readonly bodyLimitBytes: number;
  readonly watch: Watch;
  readonly crowd: Crowd;
  /** The refusal of a path that has no route. */
  readonly missing: (request: FastifyRequest) => DomainError;
  /** True once the server is told to stop: a load balancer is to go elsewhere. */
  readonly leaving: () => boolean;
  /** True once it takes nothing new. */
  readonly closing: () => boolean;
  readonly now: () => number;
};

type Entering = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: HookHandlerDoneFunction;
  /** Whether an outside system knocks at a webhook receiver. */
  readonly receiver: boolean;
  /** Whether it asks only if this server is there. */
  readonly health: boolean;
  /** Whether the house is full: then nobody asks who it is. */
  readonly turnedAway: boolean;
};

const RECEIVERS = '/webhooks/';
const HEALTH = '/health';

const MARKETPLACE_ID = new RegExp(MARKETPLACE_ID_PATTERN);

export const admit = (parts: Admission) => {
  const count = (caller: Caller | null, entering: Entering): void => {
    const { bucket, limit } = bucketOf(caller, entering);
    const taken = parts.limiter.take(bucket, limit);
    if (taken instanceof Promise) taken.then((late) => decide(caller, late, entering), entering.done);
    else decide(caller, taken, entering);
  };

  const bucketOf = (caller: Caller | null, { request, receiver, turnedAway }: Entering) => {
    const { max, webhookMax = max } = parts.rateLimit;
    if (caller) return { bucket: `key:${caller.keyId}`, limit: caller.rateLimit ?? max };
    const bucket = addressBucket(request.ip);
    // Counted apart: whoever was turned away has had nothing.
    if (turnedAway) return { bucket: `full:${bucket}`, limit: max };
    return receiver ? { bucket: `webhook:${bucket}`, limit: webhookMax } : { bucket, limit: max };
  };

  const decide = (caller: Caller | null, taken: Taken, entering: Entering): void => {
    const { request, reply, done } = entering;
    reply.headers(rateHeaders(taken));
    request.caller = caller ?? ANONYMOUS;
    const refusal = judge(caller, taken, entering);
    if (refusal) {
      done(refusal);
      return;
    }
    if (caller?.type === 'master') {
      const named = request.headers['x-marketplace-id'];
      if (named !== undefined) {
        if (typeof named !== 'string' || !MARKETPLACE_ID.test(named)) {
          done(validationError([`X-Marketplace-Id must look like ${DEFAULT_MARKETPLACE}`]));
          return;
        }
        request.caller = { ...caller, marketplaceId: named };
      }
    }
    done();
  };

  const judge = (caller: Caller | null, taken: Taken, entering: Entering): DomainError | null => {
    const { request, receiver, health, turnedAway } = entering;
    if (turnedAway || parts.closing() || (health && parts.leaving())) return busy();
    const { endpoint } = request.routeOptions.config;
    const refusal = endpoint ? refusalOf(endpoint.access, caller) : null;
    // A stranger is counted first: otherwise keys could be guessed at any speed.
    if (refusal && (caller !== null || taken.allowed)) return refusal;
    // Balancers ask often, for all servers from one address, and would take a server out that has only counted them.
    if (!taken.allowed && !health) return tooMany(taken, receiver ? 'webhook' : 'api');
    return request.is404 ? parts.missing(request) : oddRequest(request, parts.bodyLimitBytes);
  };

  const tooMany = (taken: Taken, bucket: 'api' | 'webhook'): DomainError => {
    parts.watch.rateLimited(bucket);
    return rateLimited(taken, { windowMs: parts.rateLimit.windowMs, nowMs: parts.now() });
  };

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { endpoint } = request.routeOptions.config;
    const receiver = endpoint?.path.startsWith(RECEIVERS) === true;
    const turnedAway = isCounted(request) && !parts.crowd.hasRoom();
    const entering = { request, reply, done, receiver, health: endpoint?.path === HEALTH, turnedAway };
    if (endpoint?.body === undefined) request.raw.headers['content-type'] = undefined;
    // What others signed is read whatever they call it, also by a name that is none.
    else if (receiver && request.headers['content-type'] !== undefined) {
      request.raw.headers['content-type'] = 'application/json';
    }
    // A receiver knows its sender by a signature; whatever else the sender calls itself does not matter.
    const bearer = receiver ? null : bearerOf(request.headers.authorization);
    // Who it is may have to be read from the database, and a refusal must not wait for that.
    if (bearer === null || turnedAway) {
      count(null, entering);
      return;
    }
    const found = parts.authenticate(bearer);
    if (found instanceof Promise) found.then((late) => count(late, entering)).catch(done);
    else count(found, entering);
  };
};

const busy = (): DomainError => new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } });

/** Whether the server is there can be asked however many are inside. */
const isCounted = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.endpoint !== undefined && config.waits !== true && !config.endpoint.path.startsWith(HEALTH);

/**
 * Lets a request in when all of it is there: one that is counted while its body trickles in would let a stranger with a few
 * slow connections lock everybody out.
 */
export const countIn =
  (crowd: Crowd) =>
  (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (!isCounted(request) || crowd.letIn(reply)) done();
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

/** Requests the parser lets pass but no handler should see. */
const oddRequest = (request: FastifyRequest, bodyLimitBytes: number): DomainError | null => {
  if (request.raw.httpVersionMinor === 1 && request.headers.host === undefined) {
    return validationError(['The Host header is required.']);
  }
  if (request.url.includes('%00')) return validationError(['The URL must not hold a null character.']);
  // The framework reads no body of a GET, so it does not measure it either.
  if (Number(request.headers['content-length']) > bodyLimitBytes) {
    return new DomainError('PAYLOAD_TOO_LARGE', { details: { limitBytes: bodyLimitBytes } });
  }
  return null;
};
