// GET /marketplaces/{id}, POST /marketplaces/{id}/float and PUT /marketplaces/{id}/credit-line, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { openPayments } from '../payments/payment-fixture.ts';
import { codeOf, MASTER_KEY } from '../support/app.ts';

const SHOP = 'mkt_shop';

/** A server whose operator has 1,000.00 at the payment provider, and the marketplace of a tenant. */
const openShop = async (t: TestContext) => {
  const fixture = await openPayments(t, { sandbox: { payment: { openingBalance: 1_000 } } });
  const { app } = fixture;
  const key = await app.key(['*'], SHOP);
  const allot = (amount: string, { id = SHOP, headers = {} } = {}) =>
    app.call(`POST /marketplaces/${id}/float`, { key: MASTER_KEY, headers, body: { amount, currency: 'USD' } });
  const setLine = (amount: string, id = SHOP) =>
    app.call(`PUT /marketplaces/${id}/credit-line`, { key: MASTER_KEY, body: { amount, currency: 'USD' } });
  const floatOf = async (id: string) =>
    (await app.call(`GET /marketplaces/${id}`, { key: MASTER_KEY })).body.data.float;
  const auditOf = async (id: string) =>
    (await app.sql('select action, actor_type from audit_entries where marketplace_id = $1 order by seq', [id]))
      .filter(({ action }) => /FLOAT|CREDIT_LINE/.test(action))
      .map((entry) => `${entry.action} by ${entry.actor_type}`);
  return { ...fixture, key, allot, setLine, floatOf, auditOf };
};

test('200 shows the marketplace with its float, and 404 MARKETPLACE_NOT_FOUND for none', async (t) => {
  const { app } = await openShop(t);
  const { status, body } = await app.call(`GET /marketplaces/${SHOP}`, { key: MASTER_KEY });
  assert.equal(status, 200);
  const { createdAt, ...shown } = body.data;
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT/);
  const nothing = {
    currency: 'USD',
    held: '0.00',
    allotted: '0.00',
    pendingPayouts: '0.00',
    creditLine: '0.00',
    creditUsed: '0.00',
    available: '0.00',
  };
  const paymentAccount = { account: 'shared', since: null };
  assert.deepEqual(shown, { id: SHOP, users: 0, orders: 0, keys: 1, float: nothing, paymentAccount, limits: [] });
  const listed = (await app.call('GET /marketplaces', { key: MASTER_KEY })).body.data.data;
  assert.deepEqual(
    listed.find(({ id }: { id: string }) => id === SHOP),
    body.data,
  );
  for (const id of ['mkt_none', 'none']) {
    assert.equal(codeOf(await app.call(`GET /marketplaces/${id}`, { key: MASTER_KEY })), '404 MARKETPLACE_NOT_FOUND');
  }
});

test('201 moves float from the operator to the marketplace and back, in the books of both', async (t) => {
  const { allot, floatOf, auditOf, assertSettled } = await openShop(t);
  const given = await allot('400.00');
  assert.equal(given.status, 201, given.text);
  const { id, createdAt, arrivedAt, float, ...shown } = given.body.data;
  assert.match(id, /^flt_/);
  assert.ok(arrivedAt > createdAt);
  assert.deepEqual(shown, { from: 'mkt_default', to: SHOP, amount: '400.00', currency: 'USD' });
  assert.deepEqual([float.held, float.allotted, float.available], ['400.00', '400.00', '400.00']);
  assert.equal((await floatOf('mkt_default')).held, '600.00');

  const taken = await allot('-150.00');
  assert.equal(taken.status, 201, taken.text);
  assert.deepEqual([taken.body.data.from, taken.body.data.to, taken.body.data.amount], [SHOP, 'mkt_default', '150.00']);
  assert.deepEqual([taken.body.data.float.held, taken.body.data.float.allotted], ['250.00', '250.00']);
  assert.equal((await floatOf('mkt_default')).held, '750.00');
  assert.deepEqual(await auditOf(SHOP), [
    'FLOAT_RECEIVED by master',
    'FLOAT_GIVEN by master',
    'FLOAT_ARRIVED by master',
  ]);
  await assertSettled();
});

test('400 for an amount that is none, and a currency that the provider does not have', async (t) => {
  const { app, allot, floatOf } = await openShop(t);
  for (const amount of ['0.00', '-0', '1.001', '--5', 'x', '-', '']) {
    assert.equal(codeOf(await allot(amount)), '400 INVALID_AMOUNT', amount);
  }
  for (const body of [{ amount: '1.00' }, { amount: '1.00', currency: 'USDC' }, { amount: 1, currency: 'USD' }]) {
    const answer = await app.call(`POST /marketplaces/${SHOP}/float`, { key: MASTER_KEY, body });
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', JSON.stringify(body));
  }
  assert.equal((await floatOf(SHOP)).held, '0.00');
});

