// The routes of approvals by status and scope, and what every request with a rule promises: a refusal stays a refusal, the same
// Idempotency-Key gets the same approval, and a preview says 202.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, MASTER_KEY } from '../support/app.ts';
import { type Any, newKey, openSharedApprovals, waiting } from './fixture.ts';

const UNKNOWN = 'apr_01J9ZQ8H7K5M3N2P4R6S8T0V1W';

test('rules: 200 for a key with every scope and for the master key, 403 for others, 400 for what is no rule', async (t) => {
  const { app, done } = await openSharedApprovals(t);
  const put = (body: unknown, key?: string) => app.call('PUT /approval-rules', { body, ...(key ? { key } : {}) });
  const rules = [{ action: 'balance.credit', amountFrom: '10.00', currency: 'USD', role: 'support' }];
  assert.deepEqual((await put(rules)).body.data.data, rules);
  assert.deepEqual(await done('GET /approval-rules'), rules);
  const headers = { 'x-marketplace-id': app.marketplaceId };
  assert.equal((await app.call('PUT /approval-rules', { key: MASTER_KEY, headers, body: [] })).status, 200);
  assert.deepEqual(await done('GET /approval-rules'), []);
  const narrow = await app.key(['read', 'write', 'treasury', 'payout', 'support']);
  assert.equal(codeOf(await put([], narrow)), '403 INSUFFICIENT_SCOPE');
  assert.equal((await app.call('GET /approval-rules', { key: narrow })).status, 200);
  assert.equal(codeOf(await app.call('PUT /approval-rules', { key: null, body: [] })), '401 UNAUTHORIZED');
  for (const wrong of [
    {},
    [{ action: 'unknown' }],
    [{ action: 'balance.credit', amountFrom: '-1' }],
    [{ action: 'balance.credit', amountFrom: '1.001' }],
    [{ action: 'balance.credit', currency: 'ABC' }],
    [{ action: 'approval-rules', amountFrom: '1.00' }],
    [{ action: 'balance.credit', more: true }],
    Array.from({ length: 101 }, () => ({ action: 'balance.credit' })),
  ]) {
    assert.equal(codeOf(await put(wrong)), '400 VALIDATION_ERROR', JSON.stringify(wrong).slice(0, 80));
  }
  assert.equal((await app.sql("select 1 from audit_entries where action = 'APPROVAL_RULES_SET'")).length, 2);
});

test('decisions: 404, 403 by scope, 403 APPROVAL_SELF, 409 once it is decided', async (t) => {
  const { app, second, setRules, ask, decide, approval } = await openSharedApprovals(t);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  const path = `POST /users/${userId}/balance/credit`;
  for (const how of ['approve', 'reject', 'cancel'] as const) {
    assert.equal(codeOf(await decide(UNKNOWN, { how })), '404 APPROVAL_NOT_FOUND');
    assert.equal(codeOf(await app.call(`POST /approvals/${UNKNOWN}/${how}`, { key: null })), '401 UNAUTHORIZED');
  }
  assert.equal(codeOf(await app.call(`GET /approvals/${UNKNOWN}`)), '404 APPROVAL_NOT_FOUND');
  const held = await ask(path, { amount: '5.00' });
  const reader = await app.key(['read', 'support']);
  const treasurer = await app.key(['treasury']);
  for (const how of ['approve', 'reject'] as const) {
    assert.equal(codeOf(await decide(held.id, { how, by: reader })), '403 INSUFFICIENT_SCOPE');
    assert.equal(codeOf(await app.call(`POST /approvals/${held.id}/${how}`)), '403 APPROVAL_SELF');
  }
  assert.equal(codeOf(await decide(held.id, { how: 'cancel' })), '403 INSUFFICIENT_SCOPE');
  assert.equal((await app.call(`GET /approvals/${held.id}`, { key: treasurer })).status, 403);
  assert.equal((await decide(held.id, { by: treasurer })).body.data.status, 'APPROVED');
  for (const how of ['approve', 'reject'] as const) {
    const again = await decide(held.id, { how });
    assert.equal(codeOf(again), '409 INVALID_STATE');
    assert.equal(again.body.error.details.currentState, 'APPROVED');
  }
  const rejected = await ask(path, { amount: '6.00' });
  const answer = await app.call(`POST /approvals/${rejected.id}/reject`, { key: second, body: { reason: 'no' } });
  assert.deepEqual([answer.body.data.status, answer.body.data.reason], ['REJECTED', 'no']);
  assert.equal(codeOf(await decide(rejected.id)), '409 INVALID_STATE');
  const canceled = await ask(path, { amount: '7.00' });
  assert.equal((await app.call(`POST /approvals/${canceled.id}/cancel`)).body.data.status, 'CANCELED');
  assert.equal(codeOf(await app.call(`POST /approvals/${canceled.id}/cancel`)), '409 INVALID_STATE');
  assert.equal((await approval(canceled.id)).result, null);
});

