// Corrections: the ways out of states that no other route can leave. Each is decided on the facts of the outside systems and the books,
// shows the figures before and after, and needs a reason.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { CORRECTION_KINDS } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Amount, CurrencyCode, Id, Nullable, Page, ShownAmount, Strict, Text, Timestamp } from './fields.ts';

const Kind = Type.Enum(CORRECTION_KINDS, {
  description: 'What is corrected. The page of corrections describes each kind.',
  examples: ['credit-late-topup'],
});

const ResourceId = (description: string) => Text(300, description, 'top_01J9ZQ8H7K5M3N2P4R6S8T0V1W');

const Figures = (description: string) =>
  Type.Object({}, { additionalProperties: true, description, examples: [{ status: 'TOPUP_FAILED' }] });

export const Correction = Type.Object({
  id: Id('correction', 'Correction id.'),
  kind: Kind,
  resourceId: ResourceId('The record that was corrected.'),
  orderId: Nullable(Type.String({ description: 'The order that it concerns.' })),
  reason: Type.String({ description: 'The reason of the caller.', examples: ['The bank confirmed the payment.'] }),
  amount: Nullable(ShownAmount('What the correction moved; null when it moved no money.')),
  currency: Nullable(CurrencyCode),
  before: Figures('The state and the figures before the correction.'),
  after: Figures('The state and the figures after it.'),
  by: Type.Object(
    {
      type: Type.String({ description: 'A key, the master key or an operator.', examples: ['operator'] }),
      id: Type.String({ description: 'The id of the key or the operator.' }),
      name: Type.String({ description: 'Its name at that time.', examples: ['back office'] }),
    },
    { description: 'Who made the correction.' },
  ),
  createdAt: Timestamp('When it was made.'),
});

const common = { tag: 'Corrections', data: Correction } as const;

export const createCorrection = endpoint({
  ...common,
  method: 'POST',
  path: '/corrections',
  access: 'support',
  summary: 'Create a correction',
  description:
    'Brings a record out of a state that no other route can leave. The outside systems are asked first, and the books are changed only as ' +
    'far as their records prove it. A correction that does not fit is 409 `CORRECTION_REFUSED` with the facts in `details.facts` and the ' +
    'next step in the message. While a fact is unknown the answer is 504 `PROVIDER_TIMEOUT`, and nothing is changed. A preview asks the ' +
    'outside systems too, and changes nothing.',
  body: Strict({
    kind: Kind,
    resourceId: ResourceId('The record that is corrected.'),
    reason: Type.String({
      minLength: LIMITS.correctionReasonLengthLeast,
      maxLength: LIMITS.reasonLength,
      pattern: `\\S[\\s\\S]{${LIMITS.correctionReasonLengthLeast - 2},}\\S`,
      description: 'Why the correction is right. The audit trail keeps it.',
      examples: ['The bank confirmed the payment.'],
    }),
    amount: Type.Optional({
      ...Amount,
      description: 'Only for kinds that ask for an amount. A decimal string with at most two decimal places.',
    }),
  }),
  status: 201,
  wrapping: 'plain',
  errors: [
    'INVALID_AMOUNT',
    'ORDER_NOT_FOUND',
    'TOPUP_NOT_FOUND',
    'WITHDRAWAL_NOT_FOUND',
    'OPERATION_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'INVALID_STATE',
    'RESERVE_NOT_FOUND',
    'INSUFFICIENT_FUNDS',
    'CORRECTION_REFUSED',
    'PROVIDER_TIMEOUT',
  ],
  idempotent: true,
});

export const listCorrections = endpoint({
  ...common,
  method: 'GET',
  path: '/corrections',
  access: 'read',
  summary: 'List corrections',
  description: 'Newest first.',
  query: Strict({
    ...Page,
    kind: Type.Optional(Type.Enum(CORRECTION_KINDS, { description: 'Only corrections of this kind.' })),
    resourceId: Type.Optional(Text(128, 'Only corrections of this record.')),
  }),
  status: 200,
  wrapping: 'list',
  errors: [],
});

export const getCorrection = endpoint({
  ...common,
  method: 'GET',
  path: '/corrections/:id',
  access: 'read',
  summary: 'Get a correction',
  description: 'The correction with the figures before and after it.',
  params: Strict({ id: Type.String({ maxLength: 64, description: 'Correction id.' }) }),
  status: 200,
  wrapping: 'plain',
  errors: ['CORRECTION_NOT_FOUND'],
});
