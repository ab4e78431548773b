// The effect of an armed fault on one HTTP call, the same for every simulator. Faults that change the content of the answer
// (wrong-amount, http-200-failed, no-contract-id) are passed to the simulator, which knows its own format.

import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Fault } from './faults.ts';

export type Act = (fault: Fault | null) => unknown;

type Misbehaviour = {
  reply: FastifyReply;
  fault: Fault | null;
  // Does the requested work and returns the answer.
  act: Act;
  // Throws the simulator's own form of a refusal. Nothing may have happened.
  refuse: () => never;
  // Writes the state: the content of a lost answer must be true.
  flush: () => void;
};

const SLOW_MS = 2_000;

export async function answerUnder({ reply, fault, act, refuse, flush }: Misbehaviour): Promise<unknown> {
  switch (fault?.fault) {
    case 'refusal':
      return refuse();
    case 'outage':
      flush();
      return cut(reply);
    case 'timeout':
      flush();
      return hold(reply, fault);
    case 'slow':
      // Must not keep the process of a closed sandbox alive.
      await delay(fault.delayMs ?? SLOW_MS, undefined, { ref: false });
      return act(null);
    case 'lost-answer':
      // A refusal is lost like any other answer.
      await Promise.try(act, null).catch(() => undefined);
      flush();
      return hold(reply, fault);
    default:
      return act(fault ?? null);
  }
}

// No answer is sent; the caller gives up, or is disconnected after delayMs.
export function hold(reply: FastifyReply, { delayMs }: Fault): FastifyReply {
  reply.hijack();
  if (delayMs !== null) {
    const timer = setTimeout(() => reply.raw.destroy(), delayMs);
    reply.raw.once('close', () => clearTimeout(timer));
  }
  return reply;
}

// The closest form of a refused connection while other calls are still served.
export function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
