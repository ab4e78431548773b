// Top-up routes: money in through the payment provider.

import Type from 'typebox';
import type { Currency } from '../currencies.ts';
import { LIMITS } from '../limits.ts';
import { TOPUP_STATUSES } from '../states.ts';
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

/** The payment provider counts in dollars, so it can pay only currencies that are worth one dollar. */
export const PAYABLE_CURRENCIES = ['USD', 'USDC'] as const;

export const isPayable = (currency: Currency): boolean => PAYABLE_CURRENCIES.some((payable) => payable === currency);

const URL_LENGTH_MAX = 2_000;

const IdParams = Strict({ id: Type.String({ maxLength: 64, description: 'Top-up id.' }) });
const UserId = (description: string) => Text(64, description, 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W');
const TopUpStatus = Type.Enum(TOPUP_STATUSES);

const WebAddress = (description: string, example: string) =>
  Type.String({
    format: 'uri',
    maxLength: URL_LENGTH_MAX,
    description: `${description} http or https.`,
    examples: [example],
  });

export const TopUp = Type.Object({
  id: Id('topup', 'Top-up id, which is also the code at the payment provider.'),
  userId: Id('user', 'The user whose balance is credited.'),
  amount: ShownAmount('The amount credited on success.'),
  currency: CurrencyCode,
  status: TopUpStatus,
  description: Nullable(Type.String()),
  providerPayinId: Nullable(Type.String({ description: "The payment provider's id; null until it has answered." })),
  confirmationUri: Nullable(Type.String({ description: 'Send the payer to this URL to pay.' })),
  returnUrl: Nullable(Type.String()),
  cancelUrl: Nullable(Type.String()),
  failureReason: Nullable(Type.String({ description: 'Why the top-up failed or was cancelled.' })),
  errorCode: Nullable(Type.String({ description: "The payment provider's code of the failure." })),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
});

const common = { tag: 'Top-ups', wrapping: 'plain', data: TopUp, status: 200 } as const;
const reading = { ...common, method: 'GET', access: 'read' } as const;
const writing = { ...common, method: 'POST', access: 'write', idempotent: true } as const;

const LATER =
  'When the payment provider does not answer in time: 504 `PROVIDER_TIMEOUT` with `details.topupId`. ' +
  'The service keeps checking the outcome.';

export const createTopup = endpoint({
  ...writing,
  path: '/topups',
  summary: 'Create top-up',
  description: `Requests a payment from the payment provider and returns the URL where the payer confirms it. The balance is
credited once, when the provider reports the payment. A suspended user is 409 \`INVALID_STATE\`. ${LATER}`,
  body: Strict({
    userId: UserId('The user whose balance is credited.'),
    amount: Amount,
    currency: Type.Optional(
      Type.Enum(PAYABLE_CURRENCIES, { description: 'Currency of the balance; the base currency when left out.' }),
    ),
    description: Type.Optional(
      Text(LIMITS.descriptionLength, 'Text shown to the payer; the first 250 characters are used.'),
    ),
    returnUrl: Type.Optional(WebAddress('The payer is sent here after paying.', 'https://shop.example/paid')),
    cancelUrl: Type.Optional(
      WebAddress('The payer is sent here when the payment fails or is cancelled.', 'https://shop.example/not-paid'),
    ),
  }),
  status: 201,
  errors: ['INVALID_AMOUNT', 'USER_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const listTopups = endpoint({
  ...reading,
  path: '/topups',
  summary: 'List top-ups',
  description: 'Newest first.',
  query: Strict({
    ...Page,
    ...CreatedBetween,
    userId: Type.Optional(UserId('Only top-ups of this user.')),
    status: Type.Optional(TopUpStatus),
  }),
  wrapping: 'list',
  errors: [],
});

export const getTopup = endpoint({
  ...reading,
  path: '/topups/:id',
  summary: 'Get top-up',
  description: 'The top-up with its status at the payment provider.',
  params: IdParams,
  errors: ['TOPUP_NOT_FOUND'],
});

export const refreshTopup = endpoint({
  ...writing,
  path: '/topups/:id/refresh',
  summary: 'Refresh top-up',
  description: `Checks with the payment provider and applies the result. An ended top-up is returned unchanged. ${LATER}`,
  params: IdParams,
  errors: ['TOPUP_NOT_FOUND', 'PROVIDER_TIMEOUT'],
});

export const cancelTopup = endpoint({
  ...writing,
  path: '/topups/:id/cancel',
  summary: 'Cancel top-up',
  description: `Possible while the top-up awaits the payer's confirmation. The payment provider cancels it first. In another state: 409
\`INVALID_STATE\`. ${LATER}`,
  params: IdParams,
  body: Strict({ reason: Type.Optional(Text(LIMITS.reasonLength, 'Reason; part of the event.', 'ordered twice')) }),
  bodyOptional: true,
  errors: ['TOPUP_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const followTopup = endpoint({
  ...reading,
  access: 'public',
  path: '/topups/:id/callback',
  summary: 'Payer return callback',
  description: `The payment provider sends the payer's browser here. Refreshes the top-up, then redirects (302) to
\`returnUrl\` when it is paid or being processed and to \`cancelUrl\` when it failed or was cancelled, with \`topupId\` and
\`status\` in the query. Without such a URL, or while the top-up is pending, the answer is 200 with a small page that shows the status.
Parameters that the provider adds to the URL are ignored.`,
  params: IdParams,
  ignoresQuery: true,
  wrapping: 'raw',
  data: Type.String(),
  errors: ['TOPUP_NOT_FOUND'],
});
