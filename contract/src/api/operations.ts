// Operations: the work with the outside systems on behalf of orders. Alerts: conditions that a person has to look at.

import Type from 'typebox';
import { OPERATION_KINDS, OPERATION_STATES, SYSTEM_ALERT_KINDS, SYSTEM_ALERT_STATUSES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { CreatedBetween, Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';

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
    ...CreatedBetween,
    state: Type.Optional(State),
    kind: Type.Optional(Kind),
    orderId: Type.Optional(Text(64, 'Only operations for this order.')),
  }),
  status: 200,
  wrapping: 'list',
  data: OperationRecord,
  errors: [],
});

export const getOperation = endpoint({
  method: 'GET',
  path: '/operations/:id',
  access: 'read',
  tag: 'Operations',
  summary: 'Get an operation',
  description: 'One operation, with the reason why it was postponed or has failed.',
  params: Strict({ id: Text(64, 'Operation id.') }),
  status: 200,
  wrapping: 'success',
  data: OperationRecord,
  errors: ['OPERATION_NOT_FOUND'],
});

const AlertKind = Type.Enum(SYSTEM_ALERT_KINDS, {
  description:
    'The condition: an open break, a treasury with too little money, an operation or a withdrawal that does not end, a webhook endpoint ' +
    'that was disabled because it failed, a proof that does not hold, or a backup that is too old.',
});
const AlertStatus = Type.Enum(SYSTEM_ALERT_STATUSES, { description: 'CLOSED once the condition has ended.' });

export const SystemAlert = Type.Object({
  id: Id('alert', 'Alert id.'),
  kind: AlertKind,
  status: AlertStatus,
  subject: Type.String({
    description:
      'What it is about: the kind and the subject of the break, the asset of the treasury, the order of the operation, the withdrawal, ' +
      'the webhook endpoint, the marketplace of the proof, or `backup`.',
  }),
  message: Type.String({ description: 'What has happened and what to do next, in a sentence.' }),
  since: Timestamp('When the condition began, as far as it is known.'),
  openedAt: Timestamp('When the alert was opened.'),
  closedAt: Nullable(Timestamp('When the condition had ended.')),
});

export const listAlerts = endpoint({
  method: 'GET',
  path: '/alerts',
  access: 'read',
  tag: 'Operations',
  summary: 'List alerts',
  description:
    'Conditions that a person has to look at, newest first. A job compares them with the service once a minute and opens or closes them; ' +
    'a condition that comes back is a new alert. Each is announced when it opens and when it closes, as an event `system.*`, and by ' +
    'e-mail where it is set. Conditions of the whole service belong to the marketplace `mkt_default`.',
  query: Strict({ ...Page, status: Type.Optional(AlertStatus), kind: Type.Optional(AlertKind) }),
  status: 200,
  wrapping: 'list',
  data: SystemAlert,
  errors: [],
});
