// POST /users/{userId}/balance/deduct-reserved, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance, payloadOf, shown } from './balance-fixture.ts';

test('200 consumes part of an order for good, and later the rest', async (t) => {
  const { userId, done, held } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const part = await done('deduct-reserved', { amount: '1.50', orderId: 'o1' });
  assert.deepEqual(shown(part), { userId, available: '6.00', reserved: '2.50', total: '8.50', currency: 'USD' });
  assert.deepEqual(await held(), { o1: '250' });
  const rest = await done('deduct-reserved', { amount: '2.50', orderId: 'o1' });
  assert.deepEqual([rest.body.data.available, rest.body.data.reserved], ['6.00', '0.00']);
  assert.deepEqual(await held(), {});
});

test('200 without an order draws on what has no order first, then on the oldest', async (t) => {
  const { done, held, figures } = await openUserBalance(t, '20.00');
  await done('reserve', { amount: '2.00', orderId: 'older' });
  await done('reserve', { amount: '3.00', orderId: 'newer' });
  await done('reserve', { amount: '1.00' });
  await done('deduct-reserved', { amount: '2.00' });
  assert.deepEqual(await held(), { older: '100', newer: '300' });
  assert.deepEqual(await figures(), ['14.00', '4.00', '18.00']);
});

test('400 INVALID_RESERVED_DEDUCTION for more than the order holds, although the user has more reserved', async (t) => {
  const { done, refused } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  await done('reserve', { amount: '4.00', orderId: 'o2' });
  assert.deepEqual(await refused('deduct-reserved', { amount: '4.01', orderId: 'o1' }), {
    status: 400,
    code: 'INVALID_RESERVED_DEDUCTION',
    details: { requested: '4.01', reserved: '4.00', currency: 'USD', orderId: 'o1' },
  });
});

test('400 INVALID_RESERVED_DEDUCTION when nothing is reserved, although there is enough available', async (t) => {
  const { refused } = await openUserBalance(t, '10.00');
  assert.deepEqual(await refused('deduct-reserved', { amount: '1.00' }), {
    status: 400,
    code: 'INVALID_RESERVED_DEDUCTION',
    details: { requested: '1.00', reserved: '0.00', currency: 'USD' },
  });
});

test('a deduction is one event, one audit entry and one pair of postings, each exact', async (t) => {
  const { userId, actorId, done, changes } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const { answer, events, entries, postings } = await changes('deduct-reserved', { amount: '1.00', orderId: 'o1' });
  assert.deepEqual(
    events.map((event) => [event.eventType, payloadOf(event, { answer, userId })]),
    [
      [
        'balance.released',
        {
          userId,
          amount: '1.00',
          currency: 'USD',
          orderId: 'o1',
          reason: 'deduct_reserved',
          previousReservedBalance: '4.00',
          newReservedBalance: '3.00',
          previousAvailableBalance: '6.00',
          newAvailableBalance: '6.00',
        },
      ],
    ],
  );
  assert.deepEqual(entries, [
    {
      action: 'RESERVED_DEDUCTED',
      resource_type: 'Balance',
      resource_id: userId,
      payload_before: { currency: 'USD', available: '6.00', reserved: '4.00' },
      payload_after: {
        currency: 'USD',
        available: '6.00',
        reserved: '3.00',
        amount: '1.00',
        orderId: 'o1',
        reason: 'deduct_reserved',
      },
      actor_type: 'api_key',
      actor_id: actorId,
      result: 'SUCCESS',
      correlation_id: answer.headers.get('x-request-id'),
    },
  ]);
  const operator = 'operator:adjustments:USD';
  const reserved = `${userId}:reserved:USD`;
  const label = { move: 'deduct_reserved', reference: 'o1', description: null };
  assert.deepEqual(postings, [
    { account_id: operator, counter_account_id: reserved, cents: '100', ...label },
    { account_id: reserved, counter_account_id: operator, cents: '-100', ...label },
  ]);
});
