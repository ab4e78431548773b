// The payment provider's webhooks: which are genuine, and what they say in either spelling.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { readEvent } from '../../server/src/providers/payment/read-payment.ts';
import { type Headers, verifyPaymentWebhook } from '../../server/src/providers/webhook-signatures.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { controlOf, SECRET } from '../sandbox/payment-client.ts';
import { amount, openSimulators, take } from './provider-fixture.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const BODY = '{"type":"payin.confirmed","data":{"id":"p1","code":"top_1","amount":25.50}}';

function signed(change: { prefix?: string; at?: number; secret?: string; body?: string } = {}): Headers {
  const { prefix = 'svix-', at = NOW, secret = SECRET, body = BODY } = change;
  const signature = new Webhook(secret).sign('msg_1', new Date(at), body);
  return {
    [`${prefix}id`]: 'msg_1',
    [`${prefix}timestamp`]: String(Math.floor(at / 1_000)),
    [`${prefix}signature`]: signature,
  };
}

const verify = (headers: Headers, more: { rawBody?: string | Uint8Array; secret?: string; now?: number } = {}) =>
  verifyPaymentWebhook({ headers, rawBody: BODY, secret: SECRET, now: NOW, ...more });

test('a body signed with the secret is genuine under both families of headers, as text or as bytes', () => {
  assert.deepEqual(verify(signed()), { genuine: true, id: 'msg_1' });
  assert.deepEqual(verify(signed({ prefix: 'webhook-' })), { genuine: true, id: 'msg_1' });
  assert.deepEqual(verify(signed(), { rawBody: Buffer.from(BODY) }), { genuine: true, id: 'msg_1' });
});

test('one good signature among several is enough, as while a secret is changed', () => {
  const headers = signed();
  const other = signed({ secret: `whsec_${Buffer.from('another secret of this kind').toString('base64')}` });
  const both = { ...headers, 'svix-signature': `${other['svix-signature']} v2,abc ${headers['svix-signature']}` };
  assert.equal(verify(both).genuine, true);
  assert.equal(verify({ ...headers, 'svix-signature': other['svix-signature'] }).genuine, false);
});

test('anything else is not genuine', () => {
  const good = signed();
  const fakes: [string, Headers, Parameters<typeof verify>[1]?][] = [
    ['another body', good, { rawBody: BODY.replace('25.50', '95.50') }],
    ['the same body written again', good, { rawBody: JSON.stringify(JSON.parse(BODY)) }],
    ['another id', { ...good, 'svix-id': 'msg_2' }],
    ['another time', { ...good, 'svix-timestamp': String(NOW / 1_000 + 1) }],
    ['another secret', signed({ secret: `whsec_${Buffer.from('guessed').toString('base64')}` })],
    ['no secret', good, { secret: 'whsec_' }],
    ['too old', signed({ at: NOW - 301_000 })],
    ['too new', signed({ at: NOW + 301_000 })],
    ['no signature', { ...good, 'svix-signature': undefined }],
    ['an empty signature', { ...good, 'svix-signature': 'v1,' }],
    ['another version', { ...good, 'svix-signature': String(good['svix-signature']).replace('v1,', 'v2,') }],
    ['a time that is none', { ...good, 'svix-timestamp': 'NaN' }],
    ['no headers', {}],
  ];
  for (const [name, headers, more] of fakes) assert.equal(verify(headers, more).genuine, false, name);
  assert.equal(verify(signed({ at: NOW - 299_000 })).genuine, true);
});

test('both spellings of an event say the same', () => {
  const native = readEvent(BODY, 'msg_1');
  assert.deepEqual(native, {
    kind: 'payin',
    state: 'TOPUP_SUCCEEDED',
    eventId: 'msg_1',
    type: 'payin.confirmed',
    occurredAt: null,
    id: 'p1',
    code: 'top_1',
    amount: amount('25.5'),
    reasonCode: null,
    reason: null,
  });
  const data = {
    id: 'w1',
    code: 'wdr_1',
    amount: 40,
    currency: 'USD',
    reasonCode: '415073',
    reasonDescription: 'Bounced',
  };
  const neutral = { eventId: 'evt_9', eventType: 'payout.failed', occurredAt: '2026-03-01T12:00:00Z', data };
  assert.deepEqual(readEvent(JSON.stringify(neutral), 'msg_1'), {
    kind: 'payout',
    state: 'WITHDRAWAL_FAILED',
    eventId: 'evt_9',
    type: 'payout.failed',
    occurredAt: '2026-03-01T12:00:00Z',
    id: 'w1',
    code: 'wdr_1',
    amount: amount('40'),
    reasonCode: '415073',
    reason: 'Bounced',
  });
});

