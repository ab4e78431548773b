// POST /webhooks/payment-provider: what is answered to whom, and what is kept of it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Any, openPayments, openSharedPayments, signedHeaders } from '../payments/payment-fixture.ts';
import { codeOf, startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';

const PROCESSED = '{"status":"ok","processed":true}';
const DUPLICATE = '{"status":"ok","duplicate":true}';
const FAILED = '{"status":"ok","processed":false}';

const dataOf = ({ id, providerPayinId }: Any, more: object = {}) => ({
  id: providerPayinId,
  code: id,
  amount: 25.5,
  currency: 'USD',
  status: 'CONFIRMED',
  reasonCode: null,
  reasonDescription: null,
  ...more,
});

/** Without the shared secret of the other tests. */
const callWebhook = (app: TestApp, { body, headers = {} }: { body: string; headers?: Record<string, string> }) =>
  app.call('POST /webhooks/payment-provider', { key: null, body, headers });

test('200 processed, then duplicate: the event is applied once', async (t) => {
  const { app, arm, pay, aTopup, deliver, available, eventsOf, assertSettled } = await openSharedPayments(t);
  const made = await aTopup();
  arm({ operation: 'webhook', fault: 'drop', match: made.id });
  await pay(made.id, 'confirm');
  const event = { type: 'payin.succeeded', data: dataOf(made), eventId: 'evt-1' };
  const first = await deliver(event);
  const again = await deliver(event);
  assert.deepEqual([first.status, first.text, again.status, again.text], [200, PROCESSED, 200, DUPLICATE]);
  assert.equal(await available(made.userId), '25.50');
  assert.equal((await eventsOf(made)).filter(([type]) => type === 'balance.credited').length, 1);
  const [row] = await app.sql("select * from webhook_events where id = 'payment-provider:evt-1'");
  assert.deepEqual(
    [row.state, row.type, row.signed, row.subject_id, row.attempts, row.marketplace_id],
    ['PROCESSED', 'payin.succeeded', true, made.id, 1, app.marketplaceId],
  );
  await assertSettled();
});

test("200 processed in the provider's own spelling, with the id in the header only", async (t) => {
  const { aTopup, sendWebhook, available } = await openSharedPayments(t);
  const made = await aTopup();
  const body = JSON.stringify({ type: 'payin.confirmed', data: { ...dataOf(made), netAmount: 25.5, items: [] } });
  const send = (id: string, prefix: string) => sendWebhook(body, signedHeaders(body, { id, prefix }));
  assert.equal((await send('msg_1', 'svix')).text, PROCESSED);
  assert.equal((await send('msg_1', 'webhook')).text, DUPLICATE);
  assert.equal((await send('msg_2', 'webhook')).text, PROCESSED);
  assert.equal(await available(made.userId), '25.50');
});

test('200 processed for an event that names the top-up by either id', async (t) => {
  const { aTopup, deliver, get } = await openSharedPayments(t);
  const byPayin = await aTopup();
  const byCode = await aTopup();
  const bySpec = await aTopup();
  const reports = [
    { ...dataOf(byPayin), code: null },
    { ...dataOf(byCode) },
    // As one reads the interface description: the id is ours and there is no code.
    { ...dataOf(bySpec), id: bySpec.id, code: undefined },
  ];
  for (const data of reports) assert.equal((await deliver({ type: 'payin.succeeded', data })).text, PROCESSED);
  for (const { id, providerPayinId } of [byPayin, byCode, bySpec]) {
    const now = await get(id);
    assert.deepEqual([now.status, now.providerPayinId], ['TOPUP_SUCCEEDED', providerPayinId]);
  }
});

test('200 processed in the marketplace of the top-up, whichever it is', async (t) => {
  const { app, aTopup, deliver, pay, assertSettled } = await openSharedPayments(t);
  const key = await app.key(['*'], 'mkt_other');
  const userId = await app.aUser({ key });
  const made = await aTopup({ key, userId });
  await pay(made.id, 'confirm');
  const { body } = await app.call(`GET /users/${userId}/balance`, { key });
  assert.equal(body.data.available, '25.50');
  assert.equal((await deliver({ type: 'payin.succeeded', data: dataOf(made) })).text, PROCESSED);
  const rows = await app.sql('select distinct marketplace_id as id from webhook_events where subject_id = $1', [
    made.id,
  ]);
  assert.equal(rows.length, 1);
  assert.match(rows[0].id, /^mkt_other/);
  await assertSettled();
});

test('401 WEBHOOK_SIGNATURE_INVALID for every kind of wrong signature, before anything is read', async (t) => {
  const { app, aTopup, sendWebhook, available } = await openSharedPayments(t);
  const made = await aTopup();
  const body = JSON.stringify({ eventId: 'e', eventType: 'payin.succeeded', data: dataOf(made) });
  const good = signedHeaders(body, { id: 'e' });
  const { 'svix-signature': signature, ...unsigned } = good;
  const old = new Date(Date.now() - 6 * 60_000);
  const wrong: [string, string, Record<string, string>][] = [
    ['no headers', body, {}],
    ['no signature', body, unsigned],
    ['an empty one', body, { ...unsigned, 'svix-signature': '' }],
    ['of another body', `${body} `, good],
    ['of another id', body, { ...good, 'svix-id': 'f' }],
    [
      'of another secret',
      body,
      signedHeaders(body, { id: 'e', secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}` }),
    ],
    ['too old', body, signedHeaders(body, { id: 'e', at: old })],
    ['from the future', body, signedHeaders(body, { id: 'e', at: new Date(Date.now() + 6 * 60_000) })],
    ['of another scheme', body, { ...unsigned, 'svix-signature': signature!.replace('v1,', 'v2,') }],
    ['and no JSON', '{"eventId', { ...good }],
    ['and a key instead', body, { authorization: 'Bearer master_of-the-tests-0123456789abcdef' }],
  ];
  for (const [what, text, headers] of wrong) {
    const answer = await sendWebhook(text, headers);
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'WEBHOOK_SIGNATURE_INVALID'], what);
  }
  assert.equal(await available(made.userId), '0.00');
  assert.deepEqual(await app.sql("select id from webhook_events where id = 'payment-provider:e'"), []);
  const several = { ...good, 'svix-signature': `v1,${Buffer.alloc(32).toString('base64')} ${signature}` };
  assert.equal((await sendWebhook(body, several)).text, PROCESSED);
});

test('200 not processed for an unknown top-up, and neither is a repeat of the event', async (t) => {
  const { app, deliver } = await openSharedPayments(t);
  const data = { id: 'no-such-payin', code: 'top_01J9ZQ8H7K5M3N2P4R6S8T0V1W', amount: 5, status: 'CONFIRMED' };
  // What belongs to no marketplace is kept where all tests of a server see it.
  const eventId = `lost-${randomUUID()}`;
  for (const attempts of [1, 2]) {
    const { status, text } = await deliver({ type: 'payin.succeeded', data, eventId });
    assert.deepEqual([status, text], [200, FAILED]);
    const [row] = await app.sql('select * from webhook_events where id = $1', [`payment-provider:${eventId}`]);
    assert.deepEqual(
      [row.state, row.attempts, row.subject_id, row.failure],
      ['FAILED', attempts, null, 'No top-up matches the event.'],
    );
  }
});

test('200 not processed when amount, currency or payment are others; the right ones are processed afterwards', async (t) => {
  const { app, aTopup, deliver, available, get } = await openSharedPayments(t);
  const made = await aTopup();
  const other = await aTopup();
  const misfits = [
    { amount: 25.49 },
    { amount: 2_550 },
    { amount: '25.51' },
    { amount: null },
    { currency: 'EUR' },
    { id: other.providerPayinId },
    { id: 'another-payin' },
  ];
  for (const [at, misfit] of misfits.entries()) {
    const event = { type: 'payin.succeeded', data: dataOf(made, misfit), eventId: `misfit-${at}` };
    assert.equal((await deliver(event)).text, FAILED, JSON.stringify(misfit));
  }
  assert.deepEqual([await available(made.userId), (await get(made.id)).status], ['0.00', made.status]);
  const rows = await app.sql("select state, failure, subject_id from webhook_events where id like '%misfit%'");
  assert.ok(rows.every(({ state, failure, subject_id }) => state === 'FAILED' && failure && subject_id === made.id));
  // The same event with the right amount, as the provider would repeat it after a correction.
  const right = { type: 'payin.succeeded', data: dataOf(made), eventId: 'misfit-0' };
  assert.equal((await deliver(right)).text, PROCESSED);
  assert.equal((await deliver(right)).text, DUPLICATE);
  assert.equal(await available(made.userId), '25.50');
  const [row] = await app.sql(
    "select state, attempts, failure from webhook_events where id = 'payment-provider:misfit-0'",
  );
  assert.deepEqual(row, { state: 'PROCESSED', attempts: 2, failure: null });
});

test('200 not processed for types without a handler, and they are stored', async (t) => {
  const { app, deliver } = await openSharedPayments(t);
  const batch = randomUUID();
  for (const type of ['payin.refunded', 'something.else', 'payout.completed']) {
    const event = { type, data: { id: 'x', code: null, amount: 1 }, eventId: `${batch} ${type}` };
    const { status, text } = await deliver(event);
    assert.deepEqual([status, text], [200, FAILED], type);
  }
  const rows = await app.sql('select type, state from webhook_events where id like $1 order by created_at', [
    `%${batch}%`,
  ]);
  assert.deepEqual(
    rows.map(({ type, state }) => [type, state]),
    [
      ['payin.refunded', 'FAILED'],
      ['something.else', 'FAILED'],
      ['payout.completed', 'FAILED'],
    ],
  );
});

test('200 not processed for a signed body that says nothing that can be read; 400 for one that is no JSON', async (t) => {
  const { app, sendWebhook } = await openSharedPayments(t);
  const kept = () => app.sql('select id, attempts from webhook_events order by id');
  const before = await kept();
  const send = (body: string) => sendWebhook(body, signedHeaders(body, { id: 'odd' }));
  for (const body of ['{}', '{"eventType":"payin.succeeded","data":{}}', '{"data":{"id":1}}']) {
    assert.deepEqual([(await send(body)).status, (await send(body)).text], [200, FAILED], body);
  }
  const long = JSON.stringify({ eventId: 'x'.repeat(500), eventType: 'payin.succeeded', data: { id: 'x' } });
  assert.equal((await send(long)).text, FAILED);
  for (const body of ['{"type":', '[]', '"payin"', '{"eventId":"a\\u0000b","eventType":"x"}']) {
    assert.equal((await send(body)).status, 400, body);
  }
  assert.deepEqual(await kept(), before);
});

test('without a secret the signature is not checked, and the event is applied', async (t) => {
  const { app, aTopup, sendWebhook, available } = await openPayments(t, {
    webhooks: false,
    env: { PAYMENT_WEBHOOK_SECRET: '' },
  });
  const made = await aTopup();
  const body = JSON.stringify({ eventId: 'open', eventType: 'payin.succeeded', data: dataOf(made) });
  assert.equal((await sendWebhook(body, {})).text, PROCESSED);
  assert.equal((await sendWebhook(body, {})).text, DUPLICATE);
  // Here the id is in the header.
  const native = JSON.stringify({ type: 'payin.confirmed', data: dataOf(made) });
  const headers = signedHeaders(native, { id: 'msg_open' });
  assert.equal((await sendWebhook(native, headers)).text, PROCESSED);
  assert.equal((await sendWebhook(native, headers)).text, DUPLICATE);
  assert.equal(await available(made.userId), '25.50');
  const rows = await app.sql('select distinct signed from webhook_events');
  assert.deepEqual(rows, [{ signed: false }]);
});

test('without a secret the sandbox’s server takes unsigned events on loopback, and checks a signature that is sent', async (t) => {
  const app = await startApp(t, { sandbox: true });
  const { aTopup } = builderOf(app);
  const made = await aTopup();
  const body = JSON.stringify({ eventId: 'plain', eventType: 'payin.succeeded', data: dataOf(made) });
  const forged = await callWebhook(app, { body, headers: signedHeaders(body, { id: 'plain' }) });
  assert.equal(codeOf(forged), '401 WEBHOOK_SIGNATURE_INVALID');
  assert.equal((await callWebhook(app, { body })).text, PROCESSED);
  const { available } = (await app.call(`GET /users/${made.userId}/balance`)).body.data;
  assert.equal(available, '25.50');
  const rows = await app.sql("select signed from webhook_events where id = 'payment-provider:plain'");
  assert.deepEqual(rows, [{ signed: false }]);
});

test('without a secret the sandbox’s server refuses unsigned events where other machines can reach it', async (t) => {
  const app = await startApp(t, { sandbox: true, env: { TRUST_PROXY: '1' } });
  const { aTopup } = builderOf(app);
  const made = await aTopup();
  const body = JSON.stringify({ eventId: 'plain', eventType: 'payin.succeeded', data: dataOf(made) });
  assert.equal(codeOf(await callWebhook(app, { body })), '401 WEBHOOK_SIGNATURE_INVALID');
  assert.deepEqual(await app.sql("select id from webhook_events where id = 'payment-provider:plain'"), []);
});

test('an event that a suspended user is paid by is applied: the money is there', async (t) => {
  const { app, aTopup, pay, available, assertSettled } = await openSharedPayments(t);
  const made = await aTopup();
  await app.call(`POST /users/${made.userId}/suspend`);
  await pay(made.id, 'confirm');
  assert.equal(await available(made.userId), '25.50');
  await assertSettled();
});
