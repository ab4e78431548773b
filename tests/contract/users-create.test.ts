// POST /users, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';
import { assertNoTrace, readRefusal, refusalOf } from './refusals.ts';

test('201 creates a user with every field, and with the defaults for those not given', async (t) => {
  const app = await openApp(t);
  const answer = await app.call('POST /users', { body: { externalUserId: 'customer-17' } });
  assert.equal(answer.status, 201);
  const { id, createdAt, updatedAt, balance, ledgerAddress, ledgerLinkedAt, ...rest } = answer.body.data;
  assert.match(id, /^usr_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  assert.equal(updatedAt, createdAt);
  const zero = { available: '0.00', reserved: '0.00', total: '0.00', currency: 'USD' };
  assert.deepEqual(balance, { userId: id, ...zero, updatedAt: createdAt });
  assert.deepEqual(rest, {
    externalUserId: 'customer-17',
    email: null,
    name: null,
    type: 'BOTH',
    status: 'ACTIVE',
    paymentAccountUserId: null,
    paymentAccountLinkedAt: null,
    metadata: {},
  });
  assert.match(ledgerAddress, /^G[A-Z2-7]{55}$/);
  assert.equal(ledgerLinkedAt, createdAt);
  assert.deepEqual((await app.call(`GET /users/${id}`)).body.data, answer.body.data);
});

test('201 keeps email, type and metadata as they were sent, in either spelling of the fields', async (t) => {
  const app = await openApp(t);
  const metadata = { plan: 'gold', 'snake_case key': { nested: [1, null, true, 'ü'] }, externalUserId: 'inside' };
  for (const [field, type] of [
    ['externalUserId', 'BUYER'],
    ['external_user_id', 'SELLER'],
  ] as const) {
    const body = { [field]: `shop ${type}`, email: 'Ada@Example.com', type, metadata };
    const { data } = (await app.call('POST /users', { body })).body;
    assert.deepEqual(
      [data.externalUserId, data.email, data.type, data.metadata],
      [`shop ${type}`, 'Ada@Example.com', type, metadata],
    );
    assert.deepEqual((await app.call(`GET /users/${data.id}`)).body.data, data);
  }
});

test('200 for the same externalUserId again: the user as it is, and nothing changes', async (t) => {
  const app = await openApp(t);
  const first = await app.call('POST /users', { body: { externalUserId: 'customer-17', email: 'ada@example.com' } });
  const { id } = first.body.data;
  await app.call(`POST /users/${id}/balance/credit`, { body: { amount: '5.00' } });
  const count =
    'select (select count(*) from users) u, (select count(*) from events) e, (select count(*) from audit_entries) a';
  const before = await app.sql(count);
  const again = await app.call('POST /users', { body: { externalUserId: 'customer-17', type: 'SELLER' } });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.data, { ...(await app.call(`GET /users/${id}`)).body.data, differs: ['type'] });
  assert.deepEqual([again.body.data.type, again.body.data.balance.available], ['BOTH', '5.00']);
  assert.deepEqual(await app.sql(count), before);
});

test('twenty creates of one externalUserId at once make one user: one 201 and nineteen 200', async (t) => {
  const app = await openApp(t);
  await app.key(['read']);
  const create = () => app.call('POST /users', { body: { externalUserId: 'customer-17' } });
  const answers = await Promise.all(Array.from({ length: 20 }, create));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [...Array(19).fill(200), 201]);
  assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1);
  const created = await app.sql("select count(*)::int as count from events where event_type = 'user.created'");
  assert.equal(created[0].count, 1);
});

test('the same externalUserId in another marketplace is another user', async (t) => {
  const app = await openApp(t);
  const create = async (marketplaceId: string) => {
    const key = await app.key(['*'], marketplaceId);
    return app.call('POST /users', { key, body: { externalUserId: 'customer-17' } });
  };
  const a = await create('mkt_a');
  const b = await create('mkt_b');
  assert.deepEqual([a.status, b.status], [201, 201]);
  assert.notEqual(a.body.data.id, b.body.data.id);
});

