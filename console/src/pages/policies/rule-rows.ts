// The deadlines of a policy as rows of a picture: what starts each one, how long it runs, and what happens when it passes.

import type { Policy } from '@holdfast/sdk';
import { durationMs } from './durations.ts';

export type Rules = Policy['rules'];

export type RuleRow = {
  /** What starts the time. */
  readonly from: string;
  readonly duration: string;
  /** What ends it early. */
  readonly unless: string;
  /** What happens when it passes. */
  readonly does: string;
  readonly tone: 'good' | 'bad' | 'calm';
  /** Durations before the end; those that are longer than the whole time are left out, as the server does. */
  readonly reminders: readonly string[];
};

const DISPUTE = {
  RELEASE: { does: 'The seller is paid', tone: 'good' },
  REFUND: { does: 'The buyer is refunded', tone: 'bad' },
  REMIND: { does: 'An event reminds of it', tone: 'calm' },
} as const;

const INSPECTION = {
  RELEASE: { does: 'The milestone is paid', tone: 'good' },
  REMIND: { does: 'An event reminds of it', tone: 'calm' },
} as const;

export const ruleRows = (rules: Rules): RuleRow[] => {
  const { cancelUnfundedAfter, autoReleaseAfter, milestoneInspection, dispute, remindBefore = [] } = rules;
  const rows: Omit<RuleRow, 'reminders'>[] = [];
  if (cancelUnfundedAfter !== undefined) {
    rows.push({
      from: 'Order created',
      duration: cancelUnfundedAfter,
      unless: 'the escrow is funded',
      does: 'The order is canceled',
      tone: 'bad',
    });
  }
  if (milestoneInspection) {
    const { within, then: next } = milestoneInspection;
    rows.push({
      from: 'Milestone completed',
      duration: within,
      unless: 'it is paid, refunded or disputed',
      ...INSPECTION[next],
    });
  }
  if (autoReleaseAfter !== undefined) {
    rows.push({
      from: 'Last milestone completed',
      duration: autoReleaseAfter,
      unless: 'the order is disputed or refunded',
      does: 'The seller is paid',
      tone: 'good',
    });
  }
  if (dispute) {
    const { decideWithin, then: next } = dispute;
    rows.push({ from: 'Dispute opened', duration: decideWithin, unless: 'it is decided', ...DISPUTE[next] });
  }
  return rows.map((row) => ({ ...row, reminders: remindBefore.filter((each) => isShorter(each, row.duration)) }));
};

const isShorter = (one: string, other: string): boolean => (durationMs(one) ?? 0) < (durationMs(other) ?? 0);
