// Approvals: rules of a marketplace that make some requests wait for another actor, and the requests that wait.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { ROLES } from '../scopes.ts';
import { APPROVAL_ACTIONS, APPROVAL_STATUSES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import {
  Amount,
  CreatedBetween,
  CurrencyCode,
  Id,
  Nullable,
  Page,
  ShownAmount,
  Strict,
  Text,
  Timestamp,
} from './fields.ts';

const Action = Type.Enum(APPROVAL_ACTIONS, {
  description: 'What the request does. The parts of an order count as the order.',
  examples: ['order.release'],
});

export const ApprovalRule = Strict({
  action: Action,
  amountFrom: Type.Optional({
    ...Amount,
    description: 'The rule binds requests of at least this amount. Without it, every request of the action.',
    examples: ['1000.00'],
  }),
  currency: Type.Optional({ ...CurrencyCode, description: 'Only amounts in this currency. Without it, in every one.' }),
  role: Type.Optional(
    Type.Enum(ROLES, {
      description: 'Only requests of operators with this role. Without it, of every caller, the master key too.',
      examples: ['support'],
    }),
  ),
});

const Actor = Type.Object({
  type: Type.String({ description: 'What acted: a key, the master key, an operator, a user.', examples: ['api_key'] }),
  id: Type.String({ description: 'The id of the key, the operator or the user.' }),
  name: Type.String({ description: 'Its name at that time.', examples: ['back office'] }),
});

const Asked = Type.Object(
  {
    method: Type.String({ examples: ['POST'] }),
    path: Type.String({ examples: ['/orders/ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W/resolution/release'] }),
    body: Type.Unknown({ description: 'The body, as it was checked.' }),
  },
  { description: 'The request that waits.' },
);

const Failure = Type.Object(
  { code: Type.String(), message: Type.String(), details: Type.Unknown() },
  { description: 'Why it was not carried out. Nothing moved.' },
);

export const Approval = Type.Object({
  id: Id('approval', 'Approval id.'),
  status: Type.Enum(APPROVAL_STATUSES, {
    description:
      '`APPROVING`: approved, and an outside system has not answered yet. `APPROVED`: carried out, see `result`. `FAILED`: approved, ' +
      'but the state no longer fitted, see `error`.',
  }),
  action: Action,
  amount: Nullable(ShownAmount('What the request would pay, when it was made.')),
  currency: Nullable(CurrencyCode),
  orderId: Nullable(Type.String({ description: 'The order that it concerns.' })),
  userId: Nullable(Type.String({ description: 'The user whose balance or withdrawal it concerns.' })),
  requestedBy: Actor,
  createdAt: Timestamp('When it was requested.'),
  expiresAt: Timestamp('When it expires unless it is decided. In sandbox mode the clock of the simulators counts.'),
  request: Asked,
  decidedBy: Nullable(Actor),
  decidedAt: Nullable(Timestamp('When it was approved, rejected, canceled or has expired.')),
  reason: Nullable(Type.String({ description: 'The reason of the rejection.' })),
  result: Type.Unknown({ description: 'The record that the request would have answered; null unless APPROVED.' }),
  error: Nullable(Failure),
});

/** `data` of the answer 202 to a request that waits for approval. */
export const WaitingForApproval = Type.Object(
  {
    approval: Approval,
    key: Type.Optional(
      Type.String({
        description:
          'Only of a new or rotated API key: its text, which works once the request is approved. It is shown only here.',
      }),
    ),
    inviteUrl: Type.Optional(
      Type.String({
        description:
          'Only of an invitation: its link, which works once the request is approved. It is shown only here.',
      }),
    ),
  },
  { description: 'A rule of the marketplace makes the request wait for the approval of another actor.' },
);

const common = { tag: 'Approvals', status: 200 } as const;

export const setApprovalRules = endpoint({
  ...common,
  method: 'PUT',
  path: '/approval-rules',
  access: '*',
  summary: 'Set the approval rules',
  description:
    'Replaces all rules of the marketplace. A request that a rule binds is checked as always and then answered with 202 and an approval; ' +
    `another actor carries it out. At most ${LIMITS.approvalRules} rules; an empty list ends approvals. A rule for \`approval-rules\` binds this route too.`,
  body: Type.Array(ApprovalRule, { maxItems: LIMITS.approvalRules, description: 'The rules.' }),
  wrapping: 'success',
  data: Type.Array(ApprovalRule),
  errors: [],
  idempotent: true,
});

export const listApprovalRules = endpoint({
  ...common,
  method: 'GET',
  path: '/approval-rules',
  access: 'read',
  summary: 'List the approval rules',
  description: 'All rules of the marketplace, on one page.',
  wrapping: 'list',
  data: ApprovalRule,
  errors: [],
});

export const listApprovals = endpoint({
  ...common,
  method: 'GET',
  path: '/approvals',
  access: 'read',
  summary: 'List approvals',
  description: 'Newest first. Decided ones are deleted after APPROVAL_RETENTION_DAYS.',
  query: Strict({
    ...Page,
    ...CreatedBetween,
    status: Type.Optional(Type.Enum(APPROVAL_STATUSES, { description: 'Only approvals with this status.' })),
    action: Type.Optional(Type.Enum(APPROVAL_ACTIONS, { description: 'Only approvals of this action.' })),
    requestedBy: Type.Optional(Text(64, 'Only requests of the key, operator or user with this id.')),
  }),
  wrapping: 'list',
  data: Approval,
  errors: [],
});

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Approval id.' }) });

export const getApproval = endpoint({
  ...common,
  method: 'GET',
  path: '/approvals/:id',
  access: 'read',
  summary: 'Get an approval',
  description: 'The request that waits or was decided, with its requester and its decision.',
  params,
  wrapping: 'plain',
  data: Approval,
  errors: ['APPROVAL_NOT_FOUND'],
});

const deciding = { ...common, method: 'POST', access: 'any', params, wrapping: 'plain', data: Approval } as const;

export const approveApproval = endpoint({
  ...deciding,
  path: '/approvals/:id/approve',
  summary: 'Approve a request',
  description:
    'Needs the scope of the request itself, and another actor than the requester. Carries the request out once, against the state at ' +
    'this time. A request that no longer fits becomes FAILED, and nothing moves. While an outside system has not answered, the status is APPROVING.',
  errors: ['APPROVAL_NOT_FOUND', 'APPROVAL_SELF', 'INVALID_STATE'],
});

export const rejectApproval = endpoint({
  ...deciding,
  path: '/approvals/:id/reject',
  summary: 'Reject a request',
  description: 'Needs the scope of the request itself, and another actor than the requester. Nothing moves.',
  body: Strict({
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.reasonLength,
        pattern: '\\S',
        description: 'Reason; the requester sees it.',
        examples: ['the parcel has not arrived'],
      }),
    ),
  }),
  bodyOptional: true,
  errors: ['APPROVAL_NOT_FOUND', 'APPROVAL_SELF', 'INVALID_STATE'],
});

export const cancelApproval = endpoint({
  ...deciding,
  path: '/approvals/:id/cancel',
  summary: 'Cancel a request',
  description: 'Only for the requester, while the request is PENDING. Nothing moves.',
  errors: ['APPROVAL_NOT_FOUND', 'INVALID_STATE'],
});
