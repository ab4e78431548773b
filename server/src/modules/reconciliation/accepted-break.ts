// A break that an operator has closed with a correction. A difference with the same figures is not shown again; another one is.

import type { UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import type { BreakId } from './breaks.ts';

type AcceptedBreak = {
  /** Kind and subject, joined by a colon. */
  readonly id: string;
  /** As the break shows them; empty when the difference was booked, because the same one would then be a new one. */
  readonly expected: string;
  readonly actual: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    acceptedBreaks: AcceptedBreak;
  }
  interface Lookups {
    acceptedBreaks: Record<never, string>;
  }
}

export const ACCEPTED_BREAKS = table('acceptedBreaks', {
  notFound: 'INTERNAL_ERROR',
  sql: 'accepted_breaks',
  columns: ['id', 'expected', 'actual', 'createdAt', 'updatedAt'],
  lookups: {},
});

type Named = Pick<BreakId, 'kind' | 'subject'>;

const breakIdOf = ({ kind, subject }: Named): string => `${kind}:${subject}`;

export const acceptedNeed = (of: Named) => ({ table: 'acceptedBreaks', id: breakIdOf(of) }) as const;

/** As the break shows them. */
type Shown = { readonly expected: string; readonly actual: string };

/** Null: the difference was booked. */
export const acceptBreak = (work: UnitOfWork, { figures, ...of }: Named & { readonly figures: Shown | null }): void => {
  const id = breakIdOf(of);
  const known = work.find('acceptedBreaks', id);
  work.put('acceptedBreaks', {
    id,
    expected: figures?.expected ?? '',
    actual: figures?.actual ?? '',
    createdAt: known?.createdAt ?? work.now,
    updatedAt: work.now,
  });
};

/** When the break was closed with a correction for the last time; null when never. */
export const acceptedAt = (work: UnitOfWork, of: Named): string | null =>
  work.find('acceptedBreaks', breakIdOf(of))?.updatedAt ?? null;

/** True when these figures were accepted before. */
export const isAccepted = (work: UnitOfWork, { figures, ...of }: Named & { readonly figures: Shown }): boolean => {
  const known = work.find('acceptedBreaks', breakIdOf(of));
  return known?.expected === figures.expected && known.actual === figures.actual;
};

declare module '../../commit/reactions.ts' {
  interface Reactions {
    /** A correction has closed the break. */
    'break-closed': Named;
  }
}
