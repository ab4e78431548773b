// Several enterprises at the payment provider: each has its own keys, payments, balance and webhook secret, and none sees another's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { caller, controlOf, openSandbox, payinBody, paymentOf, payoutBody, startReceiver } from './payment-client.ts';

const OTHER = { name: 'other', key: 'other-key', secret: 'other-secret', openingBalance: '50.00' };
const OTHER_SECRET = `whsec_${Buffer.from('a secret of the other enterprise').toString('base64')}`;

const basic = (key: string, secret: string) => `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;

const apiOf = (url: string, { key, secret }: { key: string; secret: string }) =>
  caller(`${url}/payment-provider/v2`, { authorization: basic(key, secret) });

test('an enterprise has its own balance, payments and codes', async (t) => {
  const { url } = await openSandbox(t);
  const control = controlOf(url);
  assert.equal((await control('POST /enterprises', OTHER)).status, 201);
  const first = paymentOf(url);
  const other = apiOf(url, OTHER);
  const { body: before } = await first('GET /me/balance');
  assert.notEqual((await first('GET /me')).body.id, (await other('GET /me')).body.id);
  assert.deepEqual((await other('GET /me/balance')).body, { available: 50, pending: 0 });

  const { body: payin } = await other('POST /payins', payinBody('top_1', 20));
  assert.equal((await first('POST /payins', payinBody('top_1', 30))).status, 200, 'a code is unique per enterprise');
  assert.equal((await first(`GET /payins/${payin.id}`)).status, 404);
  assert.equal((await other('GET /payins/by-code/top_1')).body.amount, 20);
  assert.equal((await first('GET /payins/by-code/top_1')).body.amount, 30);
  assert.equal((await other('GET /payins')).body.items.length, 1);
  await control(`POST /payins/${payin.id}/confirm`);
  assert.deepEqual((await other('GET /me/balance')).body, { available: 70, pending: 0 });
  assert.deepEqual((await first('GET /me/balance')).body, before);

  const { body: payout } = await other('POST /payouts', payoutBody('wdr_1'));
  assert.equal((await first(`POST /payouts/${payout.id}/commit`)).status, 404);
  assert.equal((await other(`POST /payouts/${payout.id}/commit`)).status, 204);
  assert.deepEqual((await other('GET /me/balance')).body, { available: 30, pending: 40 });
  const { body: state } = await control('GET /state');
  assert.deepEqual(state.enterprises, [{ name: 'other', keys: ['other-key'], available: '30.00', pending: '40.00' }]);
});

test('an enterprise can have two keys, and a revoked key is refused', async (t) => {
  const { url } = await openSandbox(t);
  const control = controlOf(url);
  await control('POST /enterprises', OTHER);
  const next = { ...OTHER, key: 'next-key', secret: 'next-secret' };
  await control('POST /enterprises', next);
  const { body: payin } = await apiOf(url, OTHER)('POST /payins', payinBody('top_1'));
  assert.equal((await apiOf(url, next)(`GET /payins/${payin.id}`)).status, 200);
  assert.equal((await control('DELETE /enterprises/other/keys/other-key')).status, 200);
  assert.equal((await apiOf(url, OTHER)(`GET /payins/${payin.id}`)).status, 401);
  assert.equal((await apiOf(url, next)(`GET /payins/${payin.id}`)).status, 200);
  assert.equal((await control('DELETE /enterprises/other/keys/other-key')).status, 404);
  assert.equal((await control('POST /enterprises', { ...OTHER, name: 'third', key: 'sandbox-key' })).status, 409);
});

test('webhooks about its payments are signed with its own secret', async (t) => {
  const receiver = await startReceiver(t);
  const { url, setWebhook } = await openSandbox(t);
  const control = controlOf(url);
  setWebhook({ url: receiver.url, secret: `whsec_${Buffer.from('the shared one').toString('base64')}` });
  await control('POST /enterprises', { ...OTHER, webhookSecret: OTHER_SECRET });
  await apiOf(url, OTHER)('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  const { id, at, signature, text } = receiver.received[0]!;
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature };
  assert.ok(new Webhook(OTHER_SECRET).verify(text, headers));
});
