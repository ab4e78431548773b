// POST /auth/api-keys, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type KeyServer, MASTER, openKeyServer } from '../keys/key-server.ts';

let door: KeyServer;
before(async () => {
  door = await openKeyServer();
});
after(() => door.close());

const KEYS = '/auth/api-keys';
const create = (body: unknown, headers: Record<string, string> = {}) =>
  door.ask('POST', KEYS, { key: MASTER, body, headers });
const list = async (key: string, query = '') => (await door.ask('GET', `${KEYS}${query}`, { key })).body.data;

test('201 creates a key and shows it under both names, once', async () => {
  const expiresAt = '2090-01-02T03:04:05+01:00';
  const answer = await create({ name: 'Shop', scopes: ['read', 'support'], expiresAt, rateLimit: 600 });
  assert.equal(answer.status, 201);
  const { id, key, api_key, createdAt, ...rest } = answer.body.data;
  assert.match(id, /^key_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(key, new RegExp(`^hf_default_${id.slice(4)}_[A-Za-z0-9_-]{43}$`));
  assert.equal(api_key, key);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual(rest, {
    name: 'Shop',
    scopes: ['read', 'support'],
    marketplaceId: 'mkt_default',
    status: 'ACTIVE',
    rateLimit: 600,
    expiresAt: '2090-01-02T02:04:05.000000Z',
    revokedAt: null,
  });
  assert.equal((await door.ask('GET', KEYS, { key: MASTER })).text.includes(key), false);
});

test('the key belongs to the marketplace of the body, else of the header, else to mkt_default', async () => {
  const name = 'Shop';
  const scopes = ['read'];
  const marketplaceOf = async (body: object, headers = {}) => {
    const { data } = (await create({ name, scopes, ...body }, headers)).body;
    assert.ok(data.key.startsWith(`hf_${data.marketplaceId.slice(4)}_`));
    const me = (await door.ask('GET', '/auth/me', { key: data.key })).body.data;
    assert.equal(me.marketplaceId, data.marketplaceId);
    return data.marketplaceId;
  };
  assert.equal(await marketplaceOf({}), 'mkt_default');
  assert.equal(await marketplaceOf({}, { 'x-marketplace-id': 'mkt_header' }), 'mkt_header');
  assert.equal(await marketplaceOf({ marketplace_id: 'mkt_body' }, { 'x-marketplace-id': 'mkt_header' }), 'mkt_body');
});

test('409 IDEMPOTENCY_KEY_REUSED for the same key and another marketplaceId, which gets no key', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Shop', scopes: ['read'], marketplaceId: 'mkt_first' };
  const first = await create(body, headers);
  for (const marketplaceId of ['mkt_second', undefined]) {
    const { status, body: refusal } = await create({ ...body, marketplaceId }, headers);
    assert.deepEqual([status, refusal.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  }
  const second = await door.ask('GET', KEYS, { key: MASTER, headers: { 'x-marketplace-id': 'mkt_second' } });
  assert.deepEqual(second.body.data.data, []);
  const again = await create(body, headers);
  assert.deepEqual([again.status, again.text], [201, first.text]);
});

test('the same Idempotency-Key under another X-Marketplace-Id creates no second key', async () => {
  const idempotency = { 'idempotency-key': randomUUID() };
  const body = { name: 'Shop', scopes: ['read'], marketplaceId: 'mkt_named' };
  const first = await create(body, idempotency);
  const under = (id: string, more: object = {}) =>
    create({ ...body, ...more }, { ...idempotency, 'x-marketplace-id': id });
  const again = await under('mkt_another');
  assert.deepEqual([again.status, again.text], [201, first.text]);
  const elsewhere = await under('mkt_another', { marketplaceId: undefined });
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  assert.equal((await list(first.body.data.key)).data.length, 1);
});

test('a body that was refused as not valid may be sent again with the same key, corrected', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = { name: 'Shop', scopes: ['read'], marketplaceId: 'mkt_corrected' };
  const refused = await create({ ...body, expiresAt: '2020-01-01T00:00:00Z' }, headers);
  const corrected = await create(body, headers);
  assert.deepEqual([refused.status, corrected.status], [400, 201]);
});

test('400 on a body that cannot be a key, with a sentence for each mistake', async () => {
  const good = { name: 'Shop', scopes: ['read'] };
  const bad: object[] = [
    {},
    { ...good, name: '' },
    { ...good, name: 'x'.repeat(121) },
    { ...good, scopes: [] },
    { ...good, scopes: ['admin'] },
    { ...good, scopes: ['read', 'read'] },
    { ...good, scopes: 'read' },
    { ...good, marketplaceId: 'shop' },
    { ...good, marketplaceId: 'mkt_a_b' },
    { ...good, expiresAt: 'tomorrow' },
    { ...good, expiresAt: '2020-01-01T00:00:00Z' },
    { ...good, expiresAt: '9999-12-31T23:59:59Z' },
    { ...good, rateLimit: 0 },
    { ...good, rateLimit: 1_000_001 },
    { ...good, rateLimit: 1.5 },
    { ...good, secretHash: 'mine' },
  ];
  for (const body of bad) {
    const answer = await create(body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.error.code, 'VALIDATION_ERROR');
    assert.ok(answer.body.error.details.validationErrors.length > 0);
  }
});

test('401 without a key, with garbage, with a wrong secret, an unknown id and another marketplace in front', async () => {
  const { key } = await door.makeKey();
  const [, , id] = key.split('_');
  const otherSecret = 'A'.repeat(43);
  for (const wrong of [
    undefined,
    'nonsense',
    `${MASTER}x`,
    `hf_default_${id}_${otherSecret}`,
    `hf_default_01ARZ3NDEKTSV4RRFFQ69G5FAV_${otherSecret}`,
    key.replace('hf_default', 'hf_other'),
    `${key}x`,
    key.toLowerCase(),
  ]) {
    const answer = await door.ask('GET', '/auth/me', wrong === undefined ? {} : { key: wrong });
    assert.equal(answer.status, 401, wrong ?? 'none');
    assert.equal(answer.body.error.code, 'UNAUTHORIZED');
  }
});

test('403 to create keys with any key but the master key, whatever its scopes', async () => {
  const { id, key } = await door.makeKey({ scopes: ['*'] });
  const { token } = (await door.ask('POST', `${KEYS}/${id}/token`, { key })).body.data;
  for (const bearer of [key, token]) {
    const answer = await door.ask('POST', KEYS, { key: bearer, body: { name: 'More', scopes: ['*'] } });
    assert.equal(answer.status, 403);
    assert.equal(answer.body.error.code, 'INSUFFICIENT_SCOPE');
    assert.equal(answer.body.error.details.requiredScope, 'master');
  }
});

test('a repeat with the same Idempotency-Key shows the same key again and makes no second one', async () => {
  const headers = { 'idempotency-key': randomUUID(), 'x-marketplace-id': 'mkt_repeat' };
  const body = { name: 'Once', scopes: ['read'] };
  const first = await create(body, headers);
  const again = await create(body, headers);
  assert.equal(again.status, 201);
  assert.equal(again.headers.get('idempotency-replay'), 'true');
  assert.equal(again.text, first.text);
  assert.equal((await list(first.body.data.key)).data.length, 1);
  assert.equal((await create({ ...body, name: 'Twice' }, headers)).status, 409);
});
