// Withdrawal routes: money out, through the payment provider or over the ledger.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { DESTINATION_TYPES, WITHDRAWAL_STATUSES } from '../states.ts';
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

const EXAMPLE_ADDRESS = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const IdParams = Strict({ id: Type.String({ maxLength: 64, description: 'Withdrawal id.' }) });
const UserId = (description: string) => Text(64, description, 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W');
const WithdrawalStatus = Type.Enum(WITHDRAWAL_STATUSES);
const DestinationType = Type.Enum(DESTINATION_TYPES, {
  description: 'bank and payment_account are paid through the payment provider, crypto over the ledger.',
});

const Destination = Strict(
  {
    type: DestinationType,
    ref: Type.Optional(Text(LIMITS.referenceLength, 'Your own label of it, such as the end of an account number.')),
    address: Type.Optional(Text(LIMITS.referenceLength, 'Of crypto: the address on the ledger.', EXAMPLE_ADDRESS)),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: LIMITS.emailLength,
        description: 'Of the others: whom the payment provider pays, where the user has linked no account.',
      }),
    ),
  },
  { examples: [{ type: 'bank', ref: 'ending in 1234', email: 'ada@example.com' }] },
);

export const Withdrawal = Type.Object({
  id: Id('withdrawal', "Withdrawal id; the payment provider's code for it too."),
  userId: Id('user', 'Whose money it is.'),
  amount: ShownAmount('What is paid out.'),
  currency: CurrencyCode,
  status: WithdrawalStatus,
  destination: Type.Object({
    type: DestinationType,
    ref: Nullable(Type.String()),
    address: Nullable(Type.String({ description: 'On the ledger.' })),
    email: Nullable(Type.String({ description: 'Whom the payment provider pays.' })),
  }),
  providerPayoutId: Nullable(Type.String({ description: "The payment provider's id; null until it has answered." })),
  transactionHash: Nullable(Type.String({ description: 'Of the payment on the ledger.' })),
  actionRequired: Nullable(Type.String({ description: 'What the user has to do before it is paid.' })),
  actionUrl: Nullable(Type.String({ description: 'Where.' })),
  failureReason: Nullable(Type.String({ description: 'Why it failed or was cancelled.' })),
  errorCode: Nullable(Type.String({ description: 'The code of whoever refused it.' })),
  canceledBy: Nullable(Type.String({ description: 'Who cancelled it.' })),
  committedAt: Nullable(Timestamp('When it was committed.')),
  completedAt: Nullable(Timestamp('When it was paid.')),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
});

const common = { tag: 'Withdrawals', wrapping: 'plain', data: Withdrawal, status: 200 } as const;
const reading = { ...common, method: 'GET', access: 'read' } as const;
const writing = { ...common, method: 'POST', access: 'write', idempotent: true } as const;

const LATER =
  'When an outside system does not answer in time: 504 `PROVIDER_TIMEOUT` with `details.withdrawalId`; it is carried on, and ' +
  'nothing goes back to the balance that may still be paid.';

export const createWithdrawal = endpoint({
  ...writing,
  path: '/withdrawals',
  summary: 'Create withdrawal',
  description: `Sets the amount aside; with \`commit\` it is paid out at once, else when it is committed. One that is not
committed goes back to the balance after a day. The answer does not wait for the payment: follow it by its events, or read
it again.

\`bank\` and \`payment_account\` pay the user's linked payment account, else \`destination.email\`, else the user's e-mail, in USD
or USDC; the account of a \`payment_account\` must be active at the payment provider. \`crypto\` pays \`destination.address\`, which
must exist on the ledger and trust the asset. A suspended user is 409 \`INVALID_STATE\`.`,
  body: Strict({
    userId: UserId('Whose money it is.'),
    amount: Amount,
    currency: CurrencyCode,
    destination: Destination,
    commit: Type.Optional(Type.Boolean({ default: false, description: 'Pay it out at once.' })),
  }),
  status: 201,
  errors: [
    'INVALID_AMOUNT',
    'USER_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'INVALID_STATE',
    'INSUFFICIENT_FUNDS',
    'WITHDRAWAL_DESTINATION_INVALID',
    'PROVIDER_TIMEOUT',
  ],
});

export const listWithdrawals = endpoint({
  ...reading,
  path: '/withdrawals',
  summary: 'List withdrawals',
  query: Strict({
    ...Page,
    ...CreatedBetween,
    userId: Type.Optional(UserId('Only withdrawals of this user.')),
    status: Type.Optional(WithdrawalStatus),
  }),
  wrapping: 'list',
  errors: [],
});

export const getWithdrawal = endpoint({
  ...reading,
  path: '/withdrawals/:id',
  summary: 'Get withdrawal',
  params: IdParams,
  errors: ['WITHDRAWAL_NOT_FOUND'],
});

export const commitWithdrawal = endpoint({
  ...writing,
  path: '/withdrawals/:id/commit',
  summary: 'Commit withdrawal',
  description: `Pays it out, once: in another state than WITHDRAWAL_CREATED it is 409 \`INVALID_STATE\`. When it is certainly
refused the money is back in the balance and the answer is 500 \`INTERNAL_ERROR\` with the reason. ${LATER}`,
  params: IdParams,
  errors: ['WITHDRAWAL_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const refreshWithdrawal = endpoint({
  ...writing,
  path: '/withdrawals/:id/refresh',
  summary: 'Refresh withdrawal',
  description: `Asks the payment provider, or the ledger, and takes what it says. One that is not committed, or is over, is
answered as it is. ${LATER}`,
  params: IdParams,
  errors: ['WITHDRAWAL_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});
