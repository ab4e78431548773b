// Operators through the API: every route, its statuses, and who may call it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { codeOf as codeAndStatus, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { accept, anOperator, ask, invite, signIn, tokenOf } from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const shared = shareInFile(startApp);
let app: TestApp;
before(() => {
  app = shared();
});

const asMaster = { key: MASTER_KEY };
const body = { email: 'Grace@Shop.example', name: 'Grace Hopper', role: 'support' };

test('201 creates an operator with a link that is shown once, and stores neither link nor password', async () => {
  const answer = await app.call('POST /operators', { ...asMaster, body });
  assert.equal(answer.status, 201, answer.text);
  const { inviteUrl, id, ...shown } = answer.body.data;
  assert.match(inviteUrl, /^http:\/\/127\.0\.0\.1:\d+\/console\/join#hfi_default_[0-9A-Z]{26}_[\w-]{43}$/);
  assert.deepEqual(
    { email: shown.email, role: shown.role, scopes: shown.scopes, status: shown.status, everywhere: shown.everywhere },
    { email: body.email, role: 'support', scopes: ['read', 'write', 'support'], status: 'INVITED', everywhere: false },
  );
  const got = await app.call(`GET /operators/${id}`);
  assert.equal(got.body.data.inviteUrl, undefined);
  const rows = await app.sql('select row_to_json(t)::text as text from operators t');
  const audit = await app.sql('select payload_after::text as text from audit_entries');
  // The secret may have this sign too.
  const secret = tokenOf(inviteUrl).split('_').slice(3).join('_');
  for (const { text } of [...rows, ...audit]) assert.equal(String(text).includes(secret), false);
});

test('a repeat with the same Idempotency-Key gets the same link and makes no second operator', async () => {
  const asked = {
    ...asMaster,
    headers: { 'idempotency-key': randomUUID() },
    body: { ...body, email: 'repeat@shop.example' },
  };
  const first = await app.call('POST /operators', asked);
  const again = await app.call('POST /operators', asked);
  assert.equal(first.status, 201, first.text);
  assert.equal(again.body.data.inviteUrl, first.body.data.inviteUrl);
});

test('409 OPERATOR_EXISTS for an address that any marketplace has, in any case of its letters', async () => {
  await invite(app, { email: 'taken@shop.example' });
  for (const marketplace of ['mkt_default', 'mkt_elsewhere']) {
    const answer = await app.call('POST /operators', {
      ...asMaster,
      headers: { 'x-marketplace-id': marketplace },
      body: { ...body, email: 'TAKEN@shop.example' },
    });
    assert.equal(codeAndStatus(answer), '409 OPERATOR_EXISTS');
  }
});

test('two requests for one address at once make one operator', async () => {
  const asked = { ...asMaster, body: { ...body, email: 'race@shop.example' } };
  const answers = await Promise.all(Array.from({ length: 6 }, () => app.call('POST /operators', asked)));
  assert.deepEqual(answers.map(codeAndStatus).sort(), ['201 undefined', ...Array(5).fill('409 OPERATOR_EXISTS')]);
});

test('the address of a deleted operator can be used again, in another marketplace too', async () => {
  const { id } = await invite(app, { email: 'again@shop.example' });
  assert.equal((await app.call(`DELETE /operators/${id}`, asMaster)).status, 200);
  assert.equal(codeAndStatus(await app.call(`GET /operators/${id}`)), '404 OPERATOR_NOT_FOUND');
  const second = await invite(app, { email: 'again@shop.example', marketplaceId: 'mkt_elsewhere' });
  assert.notEqual(second.id, id);
});

test('400 for a role, an address or a field that does not exist; 403 for an API key with every scope', async () => {
  for (const wrong of [{ role: 'owner' }, { email: 'no address' }, { colour: 'red' }, { name: '' }]) {
    const answer = await app.call('POST /operators', { ...asMaster, body: { ...body, ...wrong } });
    assert.equal(codeAndStatus(answer), '400 VALIDATION_ERROR');
  }
  const answer = await app.call('POST /operators', { body });
  assert.equal(codeAndStatus(answer), '403 INSUFFICIENT_SCOPE');
  assert.equal(answer.body.error.details.requiredScope, 'admin');
});

test('an administrator invites operators of its own marketplace, and none of all marketplaces', async () => {
  const admin = await anOperator(app, { role: 'admin', marketplaceId: 'mkt_north' });
  const made = await admin.call('POST /operators', { body: { ...body, email: 'north@shop.example' } });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.data.marketplaceId, 'mkt_north');
  const everywhere = { ...body, email: 'all@shop.example', everywhere: true };
  assert.equal(codeAndStatus(await admin.call('POST /operators', { body: everywhere })), '403 INSUFFICIENT_SCOPE');
  const listed = await admin.call('GET /operators?status=INVITED');
  assert.deepEqual(
    listed.body.data.data.map((one: { email: string }) => one.email),
    ['north@shop.example'],
  );
  // Another marketplace does not see them.
  assert.equal(codeAndStatus(await app.call(`GET /operators/${made.body.data.id}`)), '404 OPERATOR_NOT_FOUND');
});

