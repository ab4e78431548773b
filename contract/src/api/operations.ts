// Operations: what is carried out with the outside systems on behalf of orders.

import Type from 'typebox';
import { OPERATION_KINDS, OPERATION_STATES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

const Kind = Type.Enum(OPERATION_KINDS, { description: 'What is being done.' });
const State = Type.Enum(OPERATION_STATES);

export const OperationRecord = Type.Object({
  id: Id('operation', 'Operation id.'),
  kind: Kind,
  state: State,
  orderId: Id('order', 'The order it is for.'),
  attempts: Type.Integer({ description: 'How often it was put off because an outside system did not answer.' }),
  startedAt: Timestamp('When it was asked for.'),
  nextAttemptAt: Nullable(Timestamp('Not tried again by itself before this; null once it has ended.')),
  lastProblem: Nullable(Type.String({ description: 'Why it was put off last, or why it failed.' })),
  endedAt: Nullable(Timestamp('When it ended; null while it is RUNNING.')),
});

export const listOperations = endpoint({
  method: 'GET',
  path: '/operations',
  access: 'read',
  tag: 'Operations',
  summary: 'List operations',
  description:
    'What is, or was, carried out with the outside systems on behalf of orders. A RUNNING one with attempts waits for an ' +
    'outside system and is tried again by itself.',
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