test('a token is the same actor as its key, and the master key is an actor of its own', async (t) => {
  const { app, setRules, ask, decide } = await openSharedApprovals(t);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  const { apiKeyId } = (await app.call('GET /auth/me')).body.data;
  const { token } = (await app.call(`POST /auth/api-keys/${apiKeyId}/token`, { body: {} })).body.data;
  const held = await ask(`POST /users/${userId}/balance/credit`, { amount: '5.00' });
  assert.equal(codeOf(await decide(held.id, { by: token })), '403 APPROVAL_SELF');
  const headers = { 'x-marketplace-id': app.marketplaceId };
  const answer = await app.call(`POST /approvals/${held.id}/approve`, { key: MASTER_KEY, headers });
  assert.equal(answer.body.data.status, 'APPROVED');
  assert.equal(answer.body.data.decidedBy.type, 'master');
});

test('lists: by status, action and requester, in pages', async (t) => {
  const { app, setRules, ask, decide, done } = await openSharedApprovals(t);
  const userId = await app.aUser({ available: '10.00' });
  await setRules([{ action: 'balance.credit' }, { action: 'balance.debit' }]);
  const credit = await ask(`POST /users/${userId}/balance/credit`, { amount: '1.00' });
  const debit = await ask(`POST /users/${userId}/balance/debit`, { amount: '2.00' });
  await decide(credit.id, { how: 'reject' });
  const ids = async (query: string) => (await done(`GET /approvals${query}`)).map(({ id }: Any) => id);
  assert.deepEqual(await ids(''), [debit.id, credit.id]);
  assert.deepEqual(await ids('?status=PENDING'), [debit.id]);
  assert.deepEqual(await ids('?action=balance.credit'), [credit.id]);
  assert.deepEqual(await ids(`?requestedBy=${debit.requestedBy.id}&limit=1`), [debit.id]);
  assert.deepEqual(await ids(`?cursor=${debit.id}`), [credit.id]);
  assert.deepEqual(await ids('?requestedBy=key_unknown'), []);
});

test('a request that would be refused is refused as always, and nothing waits', async (t) => {
  const { app, setRules, done, anOrder } = await openSharedApprovals(t);
  const userId = await app.aUser({ available: '10.00' });
  const order = await anOrder();
  await setRules([{ action: 'balance.debit' }, { action: 'order.release' }]);
  const debit = (body: object, headers = {}) => app.call(`POST /users/${userId}/balance/debit`, { body, headers });
  assert.equal(codeOf(await debit({ amount: '10.01' })), '422 INSUFFICIENT_FUNDS');
  assert.equal(codeOf(await debit({ amount: '0' })), '400 INVALID_AMOUNT');
  assert.equal(codeOf(await debit({})), '400 VALIDATION_ERROR');
  assert.equal(
    codeOf(await app.call('POST /users/usr_x/balance/debit', { body: { amount: '1.00' } })),
    '404 USER_NOT_FOUND',
  );
  const release = await app.call(`POST /orders/${order.id}/resolution/release`, { body: {} });
  assert.equal(codeOf(release), '400 INVALID_STATE');
  const headers = newKey();
  assert.equal(codeOf(await debit({ amount: '11.00' }, headers)), '422 INSUFFICIENT_FUNDS');
  const again = await debit({ amount: '11.00' }, headers);
  assert.deepEqual([codeOf(again), again.headers.get('idempotency-replay')], ['422 INSUFFICIENT_FUNDS', 'true']);
  assert.deepEqual(await done('GET /approvals'), []);
});

