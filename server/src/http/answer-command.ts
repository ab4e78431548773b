// Answers a write: makes the command's input, submits it, presents the reply. With an Idempotency-Key the answer becomes
// part of the command's own commit, and what is sent is exactly what was stored.

import type { FastifyReply } from 'fastify';
import { isDomainError } from '../base/domain-error.ts';
import type { Command, Outcome, ReplayGuard, StoredAnswer, Submit } from '../commit/command.ts';
import type { FindAnswer } from '../commit/stored-answers.ts';
import { wrap } from './envelope.ts';
import { errorBody, fail, JSON_TYPE, sendFault } from './error-reply.ts';
import { fingerprintOf, idempotencyKeyOf, keyHashOf } from './idempotency/identity.ts';
import type { InFlight } from './idempotency/in-flight.ts';
import { seal, unseal } from './idempotency/seal.ts';
import { isStorable } from './idempotency/storable.ts';
import type { AnyAsked, AnyWrite, Route } from './route.ts';
import type { Watch } from './watch.ts';

export type Writing = {
  readonly submit: Submit;
  readonly findAnswer: FindAnswer;
  readonly inFlight: InFlight;
  readonly retentionHours: number;
  readonly watch: Watch;
};

type WriteRoute = Route & { kind: 'write' };
export type Attempt = {
  readonly asked: AnyAsked;
  readonly reply: FastifyReply;
  readonly text: (envelope: unknown) => string;
};

export const answerWrite = (route: WriteRoute, writing: Writing) => {
  const { endpoint, parts } = route;
  const { submit, inFlight, retentionHours, watch } = writing;

  const render = (reply: unknown, { asked, text }: Attempt): StoredAnswer => ({
    status: parts.status?.(reply, asked) ?? endpoint.status,
    body: text(wrap(endpoint.wrapping, parts.present(reply, asked), asked.requestId)),
  });

  const plainly = async (attempt: Attempt): Promise<void> => {
    const { asked, reply } = attempt;
    const outcome = await submit({ command: parts.command, input: asked.input, context: asked.context });
    if (outcome.kind === 'reply') send(reply, render(outcome.reply, attempt));
    else throw new Error('a command without a guard was answered with a replay');
  };

  const guarded = async (attempt: Attempt, idempotencyKey: string): Promise<void> => {
    const { asked, reply } = attempt;
    const keyHash = keyHashOf(asked, idempotencyKey);
    const sealing = { idempotencyKey: idempotencyKey.toLowerCase(), keyHash };
    reply.header('x-idempotency-key', idempotencyKey);
    const leave = inFlight.enter(keyHash);
    try {
      const command = await commandFor(parts, asked);
      let rendered: StoredAnswer | null = null;
      const guard: ReplayGuard<unknown> = {
        keyHash,
        fingerprint: fingerprintOf(endpoint, asked),
        retentionHours,
        render(result) {
          const isKept = command === parts.command && 'error' in result && isStorable(result.error);
          if ('error' in result && !isKept) return null;
          rendered =
            'error' in result
              ? { status: result.error.status, body: errorBody(result.error, asked.requestId) }
              : render(result.reply, attempt);
          return endpoint.secretAnswer ? { ...rendered, body: seal(rendered.body, sealing) } : rendered;
        },
      };
      const outcome: Outcome<unknown> = await submit({
        command,
        input: asked.input,
        context: asked.context,
        guard,
      });
      if (outcome.kind === 'reply') return send(reply, rendered ?? render(outcome.reply, attempt));
      const { status, body } = outcome.answer;
      watch.replayed();
      reply.header('idempotency-replay', 'true');
      send(reply, { status, body: endpoint.secretAnswer ? unseal(body, sealing) : body });
    } finally {
      leave();
    }
  };

  return async (attempt: Attempt): Promise<void> => {
    try {
      const header = endpoint.idempotent ? attempt.reply.request.headers['idempotency-key'] : undefined;
      const idempotencyKey = idempotencyKeyOf(header);
      if (idempotencyKey !== null) return await guarded(attempt, idempotencyKey);
      const waiting = makeInput(parts, attempt.asked);
      if (waiting) await waiting;
      await plainly(attempt);
    } catch (error) {
      if (isDomainError(error) && error.status < 500) sendFault(attempt.reply, error);
      else fail(attempt.reply, error);
    }
  };
};

/** When the input cannot be made, an answer that was given before is still the answer; only without one it is the refusal. */
const commandFor = async (parts: AnyWrite, asked: AnyAsked): Promise<Command<unknown, unknown>> => {
  try {
    await makeInput(parts, asked);
    return parts.command;
  } catch (error) {
    const decide = (): never => {
      throw error;
    };
    return { name: `repeat-${parts.command.name}`, needs: () => ({}), decide };
  }
};

const makeInput = (parts: AnyWrite, asked: AnyAsked): Promise<void> | null => {
  const keep = (input: unknown): void => {
    asked.input = input;
  };
  const made = parts.input(asked);
  if (made instanceof Promise) return made.then(keep);
  keep(made);
  return null;
};

export const send = (reply: FastifyReply, answer: StoredAnswer): void => {
  reply.code(answer.status).header('content-type', JSON_TYPE).send(answer.body);
};
