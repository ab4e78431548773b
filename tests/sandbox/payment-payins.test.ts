// Payins over HTTP, as the server's adapter sees them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caller, controlOf, payinBody, paymentOf, shareSandbox } from './payment-client.ts';

const DAY_S = 24 * 60 * 60;

const emptySandbox = shareSandbox();

async function open() {
  const sandbox = await emptySandbox();
  return { sandbox, api: paymentOf(sandbox.url), control: controlOf(sandbox.url) };
}

test('a payin is created, found by id and by code, and listed', async () => {
  const { api } = await open();
  const { status, body: payin } = await api('POST /payins', payinBody('top_1'));
  assert.equal(status, 200);
  assert.match(payin.id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.equal(payin.status, 'CREATED');
  assert.deepEqual([payin.amount, payin.netAmount, payin.airtmFee], [25.5, 25.5, 0]);
  assert.deepEqual(payin.items[0].payinId, payin.id);
  assert.deepEqual((await api(`GET /payins/${payin.id}`)).body, payin);
  assert.deepEqual((await api('GET /payins/by-code/top_1')).body, payin);
  assert.deepEqual((await api('GET /payins')).body.items, [payin]);
});

test('the list is newest first and continues with its cursors', async () => {
  const { api } = await open();
  for (let number = 1; number <= 25; number++) await api('POST /payins', payinBody(`top_${number}`));
  const first = (await api('GET /payins?perPage=10')).body;
  assert.deepEqual([first.items[0].code, first.items[9].code], ['top_25', 'top_16']);
  const second = (await api(`GET /payins?perPage=10&after=${first.endCursor}`)).body;
  assert.deepEqual([second.items[0].code, second.items[9].code], ['top_15', 'top_6']);
  const back = (await api(`GET /payins?perPage=10&before=${second.startCursor}`)).body;
  assert.deepEqual(back, first);
  const third = (await api(`GET /payins?perPage=10&after=${second.endCursor}`)).body;
  assert.equal(third.items.length, 5);
  assert.deepEqual((await api('GET /payins?status=CONFIRMED')).body, { items: [] });
});

test('a repeated code is the provider’s conflict and makes no second payin', async () => {
  const { api } = await open();
  await api('POST /payins', payinBody('top_1'));
  const again = await api('POST /payins', payinBody('top_1', 99));
  assert.equal(again.status, 409);
  assert.equal(again.body.code, '415029');
  assert.equal((await api('GET /payins')).body.items.length, 1);
});

test('what is not a payin is refused with the field', async () => {
  const { api } = await open();
  const good = payinBody('top_1');
  const bad: [string, Record<string, unknown>][] = [
    ['code', { code: '' }],
    ['amount', { amount: 25.505 }],
    ['amount', { amount: '25.50' }],
    ['amount', { amount: -1 }],
    ['amount', { amount: 99 }],
    ['items', { items: [] }],
    ['quantity', { items: [{ description: 'x', amount: 25.5, quantity: 0 }] }],
    ['description', { description: 'x'.repeat(251) }],
    ['confirmationUri', { confirmationUri: 'javascript:alert(1)' }],
    ['surprise', { surprise: true }],
  ];
  for (const [field, change] of bad) {
    const { status, body } = await api('POST /payins', { ...good, ...change });
    assert.equal(status, 400, field);
    assert.equal(body.code, '415906');
    assert.ok(field in body.data, `${field} is named in ${JSON.stringify(body)}`);
  }
  assert.equal((await api('GET /payins/unknown')).body.code, '415031');
  assert.equal((await api('GET /payins/by-code/unknown')).status, 404);
});

test('confirming adds the money to the balance, once', async () => {
  const { api, control } = await open();
  const before = (await api('GET /me/balance')).body.available;
  await api('POST /payins', payinBody('top_1', 0.1));
  await api('POST /payins', payinBody('top_2', 0.2));
  assert.equal((await control('POST /payins/top_1/process')).body.status, 'PROCESSING');
  assert.equal((await control('POST /payins/top_1/confirm')).body.status, 'CONFIRMED');
  const { body } = await api('GET /payins/by-code/top_2');
  assert.equal((await control(`POST /payins/${body.id}/confirm`)).status, 200);
  const again = await control('POST /payins/top_1/confirm');
  assert.equal(again.status, 409);
  assert.match(again.body.error, /is CONFIRMED, but only CREATED or PROCESSING can become CONFIRMED/);
  assert.deepEqual((await api('GET /me/balance')).body, { available: before + 0.3, pending: 0 });
});

test('a payin fails with its reason', async () => {
  const { api, control } = await open();
  await api('POST /payins', payinBody('top_1'));
  await control('POST /payins/top_1/fail', { reason: 'User insufficient balance' });
  const { body } = await api('GET /payins/by-code/top_1');
  assert.deepEqual([body.status, body.failureReason], ['FAILED', 'User insufficient balance']);
});

test('deleting cancels a payin that waits, and no other', async () => {
  const { api, control } = await open();
  const { id } = (await api('POST /payins', payinBody('top_1'))).body;
  const cancelled = await api(`DELETE /payins/${id}`);
  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'CANCELED']);
  assert.equal((await api(`DELETE /payins/${id}`)).body.code, '415030');
  const second = (await api('POST /payins', payinBody('top_2'))).body;
  await control('POST /payins/top_2/process');
  assert.equal((await api(`DELETE /payins/${second.id}`)).status, 409);
});

