// GET /users/{id}/reservations, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { tradeIn } from './order-fixture.ts';
import { assertInvalid, walk } from './report-fixture.ts';

test('200 lists what is set aside and was, newest first, and the active ones are the reserved balance', async (t) => {
  const app = await openApp(t);
  const trade = await tradeIn(app, { available: '500.00' });
  const { id } = await trade.anOrder({ amount: '40.00' });
  await trade.done(`POST /orders/${id}/reserve`);
  const path = `/users/${trade.buyerId}`;
  const change = async (what: string, body: object) =>
    assert.equal((await app.call(`POST ${path}/balance/${what}`, { body })).status, 200);
  await change('reserve', { amount: '10.00' });
  await change('reserve', { amount: '25.00', orderId: 'mine-1' });
  await change('release', { amount: '5.00', orderId: 'mine-1' });
  await change('reserve', { amount: '3.00', orderId: 'mine-2' });
  await change('cancel-reservation', { orderId: 'mine-2' });

  const all = await walk(app, `${path}/reservations`, { limit: 3 });
  assert.deepEqual(
    all.map(({ orderId, amount, remaining, currency, active }) => [orderId, amount, remaining, currency, active]),
    [
      ['mine-2', '3.00', '0.00', 'USD', false],
      ['mine-1', '25.00', '20.00', 'USD', true],
      [null, '10.00', '10.00', 'USD', true],
      [id, '40.00', '40.00', 'USD', true],
    ],
  );
  const times = all.map(({ createdAt }) => createdAt);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.deepEqual(await trade.figures(), ['430.00', '70.00']);

  const refsBy = async (query: string) =>
    (await walk(app, `${path}/reservations?${query}`, { limit: 10 })).map(({ orderId }) => orderId);
  assert.deepEqual(await refsBy('active=true'), ['mine-1', null, id]);
  assert.deepEqual(await refsBy('active=false'), ['mine-2']);
  assert.deepEqual(await refsBy('currency=USDC'), []);
});

test('200 with an empty list for a user who has set nothing aside', async (t) => {
  const app = await openApp(t);
  assert.deepEqual(await walk(app, `/users/${await app.aUser()}/reservations`, { limit: 10 }), []);
});

test("404 USER_NOT_FOUND for an unknown user and for another marketplace's", async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  assert.equal(codeOf(await app.call('GET /users/usr_01ARZ3NDEKTSV4RRFFQ69G5FAV/reservations')), '404 USER_NOT_FOUND');
  const key = await app.key(['read'], 'mkt_other');
  assert.equal(codeOf(await app.call(`GET /users/${id}/reservations`, { key })), '404 USER_NOT_FOUND');
});

test('400 VALIDATION_ERROR for a cursor, a flag or a currency that is none', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const other = Buffer.from('["yesterday","x"]').toString('base64url');
  const queries = [`cursor=${other}`, 'active=maybe', 'currency=EUR'];
  await assertInvalid(
    app,
    queries.map((query) => `GET /users/${id}/reservations?${query}`),
  );
});
