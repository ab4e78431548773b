// Who may use the balance routes, and how their fields may be spelled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openUserBalance } from './balance-fixture.ts';
import { assertNoTrace, readRefusal, refusalOf } from './refusals.ts';

const WRITES: Record<string, object> = {
  credit: { amount: '1.00' },
  debit: { amount: '1.00' },
  reserve: { amount: '1.00', orderId: 'o1' },
  release: { amount: '1.00', orderId: 'o1' },
  'cancel-reservation': { orderId: 'o1' },
  'deduct-reserved': { amount: '1.00', orderId: 'o1' },
  sync: {},
};
const READS = ['', '/verify'];

test('403 comes before the check of the body, and 400 before the search for the user', async (t) => {
  const { app, refused } = await openUserBalance(t);
  const reader = await app.key(['read']);
  assert.equal((await refused('credit', { amount: 7 }, { key: reader })).status, 403);
  const unknown = await refusalOf(app, () =>
    app.call('POST /users/usr_unknown/balance/credit', { body: { amount: '0' } }),
  );
  assert.deepEqual([unknown.status, unknown.code], [400, 'INVALID_AMOUNT']);
});

test('404 USER_NOT_FOUND on every route for unknown ids and for users of another marketplace, in both directions', async (t) => {
  const app = await openApp(t);
  const keys = { mkt_a: await app.key(['*'], 'mkt_a'), mkt_b: await app.key(['*'], 'mkt_b') };
  const users = {
    mkt_a: await app.aUser({ key: keys.mkt_a, available: '10.00' }),
    mkt_b: await app.aUser({ key: keys.mkt_b, available: '10.00' }),
  };
  const missing = { status: 404, code: 'USER_NOT_FOUND', details: {} };
  await assertNoTrace(app, async () => {
    for (const [key, id] of [
      [keys.mkt_a, users.mkt_b],
      [keys.mkt_b, users.mkt_a],
      [keys.mkt_a, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
      [keys.mkt_a, 'nonsense'],
      [keys.mkt_a, "usr_'; drop table users; --".replaceAll(' ', '%20')],
    ] as const) {
      for (const [verb, body] of Object.entries(WRITES)) {
        const answer = await app.call(`POST /users/${id}/balance/${verb}`, { key, body });
        assert.deepEqual(readRefusal(answer), missing, verb);
      }
      for (const path of READS) {
        assert.deepEqual(readRefusal(await app.call(`GET /users/${id}/balance${path}`, { key })), missing);
      }
    }
  });
});

test('the master key acts in the marketplace that the header names', async (t) => {
  const key = MASTER_KEY;
  const app = await openApp(t);
  const headers = { 'x-marketplace-id': app.marketplaceId };
  const userId = await app.aUser({ key, headers, available: '3.00' });
  assert.equal((await app.call(`GET /users/${userId}/balance`, { key, headers })).body.data.available, '3.00');
  assert.equal((await app.call(`GET /users/${userId}/balance`, { key })).status, 404);
});

test('400 VALIDATION_ERROR names every unknown field, and each one that is spelled twice', async (t) => {
  const { allRefused } = await openUserBalance(t, '10.00');
  await allRefused(async (refused) => {
    for (const [verb, body] of Object.entries(WRITES)) {
      if (verb === 'sync') continue;
      assert.deepEqual(
        await refused(verb, { ...body, colour: 'red', userId: 'x' }),
        {
          status: 400,
          code: 'VALIDATION_ERROR',
          details: { validationErrors: ['colour is not a known field', 'userId is not a known field'] },
        },
        verb,
      );
      if (!('orderId' in body)) continue;
      assert.deepEqual((await refused(verb, { ...body, order_id: 'o1' })).details, {
        validationErrors: ['orderId and order_id are the same field: send only one of them'],
      });
    }
  });
});

test('400 VALIDATION_ERROR for a body that is missing, not an object or not JSON, and for an unknown currency', async (t) => {
  const { move, allRefused } = await openUserBalance(t, '10.00');
  await allRefused(async (refused) => {
    for (const body of ['', '[]', '"amount"', '7', 'null', '{', '{"amount":"1.00",}']) {
      const answer = await refused('credit', body);
      assert.deepEqual([answer.status, answer.code], [400, 'VALIDATION_ERROR'], body);
    }
    for (const currency of ['EUR', 'usd', '', null, 1]) {
      assert.deepEqual((await refused('credit', { amount: '1.00', currency })).details.validationErrors.length, 1);
    }
  });
  const other = await move('credit', 'amount=1.00', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual([other.status, other.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('order_id is the same field as orderId', async (t) => {
  const { done, held } = await openUserBalance(t, '10.00');
  await done('reserve', { amount: '3.00', order_id: 'o1' });
  await done('release', { amount: '1.00', order_id: 'o1' });
  await done('deduct-reserved', { amount: '1.00', orderId: 'o1' });
  assert.deepEqual(await held(), { o1: '100' });
  await done('cancel-reservation', { order_id: 'o1' });
  assert.deepEqual(await held(), {});
});
