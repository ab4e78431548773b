// Routes of notes.

import * as api from '@holdfast/contract/api/notes.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import type { Caller } from '../../http/caller.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, write } from '../../http/route.ts';
import { addNote } from './add-note.ts';
import type { Author, Note } from './note.ts';
import type { NoteReads } from './queries.ts';

const presentNote = ({ id, resourceType, resourceId, text, author, createdAt }: Note) => ({
  id,
  resourceType,
  resourceId,
  text,
  author,
  createdAt,
});

export const authorOf = (caller: Caller, { actor: { type, id } }: Context): Author => ({
  type,
  id,
  name: caller.keyName,
});

export const noteRoutes = ({ notes }: { readonly notes: NoteReads }): Route[] => [
  write(api.createNote, {
    command: addNote,
    async input({ body: { resourceType, resourceId, text }, caller, context }) {
      if (resourceType === 'break' && !(await notes.hasBreak(context.marketplaceId, resourceId))) {
        throw new DomainError('BREAK_NOT_FOUND');
      }
      return { resourceType, resourceId, text, author: authorOf(caller, context) };
    },
    present: presentNote,
  }),
  list(api.listNotes, async ({ query, context }) => {
    const page = await notes.list(pageRequest('note', { query, context }));
    return { items: page.rows.map(presentNote), nextCursor: page.nextCursor };
  }),
];
