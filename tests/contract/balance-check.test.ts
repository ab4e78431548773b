// POST /users/{userId}/balance/sync and GET /users/{userId}/balance/verify, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPurse } from './balance-ground.ts';

test('200 sync finds no difference, says so, and is audited', async (t) => {
  const { userId, changes, app } = await openPurse(t, '10.00');
  const { answer, events, entries, postings } = await changes('sync');
  const balance = (await app.call(`GET /users/${userId}/balance`)).body.data;
  assert.deepEqual(answer.body.data, {
    synced: true,
    previousBalance: balance,
    currentBalance: balance,
    discrepancyDetected: false,
    adjustment: null,
  });
  assert.deepEqual([events, postings], [[], []]);
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.resource_id]),
    [['BALANCE_SYNCED', userId]],
  );
});

test('200 sync reads no body: an empty, an unknown and a broken one are all ignored', async (t) => {
  const { done, move } = await openPurse(t);
  await done('sync', {});
  await done('sync', { unknown: true });
  const broken = await move('sync', '{not json', { headers: { 'content-type': 'text/plain' } });
  assert.equal(broken.status, 200);
});

test('200 verify compares the balance with every posting and changes nothing', async (t) => {
  const { app, userId, done } = await openPurse(t, '10.00');
  await done('reserve', { amount: '4.00', orderId: 'o1' });
  await done('deduct-reserved', { amount: '1.00' });
  const count = 'select (select count(*) from audit_entries) as entries, (select count(*) from events) as events';
  const before = await app.sql(count);
  const answer = await app.call(`GET /users/${userId}/balance/verify`);
  assert.equal(answer.status, 200);
  const { isValid, offChainBalance, onChainBalance, difference } = answer.body.data;
  assert.deepEqual([isValid, difference, onChainBalance.balance], [true, '0.00', '9.00']);
  assert.deepEqual(offChainBalance, (await app.call(`GET /users/${userId}/balance`)).body.data);
  assert.deepEqual(Object.keys(onChainBalance), ['address', 'balance', 'asset']);
  assert.deepEqual(await app.sql(count), before);
});

test('200 verify says by how much a balance differs that was changed behind the books', async (t) => {
  const { app, userId } = await openPurse(t, '10.00');
  await app.sql('update accounts set balance = balance + 12500000 where id = $1', [`${userId}:available:USD`]);
  const { data } = (await app.call(`GET /users/${userId}/balance/verify`)).body;
  assert.deepEqual([data.isValid, data.difference], [false, '1.25']);
});
