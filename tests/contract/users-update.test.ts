// PATCH /users/{id}, by status, and what POST /users says about a user that exists with other data.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { refusalOf } from './refusals.ts';

const aUser = async (app: TestApp, body: object = {}) =>
  (await app.call('POST /users', { body: { externalUserId: randomUUID(), ...body } })).body.data;

const patch = (app: TestApp, { id, ...ask }: { id: string; body: object; headers?: Record<string, string> }) =>
  app.call(`PATCH /users/${id}`, ask);

test('200 changes only what is sent, and null clears the e-mail address and the name', async (t) => {
  const app = await openApp(t);
  const user = await aUser(app, { email: 'ada@example.com', metadata: { plan: 'gold', since: 2020 } });
  assert.equal(user.name, null);
  const named = await patch(app, { id: user.id, body: { name: 'Ada Lovelace' } });
  assert.equal(named.status, 200);
  assert.deepEqual(
    { ...named.body.data, updatedAt: user.updatedAt },
    { ...user, name: 'Ada Lovelace' },
    'nothing else changed',
  );
  assert.ok(named.body.data.updatedAt > user.updatedAt);
  const cleared = await patch(app, { id: user.id, body: { email: null, name: null, type: 'SELLER' } });
  const { email, name, type, metadata } = cleared.body.data;
  assert.deepEqual([email, name, type, metadata], [null, null, 'SELLER', { plan: 'gold', since: 2020 }]);
  assert.deepEqual((await app.call(`GET /users/${user.id}`)).body.data, cleared.body.data);
});

test('metadata is replaced as a whole', async (t) => {
  const app = await openApp(t);
  const { id } = await aUser(app, { metadata: { plan: 'gold', since: 2020 } });
  const { body } = await patch(app, { id, body: { metadata: { plan: 'silver' } } });
  assert.deepEqual(body.data.metadata, { plan: 'silver' });
});

test('one audit entry without personal data and one event; the same request again leaves no trace', async (t) => {
  const app = await openApp(t);
  const { id, externalUserId } = await aUser(app, { name: 'Ada' });
  const change = { email: 'ada@example.com', name: 'Grace', metadata: { plan: 'gold' } };
  const first = await patch(app, { id, body: change });
  assert.deepEqual((await patch(app, { id, body: change })).body.data, first.body.data);
  assert.deepEqual((await patch(app, { id, body: {} })).body.data, first.body.data);
  const entries = (await app.call(`GET /audit/logs?resourceId=${id}`)).body.data.data;
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['USER_UPDATED', 'USER_CREATED'],
  );
  assert.deepEqual(entries[0].payloadBefore, { email: null, name: 'A***' });
  const changed = ['email', 'name', 'metadata'];
  assert.deepEqual(entries[0].payloadAfter, { email: 'a***@example.com', name: 'G***', changed });
  const events = await app.sql(
    `select envelope::jsonb -> 'payload' as payload from events where aggregate_id = '${id}' and event_type = 'user.updated'`,
  );
  const { updatedAt } = first.body.data;
  const { email, name } = change;
  const payload = { userId: id, externalUserId, email, name, type: 'BOTH', status: 'ACTIVE', changed, updatedAt };
  assert.deepEqual(events, [{ payload }]);
});

test('a preview shows the change and keeps nothing; a repeated key is answered once', async (t) => {
  const app = await openApp(t);
  const { id } = await aUser(app, { name: 'Ada' });
  const body = { name: 'Grace' };
  const preview = await patch(app, { id, body, headers: { 'dry-run': 'true' } });
  assert.deepEqual([preview.status, preview.body.data.reply.name], [200, 'Grace']);
  assert.equal((await app.call(`GET /users/${id}`)).body.data.name, 'Ada');
  const headers = { 'idempotency-key': randomUUID() };
  const first = await patch(app, { id, body, headers });
  const again = await patch(app, { id, body, headers });
  assert.deepEqual([again.text, again.headers.get('idempotency-replay')], [first.text, 'true']);
});

test('q finds a user by the beginning of the name, in any case', async (t) => {
  const app = await openApp(t);
  const { id } = await aUser(app, { name: 'Zenobia Quill' });
  for (const q of ['zenobia', 'Zenobia Q']) {
    const { data } = (await app.call(`GET /users?q=${encodeURIComponent(q)}`)).body.data;
    assert.deepEqual(
      data.map((each: { id: string }) => each.id),
      [id],
      q,
    );
  }
});

test('POST /users with a known externalUserId names the fields that differ, and changes none', async (t) => {
  const app = await openApp(t);
  const body = { externalUserId: randomUUID(), email: 'ada@example.com', metadata: { plan: 'gold' } };
  const created = await app.call('POST /users', { body });
  assert.deepEqual([created.status, 'differs' in created.body.data], [201, false]);
  const same = await app.call('POST /users', { body });
  assert.deepEqual([same.status, same.body.data], [200, created.body.data], 'nothing differs');
  const fewer = await app.call('POST /users', { body: { externalUserId: body.externalUserId } });
  assert.deepEqual(fewer.body.data, created.body.data, 'a field that is not sent does not differ');
  const other = { ...body, email: 'grace@example.com', name: 'Grace', type: 'BOTH', metadata: { plan: 'silver' } };
  const answer = await app.call('POST /users', { body: other });
  const differs = ['email', 'name', 'metadata'];
  assert.deepEqual([answer.status, answer.body.data], [200, { ...created.body.data, differs }]);
  assert.deepEqual((await app.call(`GET /users/${created.body.data.id}`)).body.data, created.body.data);
});

test('404 for a user of another marketplace, 403 without the scope, 400 for bad values; nothing changes', async (t) => {
  const app = await openApp(t);
  const { id } = await aUser(app, { name: 'Ada' });
  const elsewhere = await app.key(['*'], 'mkt_other');
  const reader = await app.key(['read']);
  const asked = (ask: object) => refusalOf(app, () => app.call(`PATCH /users/${id}`, ask));
  const body = { name: 'Grace' };
  assert.deepEqual(await asked({ body, key: elsewhere }), { status: 404, code: 'USER_NOT_FOUND', details: {} });
  const { status: withoutScope, code: why } = await asked({ body, key: reader });
  assert.deepEqual([withoutScope, why], [403, 'INSUFFICIENT_SCOPE']);
  for (const bad of [
    { name: '' },
    { name: '  ' },
    { name: 'x'.repeat(121) },
    { email: 'ada' },
    { type: 'ADMIN' },
    { metadata: null },
    { externalUserId: 'other' },
    { status: 'SUSPENDED' },
  ]) {
    const { status, code } = await asked({ body: bad });
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(bad));
  }
  assert.equal((await app.call(`GET /users/${id}`)).body.data.name, 'Ada');
});
