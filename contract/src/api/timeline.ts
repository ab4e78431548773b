// The timeline of one order: everything that happened to it, from every book that is kept.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Strict, Timestamp } from './fields.ts';

export const TIMELINE_ENTRIES_MAX = 500;

/** Which book an entry is from. */
export const TIMELINE_KINDS = ['event', 'posting', 'ledger', 'operation', 'audit'] as const;

export type TimelineKind = (typeof TIMELINE_KINDS)[number];

export const TimelineEntry = Type.Object({
  at: Timestamp('When it happened.'),
  kind: Type.Enum(TIMELINE_KINDS, { description: 'Which book it is from.' }),
  title: Type.String({
    description: 'An event type, an audit action, or a sentence for people.',
    examples: ['order.created'],
  }),
  reference: Nullable(
    Type.String({
      description:
        'Id of the event, the operation or the audit entry, or the hash of the transaction; null for a posting.',
    }),
  ),
  details: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Of an event its payload; of a posting `move, from, to, amount, currency`; of the ledger `action, state, contract, ' +
        'signer`; of an operation `kind, state, attempts, problem`; of an audit entry `actorType, actorId, result`.',
      examples: [{ move: 'fund_escrow', from: 'reserved of the buyer', to: 'escrow of the order', amount: '25.00' }],
    },
  ),
});

export const Timeline = Type.Object({
  orderId: Id('order', 'The order.'),
  entries: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
  truncated: Type.Boolean({
    description: `Whether there are more than the ${TIMELINE_ENTRIES_MAX} oldest, which are shown.`,
  }),
});

export const getTimeline = endpoint({
  method: 'GET',
  path: '/orders/:id/timeline',
  access: 'read',
  tag: 'Orders',
  summary: 'Get timeline',
  description:
    'Everything that happened to the order: its events and those of its escrow, its disputes and the balances that it ' +
    'moved; its postings; its transactions on the ledger; what was carried out for it; its audit entries. Events are ' +
    'there for as long as events are kept.',
  params: Strict({ id: Type.String({ maxLength: 64, description: 'Order id.' }) }),
  status: 200,
  wrapping: 'success',
  data: Timeline,
  errors: ['ORDER_NOT_FOUND'],
});
