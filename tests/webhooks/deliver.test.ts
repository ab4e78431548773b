// Events reach a webhook endpoint: signed, in order, again after a failure, and once per event while all is well.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { openApp } from '../support/shared-app.ts';
import { startReceiver } from './receiver.ts';

const ALLOWED = { env: { WEBHOOK_PRIVATE_ADDRESSES: 'allow' } };

test('an event arrives as on the stream, signed so that the published package verifies it', async (t) => {
  const app = await openApp(t, ALLOWED);
  const receiver = await startReceiver(t);
  const created = await app.call('POST /webhook-endpoints', { body: { url: receiver.url, events: ['user.*'] } });
  assert.equal(created.status, 201, created.text);
  const { secret } = created.body.data;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const userId = await app.aUser();
  await receiver.count(1);
  const { headers, body, event } = receiver.received[0]!;
  assert.equal(event.payload.userId, userId);
  assert.deepEqual(new Webhook(secret).verify(body, headers as Record<string, string>), event);
  const [row] = await app.sql('select envelope from events');
  assert.equal(body, row.envelope);
});
