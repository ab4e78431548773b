// The names of users, operators, keys, agents, passkeys and policies: one line without control characters, so that none of them can break a log
// line, a table or a CSV file. A name that was stored before this rule can still be read and replaced.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, MASTER_KEY } from '../support/app.ts';
import { ask } from '../support/operator-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { readRefusal, refusalOf } from './refusals.ts';

const BROKEN = [
  'Ada\nLovelace',
  'Ada\r',
  'Ada\tL',
  '\u001b[31mAda',
  'Ada\u007f',
  'Ada\u0085L',
  'Ada\u2028L',
  'Ada\u2029',
];
const RULE = 'must be one line with at least one visible character, without control characters';

const assertNames = (
  answer: { status: number; code: string; details: { validationErrors: string[] } },
  field: string,
) =>
  assert.deepEqual(
    [answer.status, answer.code, answer.details.validationErrors],
    [400, 'VALIDATION_ERROR', [`${field} ${RULE}`]],
  );

test('400 for each kind of line break and control character in the name of a user, and nothing changes', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser({ body: { externalUserId: randomUUID(), name: 'Ada' } });
  for (const name of BROKEN) {
    const body = { externalUserId: randomUUID(), name };
    assertNames(await refusalOf(app, () => app.call('POST /users', { body })), 'name');
    assertNames(await refusalOf(app, () => app.call(`PATCH /users/${id}`, { body: { name } })), 'name');
  }
  const { body } = await app.call(`PATCH /users/${id}`, { body: { name: "Zoë O'Neil‑Ωμέγα 李 שלום 👩‍🚀" } });
  assert.equal(body.data.name, "Zoë O'Neil‑Ωμέγα 李 שלום 👩‍🚀");
});

test('400 for a broken name of an operator, a key, an agent, the first administrator and a passkey', async (t) => {
  const app = await openApp(t);
  const operator = { email: `${randomUUID()}@shop.example`, role: 'viewer' };
  const [name] = BROKEN;
  const asked: [field: string, send: () => Promise<Answer>][] = [
    ['name', () => app.call('POST /operators', { key: MASTER_KEY, body: { ...operator, name } })],
    ['name', () => app.call('PATCH /operators/opr_1', { key: MASTER_KEY, body: { name } })],
    ['name', () => app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name, scopes: ['read'] } })],
    ['assignedTo', () => app.call('POST /disputes/dsp_1/assign', { body: { assignedTo: name } })],
    ['name', () => ask(app, 'POST /console/invite', { body: { name } })],
    ['passkeyName', () => ask(app, 'POST /console/invite', { body: { passkeyName: name } })],
  ];
  for (const [field, send] of asked) assertNames(readRefusal(await send()), field);
});

test('400 for a broken name of a policy, and a name that was stored with a tab is still listed', async (t) => {
  const app = await openApp(t);
  const create = (name: string) => app.call('POST /policies', { body: { name, rules: {} } });
  assert.equal((await create('Ada')).status, 201);
  // A space at the end was refused before, in other words.
  for (const name of BROKEN.filter((each) => each === each.trimEnd()))
    assertNames(await refusalOf(app, () => create(name)), 'name');
  await app.sql('update policies set name = $2 where name = $1', ['Ada', 'Ada\tL']);
  const listed = await app.call(`GET /policies?name=${encodeURIComponent('Ada\tL')}`);
  assert.deepEqual(
    listed.body.data.data.map(({ name, version }: { name: string; version: number }) => [name, version]),
    [['Ada\tL', 1]],
  );
});

test('400 for a broken metadata.displayName of a user; an empty one and any other value are metadata as before', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser({ body: { externalUserId: randomUUID(), metadata: { displayName: 'Ada' } } });
  for (const displayName of [...BROKEN, ' ']) {
    const metadata = { displayName };
    const body = { externalUserId: randomUUID(), metadata };
    assertNames(await refusalOf(app, () => app.call('POST /users', { body })), 'metadata.displayName');
    const change = () => app.call(`PATCH /users/${id}`, { body: { metadata } });
    assertNames(await refusalOf(app, change), 'metadata.displayName');
  }
  for (const metadata of [{ displayName: '' }, { displayName: ['a\nb'] }, { note: 'a\nb' }]) {
    const { body } = await app.call(`PATCH /users/${id}`, { body: { metadata } });
    assert.deepEqual(body.data.metadata, metadata);
  }
});

test('a name that was stored with a line break can be read, listed, found again by its create, and replaced', async (t) => {
  const app = await openApp(t);
  const externalUserId = randomUUID();
  const id = await app.aUser({ body: { externalUserId, name: 'Ada' } });
  await app.sql('update users set name = $2 where id = $1', [id, 'Ada\nLovelace']);
  assert.equal((await app.call(`GET /users/${id}`)).body.data.name, 'Ada\nLovelace');
  const listed = await app.call(`GET /users?externalUserId=${externalUserId}`);
  assert.equal(listed.body.data.data[0].name, 'Ada\nLovelace');
  const again = await app.call('POST /users', { body: { externalUserId } });
  assert.equal(again.status, 200, again.text);
  const replaced = await app.call(`PATCH /users/${id}`, { body: { name: 'Ada Lovelace' } });
  assert.deepEqual([replaced.status, replaced.body.data.name], [200, 'Ada Lovelace']);
});
