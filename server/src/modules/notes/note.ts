// A note about a record, and the count of the notes of each record. A note never changes.

import type { NoteResource } from '@holdfast/contract/states.ts';
import { table } from '../../commit/tables.ts';

/** The caller who wrote it, with its name at that time. */
export type Author = { readonly type: string; readonly id: string; readonly name: string };

export type Note = {
  readonly id: string;
  readonly resourceType: NoteResource;
  /** Of a break: its kind and its subject with a colon between them. */
  readonly resourceId: string;
  readonly text: string;
  readonly author: Author;
  readonly createdAt: string;
};

type NoteCount = {
  /** The type and the id of the record. */
  readonly id: string;
  readonly notes: number;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    notes: Note;
    noteCounts: NoteCount;
  }
  interface Lookups {
    notes: Record<never, string>;
    noteCounts: Record<never, string>;
  }
}

export const NOTES = table('notes', {
  notFound: 'INTERNAL_ERROR',
  sql: 'notes',
  columns: ['id', 'resourceType', 'resourceId', 'text', 'author', 'createdAt'],
  lookups: {},
});

export const NOTE_COUNTS = table('noteCounts', {
  notFound: 'INTERNAL_ERROR',
  sql: 'note_counts',
  columns: ['id', 'notes', 'updatedAt'],
  lookups: {},
});

export const countIdOf = ({ resourceType, resourceId }: Pick<Note, 'resourceType' | 'resourceId'>): string =>
  `${resourceType}:${resourceId}`;
