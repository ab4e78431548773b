// GET /users/{id}, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { refusalOf } from './refusals.ts';

test('200 shows the user with the balance in the base currency', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser({ available: '5.00' });
  await app.call(`POST /users/${id}/balance/credit`, { body: { amount: '7.00', currency: 'XLM' } });
  await app.call(`POST /users/${id}/balance/reserve`, { body: { amount: '2.00' } });
  const answer = await app.call(`GET /users/${id}`);
  assert.equal(answer.status, 200);
  const { available, reserved, total, currency } = answer.body.data.balance;
  assert.deepEqual([available, reserved, total, currency], ['3.00', '2.00', '5.00', 'USD']);
  assert.deepEqual(Object.keys(answer.body.data), [
    'id',
    'externalUserId',
    'email',
    'name',
    'type',
    'status',
    'paymentAccountUserId',
    'paymentAccountLinkedAt',
    'ledgerAddress',
    'ledgerLinkedAt',
    'balance',
    'metadata',
    'createdAt',
    'updatedAt',
  ]);
});

test('404 USER_NOT_FOUND for unknown ids and for users of another marketplace, in both directions', async (t) => {
  const app = await openApp(t);
  const a = await app.key(['*'], 'mkt_a');
  const b = await app.key(['*'], 'mkt_b');
  const ofA = await app.aUser({ key: a });
  const ofB = await app.aUser({ key: b });
  for (const [key, id] of [
    [a, ofB],
    [b, ofA],
    [a, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    [a, 'nonsense'],
  ] as const) {
    assert.deepEqual(await refusalOf(app, () => app.call(`GET /users/${id}`, { key })), {
      status: 404,
      code: 'USER_NOT_FOUND',
      details: {},
    });
  }
  assert.equal((await app.call(`GET /users/${ofA}`, { key: a })).status, 200);
});
