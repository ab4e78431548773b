// POST /users/{userId}/balance/debit, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance, payloadOf, shown } from './balance-fixture.ts';

test('200 takes from available, down to zero', async (t) => {
  const { userId, done } = await openUserBalance(t, '10.00');
  const first = shown(await done('debit', { amount: '9.99' }));
  assert.deepEqual(first, { userId, available: '0.01', reserved: '0.00', total: '0.01', currency: 'USD' });
  assert.equal(shown(await done('debit', { amount: '0.01' })).available, '0.00');
});

test('422 INSUFFICIENT_FUNDS says what was asked and what is there, and leaves no trace', async (t) => {
  const { refused } = await openUserBalance(t, '10.00');
  assert.deepEqual(await refused('debit', { amount: '10.01' }), {
    status: 422,
    code: 'INSUFFICIENT_FUNDS',
    details: { requested: '10.01', available: '10.00', currency: 'USD' },
  });
});

test('422 INSUFFICIENT_FUNDS for money that is reserved, and for money of another currency', async (t) => {
  const { done, refused } = await openUserBalance(t, '10.00');
  await done('credit', { amount: '50.00', currency: 'XLM' });
  await done('reserve', { amount: '10.00', orderId: 'o1' });
  assert.deepEqual(await refused('debit', { amount: '0.01' }), {
    status: 422,
    code: 'INSUFFICIENT_FUNDS',
    details: { requested: '0.01', available: '0.00', currency: 'USD' },
  });
  assert.deepEqual((await refused('debit', { amount: '0.01', currency: 'USDC' })).details, {
    requested: '0.01',
    available: '0.00',
    currency: 'USDC',
  });
});

test('a debit is one event, one audit entry and one pair of postings, each exact', async (t) => {
  const { userId, actorId, changes } = await openUserBalance(t, '10.00');
  const { answer, events, entries, postings } = await changes('debit', { amount: '2.50', reference: 'fee-1' });
  assert.deepEqual(
    events.map((event) => [event.eventType, payloadOf(event, { answer, userId })]),
    [
      [
        'balance.debited',
        {
          userId,
          amount: '2.50',
          currency: 'USD',
          destination: 'manual',
          destinationId: 'fee-1',
          previousAvailableBalance: '10.00',
          newAvailableBalance: '7.50',
        },
      ],
    ],
  );
  assert.deepEqual(entries, [
    {
      action: 'BALANCE_DEBITED',
      resource_type: 'Balance',
      resource_id: userId,
      payload_before: { currency: 'USD', available: '10.00', reserved: '0.00' },
      payload_after: { currency: 'USD', available: '7.50', reserved: '0.00', amount: '2.50', reference: 'fee-1' },
      actor_type: 'api_key',
      actor_id: actorId,
      result: 'SUCCESS',
      correlation_id: answer.headers.get('x-request-id'),
    },
  ]);
  const available = `${userId}:available:USD`;
  const operator = 'operator:adjustments:USD';
  const label = { move: 'debit', reference: 'fee-1', description: null };
  assert.deepEqual(postings, [
    { account_id: operator, counter_account_id: available, cents: '250', ...label },
    { account_id: available, counter_account_id: operator, cents: '-250', ...label },
  ]);
});

test('without a reference the event has no destinationId', async (t) => {
  const { changes } = await openUserBalance(t, '1.00');
  const { events } = await changes('debit', { amount: '1' });
  assert.equal('destinationId' in events[0].payload, false);
});
