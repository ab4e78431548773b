// POST /users/{userId}/balance/release, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance, payloadOf, shown } from './balance-fixture.ts';

test('200 moves part of an order back to available, and later the rest', async (t) => {
  const { userId, done, held } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const part = await done('release', { amount: '1.50', orderId: 'o1', reason: 'smaller order' });
  assert.deepEqual(shown(part), { userId, available: '7.50', reserved: '2.50', total: '10.00', currency: 'USD' });
  assert.deepEqual(await held(), { o1: '250' });
  const rest = await done('release', { amount: '2.50', orderId: 'o1' });
  assert.deepEqual([rest.body.data.available, rest.body.data.reserved], ['10.00', '0.00']);
  assert.deepEqual(await held(), {});
});

test('200 without an order draws on what has no order first, then on the oldest', async (t) => {
  const { done, held } = await openUserBalance(t, '20.00');
  await done('reserve', { amount: '2.00', orderId: 'older' });
  await done('reserve', { amount: '3.00', orderId: 'newer' });
  await done('reserve', { amount: '1.00' });
  await done('release', { amount: '0.40' });
  assert.deepEqual(await held(), { '': '60', older: '200', newer: '300' });
  await done('release', { amount: '1.60' });
  assert.deepEqual(await held(), { older: '100', newer: '300' });
  await done('release', { amount: '3.50' });
  assert.deepEqual(await held(), { newer: '50' });
});

test('an order that was emptied and filled again counts from the time it was filled again', async (t) => {
  const { done, held } = await openUserBalance(t, '20.00');
  await done('reserve', { amount: '1.00', orderId: 'first' });
  await done('release', { amount: '1.00', orderId: 'first' });
  await done('reserve', { amount: '1.00', orderId: 'second' });
  await done('reserve', { amount: '1.00', orderId: 'first' });
  await done('release', { amount: '1.00' });
  assert.deepEqual(await held(), { first: '100' });
});

test('400 RESERVATION_EXCEEDED for more than the order holds, although the user has more reserved', async (t) => {
  const { done, refused } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  await done('reserve', { amount: '4.00', orderId: 'o2' });
  await done('reserve', { amount: '1.00' });
  assert.deepEqual(await refused('release', { amount: '4.01', orderId: 'o1' }), {
    status: 400,
    code: 'RESERVATION_EXCEEDED',
    details: { requested: '4.01', reserved: '4.00', currency: 'USD', orderId: 'o1' },
  });
});

test('400 RESERVATION_EXCEEDED for more than is reserved at all, for an unknown order, and for another currency', async (t) => {
  const { done, refused } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const exceeded = (details: object) => ({ status: 400, code: 'RESERVATION_EXCEEDED', details });
  assert.deepEqual(
    await refused('release', { amount: '4.01' }),
    exceeded({ requested: '4.01', reserved: '4.00', currency: 'USD' }),
  );
  assert.deepEqual(
    await refused('release', { amount: '0.01', orderId: 'unknown' }),
    exceeded({ requested: '0.01', reserved: '0.00', currency: 'USD', orderId: 'unknown' }),
  );
  assert.deepEqual(
    await refused('release', { amount: '1.00', orderId: 'o1', currency: 'XLM' }),
    exceeded({ requested: '1.00', reserved: '0.00', currency: 'XLM', orderId: 'o1' }),
  );
});

test('a release is one event, one audit entry and one pair of postings, each exact', async (t) => {
  const { userId, actorId, done, changes } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const { answer, events, entries, postings } = await changes('release', {
    amount: '1.00',
    orderId: 'o1',
    reason: 'smaller order',
  });
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
          reason: 'smaller order',
          previousReservedBalance: '4.00',
          newReservedBalance: '3.00',
          previousAvailableBalance: '6.00',
          newAvailableBalance: '7.00',
        },
      ],
    ],
  );
  assert.deepEqual(entries, [
    {
      action: 'BALANCE_RELEASED',
      resource_type: 'Balance',
      resource_id: userId,
      payload_before: { currency: 'USD', available: '6.00', reserved: '4.00' },
      payload_after: {
        currency: 'USD',
        available: '7.00',
        reserved: '3.00',
        amount: '1.00',
        orderId: 'o1',
        reason: 'smaller order',
      },
      actor_type: 'api_key',
      actor_id: actorId,
      result: 'SUCCESS',
      correlation_id: answer.headers.get('x-request-id'),
    },
  ]);
  const available = `${userId}:available:USD`;
  const reserved = `${userId}:reserved:USD`;
  const label = { move: 'release', reference: 'o1', description: 'smaller order' };
  assert.deepEqual(postings, [
    { account_id: available, counter_account_id: reserved, cents: '100', ...label },
    { account_id: reserved, counter_account_id: available, cents: '-100', ...label },
  ]);
});

test('without a reason the event says release, and without an order orderId is null', async (t) => {
  const { done, changes } = await openUserBalance(t, '1.00');
  await done('reserve', { amount: '1' });
  const { events } = await changes('release', { amount: '1' });
  assert.deepEqual([events[0].payload.reason, events[0].payload.orderId], ['release', null]);
});
