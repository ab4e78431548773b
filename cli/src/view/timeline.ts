// The timeline of an order, one line per entry from top to bottom: events, money, ledger, operations and audit entries, each with
// its most useful details.

import type { Timeline, TimelineEntry } from '@holdfast/sdk';
import { clockOf } from '../times.ts';
import { harmless, type Paint } from './paint.ts';

const MARKS: Record<TimelineEntry['kind'], string> = {
  event: '●',
  posting: '¤',
  ledger: '◆',
  operation: '▶',
  note: '✎',
  evidence: '▤',
  message: '✉',
  audit: '·',
};

const KIND_WIDTH = 9;

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The amount of the entry, which is never cut. */
const moneyOf = ({ kind, details }: TimelineEntry): string =>
  (kind === 'posting' || kind === 'event') && details.amount !== undefined
    ? `${text(details.amount)} ${text(details.currency)}`.trimEnd()
    : '';

const detailOf = ({ kind, details }: TimelineEntry): string => {
  const of = (name: string): string => text(details[name]);
  switch (kind) {
    case 'posting':
      return `${of('from')} → ${of('to')}`;
    case 'ledger':
      return of('state');
    case 'operation':
      return [Number(details.attempts) > 0 ? `retried ${of('attempts')} times` : '', of('problem')]
        .filter(Boolean)
        .join('  ');
    case 'evidence':
      return harmless(of('fileName'));
    case 'note':
    case 'message':
      return harmless(of('text'));
    case 'audit':
      return `${of('result')} by ${of('actorType')} ${of('actorId')}`;
    case 'event':
      return of('finalStatus') || of('decision') || of('milestoneRef');
  }
};

const colourOf = (kind: TimelineEntry['kind'], paint: Paint): ((text: string) => string) =>
  ({
    event: paint.cyan,
    posting: paint.green,
    ledger: paint.yellow,
    operation: paint.blue,
    note: paint.cyan,
    evidence: paint.cyan,
    message: paint.cyan,
    audit: paint.dim,
  })[kind];

const cut = (line: string, room: number | null): string =>
  room === null || line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;

export const timelineLines = (
  { entries, truncated, archives = [] }: Pick<Timeline, 'entries' | 'truncated'> & Partial<Timeline>,
  { paint, room }: { paint: Paint; room: number | null },
): string[] => {
  const clockWidth = Math.max(0, ...entries.map(({ at }) => clockOf(at).length));
  const left = clockWidth + KIND_WIDTH + 5;
  const lines = entries.flatMap((entry, index) => {
    const colour = colourOf(entry.kind, paint);
    const bar = index === entries.length - 1 && !truncated ? ' ' : '│';
    const head = `${paint.dim(clockOf(entry.at).padStart(clockWidth))}  ${colour(MARKS[entry.kind])} ${colour(entry.kind.padEnd(KIND_WIDTH))} `;
    const title = [harmless(entry.title), moneyOf(entry)].filter(Boolean).join('  ');
    const detail = cut(harmless(detailOf(entry)), room === null ? null : room - left - title.length - 2);
    // A hash is there to be copied, so it has its own line and is never cut.
    const hash = entry.kind === 'ledger' && entry.reference !== null ? [entry.reference] : [];
    return [
      `${head}${title}  ${paint.dim(detail)}`.trimEnd(),
      ...hash.map((each) => `${' '.repeat(clockWidth)}  ${bar} ${' '.repeat(KIND_WIDTH)} ${paint.dim(each)}`),
    ];
  });
  const indent = ' '.repeat(clockWidth);
  return [
    ...archives.map((month) => `${indent}  ┊ older entries: holdfast archive show ${month}`),
    ...lines,
    ...(truncated ? [`${indent}  ┊ more entries exist; only the oldest are shown`] : []),
  ];
};
