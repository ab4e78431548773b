// GET /users/{userId}/balance, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUserBalance, shown } from './balance-fixture.ts';
import { refusalOf } from './refusals.ts';

test('200 shows zero in the base currency for a user who never had money', async (t) => {
  const { app, userId } = await openUserBalance(t);
  const answer = await app.call(`GET /users/${userId}/balance`);
  assert.equal(answer.status, 200);
  assert.deepEqual(shown(answer), { userId, available: '0.00', reserved: '0.00', total: '0.00', currency: 'USD' });
  const user = await app.call(`GET /users/${userId}`);
  assert.equal(answer.body.data.updatedAt, user.body.data.createdAt);
});

test('200 shows available, reserved and their sum, and the time of the last change', async (t) => {
  const { app, userId, done } = await openUserBalance(t, '100.05');
  const reserved = await done('reserve', { amount: '30.01' });
  const answer = await app.call(`GET /users/${userId}/balance`);
  assert.deepEqual(answer.body.data, reserved.body.data);
  assert.deepEqual(shown(answer), {
    userId,
    available: '70.04',
    reserved: '30.01',
    total: '100.05',
    currency: 'USD',
  });
});

test('each currency is a balance of its own', async (t) => {
  const { done, figures } = await openUserBalance(t, '1.00');
  await done('credit', { amount: '2.00', currency: 'USDC' });
  await done('credit', { amount: '3.00', currency: 'XLM' });
  await done('reserve', { amount: '0.50', currency: 'XLM' });
  assert.deepEqual(await figures('USD'), ['1.00', '0.00', '1.00']);
  assert.deepEqual(await figures('USDC'), ['2.00', '0.00', '2.00']);
  assert.deepEqual(await figures('XLM'), ['2.50', '0.50', '3.00']);
});

test('400 VALIDATION_ERROR on an unknown currency and on an unknown parameter', async (t) => {
  const { app, userId } = await openUserBalance(t);
  const asked = (query: string) => refusalOf(app, () => app.call(`GET /users/${userId}/balance?${query}`));
  assert.deepEqual(await asked('currency=EUR'), {
    status: 400,
    code: 'VALIDATION_ERROR',
    details: { validationErrors: ['currency must be one of USD, USDC, XLM'] },
  });
  const unknown = await asked('colour=red');
  assert.deepEqual([unknown.status, unknown.code], [400, 'VALIDATION_ERROR']);
  assert.match(unknown.details.validationErrors[0], /colour/);
});
