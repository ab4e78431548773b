// The timeline of one order: everything that happened to it, from all records.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Strict, Timestamp } from './fields.ts';

export const TIMELINE_ENTRIES_MAX = 500;

/** The source of an entry. */
const TIMELINE_KINDS = ['event', 'posting', 'ledger', 'operation', 'note', 'evidence', 'message', 'audit'] as const;

export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export const TimelineEntry = Type.Object({
  at: Timestamp('When the entry happened.'),
  kind: Type.Enum(TIMELINE_KINDS, { description: 'Source of the entry.' }),
  title: Type.String({
    description: 'An event type, an audit action, or a sentence for people.',
    examples: ['order.created'],
  }),
  reference: Nullable(
    Type.String({
      description:
        'Id of the event, the operation, the note, the evidence, the message or the audit entry, or the hash of the transaction; null for a posting.',
    }),
  ),
  details: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'For an event: its payload. For a posting: `move, from, to, amount, currency`. For the ledger: `action, state, ' +
        'contract, signer`. For an operation: `kind, state, attempts, problem`. For a note: `resourceType, ' +
        'resourceId, author, text`. For evidence: the record without its content. For a message: `disputeId, from, author, text`. For audit: ' +
        '`actorType, actorId, result`, and `actorName` where an operator or an API key acted.',
      examples: [{ move: 'fund_escrow', from: 'reserved of the buyer', to: 'escrow of the order', amount: '25.00' }],
    },
  ),
});

export const Timeline = Type.Object({
  orderId: Id('order', 'The order.'),
  entries: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
  truncated: Type.Boolean({
    description: `Whether only the oldest ${TIMELINE_ENTRIES_MAX} entries are shown.`,
  }),
  archives: Type.Array(Type.String({ examples: ['2026-01'] }), {
    description:
      'Archived months in which older rows of this order are and whose files the server cannot read; those rows are not among the entries. ' +
      'Put the files back into ARCHIVE_DIR.',
  }),
});

export const getTimeline = endpoint({
  method: 'GET',
  path: '/orders/:id/timeline',
  access: 'read',
  tag: 'Orders',
  summary: 'Get timeline',
  description:
    'Everything that happened to the order: events of the order, its escrow, its disputes, its corrections and the balances that it moved; ' +
    'postings; transactions on the ledger; operations; notes about the order and its disputes; evidence and messages of its disputes; audit entries. Events are included until ' +
    'their retention time ends.',
  params: Strict({ id: Type.String({ maxLength: 64, description: 'Order id.' }) }),
  status: 200,
  wrapping: 'success',
  data: Timeline,
  errors: ['ORDER_NOT_FOUND'],
});
