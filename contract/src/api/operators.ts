// Operators: named people who work with a marketplace, or with all of them, and their sessions. The link of an invitation is shown once,
// in the answer that makes it.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { ROLES, SCOPES } from '../scopes.ts';
import { endpoint } from './endpoint.ts';
import { Id, Name, Nullable, Page, Strict, Timestamp } from './fields.ts';

const OPERATOR_STATUSES = ['INVITED', 'ACTIVE', 'DISABLED'] as const;

export type OperatorStatus = (typeof OPERATOR_STATUSES)[number];

export const SESSION_METHODS = ['password', 'passkey', 'single-sign-on', 'invitation'] as const;

const Role = Type.Enum(ROLES, {
  description:
    '`viewer` reads; `support` also writes, but moves no money by hand, and decides disputes; `finance` also credits, debits and ' +
    'pays out; `admin` may do everything in the marketplace.',
  examples: ['support'],
});

export const Email = Type.String({
  minLength: 3,
  maxLength: LIMITS.emailLength,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'E-mail address; unique among all operators of the server, in any case of its letters.',
  examples: ['ada@shop.example'],
});

const record = {
  id: Id('operator', 'Id of the operator.'),
  email: Nullable(
    Type.String({
      description:
        'E-mail address, for the sign-in. Null for callers who may not do everything in the marketplace, except about themselves.',
    }),
  ),
  name: Type.String({ description: 'Name, as the audit trail shows it.' }),
  role: Role,
  scopes: Type.Array(Type.Enum(SCOPES), { description: 'What the role permits; `*` means all.' }),
  marketplaceId: Type.String({ description: 'The marketplace of the operator.' }),
  everywhere: Type.Boolean({ description: 'Whether the operator may work in every marketplace, by X-Marketplace-Id.' }),
  status: Type.Enum(OPERATOR_STATUSES, {
    description: 'INVITED: the invitation was not accepted yet. Only an ACTIVE operator can sign in.',
  }),
  hasPassword: Type.Boolean({ description: 'Whether the operator can sign in with a password.' }),
  hasTotp: Type.Boolean({ description: 'Whether an app that shows codes is registered as second factor.' }),
  passkeys: Type.Integer({ description: 'How many passkeys are registered.' }),
  hasSingleSignOn: Type.Boolean({ description: 'Whether the operator has signed in through the single sign-on.' }),
  inviteExpiresAt: Nullable(Timestamp('When the open invitation expires; null when there is none.')),
  createdAt: Timestamp('When the operator was created.'),
  updatedAt: Timestamp('When the operator was last changed.'),
};

export const Operator = Type.Object(record);

export const InvitedOperator = Type.Object({
  ...record,
  email: Type.String({ description: 'E-mail address, for the sign-in.' }),
  inviteUrl: Type.String({
    description:
      'The link of the invitation. It is shown only once and works once, for seven days: send it to the person.',
  }),
});

export const OperatorSession = Type.Object({
  id: Id('operatorSession', 'Id of the session. It is not secret.'),
  operatorId: Id('operator', 'The operator of the session.'),
  method: Type.Enum(SESSION_METHODS, { description: 'How the operator signed in.' }),
  address: Type.String({ description: 'Network address of the sign-in.' }),
  userAgent: Type.String({ description: 'Browser of the sign-in, as it describes itself.' }),
  createdAt: Timestamp('When the operator signed in.'),
  lastUsedAt: Timestamp('When the session was last used, accurate to a few seconds.'),
  expiresAt: Timestamp('When the session ends at the latest. It ends earlier when it is not used.'),
  isOwn: Type.Boolean({ description: 'Whether this request was made with the session.' }),
});

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Id of the operator.' }) });

const common = { tag: 'Operators', wrapping: 'plain', data: Operator } as const;

const OperatorName = Name('Name of the person, as the audit trail shows it.', 'Ada Lovelace');

