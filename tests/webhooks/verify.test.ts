// What the server sends is verified by the SDK, and by the published package where it can: both signatures, a rotation, thin payloads and
// test events.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { HoldfastError, isTestEvent, verifyWebhook } from '@holdfast/sdk';
import { Webhook } from 'standardwebhooks';
import { openApp } from '../support/shared-app.ts';
import { type Received, startReceiver } from './receiver.ts';

const ALLOWED = { env: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } };

const open = async (t: TestContext, fields: object = {}) => {
  const app = await openApp(t, ALLOWED);
  const receiver = await startReceiver(t);
  const body = { url: receiver.url, events: ['user.created'], ...fields };
  const created = await app.call('POST /webhook-endpoints', { body });
  assert.equal(created.status, 201, created.text);
  const { id, secret } = created.body.data as { id: string; secret: string };
  return {
    app,
    receiver,
    id,
    secret,
    /** What arrives for a new user. */
    async aDelivery(): Promise<Received & { userId: string }> {
      const before = receiver.received.length;
      const userId = await app.aUser();
      await receiver.count(before + 1);
      return { ...receiver.received[before]!, userId };
    },
    async rotate(): Promise<string> {
      return (await app.call(`POST /webhook-endpoints/${id}/rotate-secret`)).body.data.secret;
    },
  };
};

type Headers = Record<string, string>;

test('a v1 delivery is verified by the SDK and the published package, and rejected with another secret', async (t) => {
  const { aDelivery, secret } = await open(t);
  const { body, headers, event, userId } = await aDelivery();
  assert.equal(event.aggregateId, userId);
  assert.deepEqual(await verifyWebhook({ body, headers, secret }), event);
  assert.deepEqual(new Webhook(secret).verify(body, headers as Headers), event);
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await assert.rejects(verifyWebhook({ body, headers, secret: other }), /does not match the secret/);
  assert.throws(() => new Webhook(other).verify(body, headers as Headers));
});

test('a v1a delivery is verified by the SDK and by node:crypto', async (t) => {
  const { aDelivery, secret } = await open(t, { signature: 'v1a' });
  const { body, headers, event } = await aDelivery();
  assert.deepEqual(await verifyWebhook({ body, headers, secret }), event);
  const x = Buffer.from(secret.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const signature = Buffer.from(String(headers['webhook-signature']).slice('v1a,'.length), 'base64');
  assert.equal(verify(null, signed, key, signature), true);
  await assert.rejects(
    verifyWebhook({ body: body.replace('user.created', 'user.deleted'), headers, secret }),
    (error) => error instanceof HoldfastError && error.code === 'WEBHOOK_REJECTED',
  );
});

for (const signature of ['v1', 'v1a']) {
  test(`after a rotation of ${signature} both secrets verify a delivery, alone and together`, async (t) => {
    const { aDelivery, rotate, secret } = await open(t, { signature });
    const next = await rotate();
    assert.notEqual(next, secret);
    const { body, headers, event } = await aDelivery();
    for (const one of [secret, next, [next, secret]]) {
      assert.deepEqual(await verifyWebhook({ body, headers, secret: one }), event);
    }
    if (signature === 'v1') {
      for (const one of [secret, next]) assert.deepEqual(new Webhook(one).verify(body, headers as Headers), event);
    }
    const last = await rotate();
    const later = await aDelivery();
    for (const one of [next, last]) await verifyWebhook({ ...later, secret: one });
    await assert.rejects(verifyWebhook({ ...later, secret }), /does not match the secret/);
  });
}

test('a thin delivery is the event without its payload', async (t) => {
  const { aDelivery, secret } = await open(t, { payload: 'thin' });
  const { body, headers, userId } = await aDelivery();
  const event = await verifyWebhook({ body, headers, secret, payload: 'thin' });
  assert.deepEqual(Object.keys(event), [
    'eventId',
    'eventType',
    'occurredAt',
    'aggregateId',
    'aggregateType',
    'metadata',
  ]);
  assert.equal(event.aggregateId, userId);
});

test('a test event is verified like every event, and recognised', async (t) => {
  const { app, receiver, id, secret } = await open(t);
  assert.equal((await app.call(`POST /webhook-endpoints/${id}/test`)).status, 202);
  await receiver.count(1);
  const { body, headers } = receiver.received[0]!;
  const event = await verifyWebhook({ body, headers, secret });
  assert.equal(isTestEvent(event), true);
  assert.equal(event.aggregateId, id);
});
