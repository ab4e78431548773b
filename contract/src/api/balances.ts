// Balance routes: what a user has, and the six ways to change it by hand.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Amount, CurrencyCode, Nullable, ShownAmount, Strict, Text, Timestamp, UserParams } from './fields.ts';

export const Balance = Type.Object({
  userId: Type.String(),
  available: ShownAmount('What the user can spend.'),
  reserved: ShownAmount('What is set aside for orders.'),
  total: ShownAmount('Available plus reserved.'),
  currency: CurrencyCode,
  updatedAt: Timestamp('When the balance last changed.'),
});

const OrderReference = Text(LIMITS.referenceLength, 'The order it is for; any reference of yours.', 'ord_1042');
const Reason = Text(LIMITS.reasonLength, 'Why; kept in the audit trail and the event.', 'customer request');

const ByHand = Strict({
  amount: Amount,
  currency: Type.Optional(CurrencyCode),
  reference: Type.Optional(Text(LIMITS.referenceLength, 'A label of yours; it does not make the call repeatable.')),
  description: Type.Optional(Text(LIMITS.descriptionLength, 'Shown in the statement.')),
});

const OfReserved = Strict({
  amount: Amount,
  currency: Type.Optional(CurrencyCode),
  orderId: Type.Optional(OrderReference),
  reason: Type.Optional(Reason),
});

const common = { tag: 'Balances', params: UserParams, status: 200, wrapping: 'plain', data: Balance } as const;
const change = { ...common, method: 'POST', access: 'write', idempotent: true } as const;

export const getBalance = endpoint({
  ...common,
  method: 'GET',
  access: 'read',
  path: '/users/:userId/balance',
  summary: 'Get balance',
  query: Strict({ currency: Type.Optional(CurrencyCode) }),
  errors: ['USER_NOT_FOUND'],
});

export const creditBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/credit',
  summary: 'Credit available',
  description: 'Adds to the available balance. Two credits without an Idempotency-Key are two credits.',
  body: ByHand,
  errors: ['INVALID_AMOUNT', 'USER_NOT_FOUND'],
});

export const debitBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/debit',
  summary: 'Debit available',
  description: 'Takes from the available balance; what is reserved is never touched.',
  body: ByHand,
  errors: ['INSUFFICIENT_FUNDS', 'INVALID_AMOUNT', 'USER_NOT_FOUND'],
});

export const reserveBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/reserve',
  summary: 'Reserve funds',
  description: 'Moves available to reserved, under the order given or under none.',
  body: OfReserved,
  errors: ['INSUFFICIENT_FUNDS', 'USER_NOT_FOUND'],
});

export const releaseBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/release',
  summary: 'Release reserved funds',
  description:
    'Moves reserved back to available. With an order, only what is reserved for it; without, first what is reserved ' +
    'without an order, then the oldest.',
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
  ...change,
  path: '/users/:userId/balance/deduct-reserved',
  summary: 'Deduct from reserved',
  description: 'Consumes reserved funds for good.',
  body: OfReserved,
  errors: ['INVALID_RESERVED_DEDUCTION', 'USER_NOT_FOUND'],
});

const OneCurrency = Strict({ currency: Type.Optional(CurrencyCode) });

const Exact = (description: string) =>
  Type.String({ description: `${description} Decimal string with seven places.`, examples: ['25.0000000'] });

export const syncBalance = endpoint({
  ...change,
  path: '/users/:userId/balance/sync',
  summary: 'Reconcile with provider',
  description:
    "Takes in deposits that are on the ledger already, then compares the user's address with the books and books what " +
    'still differs: a gain is credited, a loss is taken from the available balance and beyond it borne by the operator. ' +
    'While a transaction of the wallet stays on its way it is refused with `INVALID_STATE`. A wallet that is not active ' +
    'yet has nothing to compare.',
  query: OneCurrency,
  data: Type.Object({
    synced: Type.Boolean(),
    previousBalance: Balance,
    currentBalance: Balance,
    discrepancyDetected: Type.Boolean({ description: 'True when ledger and books differed.' }),
    adjustment: Nullable(Exact('What was added to this balance, negative when taken from it; null when nothing was.')),
  }),
  errors: ['USER_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const verifyBalance = endpoint({
  ...common,
  method: 'GET',
  access: 'read',
  path: '/users/:userId/balance/verify',
  summary: 'Audit against on-chain balance',
  description: "Compares the user's address on the ledger with the books, without changing anything.",
  query: OneCurrency,
  data: Type.Object({
    isValid: Type.Boolean({ description: 'True when the difference is zero.' }),
    offChainBalance: Balance,
    onChainBalance: Type.Object({
      address: Type.String({ description: "The user's custodial address; empty while there is none." }),
      balance: Exact('What the ledger shows there.'),
      asset: Type.String({ description: 'USDC or XLM.' }),
    }),
    heldInTreasury: Exact("What of the user's money is not at the user's own address."),
    difference: Exact('What the ledger shows at the address, less what the books have there.'),
  }),
  errors: ['USER_NOT_FOUND', 'VERIFICATION_FAILED'],
});