test('operators cannot change, invite or delete themselves; the last administrator stays unless the master key says so', async () => {
  const one = await anOperator(app, { role: 'admin', marketplaceId: 'mkt_last' });
  const boss = await anOperator(app, { role: 'admin', everywhere: true });
  const there = { headers: { 'x-marketplace-id': 'mkt_last' } };
  const own = `/operators/${one.id}`;
  for (const request of [`DELETE ${own}`, `POST ${own}/invite`, `PATCH ${own}`]) {
    const asked = request.startsWith('PATCH') ? { body: { role: 'viewer' } } : {};
    assert.equal(codeAndStatus(await one.call(request, asked)), '403 OPERATOR_SELF');
    assert.equal(codeAndStatus(await boss.call(request, { ...there, ...asked })), '409 LAST_ADMIN');
  }
  const disable = await boss.call(`PATCH ${own}`, { ...there, body: { disabled: true } });
  assert.equal(codeAndStatus(disable), '409 LAST_ADMIN');
  const second = await anOperator(app, { role: 'admin', marketplaceId: 'mkt_last' });
  const demoted = await second.call(`PATCH ${own}`, { body: { role: 'viewer' } });
  assert.equal(demoted.body.data.role, 'viewer');
  const last = await app.call(`DELETE /operators/${second.id}`, { ...asMaster, ...there });
  assert.equal(last.status, 200, last.text);
});

test('an administrator of mkt_default cannot take over an operator of all marketplaces', async () => {
  const boss = await anOperator(app, { role: 'admin', everywhere: true });
  const admin = await anOperator(app, { role: 'admin' });
  for (const request of [
    `DELETE /operators/${boss.id}`,
    `POST /operators/${boss.id}/invite`,
    `GET /operators/${boss.id}/sessions`,
    `DELETE /operators/${boss.id}/sessions/${boss.sessionId}`,
  ]) {
    assert.equal(codeAndStatus(await admin.call(request)), '403 INSUFFICIENT_SCOPE', request);
  }
  const sessions = await boss.call(`GET /operators/${boss.id}/sessions`);
  assert.deepEqual([sessions.status, sessions.body.data.data.length], [200, 1]);
  const other = await anOperator(app, { role: 'admin', everywhere: true });
  assert.equal((await other.call(`POST /operators/${boss.id}/invite`)).status, 201);
});

test('a new role takes effect with the next request, and a preview of it changes nothing', async () => {
  const operator = await anOperator(app, { role: 'viewer' });
  const body = { externalUserId: 'role-change' };
  assert.equal(codeAndStatus(await operator.call('POST /users', { body })), '403 INSUFFICIENT_SCOPE');
  const change = { ...asMaster, body: { role: 'support' } };
  const preview = await app.call(`PATCH /operators/${operator.id}`, { ...change, headers: { 'dry-run': 'true' } });
  assert.equal(preview.body.data.reply.role, 'support', preview.text);
  assert.equal(codeAndStatus(await operator.call('POST /users', { body })), '403 INSUFFICIENT_SCOPE');
  assert.equal((await app.call(`PATCH /operators/${operator.id}`, change)).status, 200);
  assert.equal((await operator.call('POST /users', { body })).status, 201);
});

