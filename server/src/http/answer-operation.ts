// Answers a request of more than one command: runs it, then answers from stored data. With an Idempotency-Key an earlier answer is read
// first and the new answer is stored afterwards, in a commit of its own. A repeat between the two commits finds the work done and is
// refused by the state. A request that creates a record stores `requestKey` in it, and a repeat continues with that record. So nothing
// is done twice.

import type { FastifyReply } from 'fastify';
import { type DomainError, isDomainError } from '../base/domain-error.ts';
import { formatInstant, systemClock } from '../base/instant.ts';
import type { ReplayGuard, StoredAnswer } from '../commit/command.ts';
import { keepAnswer } from '../commit/stored-answers.ts';
import { type Attempt, send, sendAgain, type Writing } from './answer-command.ts';
import { wrap } from './envelope.ts';
import { errorBody, fail, sendError } from './error-reply.ts';
import { fingerprintOf, idempotencyKeyOf, isStorable, keyHashOf, keyPlaceOf } from './idempotency.ts';
import type { Route } from './route.ts';

type ActRoute = Route & { kind: 'act' };
type Identity = Omit<ReplayGuard<never>, 'render'>;

/** A refusal that names a running operation is temporary and not stored, whatever its code. */
const isKept = (error: DomainError): boolean => isStorable(error) && error.details.operation === undefined;

const run = async (route: ActRoute, { routeRequest, text }: Attempt): Promise<StoredAnswer> => {
  const { endpoint } = route;
  const data = await route.answer(routeRequest);
  return {
    status: endpoint.status,
    body: text(wrap(data, { wrapping: endpoint.wrapping, requestId: routeRequest.requestId })),
  };
};

export const answerAct = (route: ActRoute, writing: Writing) => {
  const { endpoint, retentionHours = writing.retentionHours } = route;
  const { submit, findAnswer, inFlight, watch } = writing;

  const replay = (reply: FastifyReply, answer: StoredAnswer): void => sendAgain(reply, { answer, watch });

  const findEarlier = ({ routeRequest }: Attempt, { keyHash, fingerprint }: Identity): Promise<StoredAnswer | null> => {
    const marketplaceId = keyPlaceOf(endpoint, routeRequest);
    return findAnswer({ marketplaceId, keyHash, fingerprint, now: formatInstant(systemClock()) });
  };

  /** Returns the answer that another process has stored under the key in the meantime, or null. */
  const keep = async ({ routeRequest }: Attempt, { answer, ...identity }: Identity & { answer: StoredAnswer }) => {
    const guard = { ...identity, render: () => answer };
    const context = { ...routeRequest.context, marketplaceId: keyPlaceOf(endpoint, routeRequest) };
    const outcome = await submit({ command: keepAnswer, input: answer, context, guard });
    return outcome.kind === 'replay' ? outcome.answer : null;
  };

  const refuse = async (attempt: Attempt, { error, ...identity }: Identity & { error: DomainError }): Promise<void> => {
    const { routeRequest, reply } = attempt;
    const answer = { status: error.status, body: errorBody(error, routeRequest.requestId) };
    const earlier = await keep(attempt, { ...identity, answer });
    if (earlier) replay(reply, earlier);
    else sendError(reply, error);
  };

  const accept = async (attempt: Attempt, { answer, ...identity }: Identity & { answer: StoredAnswer }) => {
    const { routeRequest, reply } = attempt;
    // The work is done, even when its answer cannot be stored.
    await keep(attempt, { ...identity, answer }).catch((error: unknown) =>
      reply.log.warn(
        { requestId: routeRequest.requestId, err: error },
        'the answer could not be stored for a repeated request',
      ),
    );
    send(reply, answer);
  };

  const guarded = async (attempt: Attempt, idempotencyKey: string): Promise<void> => {
    const { routeRequest, reply } = attempt;
    const identity = {
      keyHash: keyHashOf(endpoint, { routeRequest, idempotencyKey }),
      fingerprint: fingerprintOf(endpoint, routeRequest),
      retentionHours,
    };
    reply.header('x-idempotency-key', idempotencyKey);
    const leave = inFlight.enter(identity.keyHash);
    try {
      const earlier = await findEarlier(attempt, identity);
      if (earlier) return replay(reply, earlier);
      const requestKey = identity.keyHash.toString('base64url');
      const answer = await run(route, { ...attempt, routeRequest: { ...routeRequest, requestKey } });
      await accept(attempt, { ...identity, answer });
    } catch (error) {
      if (!isDomainError(error) || !isKept(error)) throw error;
      await refuse(attempt, { ...identity, error });
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
      send(reply, await run(route, attempt));
    } catch (error) {
      if (isDomainError(error) && error.status < 500) sendError(reply, error);
      else fail(reply, error);
    }
  };
};
