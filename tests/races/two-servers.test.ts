// Two servers on one database hammer the same user: no update is lost, nothing is overdrawn, no position is missing.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openPool } from '../../server/src/store/connection.ts';
import { inspectBooks } from '../books/inspect.ts';
import { afterwards } from '../support/afterwards.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createDatabase } from '../support/database.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { crowd, tally } from './crowd.ts';

const servers = shareInFile(async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const apps: [TestApp, TestApp] = [await startApp(t, { connection }), await startApp(t, { connection })];
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  return { apps, key: await apps[0].key(['*']), inspect: () => inspectBooks(pool, 'mkt_default') };
});

test('debits through two servers at once take exactly what is there', async () => {
  const { apps, key, inspect } = servers();
  const userId = await apps[0].user({ key, available: '120.00' });
  const answers = await crowd(400, (n) =>
    apps[n % 2]!.call(`POST /users/${userId}/balance/debit`, { key, body: { amount: '1.00' } }),
  );
  assert.deepEqual(tally(answers), { 200: 120, '422 INSUFFICIENT_FUNDS': 280 });
  await inspect();
});

test('credits through two servers at once are all there', async () => {
  const { apps, key, inspect } = servers();
  const userId = await apps[0].user({ key });
  const answers = await crowd(400, (n) =>
    apps[n % 2]!.call(`POST /users/${userId}/balance/credit`, { key, body: { amount: '0.01' } }),
  );
  assert.deepEqual(tally(answers), { 200: 400 });
  for (const app of apps) {
    const { body } = await app.call(`GET /users/${userId}/balance`, { key });
    assert.equal(body.data.available, '4.00');
  }
  await inspect();
});

test('one reservation raced for through two servers is given back or consumed once', async () => {
  const { apps, key, inspect } = servers();
  const userId = await apps[0].user({ key, available: '100.00' });
  for (let round = 0; round < 15; round++) {
    const orderId = `order-${round}`;
    await apps[round % 2]!.call(`POST /users/${userId}/balance/reserve`, { key, body: { amount: '1.00', orderId } });
    const answers = await Promise.all(
      ['cancel-reservation', 'release', 'deduct-reserved', 'cancel-reservation'].map((verb, n) =>
        apps[(n + round) % 2]!.call(`POST /users/${userId}/balance/${verb}`, {
          key,
          body: verb === 'cancel-reservation' ? { orderId } : { amount: '1.00', orderId },
        }),
      ),
    );
    assert.equal(tally(answers)[200], 1, JSON.stringify(tally(answers)));
  }
  await inspect();
});

test('one Idempotency-Key sent to both servers at once is one effect', async () => {
  const { apps, key, inspect } = servers();
  const userId = await apps[0].user({ key });
  for (let round = 0; round < 25; round++) {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = (app: TestApp) =>
      app.call(`POST /users/${userId}/balance/credit`, { key, headers, body: { amount: '1.00' } });
    const answers = await Promise.all([...apps, ...apps].map(ask));
    for (const { status, body } of answers) {
      assert.ok(status === 200 || body.error.code === 'IDEMPOTENCY_KEY_IN_PROGRESS', JSON.stringify(body));
    }
    const again = await Promise.all(apps.map(ask));
    for (const answer of again) assert.equal(answer.headers.get('idempotency-replay'), 'true');
  }
  const { body } = await apps[1].call(`GET /users/${userId}/balance`, { key });
  assert.equal(body.data.available, '25.00');
  await inspect();
});

test('the same user asked for through two servers at once is made once', async () => {
  const { apps, key, inspect } = servers();
  for (let round = 0; round < 10; round++) {
    const answers = await crowd(20, (n) =>
      apps[n % 2]!.call('POST /users', { key, body: { externalUserId: `same-${round}` } }),
    );
    assert.deepEqual(tally(answers), { 201: 1, 200: 19 });
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1);
  }
  await inspect();
});