test('a disabled operator has no session and cannot sign in; enabled again, it can', async () => {
  const operator = await anOperator(app);
  assert.equal(
    (await app.call(`PATCH /operators/${operator.id}`, { ...asMaster, body: { disabled: true } })).status,
    200,
  );
  assert.equal(codeAndStatus(await operator.call('GET /users')), '401 UNAUTHORIZED');
  const invited = await app.call(`POST /operators/${operator.id}/invite`, asMaster);
  assert.equal(codeAndStatus(invited), '409 INVALID_STATE');
  assert.equal(
    (await app.call(`PATCH /operators/${operator.id}`, { ...asMaster, body: { disabled: false } })).status,
    200,
  );
  assert.equal(codeAndStatus(await operator.call('GET /users')), '401 UNAUTHORIZED');
  const again = await signIn(app, operator);
  assert.equal((await again.call('GET /users')).status, 200);
});

test('a new invitation removes password, second factor and sessions, and the link before it', async () => {
  const operator = await anOperator(app);
  const first = await app.call(`POST /operators/${operator.id}/invite`, asMaster);
  assert.equal(first.status, 201, first.text);
  assert.deepEqual([first.body.data.hasPassword, first.body.data.hasTotp], [false, false]);
  assert.equal(codeAndStatus(await operator.call('GET /users')), '401 UNAUTHORIZED');
  const second = await app.call(`POST /operators/${operator.id}/invite`, asMaster);
  const old = await ask(app, 'GET /console/invite', { invitation: tokenOf(first.body.data.inviteUrl) });
  assert.equal(codeAndStatus(old), '404 INVITE_NOT_FOUND');
  // The text is in no path, because proxies write paths to their logs.
  const inPath = await ask(app, `GET /console/invite/${tokenOf(second.body.data.inviteUrl)}`);
  assert.equal(inPath.body?.data, undefined);
  assert.equal(codeAndStatus(await ask(app, 'GET /console/invite')), '404 INVITE_NOT_FOUND');
  const joined = await accept(app, second.body.data);
  assert.equal((await joined.call('GET /users')).status, 200);
  const used = await ask(app, 'GET /console/invite', { invitation: tokenOf(second.body.data.inviteUrl) });
  assert.equal(codeAndStatus(used), '404 INVITE_NOT_FOUND');
});

test('an operator of all marketplaces chooses one by X-Marketplace-Id; any other operator cannot', async () => {
  const boss = await anOperator(app, { role: 'admin', everywhere: true });
  const there = { headers: { 'x-marketplace-id': 'mkt_far' } };
  const user = await boss.call('POST /users', { ...there, body: { externalUserId: 'far' } });
  assert.equal(user.status, 201, user.text);
  const { id } = user.body.data;
  assert.equal((await boss.call(`GET /users/${id}`, there)).status, 200);
  assert.equal(codeAndStatus(await boss.call(`GET /users/${id}`)), '404 USER_NOT_FOUND');
  const one = await anOperator(app, { role: 'admin' });
  assert.equal(codeAndStatus(await one.call(`GET /users/${id}`, there)), '404 USER_NOT_FOUND');
});

test('the audit trail and GET /auth/me name the operator, also after it was deleted', async () => {
  const operator = await anOperator(app, { role: 'support', name: 'Margaret Hamilton' });
  const me = await operator.call('GET /auth/me');
  assert.deepEqual(
    [me.body.data.apiKeyId, me.body.data.apiKeyName, me.body.data.type],
    [operator.id, 'Margaret Hamilton', 'operator'],
  );
  const user = await operator.call('POST /users', { body: { externalUserId: 'audited' } });
  await app.call(`DELETE /operators/${operator.id}`, asMaster);
  const trail = await app.call(`GET /audit/logs?resourceId=${user.body.data.id}&action=USER_CREATED`);
  const [entry] = trail.body.data.data;
  assert.deepEqual([entry.actorType, entry.actorId, entry.actorName], ['operator', operator.id, 'Margaret Hamilton']);
});
