// Adds a note to a record. The audit entry contains the length and the hash of the text, because the text may contain personal data.

import { hash } from 'node:crypto';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command, type Need, type UnitOfWork } from '../../commit/command.ts';
import { countIdOf, type Note } from './note.ts';

type AddNoteInput = Pick<Note, 'resourceType' | 'resourceId' | 'text' | 'author'>;

const countOf = (input: AddNoteInput): Need => ({ table: 'noteCounts', id: countIdOf(input) });

const NEEDS: Readonly<Record<Note['resourceType'], (id: string) => Need[]>> = {
  order: (id) => [{ table: 'orders', id }],
  dispute: (id) => [{ table: 'disputes', id }],
  user: (id) => [{ table: 'users', id }],
  withdrawal: (id) => [{ table: 'withdrawals', id }],
  topup: (id) => [{ table: 'topups', id }],
  // The route has found the break, and breaks are never deleted.
  break: () => [],
};

/** The user whom the record concerns, if it is one user's. Refuses when the record does not exist. */
const userOf = (work: UnitOfWork, { resourceType, resourceId }: AddNoteInput): string | undefined => {
  switch (resourceType) {
    case 'order':
      return work.get('orders', resourceId).buyerId;
    case 'dispute':
      work.get('disputes', resourceId);
      return undefined;
    case 'user':
      return work.get('users', resourceId).id;
    case 'withdrawal':
      return work.get('withdrawals', resourceId).userId;
    case 'topup':
      return work.get('topups', resourceId).userId;
    case 'break':
      return undefined;
  }
};

export const addNote = command<AddNoteInput, Note>({
  name: 'add-note',
  needs: (input) => ({ rows: [...NEEDS[input.resourceType](input.resourceId), countOf(input)] }),
  decide(input, work) {
    const userId = userOf(work, input);
    const { resourceType, resourceId, text, author } = input;
    const id = countIdOf(input);
    const { notes } = work.find('noteCounts', id) ?? { notes: 0 };
    const limit = LIMITS.notes;
    if (notes >= limit) throw new DomainError('NOTE_LIMIT', { details: { limit } });
    work.put('noteCounts', { id, notes: notes + 1, updatedAt: work.now });
    const note: Note = { id: work.newId('note'), resourceType, resourceId, text, author, createdAt: work.now };
    work.put('notes', note);
    work.audit({
      action: 'NOTE_ADDED',
      resourceType: 'Note',
      resourceId: note.id,
      ...(userId === undefined ? {} : { userId }),
      after: { resourceType, resourceId, textLength: text.length, textSha256: hash('sha256', text, 'hex') },
    });
    return note;
  },
});
