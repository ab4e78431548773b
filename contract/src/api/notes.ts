// Notes: what people write down about a record, for each other. A note never changes and is never deleted; no event contains it.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { NOTE_RESOURCES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Id, Page, Strict, Text, Timestamp } from './fields.ts';

const RESOURCE_ID = 'Its id. A break has none: use its kind and its subject with a colon between them.';

const ResourceType = Type.Enum(NOTE_RESOURCES, {
  description: 'The kind of record that the note is about.',
  examples: ['order'],
});

const ResourceId = Text(LIMITS.noteResourceLength, RESOURCE_ID, 'ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W');

/** The caller who wrote something, with its name at that time. */
export const Author = Type.Object({
  type: Type.String({
    description: 'What the author is: a key, the master key or an operator.',
    examples: ['operator'],
  }),
  id: Type.String({ description: 'Id of the key or of the operator.' }),
  name: Type.String({ description: 'Its name at that time.', examples: ['Ada Lovelace'] }),
});

export const Note = Type.Object({
  id: Id('note', 'Note id.'),
  resourceType: ResourceType,
  resourceId: Type.String({ description: RESOURCE_ID }),
  text: Type.String({ description: 'As it was written.' }),
  author: Author,
  createdAt: Timestamp('When it was written.'),
});

const common = { path: '/notes', tag: 'Notes', data: Note } as const;

export const createNote = endpoint({
  ...common,
  method: 'POST',
  access: 'write',
  summary: 'Add a note',
  description:
    `About a record of the marketplace; at most ${LIMITS.notes} for each record. The text stays as it is. It may contain personal data: ` +
    'the audit trail contains only its length and its SHA-256 hash, and no event contains it.',
  body: Strict({
    resourceType: ResourceType,
    resourceId: ResourceId,
    text: Text(LIMITS.noteLength, 'What is to be remembered.', 'The buyer called: the parcel has arrived.'),
  }),
  status: 201,
  wrapping: 'plain',
  errors: [
    'ORDER_NOT_FOUND',
    'DISPUTE_NOT_FOUND',
    'USER_NOT_FOUND',
    'WITHDRAWAL_NOT_FOUND',
    'TOPUP_NOT_FOUND',
    'BREAK_NOT_FOUND',
    'NOTE_LIMIT',
  ],
  idempotent: true,
});

export const listNotes = endpoint({
  ...common,
  method: 'GET',
  access: 'read',
  summary: 'List notes',
  description: 'Newest first: those about one record or one kind of record, or all of the marketplace.',
  query: Strict({ ...Page, resourceType: Type.Optional(ResourceType), resourceId: Type.Optional(ResourceId) }),
  status: 200,
  wrapping: 'list',
  errors: [],
});
