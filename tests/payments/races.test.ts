// Webhooks, refreshes, callbacks and jobs report the same payment at once, in one process and in two. The user is credited once,
// whichever report is first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openPayments } from './payment-fixture.ts';
import { assertPaidOrCanceled, creditsByCopies, creditsByEvents, creditsOf } from './topup-race-checks.ts';

test('many copies of one success during refreshes and callbacks: one credit (defect 20)', async (t) => {
  assert.equal(await creditsByCopies(t, 25), 1);
});

test('many events about one success, each with an id of its own: all are accepted and one credits', async (t) => {
  assert.equal(await creditsByEvents(t, 20), 1);
});

test('two servers on one database learn of the same successes: each is credited once', async (t) => {
  const fixture = await openPayments(t, { webhooks: false });
  const { app, aTopup, pay, deliver, available, assertSettled } = fixture;
  const other = await startApp(t, { env: fixture.env, connection: app.connection });
  const userId = await app.aUser();
  const topups = [];
  for (let i = 0; i < 3; i++) topups.push(await aTopup({ userId, body: { amount: '1.00' } }));
  for (const { id } of topups) await pay(id, 'confirm');
  const key = await app.key(['*']);
  const all = topups.flatMap(({ id, providerPayinId }) => {
    const event = { type: 'payin.succeeded', data: { id: providerPayinId, code: id, amount: 1 } };
    return [
      ...Array.from({ length: 4 }, () => deliver(event)),
      ...Array.from({ length: 4 }, () => other.call(`POST /topups/${id}/refresh`, { key })),
    ];
  });
  for (const { status, text } of await Promise.all(all)) assert.equal(status, 200, text);
  for (const { id } of topups) assert.equal(await creditsOf(fixture, id), 1);
  assert.equal(await available(userId), '3.00');
  await assertSettled();
});

test('cancelling and paying at once ends in one of the two, the same in the books and at the provider', async (t) => {
  await assertPaidOrCanceled(t, 4);
});

test('many first top-ups in several marketplaces at once open the float once', async (t) => {
  const fixture = await openPayments(t);
  const { app, aTopup, pay, assertSettled } = fixture;
  const keys = await Promise.all(['mkt_a', 'mkt_b', 'mkt_c'].map((id) => app.key(['*'], id)));
  const asks = await Promise.all(
    keys.flatMap((key) => [key, key]).map(async (key) => ({ key, userId: await app.aUser({ key }) })),
  );
  const topups = await Promise.all(asks.map((ask) => aTopup(ask)));
  await Promise.all(topups.map(({ id }) => pay(id, 'confirm')));
  const opened = await app.sql(
    "select account_id, -amount as units from postings where move = 'float_opening' and amount < 0",
  );
  assert.deepEqual(opened, [{ account_id: 'payment-float:USD', units: '10000000000000000' }]);
  await assertSettled();
});
