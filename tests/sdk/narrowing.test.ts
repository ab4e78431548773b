// The types say what the server does: a code narrows its details, an event its payload. Most of this file is checked by
// the compiler; a line below `@ts-expect-error` that compiles would fail the build.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EVENT_TYPES,
  type EventPayloads,
  type Holdfast,
  HoldfastError,
  type HoldfastEvent,
  type Order,
} from '@holdfast/sdk';

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof HoldfastError)) return 'another error';
  if (error.code === 'INSUFFICIENT_FUNDS') {
    const { requested, available, currency }: { requested: string; available: string; currency: string } =
      error.details;
    return `${requested} of ${available} ${currency}`;
  }
  if (error.code === 'VALIDATION_ERROR') return error.details.validationErrors.map((each) => each.trim()).join();
  if (error.code === 'RATE_LIMITED') return (error.details.limit + error.details.retryAfter).toFixed(0);
  if (error.code === 'TIMED_OUT') return error.details.timeoutMs.toFixed(0);
  // @ts-expect-error: no such code
  if (error.code === 'OUT_OF_MONEY') return 'never';
  // @ts-expect-error: of another code
  return String(error.details.validationErrors.length);
};

const amountOf = (event: HoldfastEvent): string => {
  // @ts-expect-error: not every event is about an amount
  const any: string = event.payload.amount;
  if (event.eventType === 'order.released') return event.payload.newSellerBalance;
  if (event.aggregateType === 'Dispute') return event.payload.disputeId;
  return any;
};

/** Never called: these have to be refused by the compiler. */
const refusedByTheCompiler = (client: Holdfast, order: Order): unknown[] => [
  // @ts-expect-error: an amount is a text
  client.balances.credit(order.buyerId, { amount: 5 }),
  // @ts-expect-error: a refund needs a reason
  client.orders.refund(order.id),
  // @ts-expect-error: no such type of event
  client.events({ types: ['order.exploded'] }),
  // @ts-expect-error: no such state
  order.status === 'LOST',
];

const LEDGER = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

/** Fields that depend on another field: the first of each kind compiles, and the wrong combinations below it do not. */
const combinations = ({ balances, disputes, sandbox, users, withdrawals }: Holdfast, id: string): unknown[] => {
  const pays = { userId: id, amount: '20.00', currency: 'USDC' } as const;
  return [
    withdrawals.create({ ...pays, destination: { type: 'crypto', address: LEDGER, memo: '12', memoType: 'id' } }),
    withdrawals.create({ ...pays, destination: { type: 'bank', email: 'ada@example.com' } }),
    // @ts-expect-error: crypto is paid to an address
    withdrawals.create({ ...pays, destination: { type: 'crypto' } }),
    // @ts-expect-error: an e-mail belongs to the payment provider
    withdrawals.create({ ...pays, destination: { type: 'crypto', address: LEDGER, email: 'ada@example.com' } }),
    // @ts-expect-error: an address belongs to crypto
    withdrawals.create({ ...pays, destination: { type: 'bank', address: LEDGER } }),
    // @ts-expect-error: a memo needs its type
    withdrawals.create({ ...pays, destination: { type: 'crypto', address: LEDGER, memo: '12' } }),

    disputes.resolve(id, { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' }),
    disputes.resolve(id, { decision: 'FULL_REFUND', note: 'never sent' }),
    // @ts-expect-error: a split needs both parts
    disputes.resolve(id, { decision: 'SPLIT', releaseAmount: '60.00' }),
    // @ts-expect-error: all of it has no parts
    disputes.resolve(id, { decision: 'FULL_RELEASE', releaseAmount: '60.00', refundAmount: '40.00' }),

    balances.credit(id, { amount: '5.00', counterAccount: 'opening_balances', reference: 'old-system-7' }),
    // @ts-expect-error: an opening balance needs its reference
    balances.credit(id, { amount: '5.00', counterAccount: 'opening_balances' }),

    users.linkPaymentAccount(id, { email: 'ada@example.com' }),
    // @ts-expect-error: one of the two fields is needed
    users.linkPaymentAccount(id, {}),

    sandbox.sendEscrowEvent({ orderId: id, type: 'escrow.milestone_completed', milestoneRef: 'draft' }),
    // @ts-expect-error: which milestone
    sandbox.sendEscrowEvent({ orderId: id, type: 'escrow.milestone_completed' }),

    // @ts-expect-error: no such goal
    withdrawals.waitFor(id, { until: 'funded' }),
  ];
};

// Nothing calls these two: the compiler checks them.
void combinations;
// The compiler would otherwise refuse the function itself, because no test calls it.
void refusedByTheCompiler;

test('a code narrows its details', () => {
  const facts = { status: 422, requestId: null, message: 'Too little.' };
  const details = { requested: '5.00', available: '1.00', currency: 'USD' };
  assert.equal(sentenceOf(new HoldfastError({ ...facts, code: 'INSUFFICIENT_FUNDS', details })), '5.00 of 1.00 USD');
  assert.equal(sentenceOf(new Error('other')), 'another error');
});

test('a class that extends the error is only what was made of it', () => {
  class Declined extends HoldfastError {}
  const facts = { code: 'UNAUTHORIZED', message: 'No.', status: 401, details: {}, requestId: null } as const;
  const errors = [new HoldfastError(facts), new Declined(facts)];
  assert.deepEqual(
    errors.map((error) => [error instanceof HoldfastError, error instanceof Declined]),
    [
      [true, false],
      [true, true],
    ],
  );
});

test('a type of event narrows its payload, and the list of types is there at run time', () => {
  const payload: EventPayloads['order.released'] = {
    orderId: 'ord_1',
    sellerId: 'usr_1',
    amount: '9.00',
    currency: 'USD',
    releasedAt: '2026-11-15T09:30:00Z',
    newSellerBalance: '9.00',
  };
  const released = { eventType: 'order.released', payload } as HoldfastEvent;
  assert.equal(amountOf(released), '9.00');
  assert.ok(EVENT_TYPES.includes('order.released'));
});

test('an error is written to logs with everything but its stack and no key of the API', () => {
  const error = new HoldfastError({
    code: 'UNAUTHORIZED',
    message: 'No.',
    status: 401,
    details: {},
    requestId: 'req_1',
  });
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(error))).sort(), [
    ...['code', 'details', 'idempotencyKey', 'message', 'name', 'outcomeUnknown', 'requestId', 'status'],
  ]);
});
