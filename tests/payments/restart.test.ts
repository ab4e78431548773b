// A server that stops in the middle of a top-up: the next one finds the top-up in the database and at the provider, and continues
// it. restart.long.test.ts kills a server at every step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openPayments } from './payment-fixture.ts';
import { A_MINUTE_LATER, assertCarriedOnAfterRestart } from './topup-restart-checks.ts';

test('a top-up that was only stored when the server stopped is continued by the next one', async (t) => {
  await assertCarriedOnAfterRestart(t, 'lost-answer');
});

test('a top-up that is paid while no server runs is credited by the next one', async (t) => {
  const fixture = await openPayments(t);
  const { app, aTopup, pay, restart, assertSettled } = fixture;
  const { id, userId } = await aTopup();
  const key = await app.key(['*']);
  await app.sql(A_MINUTE_LATER);
  await app.close();
  await pay(id, 'confirm');
  const next = await restart();
  const available = async () => (await next.call(`GET /users/${userId}/balance`, { key })).body.data.available;
  await until(async () => (await available()) === '25.50', 'it is credited');
  await fixture.control('POST /clock/advance', { seconds: 10 });
  assert.equal(await available(), '25.50', 'the webhook that comes after all changes nothing');
  await assertSettled(next);
});