test('the same Idempotency-Key gets the same approval, before and after the decision; another body is 409', async (t) => {
  const { app, setRules, approve, balance, done } = await openSharedApprovals(t);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  const headers = newKey();
  const credit = (amount: string) => app.call(`POST /users/${userId}/balance/credit`, { body: { amount }, headers });
  const first = await credit('5.00');
  const { id } = waiting(first);
  const second = await credit('5.00');
  assert.deepEqual([second.text, second.headers.get('idempotency-replay')], [first.text, 'true']);
  assert.equal(codeOf(await credit('6.00')), '409 IDEMPOTENCY_KEY_REUSED');
  await approve(id);
  assert.equal((await credit('5.00')).text, first.text);
  assert.equal((await balance(userId)).available, '5.00');
  assert.equal((await done('GET /approvals')).length, 1);
  // An answer from before the rule is repeated, and does not wait.
  await setRules([]);
  const earlier = newKey();
  const send = () => app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '1.00' }, headers: earlier });
  const carriedOut = await send();
  await setRules([{ action: 'balance.credit' }]);
  assert.equal((await send()).text, carriedOut.text);
});

test('the sealed answer with the text of a new key is repeated under its Idempotency-Key', async (t) => {
  const { app, setRules } = await openSharedApprovals(t);
  await setRules([{ action: 'api-key.create' }]);
  const body = { name: 'wide', scopes: ['*'], marketplaceId: app.marketplaceId };
  const headers = newKey();
  const create = () => app.call('POST /auth/api-keys', { key: MASTER_KEY, body, headers });
  const first = await create();
  waiting(first);
  assert.equal((await create()).text, first.text);
});

test('Dry-Run shows status 202 with an approval and what would follow, and stores nothing', async (t) => {
  const { app, second, setRules, ask, done, balance } = await openSharedApprovals(t);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit', amountFrom: '5.00' }]);
  const dryRun = { 'dry-run': 'true' };
  const preview = async (amount: string): Promise<Any> =>
    done(`POST /users/${userId}/balance/credit`, { body: { amount }, headers: dryRun });
  const held = await preview('5.00');
  assert.equal(held.status, 202);
  assert.equal(held.reply.approval.status, 'PENDING');
  assert.deepEqual(
    held.postings.map(({ amount }: Any) => amount),
    ['5.00'],
  );
  assert.equal((await preview('4.99')).status, 200);
  assert.deepEqual(await done('GET /approvals'), []);
  const { id } = await ask(`POST /users/${userId}/balance/credit`, { amount: '7.00' });
  const approval = (await app.call(`POST /approvals/${id}/approve`, { key: second, headers: dryRun })).body.data;
  assert.equal(approval.reply.status, 'APPROVED');
  assert.equal(approval.reply.result.available, '7.00');
  assert.equal((await balance(userId)).available, '0.00');
  assert.equal((await done(`GET /approvals/${id}`)).status, 'PENDING');
});

test('a rule of a currency or of a role binds only those requests', async (t) => {
  const { app, setRules } = await openSharedApprovals(t);
  const userId = await app.aUser();
  await setRules([
    { action: 'balance.credit', currency: 'USDC' },
    { action: 'balance.credit', role: 'finance' },
  ]);
  const credit = (currency: string) =>
    app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '1.00', currency } });
  assert.equal((await credit('USD')).status, 200);
  waiting(await credit('USDC'));
});
