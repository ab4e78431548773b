// What happens in this process after a command has ended: wake a sender, notify other processes. A command declares its reactions,
// a module handles them. A missed reaction costs time and never correctness, because a job finds the same work.

import type { Context } from './command.ts';

/** Payloads by name. Modules add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules add their reactions
export interface Reactions {}

type ReactionName = keyof Reactions;

export type Reaction = {
  readonly [N in ReactionName]: { readonly name: N; readonly payload: Reactions[N] };
}[ReactionName];

type Handler<N extends ReactionName> = (payload: Reactions[N], context: Context) => void;

export type ReactionHandlers = {
  on<N extends ReactionName>(name: N, handler: Handler<N>): void;
  run(reactions: readonly Reaction[], context: Context): void;
};

export const createReactions = (onTrouble: (message: string, error: unknown) => void): ReactionHandlers => {
  const handlers = new Map<string, ((payload: never, context: Context) => void)[]>();
  return {
    on(name, handler) {
      handlers.set(name, [...(handlers.get(name) ?? []), handler]);
    },
    run(reactions, context) {
      for (const { name, payload } of reactions as readonly { name: string; payload: never }[]) {
        for (const handle of handlers.get(name) ?? []) {
          try {
            handle(payload, context);
          } catch (error) {
            // The command is committed, whatever a handler does.
            onTrouble(`a handler of ${name} failed`, error);
          }
        }
      }
    },
  };
};
