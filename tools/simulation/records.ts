// What is known of each life that has begun: the record that it made, what was acknowledged of it, and what it certainly or
// possibly did to a balance where no record shows it.

import type { Outcome } from './journal.ts';
import type { Currency, Scenario } from './scenarios/scenarios.ts';

/** A change of one balance that no record of its own stands for, in units of 10^-7. */
export type Effect = {
  readonly userId: string;
  readonly currency: Currency;
  readonly available: bigint;
  readonly reserved: bigint;
  readonly isCertain: boolean;
  readonly tag: string;
};

export type ScenarioRecord<Kind extends Scenario = Scenario> = {
  readonly scenario: Kind;
  /** Of the order, top-up or withdrawal; null while no answer has named it. */
  id: string | null;
  /** Whether it was made. */
  made: Outcome;
  /** Actions that a client was told were done. */
  readonly done: Set<string>;
  /** A top-up's or a withdrawal's status that a client was told last, when it was an end. */
  end: string | null;
  hasEnded: boolean;
  /** The Idempotency-Key of a call whose outcome is unknown: a repeat with the same key cannot do the work twice. */
  key: string | null;
};

export const newRecord = <Kind extends Scenario>(scenario: Kind): ScenarioRecord<Kind> => ({
  scenario,
  id: null,
  made: 'refused',
  done: new Set<string>(),
  end: null,
  hasEnded: false,
  key: null,
});
