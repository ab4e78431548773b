// How a route of Surface B is written: one line that binds an endpoint row to what answers it. The token and the schema were
// checked before it is reached.

import type { SurfaceBEndpoint } from '@holdfast/contract/surface-b/endpoint.ts';
import type { Static, TSchema } from 'typebox';
import type { Command, Context, Submit } from '../../../commit/command.ts';

type Maybe = TSchema | undefined;
type Shape<S extends Maybe> = S extends TSchema ? Static<S> : Readonly<Record<never, never>>;

export type AskedB<Query extends Maybe = undefined, Body extends Maybe = undefined> = {
  readonly query: Shape<Query>;
  readonly body: Shape<Body>;
  /** Whose token it is; null: none was sent. */
  readonly userId: string | null;
  /** The bucket of whoever asks, for what is counted by address. */
  readonly address: string;
  readonly context: Context;
};

type Answer<A, D extends TSchema> = (asked: A) => Promise<Static<D>>;

// The precise types end here: a list of routes holds all kinds, and the schemas have vouched for what comes in.
export type SurfaceBRoute = { readonly endpoint: SurfaceBEndpoint; answer(asked: AskedB): Promise<unknown> };

export const route = <Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: SurfaceBEndpoint<Q, B, D>,
  answer: Answer<AskedB<Q, B>, D>,
): SurfaceBRoute => ({ endpoint, answer: answer as (asked: AskedB) => Promise<unknown> });

/** For routes that only somebody with a token reaches. */
export const personal = <Q extends Maybe, B extends Maybe, D extends TSchema>(
  endpoint: SurfaceBEndpoint<Q, B, D>,
  answer: Answer<AskedB<Q, B> & { readonly userId: string }, D>,
): SurfaceBRoute => {
  if (endpoint.access !== 'bearer') throw new Error(`${endpoint.method} ${endpoint.path} does not ask for a token`);
  return route(endpoint, (asked) => {
    if (asked.userId === null) throw new Error('somebody without a token came past the admission');
    return answer({ ...asked, userId: asked.userId });
  });
};

/** Submits one command. */
export const carryOut = async <Input, Reply>(
  submit: Submit,
  submission: { command: Command<Input, Reply>; input: Input; context: Context },
): Promise<Reply> => {
  const outcome = await submit(submission);
  if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
  return outcome.reply;
};
