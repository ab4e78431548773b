// Repeating a POST with its Idempotency-Key against the whole server: one effect, one answer, kept with the work.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openUserBalance, type UserBalance, userBalanceIn } from './balance-fixture.ts';
import { refusalOf } from './refusals.ts';

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const REUSED = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED', details: {} };

const isReplay = (answer: { headers: Headers }): boolean => answer.headers.get('idempotency-replay') === 'true';

const storedIn = async ({ app }: UserBalance): Promise<number> =>
  // Another file may have left an answer in the default marketplace of the shared server.
  (
    await app.sql('select count(*)::int as count from idempotency_answers where marketplace_id = $1', [
      app.marketplaceId,
    ])
  )[0].count;

test('a repeat gets the first answer byte for byte, says so, and moves nothing', async (t) => {
  const userBalance = await openUserBalance(t);
  const key = randomUUID();
  const first = await userBalance.done('credit', { amount: '5.00' }, withKey(key));
  await userBalance.done('credit', { amount: '1.00' });
  const again = await userBalance.done('credit', { amount: '5.00' }, withKey(key));
  assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
  assert.equal(again.text, first.text);
  for (const answer of [first, again]) assert.equal(answer.headers.get('x-idempotency-key'), key);
  assert.notEqual(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
  assert.deepEqual(await userBalance.figures(), ['6.00', '0.00', '6.00']);
});

test('a replay leaves no event, no audit entry and no posting', async (t) => {
  const { app, done } = await openUserBalance(t);
  const key = randomUUID();
  await done('credit', { amount: '5.00' }, withKey(key));
  const count = `select (select count(*) from events) as events, (select count(*) from audit_entries) as entries,
    (select count(*) from postings) as postings`;
  const before = await app.sql(count);
  for (let i = 0; i < 3; i++) await done('credit', { amount: '5.00' }, withKey(key));
  assert.deepEqual(await app.sql(count), before);
});

test('the same content in another order and spelling is the same request', async (t) => {
  const { done, figures } = await openUserBalance(t, '10.00');
  const key = randomUUID();
  await done('reserve', { amount: '5.00', orderId: 'o1' }, withKey(key));
  const again = await done('reserve', { order_id: 'o1', amount: '5.00' }, withKey(key.toUpperCase()));
  assert.equal(isReplay(again), true);
  assert.deepEqual(await figures(), ['5.00', '5.00', '10.00']);
});

test('409 IDEMPOTENCY_KEY_REUSED for another body, another route and another user', async (t) => {
  const { app, done, refused } = await openUserBalance(t, '10.00');
  const other = await app.aUser();
  const key = randomUUID();
  await done('credit', { amount: '5.00' }, withKey(key));
  assert.deepEqual(await refused('credit', { amount: '5.01' }, withKey(key)), REUSED);
  assert.deepEqual(await refused('credit', { amount: '5.00', reference: 'x' }, withKey(key)), REUSED);
  assert.deepEqual(await refused('debit', { amount: '5.00' }, withKey(key)), REUSED);
  const elsewhere = () =>
    app.call(`POST /users/${other}/balance/credit`, { body: { amount: '5.00' }, ...withKey(key) });
  assert.deepEqual(await refusalOf(app, elsewhere), REUSED);
  assert.equal(isReplay(await done('credit', { amount: '5.00' }, withKey(key))), true);
});

test('400 VALIDATION_ERROR for a key that is no UUID of version 4, before anything moves', async (t) => {
  const { refused } = await openUserBalance(t);
  const v4 = randomUUID();
  for (const key of [
    'abc',
    '',
    v4.slice(1),
    `${v4}0`,
    '3f2b8a52-7f0e-1d0b-9f34-7c8f8c1d2e3f',
    v4.replaceAll('-', ''),
  ]) {
    assert.deepEqual(
      await refused('credit', { amount: '5.00' }, withKey(key)),
      {
        status: 400,
        code: 'VALIDATION_ERROR',
        details: { validationErrors: ['Idempotency-Key must be a UUID of version 4'] },
      },
      key,
    );
  }
});

test('a business refusal is replayed, even when it would turn out differently now', async (t) => {
  const userBalance = await openUserBalance(t, '1.00');
  const key = randomUUID();
  const first = await userBalance.move('debit', { amount: '5.00' }, withKey(key));
  assert.deepEqual([first.status, first.body.error.code], [422, 'INSUFFICIENT_FUNDS']);
  await userBalance.done('credit', { amount: '10.00' });
  const again = await userBalance.move('debit', { amount: '5.00' }, withKey(key));
  assert.deepEqual([again.status, isReplay(again), again.text], [422, true, first.text]);
  assert.deepEqual(await userBalance.figures(), ['11.00', '0.00', '11.00']);
});

test('404 and 409 are replayed too', async (t) => {
  const { app, userId, move } = await openUserBalance(t, '1.00');
  const missing = () => move('cancel-reservation', { orderId: 'o1' }, withKey(first));
  const state = () => app.call(`POST /users/${userId}/reactivate`, withKey(second));
  const first = randomUUID();
  const second = randomUUID();
  for (const [ask, status] of [
    [missing, 404],
    [state, 409],
  ] as const) {
    const once = await ask();
    const twice = await ask();
    assert.deepEqual([once.status, twice.status, isReplay(once), isReplay(twice)], [status, status, false, true]);
    assert.equal(twice.text, once.text);
  }
});

test('validation errors, 401 and 403 are not kept: the key stays free', async (t) => {
  const userBalance = await openUserBalance(t);
  const key = randomUUID();
  const reader = await userBalance.app.key(['read']);
  const tries: [unknown, object, number][] = [
    [{ amount: 7 }, {}, 400],
    [{ amount: '0' }, {}, 400],
    [{ amount: '5.00', colour: 'red' }, {}, 400],
    [{ amount: '5.00' }, { key: null }, 401],
    [{ amount: '5.00' }, { key: reader }, 403],
  ];
  for (const [body, ask, status] of tries) {
    assert.equal((await userBalance.move('credit', body, { ...withKey(key), ...ask })).status, status);
  }
  assert.equal(await storedIn(userBalance), 0);
  assert.equal(isReplay(await userBalance.done('credit', { amount: '5.00' }, withKey(key))), false);
});

test('a 5xx is not kept: once the trouble is over the repeat does the work', async (t) => {
  const { app, move, done, figures } = await userBalanceIn(await startApp(t));
  const key = randomUUID();
  await app.sql('alter table postings rename to postings_away');
  const failed = await move('credit', { amount: '5.00' }, withKey(key));
  assert.ok(failed.status >= 500, failed.text);
  await app.sql('alter table postings_away rename to postings');
  assert.equal(isReplay(await done('credit', { amount: '5.00' }, withKey(key))), false);
  assert.deepEqual(await figures(), ['5.00', '0.00', '5.00']);
});

test('a key whose time is over counts as new', async (t) => {
  const { app, userId, done, figures } = await openUserBalance(t);
  const key = await app.key(['write']);
  const ask = { key, ...withKey(randomUUID()) };
  await done('credit', { amount: '5.00' }, ask);
  await app.sql("update idempotency_answers set expires_at = now() - interval '1 second'");
  // The first server remembers when it gave the answer; one that starts now knows only what is stored.
  const later = await startApp(t, { connection: app.connection });
  const credit = () => later.call(`POST /users/${userId}/balance/credit`, { ...ask, body: { amount: '1.00' } });
  const other = await credit();
  const again = await credit();
  assert.deepEqual([other.status, isReplay(other), isReplay(again)], [200, false, true]);
  assert.deepEqual(await figures(), ['6.00', '0.00', '6.00']);
});

test('answers are kept for 24 hours unless the setting says otherwise', async (t) => {
  const { app, done } = await openUserBalance(t);
  await done('credit', { amount: '5.00' }, withKey(randomUUID()));
  const [row] = await app.sql(
    `select extract(epoch from expires_at - now())::int / 60 as minutes from idempotency_answers
      where marketplace_id = $1`,
    [app.marketplaceId],
  );
  assert.ok(row.minutes >= 1_438 && row.minutes <= 1_440, String(row.minutes));
});

test('the same key of another API key, and of another marketplace, is another request', async (t) => {
  const { app, userId, done, figures } = await openUserBalance(t);
  const key = randomUUID();
  await done('credit', { amount: '5.00' }, withKey(key));
  const second = await app.key(['*']);
  const answer = await done('credit', { amount: '5.00' }, { ...withKey(key), key: second });
  assert.equal(isReplay(answer), false);
  const here = { 'x-marketplace-id': app.marketplaceId };
  const asMaster = { headers: { ...withKey(key).headers, ...here }, key: MASTER_KEY };
  const master = await done('credit', { amount: '5.00' }, asMaster);
  assert.equal(isReplay(master), false);
  assert.deepEqual(await figures(), ['15.00', '0.00', '15.00']);
  const elsewhere = await app.key(['*'], 'mkt_other');
  const foreign = await app.call(`POST /users/${userId}/balance/credit`, {
    ...withKey(key),
    key: elsewhere,
    body: { amount: '5.00' },
  });
  assert.deepEqual([foreign.status, isReplay(foreign)], [404, false]);
});

test('another caller with the same idempotency key and body gets no stored answer', async (t) => {
  const { refused, done } = await openUserBalance(t);
  const key = randomUUID();
  await done('credit', { amount: '5.00' }, withKey(key));
  const refusal = await refused('credit', { amount: '5.00' }, { ...withKey(key), key: null });
  assert.deepEqual(refusal, { status: 401, code: 'UNAUTHORIZED', details: {} });
});

test('a created user is replayed as 201, and without the key it is 200', async (t) => {
  const { app } = await openUserBalance(t);
  const ask = { body: { externalUserId: 'ada' }, ...withKey(randomUUID()) };
  const first = await app.call('POST /users', ask);
  const again = await app.call('POST /users', ask);
  assert.deepEqual([first.status, again.status, isReplay(again)], [201, 201, true]);
  assert.equal((await app.call('POST /users', { body: ask.body })).status, 200);
});

test('every POST built so far honours the key, and a GET takes no notice of it', async (t) => {
  const { app, userId, done } = await openUserBalance(t, '50.00');
  await done('reserve', { amount: '20.00', orderId: 'o1' });
  const requests: [string, object | undefined][] = [
    ['/balance/credit', { amount: '1.00' }],
    ['/balance/debit', { amount: '1.00' }],
    ['/balance/reserve', { amount: '1.00' }],
    ['/balance/release', { amount: '1.00' }],
    ['/balance/deduct-reserved', { amount: '1.00' }],
    ['/balance/cancel-reservation', { orderId: 'o1' }],
    ['/balance/sync', undefined],
    ['/payment-account/link', { email: 'ada@example.com' }],
    ['/suspend', undefined],
    ['/reactivate', undefined],
  ];
  for (const [path, body] of requests) {
    const ask = { ...withKey(randomUUID()), ...(body === undefined ? {} : { body }) };
    const first = await app.call(`POST /users/${userId}${path}`, ask);
    const again = await app.call(`POST /users/${userId}${path}`, ask);
    assert.deepEqual([first.status, again.status, isReplay(first), isReplay(again)], [200, 200, false, true], path);
    assert.equal(again.text, first.text);
  }
  const read = await app.call(`GET /users/${userId}`, withKey('nonsense'));
  assert.deepEqual([read.status, read.headers.get('x-idempotency-key')], [200, null]);
});

test('a repeat gets its first answer also when the request could not be made any more', async (t) => {
  const app = await openApp(t);
  const made = (await app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'k', scopes: ['read'] } })).body
    .data;
  const ask = { key: MASTER_KEY, headers: { 'idempotency-key': randomUUID() } };
  const first = await app.call(`POST /auth/api-keys/${made.id}/token`, ask);
  assert.equal(first.status, 201);
  assert.equal((await app.call(`DELETE /auth/api-keys/${made.id}`, { key: MASTER_KEY })).status, 200);

  const again = await app.call(`POST /auth/api-keys/${made.id}/token`, ask);
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  const fresh = { key: MASTER_KEY, headers: { 'idempotency-key': randomUUID() } };
  assert.equal((await app.call(`POST /auth/api-keys/${made.id}/token`, fresh)).status, 409);
});
