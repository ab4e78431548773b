// Who may use the balance routes, and how their fields may be spelled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openPurse, refusalOf } from './balance-ground.ts';

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

test('401 UNAUTHORIZED on every balance route without a key and with one that nobody has', async (t) => {
  const { app, userId } = await openPurse(t, '10.00');
  const requests = [
    ...Object.keys(WRITES).map((verb) => `POST /users/${userId}/balance/${verb}`),
    ...READS.map((path) => `GET /users/${userId}/balance${path}`),
  ];
  for (const request of requests) {
    for (const key of [null, 'nobody']) {
      const refusal = await refusalOf(app, () =>
        app.call(request, { key, body: request.startsWith('POST') ? {} : undefined }),
      );
      assert.deepEqual(refusal, { status: 401, code: 'UNAUTHORIZED', details: {} }, request);
    }
  }
});

test('403 INSUFFICIENT_SCOPE: a read key cannot write, and a write or support key cannot read', async (t) => {
  const { app, userId, refused } = await openPurse(t, '10.00');
  const [reader, writer, supporter] = [await app.key(['read']), await app.key(['write']), await app.key(['support'])];
  for (const [verb, body] of Object.entries(WRITES)) {
    for (const [key, scope] of [
      [reader, 'read'],
      [supporter, 'support'],
    ] as const) {
      assert.deepEqual(
        await refused(verb, body, { key }),
        { status: 403, code: 'INSUFFICIENT_SCOPE', details: { requiredScope: 'write', scopes: [scope] } },
        verb,
      );
    }
  }
  for (const path of READS) {
    const refusal = await refusalOf(app, () => app.call(`GET /users/${userId}/balance${path}`, { key: writer }));
    assert.deepEqual(refusal, {
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      details: { requiredScope: 'read', scopes: ['write'] },
    });
    assert.equal((await app.call(`GET /users/${userId}/balance${path}`, { key: reader })).status, 200);
  }
  assert.equal(
    (await app.call(`POST /users/${userId}/balance/credit`, { key: writer, body: WRITES.credit })).status,
    200,
  );
});

test('403 comes before the body is looked at, and 400 before the user is looked for', async (t) => {
  const { app, refused } = await openPurse(t);
  const reader = await app.key(['read']);
  assert.equal((await refused('credit', { amount: 7 }, { key: reader })).status, 403);
  const unknown = await refusalOf(app, () =>
    app.call('POST /users/usr_nobody/balance/credit', { body: { amount: '0' } }),
  );
  assert.deepEqual([unknown.status, unknown.code], [400, 'INVALID_AMOUNT']);
});

test('404 USER_NOT_FOUND on every route for ids nobody has', async (t) => {
  const { app } = await openPurse(t);
  const missing = { status: 404, code: 'USER_NOT_FOUND', details: {} };
  for (const id of [
    'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'nonsense',
    "usr_'; drop table users; --".replaceAll(' ', '%20'),
  ]) {
    for (const [verb, body] of Object.entries(WRITES)) {
      assert.deepEqual(
        await refusalOf(app, () => app.call(`POST /users/${id}/balance/${verb}`, { body })),
        missing,
        verb,
      );
    }
    for (const path of READS) {
      assert.deepEqual(await refusalOf(app, () => app.call(`GET /users/${id}/balance${path}`)), missing);
    }
  }
});

test('404 USER_NOT_FOUND for the users of another marketplace, in both directions', async (t) => {
  const app = await openApp(t);
  const keys = { mkt_a: await app.key(['*'], 'mkt_a'), mkt_b: await app.key(['*'], 'mkt_b') };
  const users = {
    mkt_a: await app.user({ key: keys.mkt_a, available: '10.00' }),
    mkt_b: await app.user({ key: keys.mkt_b, available: '10.00' }),
  };
  const missing = { status: 404, code: 'USER_NOT_FOUND', details: {} };
  for (const [key, id] of [
    [keys.mkt_a, users.mkt_b],
    [keys.mkt_b, users.mkt_a],
  ] as const) {
    for (const [verb, body] of Object.entries(WRITES)) {
      const request = `POST /users/${id}/balance/${verb}`;
      assert.deepEqual(await refusalOf(app, () => app.call(request, { key, body })), missing, verb);
    }
    for (const path of READS) {
      assert.deepEqual(await refusalOf(app, () => app.call(`GET /users/${id}/balance${path}`, { key })), missing);
    }
  }
});

test('the master key acts in the marketplace that the header names', async (t) => {
  const key = MASTER_KEY;
  const app = await startApp(t);
  const headers = { 'x-marketplace-id': 'mkt_b' };
  const userId = await app.user({ key, headers, available: '3.00' });
  assert.equal((await app.call(`GET /users/${userId}/balance`, { key, headers })).body.data.available, '3.00');
  assert.equal((await app.call(`GET /users/${userId}/balance`, { key })).status, 404);
});

test('400 VALIDATION_ERROR names every unknown field, and each one that is spelled twice', async (t) => {
  const { refused } = await openPurse(t, '10.00');
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

test('400 VALIDATION_ERROR for a body that is missing, no object or no JSON, and for a currency nobody keeps', async (t) => {
  const { move, refused } = await openPurse(t, '10.00');
  for (const body of ['', '[]', '"amount"', '7', 'null', '{', '{"amount":"1.00",}']) {
    const answer = await refused('credit', body);
    assert.deepEqual([answer.status, answer.code], [400, 'VALIDATION_ERROR'], body);
  }
  for (const currency of ['EUR', 'usd', '', null, 1]) {
    assert.deepEqual((await refused('credit', { amount: '1.00', currency })).details.validationErrors.length, 1);
  }
  const other = await move('credit', 'amount=1.00', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual([other.status, other.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('order_id is the same field as orderId', async (t) => {
  const { done, held } = await openPurse(t, '10.00');
  await done('reserve', { amount: '3.00', order_id: 'o1' });
  await done('release', { amount: '1.00', order_id: 'o1' });
  await done('deduct-reserved', { amount: '1.00', orderId: 'o1' });
  assert.deepEqual(await held(), { o1: '100' });
  await done('cancel-reservation', { order_id: 'o1' });
  assert.deepEqual(await held(), {});
});
