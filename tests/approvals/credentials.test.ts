// A caller who makes credentials must not become a second actor: what gives a new or another credential waits, and a decider whose credentials
// come from the requester is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, MASTER_KEY } from '../support/app.ts';
import { accept, anOperator, ask } from '../support/operator-fixture.ts';
import { type ApprovalFixture, openSharedApprovals, waiting } from './fixture.ts';

const RULE = { action: 'api-key.create' };

const codeOf = ({ status, body }: Answer): string => `${status} ${body.error?.code}`;

/** The master key in the marketplace of the test. */
const asMaster = ({ app }: ApprovalFixture) => ({
  key: MASTER_KEY,
  headers: { 'x-marketplace-id': app.marketplaceId },
});

const anAdmin = ({ app }: ApprovalFixture, role = 'admin') =>
  anOperator(app, { role, marketplaceId: app.marketplaceId });

let made = 0;
const person = (role: string) => ({ email: `credential-${++made}@shop.example`, name: 'Grace Hopper', role });

test('a new operator waits: the link works once another administrator has approved', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules } = fixture;
  const asking = await anAdmin(fixture);
  const deciding = await anAdmin(fixture);
  await setRules([RULE]);
  assert.equal((await asking.call('POST /operators', { body: person('viewer') })).status, 201);
  const body = person('finance');
  const answer = await asking.call('POST /operators', { body });
  const held = waiting(answer);
  const { inviteUrl } = answer.body.data;
  const headers = { 'x-invitation': new URL(inviteUrl).hash.slice(1) };
  assert.equal((await ask(app, 'GET /console/invite', { invitation: headers['x-invitation'] })).status, 404);
  // No key may make operators, so no key decides about one.
  assert.equal(codeOf(await fixture.decide(held.id)), '403 INSUFFICIENT_SCOPE');
  const approved = await deciding.call(`POST /approvals/${held.id}/approve`);
  assert.equal(approved.body.data.status, 'APPROVED', approved.text);
  const { result } = approved.body.data;
  assert.equal(result.inviteUrl, undefined);
  assert.equal(approved.text.includes(inviteUrl.slice(-43)), false);
  const [{ text }] = await app.sql('select request::text as text from approvals where id = $1', [held.id]);
  assert.equal(text.includes(inviteUrl.slice(-43)), false);
  const joined = await accept(app, { id: result.id, email: body.email, inviteUrl });
  assert.equal((await joined.call('GET /users')).status, 200);
  const again = await asking.call('POST /operators', { body });
  assert.equal(codeOf(again), '409 OPERATOR_EXISTS');
});

test('a new invitation, more rights and a return wait; what takes rights away does not', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules } = fixture;
  const asking = await anAdmin(fixture);
  const deciding = await anAdmin(fixture);
  const colleague = await anAdmin(fixture, 'support');
  await setRules([RULE]);
  const path = `/operators/${colleague.id}`;
  const invited = await asking.call(`POST ${path}/invite`);
  const held = waiting(invited);
  assert.equal((await colleague.call('GET /users')).status, 200);
  waiting(await asking.call(`PATCH ${path}`, { body: { role: 'admin' } }));
  assert.equal((await asking.call(`PATCH ${path}`, { body: { name: 'Grace' } })).status, 200);
  assert.equal((await asking.call(`PATCH ${path}`, { body: { disabled: true } })).status, 200);
  const back = waiting(await asking.call(`PATCH ${path}`, { body: { disabled: false } }));
  assert.equal((await deciding.call(`POST /approvals/${back.id}/approve`)).body.data.status, 'APPROVED');
  assert.equal((await deciding.call(`POST /approvals/${held.id}/approve`)).body.data.status, 'APPROVED');
  const { inviteUrl } = invited.body.data;
  assert.equal((await accept(app, { ...colleague, inviteUrl })).id, colleague.id);
});

test('the master key rotates a key of others only with approval, and gets no token of it; the key itself does both', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules, approve } = fixture;
  const key = await app.key(['*']);
  const narrow = await app.key(['read', 'write']);
  const { apiKeyId } = (await app.call('GET /auth/me', { key })).body.data;
  await setRules([RULE]);
  const token = await app.call(`POST /auth/api-keys/${apiKeyId}/token`, { ...asMaster(fixture), body: {} });
  assert.equal(codeOf(token), '403 INSUFFICIENT_SCOPE');
  assert.equal((await app.call(`POST /auth/api-keys/${apiKeyId}/token`, { key, body: {} })).status, 201);
  const rotated = await app.call(`POST /auth/api-keys/${apiKeyId}/rotate`, asMaster(fixture));
  const held = waiting(rotated);
  const fresh = rotated.body.data.key;
  assert.equal((await app.call('GET /auth/me', { key: fresh })).status, 401);
  assert.equal(codeOf(await fixture.decide(held.id, { by: narrow })), '403 INSUFFICIENT_SCOPE');
  assert.equal((await approve(held.id)).result.key, undefined);
  assert.equal((await app.call('GET /auth/me', { key: fresh })).body.data.apiKeyId, apiKeyId);
  assert.equal((await app.call(`POST /auth/api-keys/${apiKeyId}/rotate`, { key: fresh })).status, 201);
});

test('without a rule for credentials, those that come from the requester since the request do not decide', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules, decide } = fixture;
  const asking = await anAdmin(fixture);
  const colleague = await anAdmin(fixture);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  const credit = { body: { amount: '10.00' } };
  const held = waiting(await asking.call(`POST /users/${userId}/balance/credit`, credit));
  const approve = `POST /approvals/${held.id}/approve`;

  const puppet = person('admin');
  const created = await asking.call('POST /operators', { body: puppet });
  const second = await accept(app, created.body.data);
  assert.equal(codeOf(await second.call(approve)), '403 APPROVAL_SELF');
  // Nor what the second one makes.
  const third = await accept(app, (await second.call('POST /operators', { body: person('admin') })).body.data);
  assert.equal(codeOf(await third.call(approve)), '403 APPROVAL_SELF');
  const { inviteUrl } = (await asking.call(`POST /operators/${colleague.id}/invite`)).body.data;
  const taken = await accept(app, { ...colleague, inviteUrl });
  assert.equal(codeOf(await taken.call(approve)), '403 APPROVAL_SELF');
  assert.equal(codeOf(await taken.call(`POST /approvals/${held.id}/reject`)), '403 APPROVAL_SELF');

  const key = await app.key(['*']);
  const { apiKeyId } = (await app.call('GET /auth/me', { key })).body.data;
  const ofMaster = waiting(await app.call(`POST /users/${userId}/balance/credit`, { ...asMaster(fixture), ...credit }));
  const token = await app.call(`POST /auth/api-keys/${apiKeyId}/token`, { ...asMaster(fixture), body: {} });
  assert.equal(codeOf(await decide(ofMaster.id, { by: token.body.data.token })), '403 APPROVAL_SELF');
  const rotated = await app.call(`POST /auth/api-keys/${apiKeyId}/rotate`, asMaster(fixture));
  assert.equal(codeOf(await decide(ofMaster.id, { by: rotated.body.data.key })), '403 APPROVAL_SELF');
  // Another actor than the one that made them may have asked.
  assert.equal((await decide(held.id, { by: rotated.body.data.key })).status, 200);
  assert.equal((await decide(ofMaster.id)).status, 200);
});
