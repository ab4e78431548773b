// The timeline in groups: the entries that one action caused are together under its title.

import type { TimelineEntry } from '@holdfast/sdk';
import { statusWords } from '../../parts/status.tsx';

export type TimelineGroup = {
  /** Stable while entries are added to the group. */
  readonly key: string;
  readonly title: string;
  readonly at: string;
  readonly entries: readonly TimelineEntry[];
  /** The state of the group's operation; null for an action without one. */
  readonly outcome: string | null;
};

type EntryDetails = Readonly<Record<string, unknown>>;

const EVENTS: Readonly<Record<string, (details: EntryDetails) => string>> = {
  'order.created': () => 'Order created',
  'order.funds_reserved': () => 'Funds reserved',
  'escrow.milestone_completed': ({ milestoneTitle }) => `Milestone completed: ${milestoneTitle}`,
  'dispute.opened': ({ openedBy }) => `Dispute opened by the ${String(openedBy).toLowerCase()}`,
  'dispute.under_review': ({ reviewedBy }) => (reviewedBy ? `Dispute assigned to ${reviewedBy}` : 'Dispute assigned'),
  'order.canceled': () => 'Order canceled',
};

const OPERATIONS: Readonly<Record<string, string>> = {
  'create-escrow': 'Escrow requested',
  'fund-escrow': 'Funding escrow',
  release: 'Release requested',
  refund: 'Refund requested',
  'resolve-dispute': 'Dispute resolved',
  'release-milestone': 'Milestone released',
  'refund-milestone': 'Milestone refunded',
};

/** All entries of one commit have the same millisecond. */
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

export const groupEntries = (entries: readonly TimelineEntry[]): TimelineGroup[] => {
  const moments = new Map<string, TimelineEntry[]>();
  for (const entry of entries) moments.set(momentOf(entry), [...(moments.get(momentOf(entry)) ?? []), entry]);
  const groups: { title: string; entries: TimelineEntry[] }[] = [];
  for (const moment of moments.values()) {
    const title = titleOf(moment);
    const open = groups.at(-1);
    if (title === null && open) open.entries.push(...moment);
    else groups.push({ title: title ?? 'Start', entries: moment });
  }
  return groups.map(({ title, entries: own }, place) => ({
    key: `${place} ${own[0]!.at}`,
    title,
    at: own[0]!.at,
    entries: own,
    outcome: outcomeOf(own),
  }));
};

/** The summary beside the title of an entry. */
export const briefOf = ({ kind, details }: TimelineEntry): string => {
  if (kind === 'posting') return `${details.from} to ${details.to}`;
  if (kind === 'audit')
    return `${details.actorType === 'system' ? 'automatic' : `by ${details.actorName ?? details.actorId}`}`;
  if (kind === 'evidence') return String(details.fileName);
  if (kind === 'note' || kind === 'message') return String(details.text);
  if (kind === 'operation') return details.problem ? String(details.problem) : '';
  return kind === 'ledger' ? statusWords(String(details.state)) : '';
};
