// POST /users/{userId}/balance/credit, by status. Amounts, spellings and access: see the balance-amounts and
// balance-access tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openUserBalance, payloadOf, shown } from './balance-fixture.ts';

test('200 adds to available and answers the new balance', async (t) => {
  const { userId, done, figures } = await openUserBalance(t);
  const answer = await done('credit', { amount: '25.5' });
  assert.deepEqual(shown(answer), { userId, available: '25.50', reserved: '0.00', total: '25.50', currency: 'USD' });
  assert.deepEqual(shown(await done('credit', { amount: '0.01', description: 'a cent' })).available, '25.51');
  assert.deepEqual(await figures(), ['25.51', '0.00', '25.51']);
});

test('what is reserved stays as it is', async (t) => {
  const { done } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  const answer = await done('credit', { amount: '1.00' });
  assert.deepEqual([answer.body.data.available, answer.body.data.reserved], ['7.00', '4.00']);
});

test('a credit is one event, one audit entry and one pair of postings, each exact', async (t) => {
  const { userId, actorId, changes } = await openUserBalance(t, '10.00');
  const { answer, events, entries, postings } = await changes('credit', {
    amount: '2.50',
    reference: 'inv-7',
    description: 'Welcome gift',
  });
  assert.deepEqual(
    events.map((event) => [event.eventType, payloadOf(event, { answer, userId })]),
    [
      [
        'balance.credited',
        {
          userId,
          amount: '2.50',
          currency: 'USD',
          source: 'manual',
          sourceId: 'inv-7',
          previousAvailableBalance: '10.00',
          newAvailableBalance: '12.50',
        },
      ],
    ],
  );
  assert.deepEqual(entries, [
    {
      action: 'BALANCE_CREDITED',
      resource_type: 'Balance',
      resource_id: userId,
      payload_before: { currency: 'USD', available: '10.00', reserved: '0.00' },
      payload_after: { currency: 'USD', available: '12.50', reserved: '0.00', amount: '2.50', reference: 'inv-7' },
      actor_type: 'api_key',
      actor_id: actorId,
      result: 'SUCCESS',
      correlation_id: answer.headers.get('x-request-id'),
    },
  ]);
  const available = `${userId}:available:USD`;
  const operator = 'operator:adjustments:USD';
  const label = { move: 'credit', reference: 'inv-7', description: 'Welcome gift' };
  assert.deepEqual(postings, [
    { account_id: operator, counter_account_id: available, cents: '-250', ...label },
    { account_id: available, counter_account_id: operator, cents: '250', ...label },
  ]);
});

test('an opening balance is booked against its own account, and the event and the audit entry say so', async (t) => {
  const { userId, changes } = await openUserBalance(t);
  const body = { amount: '7.00', reference: 'import:old', counterAccount: 'opening_balances' };
  const { events, entries, postings } = await changes('credit', body);
  assert.equal(events[0].payload.source, 'opening_balance');
  assert.equal(entries[0].payload_after.counterAccount, 'opening_balances');
  const available = `${userId}:available:USD`;
  const opening = 'operator:opening-balances:USD';
  const label = { move: 'opening_credit', reference: 'import:old', description: null };
  assert.deepEqual(postings, [
    { account_id: opening, counter_account_id: available, cents: '-700', ...label },
    { account_id: available, counter_account_id: opening, cents: '700', ...label },
  ]);
});

test('an opening balance with the same reference is booked once, whichever key sends it', async (t) => {
  const { app, userId } = await openUserBalance(t);
  const path = `POST /users/${userId}/balance/credit`;
  const send = async (more: object = {}) =>
    app.call(path, {
      key: await app.key(['write']),
      body: { amount: '7.00', reference: 'import:1', counterAccount: 'opening_balances', ...more },
    });
  const answers = await Promise.all([send(), send(), send()]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
  const refused = await send({ amount: '8.00' });
  assert.equal(codeOf(refused), '409 OPENING_BALANCE_EXISTS');
  assert.equal(refused.body.error.details.reference, 'import:1');
  assert.equal((await send({ reference: 'import:2' })).status, 200);
  assert.equal((await send({ currency: 'USDC' })).status, 200);
  const missing = await app.call(path, { body: { amount: '7.00', counterAccount: 'opening_balances' } });
  assert.equal(codeOf(missing), '400 VALIDATION_ERROR');
  assert.match(missing.text, /reference is required/);
  const [{ credits }] = await app.sql(
    `select count(*)::int as credits from postings where account_id like $1 and move = 'opening_credit'`,
    [`${userId}:%`],
  );
  assert.equal(credits, 3);
});

test('400 VALIDATION_ERROR on a counter-account that does not exist, and on one for a debit', async (t) => {
  const { refused } = await openUserBalance(t);
  for (const [kind, counterAccount] of [
    ['credit', 'fees'],
    ['debit', 'opening_balances'],
  ] as const) {
    const { status, code } = await refused(kind, { amount: '1.00', counterAccount });
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], kind);
  }
});

test('without a reference the event has no sourceId', async (t) => {
  const { changes } = await openUserBalance(t);
  const { events } = await changes('credit', { amount: '1' });
  assert.equal('sourceId' in events[0].payload, false);
});

test('the event id of the stream is the time shown in the answer', async (t) => {
  const { changes } = await openUserBalance(t);
  const { answer, events } = await changes('credit', { amount: '1' });
  assert.equal(events[0].occurredAt, answer.body.data.updatedAt);
});

test('two credits without an Idempotency-Key are two credits, also with the same reference', async (t) => {
  const { done, figures } = await openUserBalance(t);
  await done('credit', { amount: '1.00', reference: 'same' });
  await done('credit', { amount: '1.00', reference: 'same' });
  assert.deepEqual(await figures(), ['2.00', '0.00', '2.00']);
});

test('400 VALIDATION_ERROR on a reference or description that is empty, too long or no text', async (t) => {
  const { refused } = await openUserBalance(t);
  const fields = { reference: 200, description: 2_000 };
  for (const [field, max] of Object.entries(fields)) {
    for (const value of ['', 'x'.repeat(max + 1), 7, null, {}]) {
      const { status, code, details } = await refused('credit', { amount: '1.00', [field]: value });
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], `${field} ${typeof value}`);
      assert.equal(details.validationErrors.length, 1);
      assert.ok(details.validationErrors[0].startsWith(field));
    }
  }
});

test('the longest reference and description are kept as they are', async (t) => {
  const { changes } = await openUserBalance(t);
  const reference = 'ß'.repeat(200);
  const description = `'"\\\n${'😀'.repeat(500)}`;
  const { postings } = await changes('credit', { amount: '1.00', reference, description });
  assert.deepEqual([postings[0].reference, postings[0].description], [reference, description]);
});
