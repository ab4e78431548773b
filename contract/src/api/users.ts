// User routes.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { USER_STATUSES, USER_TYPES } from '../states.ts';
import { Balance } from './balances.ts';
import { endpoint } from './endpoint.ts';
import { CreatedBetween, Id, Metadata, Name, Nullable, Page, Strict, Text, Timestamp, UserMetadata } from './fields.ts';

const IdParams = Strict({ id: Type.String({ maxLength: 64, description: 'User id.' }) });

const Email = Type.String({
  format: 'email',
  maxLength: LIMITS.emailLength,
  description: 'E-mail address.',
  examples: ['ada@example.com'],
});

const ExternalUserId = Text(
  LIMITS.externalIdLength,
  'Your id of the user; unique within the marketplace.',
  'customer-17',
);

const UserName = Name('Name of the user, as people read it; documents show it.', 'Ada Lovelace');

const UserType = Type.Enum(USER_TYPES);
const UserStatus = Type.Enum(USER_STATUSES);

export const User = Type.Object({
  id: Id('user', 'User id.'),
  externalUserId: Type.String(),
  email: Nullable(Type.String({ description: 'E-mail address; null when there is none.' })),
  name: Nullable(Type.String({ description: 'Name of the user; null when there is none.' })),
  type: UserType,
  status: UserStatus,
  paymentAccountUserId: Nullable(Type.String()),
  paymentAccountLinkedAt: Nullable(Timestamp('When the payment account was linked.')),
  paymentAccountActiveFrom: Type.Optional(
    Timestamp('When payouts may use the account that replaced another one. Absent when there is no waiting time.'),
  ),
  ledgerAddress: Nullable(Type.String({ description: 'Address of the primary wallet on the ledger network.' })),
  ledgerLinkedAt: Nullable(Timestamp('When the wallet was linked.')),
  balance: Balance,
  metadata: Metadata,
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
});

const PROFILE_FIELDS = ['email', 'name', 'type', 'metadata'] as const;

export const CreatedUser = Type.Object({
  ...User.properties,
  differs: Type.Optional(
    Type.Array(Type.Enum(PROFILE_FIELDS), {
      description:
        'Only with 200: the fields of the request whose value is not that of the existing user, which was not changed. ' +
        'Absent when nothing differs.',
    }),
  ),
});

const common = { tag: 'Users', wrapping: 'plain', data: User } as const;

export const createUser = endpoint({
  ...common,
  method: 'POST',
  path: '/users',
  access: 'write',
  summary: 'Create user',
  description:
    'A repeated externalUserId returns the existing user with 200 and changes nothing. `differs` then names the fields that were ' +
    'sent with another value than the existing one; PATCH /users/{id} changes them.',
  data: CreatedUser,
  body: Strict({
    externalUserId: ExternalUserId,
    email: Type.Optional(Email),
    name: Type.Optional(UserName),
    type: Type.Optional(Type.Enum(USER_TYPES, { default: 'BOTH', description: 'Information only.' })),
    metadata: Type.Optional(UserMetadata),
  }),
  status: 201,
  otherStatus: 200,
  errors: [],
  idempotent: true,
});

/** Limits of a search, so that its work is bounded. */
export const USER_SEARCH = { prefixed: 1_000 } as const;

export const listUsers = endpoint({
  ...common,
  method: 'GET',
  path: '/users',
  access: 'read',
  summary: 'List users',
  description:
    '`q` finds a user by the id, and by the beginning of the externalUserId or, in any case, of the e-mail address or of ' +
    `the name: the first ${USER_SEARCH.prefixed} of each.`,
  query: Strict({
    ...Page,
    ...CreatedBetween,
    q: Type.Optional(Text(LIMITS.emailLength, 'Search text.', 'ada@')),
    status: Type.Optional(UserStatus),
    type: Type.Optional(UserType),
    externalUserId: Type.Optional(ExternalUserId),
    email: Type.Optional(Email),
  }),
  status: 200,
  wrapping: 'list',
  errors: [],
});

export const getUser = endpoint({
  ...common,
  method: 'GET',
  path: '/users/:id',
  access: 'read',
  summary: 'Get user',
  description: 'The user with the balance in the base currency.',
  params: IdParams,
  status: 200,
  errors: ['USER_NOT_FOUND'],
});

export const updateUser = endpoint({
  ...common,
  method: 'PATCH',
  path: '/users/:id',
  access: 'write',
  summary: 'Update user',
  description:
    'Changes only the fields that are sent. `null` clears the e-mail address or the name. `metadata` replaces the stored metadata as ' +
    'a whole: to change one key, send all keys. A request that changes nothing gives the same answer and emits no event; every ' +
    'other one emits `user.updated` with the names of the changed fields. The linked payment account stays as it is.',
  params: IdParams,
  body: Strict({
    email: Type.Optional(Nullable(Email)),
    name: Type.Optional(Nullable(UserName)),
    type: Type.Optional(Type.Enum(USER_TYPES, { description: 'Information only.' })),
    metadata: Type.Optional(UserMetadata),
  }),
  status: 200,
  errors: ['USER_NOT_FOUND'],
  idempotent: true,
});

export const linkPaymentAccount = endpoint({
  ...common,
  method: 'POST',
  path: '/users/:id/payment-account/link',
  access: 'write',
  summary: 'Link payment-provider account',
  description: `Send one of the two fields, or both when they belong to the same account. The payment provider is asked: an account that
it does not know or that is not active, and an id with the e-mail of another account, are 422 \`PAYMENT_ACCOUNT_INVALID\`; while it does
not answer, the request is 503 and nothing has changed. Linking the same account again gives the same answer. Another account replaces
the first one: \`user.payment_account_changed\` names both, and payouts use the new one after \`PAYEE_CHANGE_WAIT\`.`,
  params: IdParams,
  body: Strict(
    {
      email: Type.Optional(Email),
      paymentAccountUserId: Type.Optional(Text(LIMITS.externalIdLength, "Provider's id.")),
    },
    {
      examples: [{ email: 'ada@example.com' }],
      variants: [{ needs: ['email'] }, { needs: ['paymentAccountUserId'] }],
    },
  ),
  status: 200,
  errors: ['USER_NOT_FOUND', 'PAYMENT_ACCOUNT_INVALID'],
  idempotent: true,
});

const StatusChange = Strict({ reason: Type.Optional(Text(LIMITS.reasonLength, 'Reason; kept in the audit trail.')) });

export const suspendUser = endpoint({
  ...common,
  method: 'POST',
  path: '/users/:id/suspend',
  access: 'support',
  summary: 'Suspend user',
  description: 'A suspended user keeps the balance, but cannot start or receive new orders, top-ups or withdrawals.',
  params: IdParams,
  body: StatusChange,
  bodyOptional: true,
  status: 200,
  errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});

export const reactivateUser = endpoint({
  ...common,
  method: 'POST',
  path: '/users/:id/reactivate',
  access: 'support',
  summary: 'Reactivate user',
  description: 'Ends the suspension: the user can start and receive orders, top-ups and withdrawals again.',
  params: IdParams,
  body: StatusChange,
  bodyOptional: true,
  status: 200,
  errors: ['USER_NOT_FOUND', 'INVALID_STATE'],
  idempotent: true,
});
