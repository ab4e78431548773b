// The checks of a simulation, by name. Each check returns the violations that it found; an empty list means that it holds.

import type { Actor } from '../actors.ts';
import type { Environment } from '../environment.ts';
import type { Listeners } from '../listeners.ts';
import { checkAudit, checkBooks, checkProof } from './books.ts';
import { checkAlerts, checkBreaks } from './breaks.ts';
import { checkDeadlines } from './deadlines.ts';
import { checkEffects } from './effects.ts';
import { checkPositions, checkStream } from './events.ts';
import { checkHistory } from './history.ts';
import { checkJournal } from './journal.ts';
import { checkLedger } from './ledger.ts';
import { checkFees, checkParts } from './order-ends.ts';
import { checkPreviews } from './previews.ts';
import { checkRest } from './rest.ts';

export type SimulationState = {
  readonly environment: Environment;
  readonly actor: Actor;
  readonly listeners: Listeners;
};

export type Check = (state: SimulationState) => Promise<string[]>;

const checkAnswers: Check = async ({ environment }) => [...environment.journal.violations];

/** `always`: after each step, while work is still running. `end`: only when all work has finished. */
export const CHECKS = {
  books: { when: 'always', run: checkBooks, promise: 'the books sum to zero and every account equals its postings' },
  positions: { when: 'always', run: checkPositions, promise: 'events have no gap and come in order' },
  history: { when: 'always', run: checkHistory, promise: 'the events of every record lead to its current state' },
  answers: {
    when: 'always',
    run: checkAnswers,
    promise: 'every answer is one that the contract names',
  },
  breaks: { when: 'always', run: checkBreaks, promise: 'no break is opened for a payment that is only in flight' },
  alerts: {
    when: 'end',
    run: checkAlerts,
    promise: 'every late top-up and every payout over another amount has its alert',
  },
  rest: { when: 'end', run: checkRest, promise: 'no work is left running, and every scenario came to its end' },
  proof: { when: 'end', run: checkProof, promise: 'the proof holds and no break is open' },
  journal: {
    when: 'end',
    run: checkJournal,
    promise: 'the exported journal has the sums of the books and of the proof, as every reader adds it up',
  },
  ledger: { when: 'end', run: checkLedger, promise: 'ledger and provider hold what the books say' },
  effects: {
    when: 'end',
    run: checkEffects,
    promise: 'everything acknowledged happened once, and nothing else happened',
  },
  parts: { when: 'end', run: checkParts, promise: 'the parts of every order sum to its amount, and make its end' },
  fees: { when: 'end', run: checkFees, promise: 'every fee equals a second computation from the plan' },
  deadlines: {
    when: 'end',
    run: checkDeadlines,
    promise: 'every deadline that was due was carried out once, canceled by a commit, or is held',
  },
  previews: {
    when: 'end',
    run: checkPreviews,
    promise: 'every dry run said what its request did, and left no trace',
  },
  stream: { when: 'end', run: checkStream, promise: 'readers of the stream received every event once, in order' },
  audit: { when: 'end', run: checkAudit, promise: 'the audit chain is intact and complete' },
} as const satisfies Record<string, { when: 'always' | 'end'; run: Check; promise: string }>;

export type CheckName = keyof typeof CHECKS;

/** `restore`: what is wrong after the restore of a backup. */
export type Finding = { readonly check: CheckName | 'restore'; readonly found: readonly string[] };

/** Also returns the number of checks, for the report. */
export const runChecks = async (
  state: SimulationState,
  when: 'always' | 'end',
): Promise<{ checks: number; findings: Finding[] }> => {
  const names = (Object.keys(CHECKS) as CheckName[]).filter((name) => when === 'end' || CHECKS[name].when === 'always');
  const findings: Finding[] = [];
  for (const check of names) {
    const found = await CHECKS[check].run(state);
    if (found.length > 0) findings.push({ check, found });
  }
  return { checks: names.length, findings };
};