test('an unknown event is named and left alone; what cannot be read is null', () => {
  const other = readEvent('{"type":"user.updated","data":{}}', 'msg_1');
  assert.deepEqual(other, { kind: 'other', eventId: 'msg_1', type: 'user.updated' });
  const unreadable = [
    '',
    'null',
    '[]',
    '{"data":{}}',
    '{"type":"payin.failed"}',
    '{"type":"payin.failed","data":{"amount":1}}',
  ];
  for (const body of unreadable) assert.equal(readEvent(body, 'msg_1'), null, body);
  assert.equal(readEvent(BODY, null), null);
  const inexact = '{"type":"payin.confirmed","data":{"id":"p1","amount":0.30000000000000004}}';
  assert.equal(readEvent(inexact, 'msg_1'), null);
});

type Delivered = { headers: Headers; rawBody: Buffer };

async function receiver(t: TestContext) {
  const got: Delivered[] = [];
  const server = createServer(async (request, response) => {
    got.push({ headers: request.headers, rawBody: Buffer.concat(await Array.fromAsync(request)) });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got };
}

for (const spelling of ['native', 'neutral'] as const) {
  test(`what the simulator sends in the ${spelling} spelling is genuine and understood`, async (t) => {
    const { url, got } = await receiver(t);
    const { payment, sandbox } = await openSimulators(t, {
      sandbox: { payment: { webhook: { url, secret: SECRET, spelling } } },
    });
    const money = { amount: amount('25.5') };
    const links = { returnUrl: 'http://127.0.0.1:1/a', cancelUrl: 'http://127.0.0.1:1/b' };
    const { id } = take(await payment.createPayin({ code: 'top_1', description: 'Top-up', ...money, ...links }));
    await payment.createPayout({ code: 'wdr_1', email: 'm@example.com', notes: 'Out', commit: true, ...money });
    const control = controlOf(sandbox.url);
    for (const move of ['payins/top_1/process', 'payins/top_1/confirm', 'payouts/wdr_1/pend'])
      await control(`POST /${move}`);
    await control('POST /payouts/wdr_1/complete');
    const events = got.map(({ headers, rawBody }) => {
      const verified = verifyPaymentWebhook({ headers, rawBody, secret: SECRET, now: Date.now() });
      assert.ok(verified.genuine);
      return readEvent(rawBody, verified.id);
    });
    const states = events.map((event) => (event?.kind === 'other' ? event.type : event?.state));
    for (const state of ['TOPUP_PROCESSING', 'TOPUP_SUCCEEDED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED']) {
      assert.ok(states.includes(state as never), `${state} in ${states}`);
    }
    const paid = events.find((event) => event?.kind === 'payin' && event.state === 'TOPUP_SUCCEEDED');
    assert.ok(paid?.kind === 'payin');
    assert.deepEqual([paid.id, paid.code, paid.amount], [id, 'top_1', amount('25.5')]);
  });
}

test('a webhook of the simulator with a bad signature is not genuine', async (t) => {
  const { url, got } = await receiver(t);
  const { payment, sandbox, arm } = await openSimulators(t, {
    sandbox: { payment: { webhook: { url, secret: SECRET } } },
  });
  const links = { returnUrl: 'http://127.0.0.1:1/a', cancelUrl: 'http://127.0.0.1:1/b' };
  await payment.createPayin({ code: 'top_1', amount: amount('5'), description: 'Top-up', ...links });
  arm({ operation: 'webhook', fault: 'bad-signature', match: 'payin.confirmed' });
  await controlOf(sandbox.url)('POST /payins/top_1/confirm');
  const last = got.at(-1)!;
  assert.equal(verifyPaymentWebhook({ ...last, secret: SECRET, now: Date.now() }).genuine, false);
});
