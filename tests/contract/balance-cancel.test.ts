// POST /users/{userId}/balance/cancel-reservation, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance, payloadOf, shown } from './balance-fixture.ts';

test('200 gives back what the order still holds, and nothing of other orders', async (t) => {
  const { userId, done, held } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  await done('reserve', { amount: '1.00', orderId: 'o1' });
  await done('reserve', { amount: '2.00', orderId: 'o2' });
  await done('reserve', { amount: '0.50' });
  await done('deduct-reserved', { amount: '1.50', orderId: 'o1' });
  const answer = await done('cancel-reservation', { orderId: 'o1' });
  assert.deepEqual(shown(answer), { userId, available: '6.00', reserved: '2.50', total: '8.50', currency: 'USD' });
  assert.deepEqual(await held(), { '': '50', o2: '200' });
});

test('200 without a reason: event, audit entry and statement name the move', async (t) => {
  const { done, changes } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const { events, entries, postings } = await changes('cancel-reservation', { orderId: 'o1' });
  assert.deepEqual(
    [events[0]!.payload.reason, entries[0]!.payload_after.reason, ...postings.map(({ description }) => description)],
    ['cancel_reservation', 'cancel_reservation', 'cancel_reservation', 'cancel_reservation'],
  );
});

test('200 gives back in every currency of the order, with an event and an audit entry for each', async (t) => {
  const { userId, actorId, done, changes, held, figures } = await openUserBalance(t, '10.00');
  await done('credit', { amount: '5.00', currency: 'XLM' });
  await done('reserve', { amount: '2.00', orderId: 'o1', currency: 'XLM' });
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const { answer, events, entries, postings } = await changes('cancel-reservation', {
    orderId: 'o1',
    reason: 'no stock',
  });
  assert.equal(shown(answer).currency, 'USD');
  assert.deepEqual(
    events.map((event) => [event.eventType, payloadOf(event, { answer, userId })]),
    [
      ['4.00', 'USD', '4.00', '6.00', '10.00'],
      ['2.00', 'XLM', '2.00', '3.00', '5.00'],
    ].map(([amount, currency, previousReservedBalance, previousAvailableBalance, newAvailableBalance]) => [
      'balance.released',
      {
        userId,
        amount,
        currency,
        orderId: 'o1',
        reason: 'no stock',
        previousReservedBalance,
        newReservedBalance: '0.00',
        previousAvailableBalance,
        newAvailableBalance,
      },
    ]),
  );
  assert.deepEqual(entries[1], {
    action: 'RESERVATION_CANCELED',
    resource_type: 'Balance',
    resource_id: userId,
    payload_before: { currency: 'XLM', available: '3.00', reserved: '2.00' },
    payload_after: {
      currency: 'XLM',
      available: '5.00',
      reserved: '0.00',
      amount: '2.00',
      orderId: 'o1',
      reason: 'no stock',
    },
    actor_type: 'api_key',
    actor_id: actorId,
    result: 'SUCCESS',
    correlation_id: answer.headers.get('x-request-id'),
  });
  assert.deepEqual([entries.length, postings.length], [2, 4]);
  assert.ok(postings.every((row) => row.move === 'cancel_reservation' && row.reference === 'o1'));
  assert.deepEqual([await held('USD'), await held('XLM')], [{}, {}]);
  assert.deepEqual([await figures('USD'), await figures('XLM')].flat(), [
    '10.00',
    '0.00',
    '10.00',
    '5.00',
    '0.00',
    '5.00',
  ]);
});

test('200 shows the currency of the order when none of it is in the base currency', async (t) => {
  const { done } = await openUserBalance(t, '10.00');
  await done('credit', { amount: '5.00', currency: 'XLM' });
  await done('reserve', { amount: '2.00', orderId: 'o1', currency: 'XLM' });
  const answer = await done('cancel-reservation', { orderId: 'o1' });
  assert.deepEqual([answer.body.data.currency, answer.body.data.available], ['XLM', '5.00']);
});

test('404 RESERVATION_NOT_FOUND for an unknown order, one already empty, and one of another user', async (t) => {
  const { app, done, refused } = await openUserBalance(t, '10.00');
  const other = await app.aUser({ available: '5.00' });
  await app.call(`POST /users/${other}/balance/reserve`, { body: { amount: '1.00', orderId: 'theirs' } });
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  await done('cancel-reservation', { orderId: 'o1' });
  for (const orderId of ['unknown', 'o1', 'theirs']) {
    assert.deepEqual(await refused('cancel-reservation', { orderId }), {
      status: 404,
      code: 'RESERVATION_NOT_FOUND',
      details: { orderId },
    });
  }
});

test('400 VALIDATION_ERROR without an order, with an empty one, and with fields of other routes', async (t) => {
  const { refused } = await openUserBalance(t, '10.00');
  const cases: [object, string[]][] = [
    [{}, ['orderId is required']],
    [{ orderId: '' }, ['orderId must not be empty']],
    [{ orderId: null }, ['orderId must be a string']],
    [
      { orderId: 'o1', amount: '1.00', currency: 'USD' },
      ['amount is not a known field', 'currency is not a known field'],
    ],
  ];
  for (const [body, validationErrors] of cases) {
    assert.deepEqual(await refused('cancel-reservation', body), {
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { validationErrors },
    });
  }
});
