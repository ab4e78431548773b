// GET /users?q=, what a search finds and what it does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { assertInvalid, walk } from './report-fixture.ts';

const found = async (app: TestApp, q: string, more = '') =>
  (await walk(app, `/users?q=${encodeURIComponent(q)}${more}`, { limit: 2 })).map(
    ({ externalUserId }) => externalUserId,
  );

const three = async (app: TestApp): Promise<void> => {
  const bodies = [
    { externalUserId: 'customer-17', email: 'Ada@example.com' },
    { externalUserId: 'customer-18', email: 'bob@example.com', type: 'SELLER' },
    { externalUserId: 'ada_of-old' },
  ];
  for (const body of bodies) assert.equal((await app.call('POST /users', { body })).status, 201);
};

test('a user is found by the id', async (t) => {
  const app = await openApp(t);
  await three(app);
  const [{ id, externalUserId }] = await walk(app, '/users', { limit: 10 });
  assert.deepEqual(await found(app, id), [externalUserId]);
});

test('a user is found by the beginning of the external id and of the e-mail address, newest first', async (t) => {
  const app = await openApp(t);
  await three(app);
  assert.deepEqual(await found(app, 'customer-1'), ['customer-18', 'customer-17']);
  assert.deepEqual(await found(app, 'ada'), ['ada_of-old', 'customer-17']);
  assert.deepEqual(await found(app, 'ADA@'), ['customer-17']);
  assert.deepEqual(await found(app, 'example.com'), []);
  assert.deepEqual(await found(app, 'customer-1', '&type=SELLER'), ['customer-18']);
});

test('signs that mean something to a database mean only themselves', async (t) => {
  const app = await openApp(t);
  await three(app);
  assert.deepEqual(await found(app, 'ada_'), ['ada_of-old']);
  assert.deepEqual(await found(app, '%'), []);
});

test("a search never finds another marketplace's user", async (t) => {
  const app = await openApp(t);
  await three(app);
  const key = await app.key(['read'], 'mkt_other');
  assert.deepEqual(await walk(app, '/users?q=customer', { limit: 5, key }), []);
});

test('400 VALIDATION_ERROR for an empty search and for one that is too long', async (t) => {
  await assertInvalid(await openApp(t), ['GET /users?q=', `GET /users?q=${'x'.repeat(255)}`]);
});