test('a created user is its event without the name, then that of its wallet, and an audit entry with masked personal data', async (t) => {
  const app = await openApp(t);
  const person = { externalUserId: 'customer-17', email: 'ada@example.com', type: 'BUYER' };
  const body = { ...person, name: 'Ada Lovelace', metadata: { plan: 'gold' } };
  const answer = await app.call('POST /users', { body });
  const userId = answer.body.data.id;
  const [row, linked, ...more] = await app.sql('select envelope from events order by position');
  const { eventType, aggregateType, aggregateId, occurredAt, payload, metadata } = JSON.parse(row.envelope);
  assert.deepEqual([eventType, aggregateType, aggregateId], ['user.created', 'User', userId]);
  assert.equal(occurredAt, answer.body.data.createdAt);
  const { externalUserId, email, type } = body;
  assert.deepEqual(payload, { userId, externalUserId, email, type, status: 'ACTIVE' });
  assert.equal(metadata.correlationId, answer.headers.get('x-request-id'));
  const { ledgerAddress, ledgerLinkedAt: linkedAt } = answer.body.data;
  const wallet = JSON.parse(linked.envelope);
  assert.equal(wallet.eventType, 'user.ledger_linked');
  assert.deepEqual(wallet.payload, { userId, ledgerAddress, linkedAt });
  assert.equal(more.length, 0);
  const entries = (await app.call(`GET /audit/logs?resourceId=${userId}`)).body.data.data;
  assert.equal(entries.length, 1);
  assert.deepEqual([entries[0].action, entries[0].payloadBefore], ['USER_CREATED', null]);
  assert.deepEqual(entries[0].payloadAfter, {
    externalUserId,
    email: 'a***@example.com',
    name: 'A***',
    type,
    status: 'ACTIVE',
  });
});

test('400 VALIDATION_ERROR with a sentence for each field that is wrong', async (t) => {
  const app = await openApp(t);
  await app.aUser();
  const good = { externalUserId: 'customer-17' };
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
  const cases: [object, RegExp][] = [
    [{}, /^externalUserId is required$/],
    [{ externalUserId: '' }, /^externalUserId must not be empty$/],
    [{ externalUserId: 7 }, /^externalUserId must be a string$/],
    [{ externalUserId: null }, /^externalUserId must be a string$/],
    [{ externalUserId: 'x'.repeat(201) }, /^externalUserId must be at most 200 characters long$/],
    [{ ...good, external_user_id: 'customer-17' }, /^externalUserId and external_user_id are the same field/],
    [{ ...good, email: 'nope' }, /^email must be an e-mail address$/],
    [{ ...good, email: '' }, /^email /],
    [{ ...good, email: null }, /^email must be a string$/],
    [{ ...good, email: `${'x'.repeat(250)}@example.com` }, /^email must be at most 254 characters long$/],
    [{ ...good, type: 'ALIEN' }, /^type must be one of BUYER, SELLER, BOTH$/],
    [{ ...good, type: null }, /^type /],
    [{ ...good, metadata: [] }, /^metadata must be an object$/],
    [{ ...good, metadata: 'x' }, /^metadata must be an object$/],
    [{ ...good, metadata: keys(51) }, /^metadata .*50/],
    [{ ...good, metadata: { ['k'.repeat(65)]: 1 } }, /^metadata/],
    [{ ...good, metadata: { text: 'x'.repeat(8_200) } }, /^metadata must be at most 8192 bytes as JSON$/],
    [{ ...good, status: 'ACTIVE' }, /^status is not a known field$/],
    [{ ...good, id: 'usr_1' }, /^id is not a known field$/],
  ];
  await assertNoTrace(app, async () => {
    for (const [body, sentence] of cases) {
      const { status, code, details } = readRefusal(await app.call('POST /users', { body }));
      const about = JSON.stringify(body).slice(0, 80);
      assert.deepEqual([status, code, details.validationErrors.length], [400, 'VALIDATION_ERROR', 1], about);
      assert.match(details.validationErrors[0], sentence, about);
    }
  });
  const all = await refusalOf(app, () =>
    app.call('POST /users', { body: { email: 'nope', type: 'ALIEN', colour: 1 } }),
  );
  assert.equal(all.details.validationErrors.length, 4);
});

test('201 takes each field at its limit', async (t) => {
  const app = await openApp(t);
  const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`.padStart(64, 'k'), 'x'.repeat(50)]));
  const body = { externalUserId: '😀'.repeat(100), email: `${'x'.repeat(64)}@example.com`, metadata };
  const answer = await app.call('POST /users', { body });
  assert.equal(answer.status, 201, answer.text);
  assert.deepEqual(answer.body.data.metadata, metadata);
});
