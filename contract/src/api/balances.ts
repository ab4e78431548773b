// Balance routes: the balance of a user with its reservations, and the six ways to change it by hand.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import {
  Amount,
  CurrencyCode,
  Limit,
  Nullable,
  SHOWN,
  ShownAmount,
  Strict,
  Text,
  Timestamp,
  UserParams,
} from './fields.ts';

export const Balance = Type.Object({
  userId: Type.String(),
  available: ShownAmount('The amount that the user can spend.'),
  reserved: ShownAmount('The amount reserved for orders and withdrawals.'),
  total: ShownAmount('Available plus reserved.'),
  currency: CurrencyCode,
  updatedAt: Timestamp('When the balance last changed.'),
});

const OrderReference = Text(
  LIMITS.referenceLength,
  'The order of the reservation; any reference of yours.',
  'ord_1042',
);
const Reason = Text(LIMITS.reasonLength, 'Reason; kept in the audit trail and the event.', 'customer request');

const ByHand = Strict({
  amount: Amount,
  currency: Type.Optional(CurrencyCode),
  reference: Type.Optional(
    Text(LIMITS.referenceLength, 'Your label. It does not make the call idempotent; use Idempotency-Key for that.'),
  ),
  description: Type.Optional(Text(LIMITS.descriptionLength, 'Shown in the statement.')),
});

/** The account that a credit by hand is booked against. */
export const COUNTER_ACCOUNTS = ['adjustments', 'opening_balances'] as const;

const Credit = Strict(
  {
    ...ByHand.properties,
    counterAccount: Type.Optional(
      Type.Enum(COUNTER_ACCOUNTS, {
        default: 'adjustments',
        description:
          'The account that the money comes from. `opening_balances`: the user brings the balance from another system; the journal names ' +
          'the account `equity:opening-balances`. It needs a `reference`. A second one with the same user, currency and reference is 409 ' +
          '`OPENING_BALANCE_EXISTS`, whichever key sends it.',
      }),
    ),
  },
  {
    variants: [
      { only: { counterAccount: ['adjustments'] } },
      { only: { counterAccount: ['opening_balances'] }, needs: ['counterAccount', 'reference'] },
    ],
  },
);

const OfReserved = Strict({
  amount: Amount,
  currency: Type.Optional(CurrencyCode),
  orderId: Type.Optional(OrderReference),
  reason: Type.Optional(Reason),
});

const common = { tag: 'Balances', params: UserParams, status: 200, wrapping: 'plain', data: Balance } as const;
const change = { ...common, method: 'POST', access: 'write', idempotent: true } as const;
/** Makes money, or makes it disappear. */
const adjust = { ...change, moneyScope: 'treasury' } as const;

export const getBalance = endpoint({
  ...common,
  method: 'GET',
  access: 'read',
  path: '/users/:userId/balance',
  summary: 'Get balance',
  description:
    'What the user can spend (`available`) and what is set aside for orders (`reserved`). `currency` chooses another currency than the base currency.',
  query: Strict({ currency: Type.Optional(CurrencyCode) }),
  errors: ['USER_NOT_FOUND'],
});

export const creditBalance = endpoint({
  ...adjust,
  path: '/users/:userId/balance/credit',
  summary: 'Credit available',
  description: 'Adds to the available balance. Without an Idempotency-Key a repeated request credits twice.',
  body: Credit,
  errors: ['INVALID_AMOUNT', 'USER_NOT_FOUND', 'DAILY_LIMIT_EXCEEDED', 'OPENING_BALANCE_EXISTS'],
});

export const debitBalance = endpoint({
  ...adjust,
  path: '/users/:userId/balance/debit',
  summary: 'Debit available',
  description: 'Subtracts from the available balance. The reserved balance is never touched.',
  body: ByHand,
  errors: ['INSUFFICIENT_FUNDS', 'INVALID_AMOUNT', 'USER_NOT_FOUND'],
});

export const reserveBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/reserve',
  summary: 'Reserve funds',
  description: 'Moves money from available to reserved, for the given order or without an order.',
  body: OfReserved,
  errors: ['INSUFFICIENT_FUNDS', 'USER_NOT_FOUND'],
});

export const releaseBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/release',
  summary: 'Release reserved funds',
  description:
    'Moves money from reserved back to available. With an order, only the reservation of that order is released. ' +
    'Without one, reservations without an order are released first, then the oldest.',
  body: OfReserved,
  errors: ['RESERVATION_EXCEEDED', 'USER_NOT_FOUND'],
});

