// Answers a request that is more than one command: it is carried out, then answered from what is stored. With an
// Idempotency-Key an earlier answer is looked for first and the new one is kept afterwards. The two are no longer one
// commit. Whoever falls between them finds the work done and is refused by its state; what makes a new record keeps
// `requestKey` with it and goes on with that record. Nobody is served twice.

import type { FastifyReply } from 'fastify';
import { type DomainError, isDomainError } from '../base/domain-error.ts';
import { formatInstant, systemClock } from '../base/instant.ts';
import type { ReplayGuard, StoredAnswer } from '../commit/command.ts';
import { keepAnswer } from '../commit/stored-answers.ts';
import { type Attempt, send, type Writing } from './answer-command.ts';
import { wrap } from './envelope.ts';
import { errorBody, fail, sendError } from './error-reply.ts';
import { fingerprintOf, idempotencyKeyOf, keyHashOf } from './idempotency/identity.ts';
import { isStorable } from './idempotency/stored-answer.ts';
import type { Route } from './route.ts';

type ActRoute = Route & { kind: 'act' };
type Identity = Omit<ReplayGuard<never>, 'render'>;

/** One that names the operation under way says "not now", whatever its code. */
const isKept = (fault: DomainError): boolean => isStorable(fault) && fault.details.operation === undefined;

export const answerAct = (route: ActRoute, { submit, findAnswer, inFlight, retentionHours, watch }: Writing) => {
  const { endpoint } = route;

  const carryOut = async ({ routeRequest, text }: Attempt): Promise<StoredAnswer> => {
    const data = await route.answer(routeRequest);
    return { status: endpoint.status, body: text(wrap(endpoint.wrapping, data, routeRequest.requestId)) };
  };

  const replay = (reply: FastifyReply, answer: StoredAnswer): void => {
    watch.replayed();
    reply.header('idempotency-replay', 'true');
    send(reply, answer);
  };

  const findEarlier = ({ routeRequest }: Attempt, { keyHash, fingerprint }: Identity): Promise<StoredAnswer | null> => {
    const { marketplaceId } = routeRequest.context;
    return findAnswer({ marketplaceId, keyHash, fingerprint, now: formatInstant(systemClock()) });
  };

  /** Gives what another process has kept under the key meanwhile. */
  const keep = async ({ routeRequest }: Attempt, { answer, ...identity }: Identity & { answer: StoredAnswer }) => {
    const guard = { ...identity, render: () => answer };
    const outcome = await submit({ command: keepAnswer, input: answer, context: routeRequest.context, guard });
    return outcome.kind === 'replay' ? outcome.answer : null;
  };

  const refuse = async (attempt: Attempt, { fault, ...identity }: Identity & { fault: DomainError }): Promise<void> => {
    const { routeRequest, reply } = attempt;
    const answer = { status: fault.status, body: errorBody(fault, routeRequest.requestId) };
    const earlier = await keep(attempt, { ...identity, answer });
    if (earlier) replay(reply, earlier);
    else sendError(reply, fault);
  };

  const accept = async (attempt: Attempt, { answer, ...identity }: Identity & { answer: StoredAnswer }) => {
    const { routeRequest, reply } = attempt;
    // It is done, whatever becomes of the record of it.
    await keep(attempt, { ...identity, answer }).catch((error: unknown) =>
      reply.log.warn({ requestId: routeRequest.requestId, err: error }, 'an answer could not be kept for a repeat'),
    );
    send(reply, answer);
  };

  const guarded = async (attempt: Attempt, idempotencyKey: string): Promise<void> => {
    const { routeRequest, reply } = attempt;
    const identity = {
      keyHash: keyHashOf(routeRequest, idempotencyKey),
      fingerprint: fingerprintOf(endpoint, routeRequest),
      retentionHours,
    };
    reply.header('x-idempotency-key', idempotencyKey);
    const leave = inFlight.enter(identity.keyHash);
    try {
      const earlier = await findEarlier(attempt, identity);
      if (earlier) return replay(reply, earlier);
      const requestKey = identity.keyHash.toString('base64url');
      const answer = await carryOut({ ...attempt, routeRequest: { ...routeRequest, requestKey } });
      await accept(attempt, { ...identity, answer });
    } catch (error) {
      if (!isDomainError(error) || !isKept(error)) throw error;
      await refuse(attempt, { ...identity, fault: error });
    } finally {
      leave();
    }
  };

  return async (attempt: Attempt): Promise<void> => {
    const { reply } = attempt;
    try {
      const header = endpoint.idempotent ? reply.request.headers['idempotency-key'] : undefined;
      const idempotencyKey = idempotencyKeyOf(header);
      if (idempotencyKey !== null) return await guarded(attempt, idempotencyKey);
      send(reply, await carryOut(attempt));
    } catch (error) {
      if (isDomainError(error) && error.status < 500) sendError(reply, error);
      else fail(reply, error);
    }
  };
};