export const createOperator = endpoint({
  ...common,
  method: 'POST',
  path: '/operators',
  access: 'admin',
  summary: 'Invite an operator',
  description:
    'The answer is the only place that shows the link of the invitation. Only the master key may make an operator of all marketplaces ' +
    '(`everywhere`); such an operator belongs to `mkt_default`.',
  body: Strict({
    email: Email,
    name: OperatorName,
    role: Role,
    everywhere: Type.Optional(
      Type.Boolean({ description: 'Whether the operator may work in every marketplace. Only with the master key.' }),
    ),
  }),
  status: 201,
  data: InvitedOperator,
  errors: ['OPERATOR_EXISTS', 'OPERATOR_LIMIT'],
  idempotent: true,
  secretAnswer: true,
});

export const listOperators = endpoint({
  ...common,
  method: 'GET',
  path: '/operators',
  access: 'read',
  summary: 'List operators',
  description: 'Newest first. Operators of all marketplaces are in the list of `mkt_default`.',
  query: Strict({ ...Page, status: Type.Optional(Type.Enum(OPERATOR_STATUSES)), role: Type.Optional(Role) }),
  status: 200,
  wrapping: 'list',
  errors: [],
});

export const getOperator = endpoint({
  ...common,
  method: 'GET',
  path: '/operators/:id',
  access: 'read',
  summary: 'Get an operator',
  description: 'The operator with role and status.',
  params,
  status: 200,
  errors: ['OPERATOR_NOT_FOUND'],
});

const ENDS = 'All sessions of the operator end at once, in every process.';

export const updateOperator = endpoint({
  ...common,
  method: 'PATCH',
  path: '/operators/:id',
  access: 'admin',
  summary: 'Change an operator',
  description:
    `Changes name and role, and disables or enables. A new role takes effect at once. When it is disabled: ${ENDS} Operators ` +
    'cannot change themselves, and the last active administrator of a marketplace can be demoted or disabled only with the master key.',
  params,
  body: Strict(
    {
      name: Type.Optional(OperatorName),
      role: Type.Optional(Role),
      disabled: Type.Optional(Type.Boolean({ description: 'Whether the operator is kept from signing in.' })),
    },
    { minProperties: 1 },
  ),
  status: 200,
  errors: ['OPERATOR_NOT_FOUND', 'OPERATOR_SELF', 'LAST_ADMIN'],
});

export const deleteOperator = endpoint({
  ...common,
  method: 'DELETE',
  path: '/operators/:id',
  access: 'admin',
  summary: 'Delete an operator',
  description: `${ENDS} The e-mail address can be used again. The audit trail keeps the name.`,
  params,
  status: 200,
  errors: ['OPERATOR_NOT_FOUND', 'OPERATOR_SELF', 'LAST_ADMIN'],
});

export const inviteOperator = endpoint({
  ...common,
  method: 'POST',
  path: '/operators/:id/invite',
  access: 'admin',
  summary: 'Create a new invitation',
  description:
    `Also the way to reset a lost password or second factor: both are removed, and the person sets new ones. ${ENDS} An earlier ` +
    'link no longer works.',
  params,
  status: 201,
  data: InvitedOperator,
  errors: ['OPERATOR_NOT_FOUND', 'OPERATOR_SELF', 'LAST_ADMIN', 'INVALID_STATE'],
  idempotent: true,
  secretAnswer: true,
});

const SESSIONS =
  'Allowed for the operator itself, for administrators and for the master key; of an operator of all marketplaces not for administrators of one.';

export const listOperatorSessions = endpoint({
  ...common,
  method: 'GET',
  path: '/operators/:id/sessions',
  access: 'any',
  summary: 'List the sessions of an operator',
  description: `${SESSIONS} Sessions that have not ended, newest first.`,
  params,
  query: Strict({ ...Page }),
  status: 200,
  wrapping: 'list',
  data: OperatorSession,
  errors: ['OPERATOR_NOT_FOUND', 'INSUFFICIENT_SCOPE'],
});

export const revokeOperatorSession = endpoint({
  ...common,
  method: 'DELETE',
  path: '/operators/:id/sessions/:sessionId',
  access: 'any',
  summary: 'End a session of an operator',
  description: `${SESSIONS} The session ends at once, in every process.`,
  params: Strict({
    id: Type.String({ maxLength: 64, description: 'Id of the operator.' }),
    sessionId: Type.String({ maxLength: 64, description: 'Id of the session.' }),
  }),
  status: 200,
  data: OperatorSession,
  errors: ['OPERATOR_SESSION_NOT_FOUND', 'INSUFFICIENT_SCOPE'],
});
