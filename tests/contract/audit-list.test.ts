// GET /audit/logs, by status. Pages, limits and cursors: lists.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { openTrade } from './order-fixture.ts';
import { assertNoTrace, readRefusal } from './refusals.ts';
import { walk } from './report-fixture.ts';

type Entry = { id: string; sequence: number; action: string; occurredAt: string };

const list = async (app: TestApp, query = '') => {
  const answer = await app.call(`GET /audit/logs${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

const actionsOf = async (app: TestApp, query: string): Promise<string[]> =>
  (await list(app, query)).data.map((entry: Entry) => entry.action);

test('200 lists newest first, with who did what to which record and how it looked before and after', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const credited = await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '5.00' } });
  const { apiKeyId } = (await app.call('GET /auth/me')).body.data;
  const { data, hasMore, nextCursor } = await list(app);
  assert.deepEqual([hasMore, nextCursor], [false, null]);
  const { id, hash, ...entry } = data[0];
  assert.match(id, /^aud_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(hash, /^[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(entry, {
    occurredAt: credited.body.data.updatedAt,
    action: 'BALANCE_CREDITED',
    resourceType: 'Balance',
    resourceId: userId,
    payloadBefore: { currency: 'USD', available: '0.00', reserved: '0.00' },
    payloadAfter: { currency: 'USD', available: '5.00', reserved: '0.00', amount: '5.00', reference: null },
    actorType: 'api_key',
    actorId: apiKeyId,
    actorName: data.at(-1).payloadAfter.name,
    result: 'SUCCESS',
    correlationId: credited.headers.get('x-request-id'),
    sequence: 4,
  });
  assert.deepEqual(
    data.map((row: Entry) => [row.sequence, row.action]),
    [
      [4, 'BALANCE_CREDITED'],
      [3, 'WALLET_CREATED'],
      [2, 'USER_CREATED'],
      [1, 'API_KEY_CREATED'],
    ],
  );
});

test('the master key is named as the actor', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ key: MASTER_KEY, headers: { 'x-marketplace-id': app.marketplaceId } });
  const [entry] = (await list(app, `?resourceId=${userId}`)).data;
  assert.deepEqual([entry.actorType, entry.actorId], ['master', 'master']);
});

test('each filter keeps what it names, and filters add up', async (t) => {
  const app = await openApp(t);
  const ada = await app.aUser({ available: '5.00' });
  const bob = await app.aUser({ available: '7.00' });
  await app.call(`POST /users/${ada}/balance/reserve`, { body: { amount: '1.00' } });
  await app.call(`POST /users/${ada}/suspend`);
  const before = ['USER_SUSPENDED', 'BALANCE_RESERVED', 'BALANCE_CREDITED'];
  const after = ['USER_CREATED'];
  assert.deepEqual(await actionsOf(app, `?resourceId=${ada}`), [...before, ...after]);
  assert.deepEqual(await actionsOf(app, `?userId=${ada}`), [...before, 'WALLET_CREATED', ...after]);
  assert.deepEqual(await actionsOf(app, `?user_id=${bob}`), ['BALANCE_CREDITED', 'WALLET_CREATED', 'USER_CREATED']);
  assert.deepEqual(await actionsOf(app, `?resourceType=User&userId=${ada}`), ['USER_SUSPENDED', 'USER_CREATED']);
  assert.deepEqual(await actionsOf(app, `?resource_type=Balance&resource_id=${bob}`), ['BALANCE_CREDITED']);
  assert.deepEqual(await actionsOf(app, '?resourceType=ApiKey'), ['API_KEY_CREATED']);
  assert.deepEqual(await actionsOf(app, '?action=BALANCE_CREDITED'), ['BALANCE_CREDITED', 'BALANCE_CREDITED']);
  assert.deepEqual(await actionsOf(app, `?action=BALANCE_CREDITED&userId=${bob}`), ['BALANCE_CREDITED']);
  assert.deepEqual(await actionsOf(app, '?resourceId=unknown'), []);
});

test('a user and a resource together find old entries too, page by page', async (t) => {
  const { app, buyerId, anOrder, done } = await openTrade(t);
  const { id } = await anOrder({ amount: '1.00' });
  await done(`POST /orders/${id}/reserve`);
  for (let i = 0; i < 3; i++) await anOrder({ amount: '1.00' });
  const walked = await walk(app, `/audit/logs?userId=${buyerId}&resourceId=${id}`, { limit: 1 });
  assert.deepEqual(
    walked.map(({ action }: Entry) => action),
    ['ORDER_FUNDS_RESERVED', 'ORDER_CREATED'],
  );
});

test('from takes its moment in, to leaves it out', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  for (const amount of ['1.00', '2.00', '3.00']) {
    await app.call(`POST /users/${userId}/balance/credit`, { body: { amount } });
  }
  const of = async (query: string): Promise<string[]> =>
    (await list(app, `?action=BALANCE_CREDITED&${query}`)).data.map(
      (entry: { payloadAfter: { amount: string } }) => entry.payloadAfter.amount,
    );
  const at = (await list(app, '?action=BALANCE_CREDITED')).data[1].occurredAt;
  assert.deepEqual(await of(`from=${at}`), ['3.00', '2.00']);
  assert.deepEqual(await of(`to=${at}`), ['1.00']);
  assert.deepEqual(await of(`from=${at}&to=${at}`), []);
});

test('one marketplace never sees the entries of another, and numbers its own', async (t) => {
  const app = await openApp(t);
  const a = await app.key(['*'], 'mkt_a');
  const b = await app.key(['*'], 'mkt_b');
  await app.aUser({ key: a });
  const ofB = await app.aUser({ key: b });
  const seen = async (key: string, query = '') =>
    (await app.call(`GET /audit/logs${query}`, { key })).body.data.data.map((entry: Entry) => entry.sequence);
  assert.deepEqual(
    [await seen(a), await seen(b)],
    [
      [3, 2, 1],
      [3, 2, 1],
    ],
  );
  assert.deepEqual(await seen(a, `?resourceId=${ofB}`), []);
});

test('400 VALIDATION_ERROR on a bad filter', async (t) => {
  const app = await openApp(t);
  await app.aUser();
  const bad = [
    'cursor=aud_7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    'resourceType=Order66',
    'resourceId=',
    'action=STOLEN',
    'userId=',
    'from=yesterday',
    'to=2026-01-01',
    'userId=x&user_id=x',
  ];
  await assertNoTrace(app, async () => {
    for (const query of bad) {
      const { status, code } = readRefusal(await app.call(`GET /audit/logs?${query}`));
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], query);
    }
  });
});

test('no entry carries an e-mail in clear, a key, a token or a hash of one', async (t) => {
  const app = await openApp(t);
  const { marketplaceId } = app;
  const asMaster = { key: MASTER_KEY, headers: { 'x-marketplace-id': marketplaceId } };
  const made = await app.call('POST /auth/api-keys', { ...asMaster, body: { name: 'Shop', scopes: ['*'] } });
  const { id: keyId, key } = made.body.data;
  const rotated = (await app.call(`POST /auth/api-keys/${keyId}/rotate`, { key })).body.data.key;
  const { token } = (await app.call(`POST /auth/api-keys/${keyId}/token`, { key: rotated })).body.data;
  const body = { externalUserId: 'ada', email: 'ada.lovelace@example.com' };
  const userId = (await app.call('POST /users', { body })).body.data.id;
  await app.call(`POST /users/${userId}/payment-account/link`, { body: { email: 'ada.pays@example.com' } });
  assert.equal((await app.call(`DELETE /auth/api-keys/${keyId}`, asMaster)).status, 200);
  const rows = await app.sql('select a::text as text from audit_entries a where marketplace_id = $1', [marketplaceId]);
  const text = rows.map((row) => row.text).join('\n');
  assert.ok(rows.length >= 7);
  const hashes = await app.sql('select secret_hash, previous_hash from api_keys where id = $1', [keyId]);
  const secrets = [
    ...[key, rotated].flatMap((whole) => [whole, whole.slice(-43)]),
    token,
    hashes[0].secret_hash,
    hashes[0].previous_hash,
    MASTER_KEY,
    'ada.lovelace',
    'ada.pays',
  ];
  for (const secret of secrets) assert.equal(text.includes(secret), false);
});
