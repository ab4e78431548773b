// What has to be true, by name. Each look gives what it found wrong, and nothing when all is well.

import type { Actor } from './actors.ts';
import { lookAtAudit, lookAtBooks, lookAtBreaks, lookAtProof } from './check-books.ts';
import { lookAtEffects } from './check-effects.ts';
import { lookAtPositions, lookAtStream } from './check-events.ts';
import { lookAtHistory } from './check-history.ts';
import { lookAtLedger } from './check-ledger.ts';
import { lookAtRest } from './check-rest.ts';
import type { Environment } from './environment.ts';
import type { Listeners } from './listeners.ts';

export type Scene = { readonly environment: Environment; readonly actor: Actor; readonly listeners: Listeners };

export type Look = (scene: Scene) => Promise<string[]>;

const lookAtAnswers: Look = async ({ environment }) => [...environment.journal.violations];

/** `always`: also while everything is under way, after each step. */
export const CHECKS = {
  books: { when: 'always', look: lookAtBooks, promise: 'the books sum to zero and every account is its postings' },
  positions: { when: 'always', look: lookAtPositions, promise: 'events have no gap and come in order' },
  history: { when: 'always', look: lookAtHistory, promise: 'every record is in a state that its events explain' },
  answers: {
    when: 'always',
    look: lookAtAnswers,
    promise: 'nobody is given an answer that the contract does not name',
  },
  breaks: { when: 'always', look: lookAtBreaks, promise: 'no break is opened for what is merely on its way' },
  rest: { when: 'end', look: lookAtRest, promise: 'nothing is left under way, and every life came to its end' },
  proof: { when: 'end', look: lookAtProof, promise: 'the proof holds and no break is open' },
  ledger: { when: 'end', look: lookAtLedger, promise: 'ledger and provider have what the books say' },
  effects: { when: 'end', look: lookAtEffects, promise: 'what was acknowledged is there once, and nothing else' },
  stream: { when: 'end', look: lookAtStream, promise: 'readers of the stream have heard every event once, in order' },
  audit: { when: 'end', look: lookAtAudit, promise: 'the audit chain is intact and complete' },
} as const satisfies Record<string, { when: 'always' | 'end'; look: Look; promise: string }>;

export type CheckName = keyof typeof CHECKS;

export type Finding = { readonly check: CheckName; readonly found: readonly string[] };

/** How many looks were taken is counted, so that a report can say so. */
export const lookAll = async (
  scene: Scene,
  when: 'always' | 'end',
): Promise<{ looks: number; findings: Finding[] }> => {
  const names = (Object.keys(CHECKS) as CheckName[]).filter((name) => when === 'end' || CHECKS[name].when === 'always');
  const findings: Finding[] = [];
  for (const check of names) {
    const found = await CHECKS[check].look(scene);
    if (found.length > 0) findings.push({ check, found });
  }
  return { looks: names.length, findings };
};
