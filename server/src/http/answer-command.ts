// Answers a write: makes the input of the command, submits it and presents the reply. With an Idempotency-Key the answer is stored by
// the same commit, and the response is exactly the stored answer.

import { hash } from 'node:crypto';
import type { Endpoint } from '@holdfast/contract/api/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { isDomainError } from '../base/domain-error.ts';
import type { Command, Outcome, ReplayGuard, StoredAnswer, Submit } from '../commit/command.ts';
import type { Previews } from '../commit/preview/preview.ts';
import { type FindAnswer, keepAnswer } from '../commit/stored-answers.ts';
import type { ApprovalGate } from './approval-terms.ts';
import { contextOf } from './caller.ts';
import { wrap } from './envelope.ts';
import { errorBody, fail, JSON_TYPE, sendError } from './error-reply.ts';
import type { HttpWatch } from './hooks/observe.ts';
import {
  fingerprintOf,
  type InFlight,
  idempotencyKeyOf,
  isStorable,
  keyHashOf,
  keyPlaceOf,
  seal,
  unseal,
} from './idempotency.ts';
import type { AnyRouteRequest, AnyWrite, Route } from './route.ts';

export type Writing = {
  readonly submit: Submit;
  readonly findAnswer: FindAnswer;
  readonly inFlight: InFlight;
  readonly retentionHours: number;
  readonly watch: HttpWatch;
  /** Left out by tests that have no database. */
  readonly previews?: Previews;
  /** Left out by tests that have no rules. */
  readonly approvals?: ApprovalGate;
};

type WriteRoute = Route & { kind: 'write' };
export type Attempt = {
  readonly routeRequest: AnyRouteRequest;
  readonly reply: FastifyReply;
  readonly text: (envelope: unknown) => string;
};

export const answerWrite = (route: WriteRoute, writing: Writing) => {
  const { endpoint, parts, retentionHours = writing.retentionHours } = route;
  const { submit, inFlight, watch } = writing;

  const render = (reply: unknown, { routeRequest, text }: Attempt): StoredAnswer => ({
    status: parts.status?.(reply, routeRequest) ?? endpoint.status,
    body: text(
      wrap(parts.present(reply, routeRequest), { wrapping: endpoint.wrapping, requestId: routeRequest.requestId }),
    ),
  });

  const plainly = ({ input, context }: AnyRouteRequest): Promise<Outcome<unknown>> =>
    submit({ command: parts.command, input, context });

  const sendPlainly = (outcome: Outcome<unknown>, attempt: Attempt): void => {
    if (outcome.kind === 'reply') send(attempt.reply, render(outcome.reply, attempt));
    else throw new Error('a command without a guard was answered with a replay');
  };

  const guarded = async (attempt: Attempt, idempotencyKey: string): Promise<void> => {
    const { routeRequest, reply } = attempt;
    const keyHash = keyHashOf(endpoint, { routeRequest, idempotencyKey });
    const sealing = { idempotencyKey: idempotencyKey.toLowerCase(), keyHash };
    reply.header('x-idempotency-key', idempotencyKey);
    const leave = inFlight.enter(keyHash);
    try {
      const command = await commandFor(parts, routeRequest);
      if (parts.context && command === parts.command) await claimPlace(writing, { endpoint, routeRequest, keyHash });
      let rendered: StoredAnswer | null = null;
      const guard: ReplayGuard<unknown> = {
        keyHash,
        fingerprint: fingerprintOf(endpoint, routeRequest),
        retentionHours,
        render(result) {
          const isKept = command === parts.command && 'error' in result && isStorable(result.error);
          if ('error' in result && !isKept) return null;
          rendered =
            'error' in result
              ? { status: result.error.status, body: errorBody(result.error, routeRequest.requestId) }
              : render(result.reply, attempt);
          return endpoint.secretAnswer ? { ...rendered, body: seal(rendered.body, sealing) } : rendered;
        },
      };
      const outcome: Outcome<unknown> = await submit({
        command,
        input: routeRequest.input,
        context: routeRequest.context,
        guard,
      });
      if (outcome.kind === 'reply') return send(reply, rendered ?? render(outcome.reply, attempt));
      const { status, body } = outcome.answer;
      sendAgain(reply, { answer: { status, body: endpoint.secretAnswer ? unseal(body, sealing) : body }, watch });
    } finally {
      leave();
    }
  };

  return async (attempt: Attempt): Promise<void> => {
    try {
      const header = endpoint.idempotent ? attempt.reply.request.headers['idempotency-key'] : undefined;
      const idempotencyKey = idempotencyKeyOf(header);
      if (idempotencyKey !== null) return await guarded(attempt, idempotencyKey);
      const waiting = makeInput(parts, attempt.routeRequest);
      if (waiting) await waiting;
      sendPlainly(await plainly(attempt.routeRequest), attempt);
    } catch (error) {
      if (isDomainError(error) && error.status < 500) sendError(attempt.reply, error);
      else fail(attempt.reply, error);
    }
  };
};

type Claim = { readonly endpoint: Endpoint; readonly routeRequest: AnyRouteRequest; readonly keyHash: Buffer };

/**
 * The command acts in the marketplace that the request names, so its stored answer is found only there. The marketplace of the key keeps
 * which one that was: a repeat that names another one is refused.
 */
export const claimPlace = async ({ submit, retentionHours }: Writing, claim: Claim): Promise<void> => {
  const { method, path, status } = claim.endpoint;
  const { caller, context, requestId } = claim.routeRequest;
  const claimed: StoredAnswer = { status, body: context.marketplaceId };
  const guard: ReplayGuard<StoredAnswer> = {
    keyHash: hash('sha256', Buffer.concat([claim.keyHash, Buffer.from('place')]), 'buffer'),
    fingerprint: hash('sha256', `${method} ${path}\n${context.marketplaceId}`, 'buffer'),
    retentionHours,
    render: () => claimed,
  };
  const place = { ...contextOf(caller, requestId), marketplaceId: keyPlaceOf(claim.endpoint, claim.routeRequest) };
  await submit({ command: keepAnswer, input: claimed, context: place, guard });
};

/** When the input is refused, an earlier stored answer is still repeated. The refusal is sent only when there is none. */
const commandFor = async (parts: AnyWrite, routeRequest: AnyRouteRequest): Promise<Command<unknown, unknown>> => {
  try {
    await makeInput(parts, routeRequest);
    return parts.command;
  } catch (error) {
    const decide = (): never => {
      throw error;
    };
    return { name: `repeat-${parts.command.name}`, needs: () => ({}), decide };
  }
};

const makeInput = (parts: AnyWrite, routeRequest: AnyRouteRequest): Promise<void> | null => {
  const keep = (input: unknown): void => {
    routeRequest.input = input;
  };
  const made = parts.input(routeRequest);
  if (made instanceof Promise) return made.then(keep);
  keep(made);
  return null;
};

export const send = (reply: FastifyReply, answer: StoredAnswer): void => {
  reply.code(answer.status).header('content-type', JSON_TYPE).send(answer.body);
};

/** Repeats the answer of an earlier request with the same Idempotency-Key. */
export const sendAgain = (
  reply: FastifyReply,
  { answer, watch }: { answer: StoredAnswer } & Pick<Writing, 'watch'>,
): void => {
  watch.replayed();
  reply.header('idempotency-replay', 'true');
  send(reply, answer);
};
