// POST /users/{userId}/balance/reserve, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance, payloadOf, shown } from './balance-fixture.ts';

test('200 moves available to reserved and leaves the total as it was', async (t) => {
  const { userId, done, held } = await openUserBalance(t, '10.00');
  const answer = await done('reserve', { amount: '4.00', orderId: 'o1', reason: 'checkout' });
  assert.deepEqual(shown(answer), { userId, available: '6.00', reserved: '4.00', total: '10.00', currency: 'USD' });
  assert.deepEqual(await held(), { o1: '400' });
});

test('200 without an order, and again for the same order: each keeps its own sum', async (t) => {
  const { done, held, figures } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '1.00' });
  await done('reserve', { amount: '2.00', orderId: 'o1' });
  await done('reserve', { amount: '3.00', orderId: 'o2' });
  await done('reserve', { amount: '0.50', orderId: 'o1' });
  await done('reserve', { amount: '0.25' });
  assert.deepEqual(await held(), { '': '125', o1: '250', o2: '300' });
  assert.deepEqual(await figures(), ['3.25', '6.75', '10.00']);
});

test('200 for one order in several currencies keeps them apart', async (t) => {
  const { done, held, figures } = await openUserBalance(t, '10.00');
  await done('credit', { amount: '10.00', currency: 'XLM' });
  await done('reserve', { amount: '1.00', orderId: 'o1' });
  await done('reserve', { amount: '2.00', orderId: 'o1', currency: 'XLM' });
  assert.deepEqual([await held('USD'), await held('XLM')], [{ o1: '100' }, { o1: '200' }]);
  assert.deepEqual([await figures('USD'), await figures('XLM')].flat(), [
    '9.00',
    '1.00',
    '10.00',
    '8.00',
    '2.00',
    '10.00',
  ]);
});

test('422 INSUFFICIENT_FUNDS says what was asked and what is there, and leaves no trace', async (t) => {
  const { done, refused } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  assert.deepEqual(await refused('reserve', { amount: '6.01', orderId: 'o1' }), {
    status: 422,
    code: 'INSUFFICIENT_FUNDS',
    details: { requested: '6.01', available: '6.00', currency: 'USD' },
  });
});

test('a reservation is one event, one audit entry and one pair of postings, each exact', async (t) => {
  const { userId, actorId, done, changes } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '1.00' });
  const { answer, events, entries, postings } = await changes('reserve', {
    amount: '4.00',
    orderId: 'o1',
    reason: 'checkout',
  });
  assert.deepEqual(
    events.map((event) => [event.eventType, payloadOf(event, { answer, userId })]),
    [
      [
        'balance.reserved',
        {
          userId,
          amount: '4.00',
          currency: 'USD',
          orderId: 'o1',
          previousReservedBalance: '1.00',
          newReservedBalance: '5.00',
          previousAvailableBalance: '9.00',
          newAvailableBalance: '5.00',
        },
      ],
    ],
  );
  assert.deepEqual(entries, [
    {
      action: 'BALANCE_RESERVED',
      resource_type: 'Balance',
      resource_id: userId,
      payload_before: { currency: 'USD', available: '9.00', reserved: '1.00' },
      payload_after: {
        currency: 'USD',
        available: '5.00',
        reserved: '5.00',
        amount: '4.00',
        orderId: 'o1',
        reason: 'checkout',
      },
      actor_type: 'api_key',
      actor_id: actorId,
      result: 'SUCCESS',
      correlation_id: answer.headers.get('x-request-id'),
    },
  ]);
  const available = `${userId}:available:USD`;
  const reserved = `${userId}:reserved:USD`;
  const label = { move: 'reserve', reference: 'o1', description: 'checkout' };
  assert.deepEqual(postings, [
    { account_id: available, counter_account_id: reserved, cents: '-400', ...label },
    { account_id: reserved, counter_account_id: available, cents: '400', ...label },
  ]);
});

test('without an order the event says orderId null', async (t) => {
  const { changes } = await openUserBalance(t, '1.00');
  const { events } = await changes('reserve', { amount: '1' });
  assert.equal(events[0].payload.orderId, null);
});

test('400 VALIDATION_ERROR on an order or reason that is empty, too long or no text', async (t) => {
  const { refused } = await openUserBalance(t, '1.00');
  for (const [field, max] of Object.entries({ orderId: 200, reason: 500 })) {
    for (const value of ['', 'x'.repeat(max + 1), 7, null, []]) {
      const { status, code, details } = await refused('reserve', { amount: '1.00', [field]: value });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], `${field} ${typeof value}`);
      assert.ok(details.validationErrors[0].startsWith(field));
    }
  }
});

test('an order may have any name, also one that looks like our own ids', async (t) => {
  const { done, held } = await openUserBalance(t, '10.00');
  const names = [':', 'usr_x:USD:o1', "o'1", 'ö', '%', 'o1'];
  for (const orderId of names) await done('reserve', { amount: '1.00', orderId });
  assert.deepEqual(Object.keys(await held()).sort(), names.sort());
});