export const cancelReservation = endpoint({
  ...change,
  path: '/users/:userId/balance/cancel-reservation',
  summary: 'Cancel reservations of an order',
  description: 'Moves every active reservation of the order back to available, in each of its currencies.',
  body: Strict({ orderId: OrderReference, reason: Type.Optional(Reason) }),
  errors: ['RESERVATION_NOT_FOUND', 'USER_NOT_FOUND'],
});

export const deductReserved = endpoint({
  ...adjust,
  path: '/users/:userId/balance/deduct-reserved',
  summary: 'Deduct from reserved',
  description: 'Removes reserved funds permanently.',
  body: OfReserved,
  errors: ['INVALID_RESERVED_DEDUCTION', 'USER_NOT_FOUND'],
});

const OneCurrency = Strict({ currency: Type.Optional(CurrencyCode) });

const Exact = (description: string) =>
  Type.String({
    description: `${description} Decimal string with seven decimal places.`,
    examples: ['25.0000000'],
    ...SHOWN,
  });

export const syncBalance = endpoint({
  ...adjust,
  path: '/users/:userId/balance/sync',
  summary: 'Reconcile with the ledger',
  description:
    "Applies deposits that are already on the ledger, then compares the user's address with the books and books the " +
    'remaining difference. A gain is credited. A loss is taken from the available balance; the operator bears the rest. ' +
    'While a transaction of the wallet is pending the request is refused with `INVALID_STATE`. A wallet that is not ' +
    'active yet has nothing to compare.',
  query: OneCurrency,
  data: Type.Object({
    synced: Type.Boolean(),
    previousBalance: Balance,
    currentBalance: Balance,
    discrepancyDetected: Type.Boolean({ description: 'True when ledger and books differed.' }),
    adjustment: Nullable(
      Exact('The amount added to this balance; negative when money was taken, null when nothing changed.'),
    ),
  }),
  errors: ['USER_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const verifyBalance = endpoint({
  ...common,
  method: 'GET',
  access: 'read',
  path: '/users/:userId/balance/verify',
  summary: 'Verify against the ledger',
  description: "Compares the user's address on the ledger with the books, without changing anything.",
  query: OneCurrency,
  data: Type.Object({
    isValid: Type.Boolean({ description: 'True when the difference is zero.' }),
    offChainBalance: Balance,
    onChainBalance: Type.Object({
      address: Type.String({ description: "The user's custodial address; empty while there is none." }),
      balance: Exact('The balance of the address on the ledger.'),
      asset: Type.String({ description: 'USDC or XLM.' }),
    }),
    heldInTreasury: Exact("The part of the user's money that is not at the user's own address."),
    difference: Exact('The balance on the ledger minus the balance in the books.'),
  }),
  errors: ['USER_NOT_FOUND', 'VERIFICATION_FAILED'],
});

export const Reservation = Type.Object({
  orderId: Nullable(
    Type.String({
      description: 'The order, the withdrawal or your reference of the reservation; null when it was made without one.',
      examples: ['ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W'],
    }),
  ),
  amount: ShownAmount('Total amount ever reserved under this reference.'),
  remaining: ShownAmount('Amount still reserved.'),
  currency: CurrencyCode,
  createdAt: Timestamp('When the reservation last became active.'),
  updatedAt: Timestamp('When it last changed.'),
  active: Type.Boolean({ description: 'Whether any amount is still reserved.' }),
});

export const listReservations = endpoint({
  method: 'GET',
  path: '/users/:id/reservations',
  access: 'read',
  tag: 'Users',
  summary: 'List reservations',
  description: 'Current and past reservations. The active ones of a currency add up to the reserved balance.',
  params: Strict({ id: Type.String({ maxLength: 64, description: 'User id.' }) }),
  query: Strict({
    limit: Type.Optional(Limit),
    cursor: Type.Optional(Text(600, 'The nextCursor of the previous page.')),
    active: Type.Optional(Type.Boolean({ description: 'Only active reservations, or only used-up ones.' })),
    currency: Type.Optional(CurrencyCode),
  }),
  status: 200,
  wrapping: 'list',
  data: Reservation,
  errors: ['USER_NOT_FOUND'],
});
