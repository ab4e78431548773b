// A timeline in chapters: whatever one decision set off stands together, under words that say what it was.

import type { TimelineEntry } from '@holdfast/sdk';
import { statusWords } from '../../parts/status.tsx';

export type Chapter = {
  /** Stays the same while the chapter grows. */
  readonly key: string;
  readonly title: string;
  readonly at: string;
  readonly entries: readonly TimelineEntry[];
  /** How what it was about ended; null where it was done at once. */
  readonly outcome: string | null;
};

type Told = Readonly<Record<string, unknown>>;

const EVENTS: Readonly<Record<string, (details: Told) => string>> = {
  'order.created': () => 'The order was made',
  'order.funds_reserved': () => 'The money was set aside',
  'escrow.milestone_completed': ({ milestoneTitle }) => `Milestone completed: ${milestoneTitle}`,
  'dispute.opened': ({ openedBy }) => `The ${String(openedBy).toLowerCase()} opened a dispute`,
  'dispute.under_review': ({ reviewedBy }) => `${reviewedBy ?? 'Somebody'} took the dispute up`,
  'order.canceled': () => 'The order was called off',
};

const OPERATIONS: Readonly<Record<string, string>> = {
  'create-escrow': 'The escrow was asked for',
  'fund-escrow': 'The money goes into escrow',
  release: 'The release was asked for',
  refund: 'The refund was asked for',
  'resolve-dispute': 'The dispute was decided',
};

/** Everything of one commit bears the same millisecond. */
const MOMENT_LENGTH = '2026-01-01T00:00:00.000'.length;
const momentOf = ({ at }: TimelineEntry): string => at.slice(0, MOMENT_LENGTH);

const titleOf = (entries: readonly TimelineEntry[]): string | null => {
  for (const { kind, title, details } of entries) {
    if (kind === 'operation' && details.state === 'RUNNING' && details.attempts === 0 && !details.problem) {
      return OPERATIONS[String(details.kind)] ?? title;
    }
    if (kind === 'event' && EVENTS[title]) return EVENTS[title](details);
  }
  return null;
};

const outcomeOf = (entries: readonly TimelineEntry[]): string | null => {
  const last = entries.findLast(({ kind }) => kind === 'operation');
  return last ? String(last.details.state) : null;
};

export const chaptersOf = (entries: readonly TimelineEntry[]): Chapter[] => {
  const moments = new Map<string, TimelineEntry[]>();
  for (const entry of entries) moments.set(momentOf(entry), [...(moments.get(momentOf(entry)) ?? []), entry]);
  const chapters: { title: string; entries: TimelineEntry[] }[] = [];
  for (const moment of moments.values()) {
    const title = titleOf(moment);
    const open = chapters.at(-1);
    if (title === null && open) open.entries.push(...moment);
    else chapters.push({ title: title ?? 'What happened first', entries: moment });
  }
  return chapters.map(({ title, entries: own }, place) => ({
    ...{ key: `${place} ${own[0]!.at}`, title, at: own[0]!.at, entries: own, outcome: outcomeOf(own) },
  }));
};

/** One line about an entry, beside its title. */
export const briefOf = ({ kind, details }: TimelineEntry): string => {
  if (kind === 'posting') return `${details.from} to ${details.to}`;
  if (kind === 'audit') return `${details.actorType === 'system' ? 'by itself' : `by ${details.actorId}`}`;
  if (kind === 'operation') return details.problem ? String(details.problem) : '';
  return kind === 'ledger' ? statusWords(String(details.state)) : '';
};
