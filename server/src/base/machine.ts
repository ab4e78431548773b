// State machines as tables: one row per allowed move. Whatever is not a row is refused, with what would be allowed.

import type { EventType } from '@holdfast/contract/events.ts';
import type { MoveName } from '../books/moves.ts';
import { DomainError, type ErrorDetails } from './domain-error.ts';

export type MachineRow<State extends string, Trigger extends string> = {
  readonly from: State;
  /** A word is something that a caller can ask for; a word with a dot is what an outside system told. */
  readonly on: Trigger;
  readonly to: State;
  /** What else has to be true, in words. */
  readonly needs?: readonly string[];
  /** How money moves with it. */
  readonly moves?: readonly MoveName[];
  /** The event of this resource that tells of it. */
  readonly emits?: readonly EventType[];
};

export type Machine<State extends string, Trigger extends string> = {
  /** As a sentence would say it: "the user". */
  readonly subject: string;
  /** Where the spec answers a wrong state with another status than the table of errors. */
  readonly status?: number;
  readonly rows: readonly MachineRow<State, Trigger>[];
};

/** What a caller can ask for now. */
export const allowedActions = <S extends string, T extends string>(machine: Machine<S, T>, state: S): T[] =>
  machine.rows.filter((row) => row.from === state && !row.on.includes('.')).map((row) => row.on);

const spoken = (trigger: string): string => trigger.replaceAll(/[._]/g, ' ');

/** The row of the move; refuses when there is none. `details` go with the refusal. */
export const rowOf = <S extends string, T extends string>(
  machine: Machine<S, T>,
  move: { from: S; on: T; details?: ErrorDetails },
): MachineRow<S, T> => {
  const row = machine.rows.find((candidate) => candidate.from === move.from && candidate.on === move.on);
  if (row) return row;
  const allowed = allowedActions(machine, move.from);
  const next = allowed.length > 0 ? `Allowed now: ${allowed.join(', ')}.` : 'Nothing can be asked of it now.';
  throw new DomainError('INVALID_STATE', {
    message: `Cannot ${spoken(move.on)}: ${machine.subject} is ${move.from}. ${next}`,
    details: { currentState: move.from, allowedActions: allowed, ...move.details },
    ...(machine.status === undefined ? {} : { status: machine.status }),
  });
};

/** The state that the trigger leads to; refuses when there is no such row. */
export const step = <S extends string, T extends string>(
  machine: Machine<S, T>,
  move: { from: S; on: T; details?: ErrorDetails },
): S => rowOf(machine, move).to;
