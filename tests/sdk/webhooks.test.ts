// Signed messages: what fits is given, everything else is rejected, and both agree with the reference implementation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HoldfastError, signWebhook, verifyWebhook, type WebhookMessage } from '@holdfast/sdk';
import { Webhook } from 'standardwebhooks';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const EVENT = { eventId: 'evt_1', eventType: 'order.released', payload: { orderId: 'ord_1', note: 'grüße €' } };

const rejected = (message: WebhookMessage, reason: RegExp): Promise<void> =>
  assert.rejects(
    verifyWebhook(message),
    (error) => error instanceof HoldfastError && error.code === 'WEBHOOK_REJECTED' && reason.test(error.details.reason),
  );

test('what was signed is given back, as text and as bytes, with headers of any form', async () => {
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET });
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  for (const given of [headers, upper, new Headers(headers)]) {
    assert.deepEqual(await verifyWebhook({ body, headers: given, secret: SECRET }), EVENT);
    assert.deepEqual(await verifyWebhook({ body: Buffer.from(body), headers: given, secret: SECRET }), EVENT);
  }
  assert.equal(headers['webhook-id'], 'evt_1');
  const plain = await signWebhook(EVENT, { secret: 'any text at all' });
  assert.deepEqual(await verifyWebhook({ ...plain, secret: 'any text at all' }), EVENT);
});

test('a wrong secret, a changed body, a changed id and a missing header are rejected', async () => {
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET });
  await rejected({ body, headers, secret: OTHER }, /does not match/);
  await rejected({ body: body.replace('ord_1', 'ord_2'), headers, secret: SECRET }, /does not match/);
  await rejected({ body, headers: { ...headers, 'webhook-id': 'evt_2' }, secret: SECRET }, /does not match/);
  for (const signature of ['v1,', 'v2,abcd', 'nonsense', 'v1,!!!']) {
    await rejected({ body, headers: { ...headers, 'webhook-signature': signature }, secret: SECRET }, /does not match/);
  }
  const { 'webhook-timestamp': _, ...rest } = headers;
  await rejected({ body, headers: rest, secret: SECRET }, /webhook-timestamp is missing/);
  await assert.rejects(verifyWebhook({ body, headers, secret: '' }), TypeError);
  const parsed = JSON.parse(String(body));
  await assert.rejects(verifyWebhook({ body: parsed, headers, secret: SECRET }), /raw body/);
});

test('an old message, one from the future and one without a time are rejected; how old is for the caller', async () => {
  const timestamp = new Date('2026-01-01T00:00:00Z');
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET, timestamp });
  const at = (seconds: number) => ({ body, headers, secret: SECRET, now: timestamp.getTime() + seconds * 1_000 });
  assert.deepEqual(await verifyWebhook(at(300)), EVENT);
  assert.deepEqual(await verifyWebhook(at(-300)), EVENT);
  await rejected(at(301), /too far from now/);
  await rejected(at(-301), /too far from now/);
  await rejected({ body, headers, secret: SECRET }, /too far from now/);
  assert.deepEqual(await verifyWebhook({ ...at(4_000), toleranceSeconds: 4_000 }), EVENT);
  const odd = { ...headers, 'webhook-timestamp': 'yesterday' };
  await rejected({ body, headers: odd, secret: SECRET }, /not a time/);
});

test('several signatures and several secrets: one that fits is enough, while a secret is exchanged', async () => {
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET });
  const second = await signWebhook(EVENT, { secret: OTHER });
  const both = {
    ...headers,
    'webhook-signature': `v2,x ${second.headers['webhook-signature']} ${headers['webhook-signature']}`,
  };
  assert.deepEqual(await verifyWebhook({ body, headers: both, secret: SECRET }), EVENT);
  assert.deepEqual(await verifyWebhook({ body, headers, secret: [OTHER, SECRET] }), EVENT);
  await rejected({ body, headers, secret: [OTHER] }, /does not match/);
});

test('the reference implementation takes what we sign, and we take what it signs', async () => {
  const reference = new Webhook(SECRET);
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET });
  assert.deepEqual(reference.verify(body, headers), EVENT);
  const now = new Date();
  const theirs = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': reference.sign('msg_1', now, body),
  };
  assert.deepEqual(await verifyWebhook({ body, headers: theirs, secret: SECRET }), EVENT);
});

test('a body that is not JSON is rejected even when its signature fits', async () => {
  const signed = await signWebhook('not json', { secret: SECRET, id: 'msg_1' });
  await rejected({ ...signed, secret: SECRET }, /not JSON/);
});
