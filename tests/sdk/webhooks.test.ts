// Signed messages: what fits is given, everything else is rejected, and both agree with the reference implementation.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { HoldfastError, isTestEvent, signWebhook, verifyWebhook, type WebhookMessage } from '@holdfast/sdk';
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
    const odd = { ...headers, 'webhook-signature': signature };
    await rejected({ body, headers: odd, secret: SECRET }, /no signature of the form v1,/);
  }
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const rest = Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));
    await rejected({ body, headers: rest, secret: SECRET }, new RegExp(`${name} is missing`));
  }
  for (const secret of ['', [], [SECRET, ''], undefined as unknown as string]) {
    await assert.rejects(verifyWebhook({ body, headers, secret }), TypeError);
  }
  const parsed = JSON.parse(String(body));
  await assert.rejects(verifyWebhook({ body: parsed, headers, secret: SECRET }), /raw body/);
});

test('each usual mistake of a receiver is named, with what to do', async () => {
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET });
  const good = { body, headers, secret: SECRET };
  const printedAgain = JSON.stringify(JSON.parse(body), null, 2);
  await rejected({ ...good, body: printedAgain }, /was changed on its way: a parser, a logger or a proxy/);
  await rejected({ ...good, body: `${body}\n` }, /was changed on its way/);
  await rejected(
    { ...good, secret: SECRET.replace('whsec_', '') },
    /has no prefix: pass it as it was shown, with whsec_/,
  );
  await rejected({ ...good, secret: ` ${SECRET}` }, /a space or a line break around it/);
  await rejected({ ...good, body: body.replace('ord_1', 'ord_2') }, /does not match the secret: check/);
  for (const [given, hint] of [
    [JSON.parse(body), /is a parsed object, not the raw text\. A parser ran before.*express\.raw\(\)/],
    [String(JSON.parse(body)), /is the text "\[object Object\]"/],
    [[1], /is a parsed object/],
    [undefined, /is undefined: read it first\. Pass the raw body/],
    [new Response(body), /a stream or a request: read it first/],
    [new Response(body).body, /a stream or a request: read it first/],
  ] as const) {
    await assert.rejects(verifyWebhook({ ...good, body: given as string }), hint);
  }
  await assert.rejects(
    verifyWebhook({ ...good, secret: 'hf_live_x' }),
    /is an API key: pass the secret of the endpoint/,
  );
  const bytes = new TextEncoder().encode(body);
  assert.deepEqual(await verifyWebhook({ ...good, body: bytes.buffer as ArrayBuffer }), EVENT);
});

test('an old message, one from the future and one without a time are rejected; how old is for the caller', async () => {
  const timestamp = new Date('2026-01-01T00:00:00Z');
  const { body, headers } = await signWebhook(EVENT, { secret: SECRET, timestamp });
  const at = (seconds: number) => ({ body, headers, secret: SECRET, now: timestamp.getTime() + seconds * 1_000 });
  assert.deepEqual(await verifyWebhook(at(300)), EVENT);
  assert.deepEqual(await verifyWebhook(at(-300)), EVENT);
  await rejected(at(301), /too far from now, 301 seconds ago, and at most 300/);
  await rejected(at(-301), /too far from now, 301 seconds in the future/);
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
  await rejected({ body, headers, secret: [OTHER] }, /does not match the secret:/);
  await rejected({ body, headers, secret: [OTHER, OTHER] }, /does not match any of the 2 secrets/);
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

/** A sender with a key pair, made by node:crypto. */
const openSender = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  const signatureOf = (text: string): string => `v1a,${sign(null, Buffer.from(text), privateKey).toString('base64')}`;
  return {
    publicKey: `whpk_${raw.toString('base64')}`,
    send(body: string) {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = signatureOf(`msg_1.${timestamp}.${body}`);
      return { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    },
  };
};

test('an ed25519 signature is verified with the public key, and with each of two keys during a rotation', async () => {
  const sender = openSender();
  const next = openSender();
  const body = JSON.stringify(EVENT);
  const headers = sender.send(body);
  assert.deepEqual(await verifyWebhook({ body, headers, secret: sender.publicKey }), EVENT);
  assert.deepEqual(await verifyWebhook({ body, headers, secret: [next.publicKey, SECRET, sender.publicKey] }), EVENT);
  await rejected({ body, headers, secret: next.publicKey }, /does not match the secret/);
  await rejected({ body: body.replace('ord_1', 'ord_2'), headers, secret: sender.publicKey }, /does not match/);
  const short = { ...headers, 'webhook-signature': 'v1a,AAAA' };
  await rejected({ body, headers: short, secret: sender.publicKey }, /does not match/);
});

test('a key of the other kind is named as the mistake', async () => {
  const sender = openSender();
  const body = JSON.stringify(EVENT);
  const headers = sender.send(body);
  await rejected({ body, headers, secret: SECRET }, /signed with v1a .* pass the public key of the endpoint, whpk_/);
  const shared = await signWebhook(EVENT, { secret: SECRET });
  await rejected({ ...shared, secret: sender.publicKey }, /signed with v1 .* pass the secret of the endpoint, whsec_/);
  for (const key of ['whpk_', 'whpk_AAAA', 'whpk_!', sender.publicKey.replace('whpk_', 'whsk_')]) {
    await assert.rejects(verifyWebhook({ body, headers, secret: key }), TypeError, key);
  }
});

test('a v1 signature never counts as v1a, nor the other way round', async () => {
  const sender = openSender();
  const body = JSON.stringify(EVENT);
  const headers = sender.send(body);
  const renamed = { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1a,', 'v1,') };
  await rejected({ body, headers: renamed, secret: [sender.publicKey, SECRET] }, /does not match any of the 2 secrets/);
});

test('a thin event has no payload, also for the compiler; a test event is recognised', async () => {
  const { payload: _, ...thin } = EVENT;
  const signed = await signWebhook(thin, { secret: SECRET });
  const event = await verifyWebhook({ ...signed, secret: SECRET, payload: 'thin' });
  assert.deepEqual(event, thin);
  // @ts-expect-error: a thin event has no payload
  assert.equal(event.payload, undefined);
  assert.equal(isTestEvent(event), false);
  assert.equal(isTestEvent({ ...event, eventType: 'webhook.test' }), true);
});
