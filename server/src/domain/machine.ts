// State machines as tables: one row per allowed move. Whatever is not a row is refused, with what would be allowed.

import { Fault } from './fault.ts';

export type MachineRow<State extends string, Trigger extends string> = {
  readonly from: State;
  readonly on: Trigger;
  readonly to: State;
};

export type Machine<State extends string, Trigger extends string> = {
  /** As a sentence would say it: "the user". */
  readonly subject: string;
  readonly rows: readonly MachineRow<State, Trigger>[];
};

export const allowedActions = <S extends string, T extends string>(machine: Machine<S, T>, state: S): T[] =>
  machine.rows.filter((row) => row.from === state).map((row) => row.on);

/** The state that the trigger leads to; refuses when there is no such row. */
export const step = <S extends string, T extends string>(machine: Machine<S, T>, move: { from: S; on: T }): S => {
  const row = machine.rows.find((candidate) => candidate.from === move.from && candidate.on === move.on);
  if (row) return row.to;
  const allowed = allowedActions(machine, move.from);
  const next = allowed.length > 0 ? `Allowed now: ${allowed.join(', ')}.` : 'Nothing can be done to it any more.';
  throw new Fault('INVALID_STATE', {
    message: `Cannot ${move.on} ${machine.subject} while it is ${move.from}. ${next}`,
    details: { currentState: move.from, allowedActions: allowed },
  });
};
