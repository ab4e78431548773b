// Events reach a webhook endpoint: signed, in order within a resource, and once per event while all is well.

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { until } from '../../tools/until.ts';
import type { TestApp } from '../support/app.ts';
import { anEndpoint, openSending } from './fixture.ts';
import type { Received } from './receiver.ts';

const headersOf = ({ headers }: Received) => headers as Record<string, string>;

const credit = async (app: TestApp, userId: string, times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    const answer = await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '1.00' } });
    assert.equal(answer.status, 200);
  }
};

test('an event arrives as on the stream, signed so that the published package verifies it', async (t) => {
  const app = await openSending(t);
  const { secret, receiver, settled } = await anEndpoint(t, app);
  const userId = await app.aUser();
  await receiver.count(1);
  const [received] = receiver.received;
  const { event, body, headers } = received!;
  assert.equal(event.payload.userId, userId);
  assert.deepEqual(new Webhook(secret).verify(body, headersOf(received!)), event);
  assert.equal(headers['webhook-id'], event.eventId);
  assert.equal(headers['content-type'], 'application/json');
  const [row] = await app.sql('select envelope from events');
  assert.equal(body, row.envelope);
  const delivery = await settled(event.eventId, 'DELIVERED');
  const [attempt] = delivery.attempts;
  assert.deepEqual(
    [delivery.attemptCount, attempt.status, attempt.error, attempt.responseHead, attempt.requestId],
    [1, 200, null, 'thanks', headers['x-request-id']],
  );
});

test('with v1a the signature verifies with the public key', async (t) => {
  const app = await openSending(t);
  const { secret, receiver } = await anEndpoint(t, app, { signature: 'v1a' });
  await app.aUser();
  await receiver.count(1);
  const { headers, body } = receiver.received[0]!;
  const x = Buffer.from(secret.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const [version, signature] = String(headers['webhook-signature']).split(',');
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  assert.equal(version, 'v1a');
  assert.equal(verify(null, signed, key, Buffer.from(signature!, 'base64')), true);
});

test('only events of the filter arrive, and the cursor passes the others', async (t) => {
  const app = await openSending(t);
  const { receiver, read } = await anEndpoint(t, app, { events: ['balance.*'] });
  const userId = await app.aUser();
  await credit(app, userId, 2);
  await receiver.count(2);
  assert.deepEqual(
    receiver.received.map(({ event }) => event.eventType),
    ['balance.credited', 'balance.credited'],
  );
  await until(async () => (await read()).health.backlog === 0);
});

test('a thin payload has everything but the payload', async (t) => {
  const app = await openSending(t);
  const { receiver } = await anEndpoint(t, app, { payload: 'thin' });
  await app.aUser();
  await receiver.count(1);
  const { event } = receiver.received[0]!;
  const [{ envelope }] = await app.sql('select envelope from events');
  const { payload, ...rest } = JSON.parse(envelope);
  assert.ok(payload);
  assert.deepEqual(event, rest);
});

test('the events of each resource arrive in order, although several are on their way at once', async (t) => {
  const app = await openSending(t);
  const { receiver } = await anEndpoint(t, app, { events: ['balance.*'] });
  const users = await Promise.all(Array.from({ length: 5 }, () => app.aUser()));
  await Promise.all(users.map((user) => credit(app, user, 8)));
  await receiver.count(40);
  const events = receiver.received.map(({ event }) => event);
  assert.equal(new Set(events.map(({ eventId }) => eventId)).size, 40);
  for (const own of Map.groupBy(events, ({ aggregateId }) => aggregateId).values()) {
    const positions = own.map(({ metadata }) => metadata.position);
    assert.deepEqual(
      positions,
      [...positions].sort((one, other) => one - other),
    );
  }
});

test('during a rotation both secrets verify, and an endpoint gets what happened while it was off', async (t) => {
  const app = await openSending(t);
  const { id, secret, receiver, post } = await anEndpoint(t, app);
  const { secret: next } = await post('rotate-secret');
  await app.call(`PATCH /webhook-endpoints/${id}`, { body: { enabled: false } });
  await app.aUser();
  await app.aUser();
  assert.equal(receiver.received.length, 0);
  await app.call(`PATCH /webhook-endpoints/${id}`, { body: { enabled: true } });
  await receiver.count(2);
  for (const received of receiver.received) {
    for (const one of [secret, next]) new Webhook(one).verify(received.body, headersOf(received));
  }
});

test('a test event arrives whatever the filter is, and is on no stream', async (t) => {
  const app = await openSending(t);
  const { id, secret, receiver, post, settled } = await anEndpoint(t, app, { events: ['order.closed'] });
  const { deliveryId } = await post('test');
  await receiver.count(1);
  const { event, body, headers } = receiver.received[0]!;
  assert.deepEqual([event.eventType, event.aggregateId], ['webhook.test', id]);
  new Webhook(secret).verify(body, headers as Record<string, string>);
  assert.equal((await settled(event.eventId, 'DELIVERED')).id, deliveryId);
  assert.deepEqual(await app.sql('select 1 from events'), []);
});

test('a deleted endpoint gets nothing more', async (t) => {
  const app = await openSending(t);
  const gone = await anEndpoint(t, app);
  const other = await anEndpoint(t, app);
  await app.call(`DELETE /webhook-endpoints/${gone.id}`);
  await app.aUser();
  await other.receiver.count(1);
  assert.equal(gone.receiver.received.length, 0);
});