test('a payin without a confirmation expires after fifteen days of the simulators’ clock', async () => {
  const { api, control } = await open();
  await api('POST /payins', payinBody('top_1'));
  await api('POST /payins', payinBody('top_2'));
  await control('POST /payins/top_2/confirm');
  await control('POST /clock/advance', { seconds: 15 * DAY_S - 60 });
  assert.equal((await api('GET /payins/by-code/top_1')).body.status, 'CREATED');
  await control('POST /clock/advance', { seconds: 120 });
  const { body } = await api('GET /payins/by-code/top_1');
  assert.deepEqual([body.status, body.failureReason], ['CANCELED', 'The payin expired']);
  assert.equal(Date.parse(body.updatedAt) - Date.parse(body.createdAt) >= 15 * DAY_S * 1000, true);
  assert.equal((await api('GET /payins/by-code/top_2')).body.status, 'CONFIRMED');
});

test('the payer confirms or cancels on the page, once, and is sent on with the code', async () => {
  const { sandbox, api } = await open();
  const page = caller(sandbox.url);
  const wanted = { ...payinBody('top_1'), description: 'Two <b>lamps</b>' };
  const { id } = (await api('POST /payins', wanted)).body;
  const shown = await page(`GET /payin/${id}`);
  assert.equal(shown.status, 200);
  assert.match(shown.body, /Pay 25\.50 USD/);
  assert.match(shown.body, /Two &lt;b&gt;lamps&lt;\/b&gt;/);

  const confirmed = await fetch(`${sandbox.url}/payin/${id}/confirm`, { method: 'POST', redirect: 'manual' });
  assert.equal(confirmed.status, 303);
  assert.equal(confirmed.headers.get('location'), 'http://127.0.0.1:1/confirmed?from=sandbox&code=top_1');
  assert.equal((await api(`GET /payins/${id}`)).body.status, 'CONFIRMED');
  const late = await fetch(`${sandbox.url}/payin/${id}/cancel`, { method: 'POST', redirect: 'manual' });
  assert.equal(late.headers.get('location'), `/payin/${id}`);
  assert.match((await page(`GET /payin/${id}`)).body, /this payment is CONFIRMED/);

  const other = (await api('POST /payins', payinBody('top_2'))).body;
  await fetch(`${sandbox.url}/payin/${other.id}/cancel`, { method: 'POST', redirect: 'manual' });
  assert.equal((await api(`GET /payins/${other.id}`)).body.status, 'CANCELED');
  assert.equal((await page('GET /payin/unknown')).status, 404);
});
