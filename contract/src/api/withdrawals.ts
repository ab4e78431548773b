// Withdrawal routes: money out, through the payment provider or over the ledger.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { DESTINATION_TYPES, MEMO_TYPES, WITHDRAWAL_STATUSES } from '../states.ts';
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
  description: 'The payment provider pays bank and payment_account; crypto is paid over the ledger.',
});

const MemoType = Type.Enum(MEMO_TYPES, {
  description: 'text: at most 28 bytes. id: a whole number below 2^64. hash and return: 64 hexadecimal digits.',
});

const Destination = Strict(
  {
    type: DestinationType,
    ref: Type.Optional(
      Text(
        LIMITS.referenceLength,
        'Your label, such as the end of an account number. For crypto without address: the address.',
      ),
    ),
    address: Type.Optional(
      Text(LIMITS.referenceLength, 'For crypto: the address on the ledger, G… or muxed M….', EXAMPLE_ADDRESS),
    ),
    memo: Type.Optional(
      Text(LIMITS.memoLength, 'For crypto: the memo of the payment. Exchanges assign deposits by it.', '1234567'),
    ),
    memoType: Type.Optional(MemoType),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: LIMITS.emailLength,
        description:
          'For bank and payment_account: the e-mail of the receiver. It must belong to the linked account when the user has one.',
      }),
    ),
  },
  {
    examples: [{ type: 'bank', ref: 'ending in 1234', email: 'ada@example.com' }],
    variants: [
      { only: { type: ['bank', 'payment_account'] }, without: ['address', 'memo', 'memoType'] },
      { only: { type: ['crypto'] }, needs: ['address'], without: ['email', 'memo', 'memoType'] },
      { only: { type: ['crypto'] }, needs: ['address', 'memo', 'memoType'], without: ['email'] },
    ],
  },
);

export const Withdrawal = Type.Object({
  id: Id('withdrawal', 'Withdrawal id, which is also the code at the payment provider.'),
  userId: Id('user', 'The user whose balance pays.'),
  amount: ShownAmount('The amount paid out.'),
  currency: CurrencyCode,
  status: WithdrawalStatus,
  destination: Type.Object({
    type: DestinationType,
    ref: Nullable(Type.String()),
    address: Nullable(Type.String({ description: 'Address on the ledger.' })),
    memo: Type.Optional(Type.String({ description: 'Memo of the payment on the ledger, if there is one.' })),
    memoType: Type.Optional(MemoType),
    email: Nullable(Type.String({ description: 'E-mail of the receiver at the payment provider.' })),
  }),
  providerPayoutId: Nullable(Type.String({ description: "The payment provider's id; null until it has answered." })),
  transactionHash: Nullable(Type.String({ description: 'Hash of the payment on the ledger.' })),
  actionRequired: Nullable(Type.String({ description: 'What the user has to do before the payout.' })),
  actionUrl: Nullable(Type.String({ description: 'URL where the user does it.' })),
  failureReason: Nullable(Type.String({ description: 'Why the withdrawal failed or was cancelled.' })),
  errorCode: Nullable(Type.String({ description: 'The error code of the payment provider or the ledger.' })),
  canceledBy: Nullable(Type.String({ description: 'Who cancelled the withdrawal.' })),
  committedAt: Nullable(Timestamp('When the withdrawal was committed.')),
  completedAt: Nullable(Timestamp('When the withdrawal was paid.')),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
});

const common = { tag: 'Withdrawals', wrapping: 'plain', data: Withdrawal, status: 200 } as const;
const reading = { ...common, method: 'GET', access: 'read' } as const;
const writing = { ...common, method: 'POST', access: 'write', idempotent: true } as const;
/** Takes money out. */
const paying = { ...writing, moneyScope: 'payout' } as const;

const LATER =
  'When an outside system does not answer in time: 504 `PROVIDER_TIMEOUT` with `details.withdrawalId`. The operation ' +
  'continues, and money that may still be paid is not returned to the balance.';

export const createWithdrawal = endpoint({
  ...paying,
  path: '/withdrawals',
  summary: 'Create withdrawal',
  description: `Reserves the amount. With \`commit\` it is paid out at once, else when it is committed. An amount that is not
committed returns to the balance after a day. The answer does not wait for the payment: follow the events of the withdrawal, or
read it again.

\`bank\` and \`payment_account\` pay \`destination.email\`, else the user's linked payment account, else the user's e-mail, in USD
or USDC. An e-mail of another account than the linked one is refused. The payment provider pays the account of that e-mail, and its
owner pays out to a bank there: \`ref\` is a label, not an account number. The account must be active; a \`bank\` payout to an e-mail
without an account waits at the provider until there is one. \`crypto\` pays \`destination.address\`, or
\`destination.ref\` without one. The account must exist on the ledger, trust the asset and be authorised for it, and a memo must be given
where the account demands one (SEP-29): else 422 \`WITHDRAWAL_DESTINATION_INVALID\`. It is checked now and again before the payment: a
withdrawal that can no longer be received fails and its money returns. While the ledger is unreachable the withdrawal is accepted and
checked before the payment only. \`memo\` needs \`memoType\`; a muxed address (M…) takes no memo. A suspended user is 409
\`INVALID_STATE\`.`,
  body: Strict({
    userId: UserId('The user whose balance pays.'),
    amount: Amount,
    currency: CurrencyCode,
    destination: Destination,
    commit: Type.Optional(Type.Boolean({ default: false, description: 'Pays the withdrawal out at once.' })),
  }),
  status: 201,
  errors: [
    'INVALID_AMOUNT',
    'USER_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'INVALID_STATE',
    'INSUFFICIENT_FUNDS',
    'DAILY_LIMIT_EXCEEDED',
    'WITHDRAWAL_DESTINATION_INVALID',
    'PROVIDER_TIMEOUT',
  ],
});

export const listWithdrawals = endpoint({
  ...reading,
  path: '/withdrawals',
  summary: 'List withdrawals',
  description: 'Newest first.',
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
  description: 'The withdrawal with its status, its destination and, when it failed, the reason.',
  params: IdParams,
  errors: ['WITHDRAWAL_NOT_FOUND'],
});

export const commitWithdrawal = endpoint({
  ...paying,
  path: '/withdrawals/:id/commit',
  summary: 'Commit withdrawal',
  description: `Pays the withdrawal out once. In another state than WITHDRAWAL_CREATED the answer is 409 \`INVALID_STATE\`. When
the payout is refused the money is back in the balance and the answer is 500 \`INTERNAL_ERROR\` with the reason. ${LATER}`,
  params: IdParams,
  errors: ['WITHDRAWAL_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const refreshWithdrawal = endpoint({
  ...writing,
  path: '/withdrawals/:id/refresh',
  summary: 'Refresh withdrawal',
  description: `Checks with the payment provider or the ledger and applies the result. A withdrawal that is not committed, or has
ended, is returned unchanged. ${LATER}`,
  params: IdParams,
  errors: ['WITHDRAWAL_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});
