// Hundreds of requests at once on one user's money: exactly those that fit succeed.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openPool } from '../../server/src/store/connection.ts';
import { inspectBooks } from '../books/inspect.ts';
import { seeded } from '../crash/server-process.ts';
import { afterwards } from '../support/afterwards.ts';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { crowd, shuffled, tally } from './crowd.ts';

const balance = async (app: TestApp, userId: string) => {
  const { available, reserved } = (await app.call(`GET /users/${userId}/balance`)).body.data;
  return { available, reserved };
};

const open = async (t: Parameters<typeof openApp>[0]) => {
  const app = await openApp(t);
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  return { app, inspect: () => inspectBooks(pool, app.marketplaceId) };
};

let random: () => number;
before(() => {
  random = seeded(77);
});

test('of 300 debits at once exactly those that the balance covers succeed', async (t) => {
  const { app, inspect } = await open(t);
  const userId = await app.user({ available: '100.00' });
  const answers = await crowd(300, () => app.call(`POST /users/${userId}/balance/debit`, { body: { amount: '1.00' } }));
  assert.deepEqual(tally(answers), { 200: 100, '422 INSUFFICIENT_FUNDS': 200 });
  assert.deepEqual(await balance(app, userId), { available: '0.00', reserved: '0.00' });
  const seen = answers.filter(({ status }) => status === 200).map(({ body }) => Number(body.data.available));
  assert.equal(new Set(seen).size, 100, 'each answer shows the balance after its own debit');
  await inspect();
});

test('of 200 reserves at once exactly those that the balance covers succeed', async (t) => {
  const { app, inspect } = await open(t);
  const userId = await app.user({ available: '50.50' });
  const answers = await crowd(200, (n) =>
    app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '1.00', orderId: `order-${n}` } }),
  );
  assert.deepEqual(tally(answers), { 200: 50, '422 INSUFFICIENT_FUNDS': 150 });
  assert.deepEqual(await balance(app, userId), { available: '0.50', reserved: '50.00' });
  await inspect();
});

test('of releases and deductions at once no more succeed than were reserved', async (t) => {
  const { app, inspect } = await open(t);
  const userId = await app.user({ available: '100.00' });
  await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '60.00', orderId: 'one' } });
  await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '40.00' } });
  const asks = Array.from({ length: 240 }, (_, n) => ({
    verb: n % 2 === 0 ? 'release' : 'deduct-reserved',
    orderId: n % 3 === 0 ? 'one' : undefined,
  }));
  const mixed = shuffled(asks, random);
  const answers = await crowd(240, (n) => {
    const { verb, orderId } = mixed[n]!;
    return app.call(`POST /users/${userId}/balance/${verb}`, {
      body: { amount: '1.00', ...(orderId ? { orderId } : {}) },
    });
  });
  const done = (verb: string) => answers.filter(({ status }, n) => status === 200 && mixed[n]!.verb === verb).length;
  assert.equal(done('release') + done('deduct-reserved'), 100);
  assert.deepEqual(await balance(app, userId), { available: `${done('release')}.00`, reserved: '0.00' });
  const refusals = Object.keys(tally(answers)).filter((name) => name !== '200');
  for (const name of refusals) assert.match(name, /^400 (RESERVATION_EXCEEDED|INVALID_RESERVED_DEDUCTION)$/);
  await inspect();
});

test('a cancellation, a release and a deduction of the same order at once: one of them gets the money', async (t) => {
  const { app, inspect } = await open(t);
  const userId = await app.user({ available: '10.00' });
  let deducted = 0;
  for (let round = 0; round < 20; round++) {
    const orderId = `order-${round}`;
    await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '5.00' } });
    await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '5.00', orderId } });
    const asks = shuffled(['cancel-reservation', 'release', 'deduct-reserved'], random);
    const answers = await Promise.all(
      asks.map((verb) =>
        app.call(`POST /users/${userId}/balance/${verb}`, {
          body: verb === 'cancel-reservation' ? { orderId } : { amount: '5.00', orderId },
        }),
      ),
    );
    assert.equal(tally(answers)[200], 1, JSON.stringify(tally(answers)));
    if (asks[answers.findIndex(({ status }) => status === 200)] === 'deduct-reserved') deducted++;
  }
  const expected = 10 + 20 * 5 - deducted * 5;
  assert.deepEqual(await balance(app, userId), { available: `${expected}.00`, reserved: '0.00' });
  await inspect();
});

test('the same user asked for by 100 callers at once is made once', async (t) => {
  const { app, inspect } = await open(t);
  const answers = await crowd(100, () => app.call('POST /users', { body: { externalUserId: 'the-same' } }));
  assert.deepEqual(tally(answers), { 201: 1, 200: 99 });
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
  assert.deepEqual(await app.sql(`select count(*)::int as n from users where external_user_id = 'the-same'`), [
    { n: 1 },
  ]);
  await inspect();
});
