// State machines as tables: one row per allowed transition. The code runs on the row: it decides the next state, the money moves and
// the events. A transition without a row is refused with the allowed actions.

import type { EventType } from '@holdfast/contract/events.ts';
import type { MoveName } from '../books/moves.ts';
import { DomainError, type ErrorDetails } from './domain-error.ts';

export type MachineRow<State extends string, Trigger extends string> = {
  readonly from: State;
  /**
   * A plain word is an action that a caller can request, and a refusal lists it among the allowed actions. A word with a dot is a report
   * of an outside system, or a request that another machine lists.
   */
  readonly on: Trigger;
  readonly to: State;
  /** The checks of a requested transition, by name and in this order. */
  readonly guards?: readonly string[];
  /** The money moves of the transition. */
  readonly moves?: readonly MoveName[];
  /** The events of the transition. */
  readonly emits?: readonly EventType[];
};

type AnyRow = MachineRow<string, string>;

export type Machine<State extends string, Trigger extends string, Row extends AnyRow = MachineRow<State, Trigger>> = {
  /** As part of a sentence: "the user". */
  readonly subject: string;
  /** Where the spec answers a wrong state with another status than the table of errors. */
  readonly status?: number;
  readonly rows: readonly Row[];
};

/** The rows of a trigger. In a machine that is declared `as const` they name their own moves and events. */
type RowOn<Row, On> = Row extends { readonly on: infer Own } ? (On extends Own ? Row : never) : never;

type Transition<Row extends AnyRow, On> = {
  readonly from: Row['from'] | Row['to'];
  readonly on: On;
  /** Goes with the refusal. */
  readonly details?: ErrorDetails;
  /** The actions that a refusal names, where the guards of the rows were asked too. */
  readonly allowed?: () => readonly string[];
};

/** The actions that a caller can request in this state. */
export const allowedActions = <Row extends AnyRow>(
  machine: Machine<string, string, Row>,
  state: Row['from'] | Row['to'],
): Row['on'][] => machine.rows.filter((row) => row.from === state && !row.on.includes('.')).map((row) => row.on);

const spoken = (trigger: string): string => trigger.replaceAll(/[._]/g, ' ');

/** The row of the transition; refuses when there is none. */
export const transition = <Row extends AnyRow, On extends Row['on']>(
  machine: Machine<string, string, Row>,
  { from, on, details, allowed: listed }: Transition<Row, On>,
): RowOn<Row, On> => {
  const row = machine.rows.find((candidate) => candidate.from === from && candidate.on === on);
  if (row) return row as unknown as RowOn<Row, On>;
  const allowed = listed?.() ?? allowedActions(machine, from);
  const next = allowed.length > 0 ? `Allowed now: ${allowed.join(', ')}.` : 'No further actions are possible.';
  throw new DomainError('INVALID_STATE', {
    message: `Cannot ${spoken(on)}: ${machine.subject} is ${from}. ${next}`,
    details: { currentState: from, allowedActions: allowed, ...details },
    ...(machine.status === undefined ? {} : { status: machine.status }),
  });
};

/** The state that the trigger leads to; refuses when there is no such row. */
export const step = <Row extends AnyRow, On extends Row['on']>(
  machine: Machine<string, string, Row>,
  move: Transition<Row, On>,
): Row['to'] => (transition(machine, move) as AnyRow).to;