test('404 MARKETPLACE_NOT_FOUND makes no marketplace', async (t) => {
  const { app, allot, setLine } = await openShop(t);
  assert.equal(codeOf(await allot('1.00', { id: 'mkt_typo' })), '404 MARKETPLACE_NOT_FOUND');
  assert.equal(codeOf(await setLine('1.00', 'mkt_typo')), '404 MARKETPLACE_NOT_FOUND');
  assert.deepEqual(await app.sql("select 1 from marketplaces where marketplace_id = 'mkt_typo'"), []);
});

test('403 INSUFFICIENT_SCOPE for every key but the master key', async (t) => {
  const { app, key } = await openShop(t);
  const body = { amount: '1.00', currency: 'USD' };
  for (const route of [`POST /marketplaces/${SHOP}/float`, `PUT /marketplaces/${SHOP}/credit-line`]) {
    assert.equal(codeOf(await app.call(route, { key, body })), '403 INSUFFICIENT_SCOPE', route);
  }
  assert.equal(codeOf(await app.call(`GET /marketplaces/${SHOP}`, { key })), '403 INSUFFICIENT_SCOPE');
});

test('422 INSUFFICIENT_FUNDS gives no more than the operator has, and takes no more than was allotted', async (t) => {
  const { app, key, aTopup, pay, allot, floatOf, assertSettled } = await openShop(t);
  const beyond = await allot('1000.01');
  assert.equal(codeOf(beyond), '422 INSUFFICIENT_FUNDS');
  assert.equal(beyond.body.error.details.float.held, '1000.00');
  await allot('100.00');
  const { id } = await aTopup({ key, userId: await app.aUser({ key }), body: { amount: '50.00' } });
  await pay(id, 'confirm');
  assert.equal((await floatOf(SHOP)).held, '150.00');
  assert.equal(codeOf(await allot('-100.01')), '422 INSUFFICIENT_FUNDS', 'the deposits of its users stay');
  assert.equal((await allot('-100.00')).status, 201);
  assert.equal((await floatOf(SHOP)).held, '50.00');
  await assertSettled();
});

test('a repeat with the same Idempotency-Key moves the float once, and another amount is refused', async (t) => {
  const { app, allot, floatOf } = await openShop(t);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await allot('10.00', { headers });
  // The marketplace is in the path, so the header means nothing here.
  for (const named of [{}, { 'x-marketplace-id': SHOP }, { 'x-marketplace-id': 'mkt_none' }]) {
    const again = await allot('10.00', { headers: { ...headers, ...named } });
    assert.deepEqual([again.status, again.body], [201, first.body]);
  }
  assert.equal((await floatOf(SHOP)).held, '10.00');
  assert.deepEqual(await app.sql("select 1 from marketplaces where marketplace_id = 'mkt_none'"), []);
  for (const amount of ['11.00', '-10.00']) {
    assert.equal(codeOf(await allot(amount, { headers })), '409 IDEMPOTENCY_KEY_REUSED');
  }
  assert.equal((await floatOf(SHOP)).held, '10.00');
});

test('201 moves the float again when the Idempotency-Key is a day old, whatever the amount is', async (t) => {
  const { app, allot, restart } = await openShop(t);
  const old = { 'idempotency-key': randomUUID() };
  const young = { 'idempotency-key': randomUUID() };
  const oldId = (await allot('10.00', { headers: old })).body.data.id;
  const youngId = (await allot('20.00', { headers: young })).body.data.id;
  await app.sql("update idempotency_answers set expires_at = now() - interval '1 second'");
  const age = (id: string, hours: string) =>
    app.sql('update float_transfers set created_at = now() - $2::interval where id = $1', [id, hours]);
  await age(oldId, '24 hours 1 minute');
  await age(youngId, '23 hours 59 minutes');

  const later = await restart();
  const ask = (headers: Record<string, string>, amount: string) =>
    later.call(`POST /marketplaces/${SHOP}/float`, { key: MASTER_KEY, headers, body: { amount, currency: 'USD' } });
  const same = await ask(young, '20.00');
  assert.deepEqual([same.status, same.body.data.id], [201, youngId], 'its day is not over');
  const again = await ask(old, '30.00');
  assert.equal(again.status, 201, again.text);
  assert.notEqual(again.body.data.id, oldId);
  assert.equal(again.body.data.float.held, '60.00');
});

test('200 sets the credit line, shows and audits it, and a line that is already set changes nothing', async (t) => {
  const { setLine, floatOf, auditOf } = await openShop(t);
  const { status, body } = await setLine('250.00');
  assert.equal(status, 200);
  assert.deepEqual([body.data.id, body.data.float.creditLine, body.data.float.available], [SHOP, '250.00', '250.00']);
  await setLine('250.00');
  assert.deepEqual(await auditOf(SHOP), ['CREDIT_LINE_SET by master']);
  assert.equal((await setLine('0.00')).body.data.float.creditLine, '0.00');
  assert.equal((await floatOf(SHOP)).available, '0.00');
  for (const amount of ['-1.00', 'x', '1.001', '']) assert.equal(codeOf(await setLine(amount)), '400 INVALID_AMOUNT');
});
