// The first money of a marketplace, from its key to the proof, told over HTTP as an integrator would live it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { listen } from '../stream/listener.ts';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
type Data = any;

const succeed = async (app: TestApp, request: string, ask: Parameters<TestApp['call']>[1]): Promise<Data> => {
  const answer = await app.call(request, ask);
  assert.ok(answer.status < 300, answer.text);
  return answer.body.data;
};

test('a marketplace opens, its money moves, and everything about it can be read again', async (t) => {
  const app = await openApp(t);
  const { marketplaceId } = app;

  // The operator makes a key; the key says who it is.
  const body = { name: 'Bazaar backend', scopes: ['read', 'write'], marketplaceId };
  const { key } = await succeed(app, 'POST /auth/api-keys', { key: MASTER_KEY, body });
  const me = await succeed(app, 'GET /auth/me', { key });
  assert.deepEqual([me.marketplaceId, me.scopes, me.type], [marketplaceId, ['read', 'write'], 'api_key']);

  // Its backend listens before anything happens.
  const live = await listen(app, { key });

  // Two users come, and one brings money; the network stutters and the credit is sent twice.
  const users = await Promise.all(
    ['buyer-1', 'seller-1'].map((externalUserId) => succeed(app, 'POST /users', { key, body: { externalUserId } })),
  );
  const [buyer, seller] = users.map((user) => user.id) as [string, string];
  const move = (userId: string, verb: string, sent: object, headers = {}) =>
    succeed(app, `POST /users/${userId}/balance/${verb}`, { key, body: sent, headers });
  const once = { 'idempotency-key': randomUUID() };
  for (let i = 0; i < 2; i++) await move(buyer, 'credit', { amount: '100.00', reference: 'bank-77' }, once);

  // An order is reserved, becomes smaller, and what is left is consumed; the seller gets it.
  const order = { orderId: 'order-1' };
  await move(buyer, 'reserve', { amount: '60.00', ...order });
  await move(buyer, 'release', { amount: '15.00', ...order, reason: 'one item less' });
  const afterwards = await move(buyer, 'deduct-reserved', { amount: '45.00', ...order });
  await move(seller, 'credit', { amount: '45.00', reference: 'order-1' });
  assert.deepEqual([afterwards.available, afterwards.reserved, afterwards.total], ['55.00', '0.00', '55.00']);
  const refused = await app.call(`POST /users/${buyer}/balance/debit`, { key, body: { amount: '55.01' } });
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'INSUFFICIENT_FUNDS']);

  // The stream told it as it happened: each change once, in order, each where the last one ended.
  const messages = await live.take(9);
  live.hangUp();
  assert.deepEqual(
    messages.slice(4).map(({ event, data }) => [event, data.payload.userId, data.payload.amount]),
    [
      ['balance.credited', buyer, '100.00'],
      ['balance.reserved', buyer, '60.00'],
      ['balance.released', buyer, '15.00'],
      ['balance.released', buyer, '45.00'],
      ['balance.credited', seller, '45.00'],
    ],
  );
  assert.deepEqual(
    messages
      .filter(({ event }) => event === 'user.created')
      .map(({ data }) => data.payload.userId)
      .sort(),
    [buyer, seller].sort(),
  );
  assert.deepEqual(
    messages.map(({ data }) => data.metadata.position),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  const ids = messages.map(({ id }) => id!);
  assert.deepEqual(ids, [...new Set(ids)].sort());
  const ofBuyer = messages.slice(4).filter(({ data }) => data.payload.userId === buyer);
  let available = '0.00';
  for (const { data } of ofBuyer) {
    assert.equal(data.payload.previousAvailableBalance, available);
    available = data.payload.newAvailableBalance;
  }
  assert.equal(available, '55.00');

  // A backend that was away asks for what it missed and gets the same again.
  const replayed = await listen(app, { key, lastEventId: ids[3]! });
  assert.deepEqual((await replayed.take(5)).slice(0, 5), messages.slice(4));
  replayed.hangUp();

  // The audit trail has every step, nothing of the refusal, and one entry for the credit that was sent twice.
  const trail = await succeed(app, `GET /audit/logs?userId=${buyer}`, { key });
  assert.deepEqual(
    trail.data.map((entry: Data) => entry.action),
    ['RESERVED_DEDUCTED', 'BALANCE_RELEASED', 'BALANCE_RESERVED', 'BALANCE_CREDITED', 'WALLET_CREATED', 'USER_CREATED'],
  );
  const chain = await succeed(app, 'GET /audit/verify', { key });
  assert.deepEqual([chain.holds, chain.entries], [true, 10]);

  // And the books add up.
  const proof = await succeed(app, 'GET /audit/proof', { key });
  assert.equal(proof.holds, true);
  assert.deepEqual(
    proof.currencies.map((row: Data) => [row.currency, row.claims, row.adjustments, row.difference]),
    [['USD', '100.0000000', '100.0000000', '0.0000000']],
  );

  // The other marketplace sees none of these records.
  const stranger = await app.key(['*'], 'mkt_other');
  assert.deepEqual((await succeed(app, 'GET /users', { key: stranger })).data, []);
  assert.equal((await app.call(`GET /users/${buyer}/balance`, { key: stranger })).status, 404);
});
