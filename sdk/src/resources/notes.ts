// Notes about records: add them and list them.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { CreateNoteInput, ListNotesQuery, Note } from '../printed/notes.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const noteResource = (transport: Transport) => ({
  /** Adds a note to a record. A note never changes. */
  create: <O extends CallOptions>(input: CreateNoteInput, options?: O): Promise<MaybePreview<Note, O>> =>
    transport.change<Note, O>(ROUTES.createNote, { body: input }, options),

  /** Newest first: those about one record, or all of the marketplace. */
  list: (query: ListNotesQuery = {}, options?: CallOptions): List<Note> =>
    listing(transport, ROUTES.listNotes, { query, options }),
});
