// Operations: the work with the outside systems on behalf of orders.

import Type from 'typebox';
import { OPERATION_KINDS, OPERATION_STATES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

const Kind = Type.Enum(OPERATION_KINDS, { description: 'Kind of the operation.' });
const State = Type.Enum(OPERATION_STATES);

export const OperationRecord = Type.Object({
  id: Id('operation', 'Operation id.'),
  kind: Kind,
  state: State,
  orderId: Id('order', 'The order of the operation.'),
  attempts: Type.Integer({
    description: 'How often the operation was retried because an outside system did not answer.',
  }),
  startedAt: Timestamp('When the operation was requested.'),
  nextAttemptAt: Nullable(Timestamp('Earliest time of the next automatic attempt; null once the operation has ended.')),
  lastProblem: Nullable(
    Type.String({ description: 'Why the last attempt was postponed, or why the operation failed.' }),
  ),
  endedAt: Nullable(Timestamp('When the operation ended; null while it is RUNNING.')),
});

export const listOperations = endpoint({
  method: 'GET',
  path: '/operations',
  access: 'read',
  tag: 'Operations',
  summary: 'List operations',
  description:
    'Current and past work with the outside systems on behalf of orders. A RUNNING operation with attempts waits for an ' +
    'outside system and is retried automatically.',
  query: Strict({
    ...Page,
    state: Type.Optional(State),
    kind: Type.Optional(Kind),
    orderId: Type.Optional(Text(64, 'Only operations for this order.')),
  }),
  status: 200,
  wrapping: 'list',
  data: OperationRecord,
  errors: [],
});
