// Every action that a rule can bind, from the request to its effect: it waits, nothing moves, another actor approves, and it is carried out
// once. The audit trail names both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../support/app.ts';
import { type Any, type ApprovalFixture, openApprovals, openSharedApprovals, waiting } from './fixture.ts';

const auditOf = async ({ app }: ApprovalFixture, action: string): Promise<Any> => {
  const rows = await app.sql(
    'select actor_id as "actorId", payload_after as after from audit_entries where marketplace_id = $1 and action = $2 order by seq desc limit 1',
    [app.marketplaceId, action],
  );
  return { actorId: rows[0].actorId, approval: JSON.parse(rows[0].after).approval };
};

const keyIdOf = async ({ app }: ApprovalFixture, key?: string): Promise<string> =>
  (await app.call('GET /auth/me', key === undefined ? {} : { key })).body.data.apiKeyId;

/** The entry of the effect has the requester as its actor, and names the approval and the approver. */
const assertBothNamed = async (fixture: ApprovalFixture, { id, action }: { id: string; action: string }) => {
  const { actorId, approval } = await auditOf(fixture, action);
  assert.equal(actorId, await keyIdOf(fixture));
  assert.equal(approval.id, id);
  assert.equal(approval.approvedBy.id, await keyIdOf(fixture, fixture.second));
  assert.ok(approval.approvedBy.name.length > 0);
};

test('balance.credit waits, and moves money once when another key approves', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules, ask, approve, balance, approvalEvents, assertSound } = fixture;
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit', amountFrom: '100.00' }]);
  const path = `POST /users/${userId}/balance/credit`;
  assert.equal((await app.call(path, { body: { amount: '99.99' } })).status, 200);
  const held = await ask(path, { amount: '100.00', reference: 'gift' });
  assert.equal(held.action, 'balance.credit');
  assert.equal(held.amount, '100.00');
  assert.equal(held.userId, userId);
  assert.deepEqual(held.request, {
    method: 'POST',
    path: `/users/${userId}/balance/credit`,
    body: { amount: '100.00', reference: 'gift' },
  });
  assert.equal((await balance(userId)).available, '99.99');
  const ended = await approve(held.id);
  assert.equal(ended.status, 'APPROVED');
  assert.equal(ended.result.available, '199.99');
  assert.equal((await balance(userId)).available, '199.99');
  assert.deepEqual(await approvalEvents(held.id), ['approval.requested', 'approval.approved']);
  await assertBothNamed(fixture, { id: held.id, action: 'BALANCE_CREDITED' });
  await assertSound();
});

test('balance.debit and the deduction of reserved money wait', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules, ask, approve, balance } = fixture;
  const userId = await app.aUser({ available: '100.00' });
  await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '40.00' } });
  await setRules([{ action: 'balance.debit' }]);
  const debit = await ask(`POST /users/${userId}/balance/debit`, { amount: '10.00' });
  const deduct = await ask(`POST /users/${userId}/balance/deduct-reserved`, { amount: '30.00' });
  assert.deepEqual([debit.action, deduct.action], ['balance.debit', 'balance.debit']);
  assert.deepEqual(await balance(userId), { available: '60.00', reserved: '40.00' });
  assert.equal((await approve(deduct.id)).status, 'APPROVED');
  assert.equal((await approve(debit.id)).status, 'APPROVED');
  assert.deepEqual(await balance(userId), { available: '50.00', reserved: '10.00' });
  await assertBothNamed(fixture, { id: debit.id, action: 'BALANCE_DEBITED' });
});

test('order.release waits with what the order would pay, and closes the order when it is approved', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { app, setRules, ask, approve, anOrder, get, done, assertSound } = fixture;
  const order = await anOrder({ at: 'IN_PROGRESS', amount: '100.00' });
  await setRules([{ action: 'order.release', amountFrom: '100.00', currency: order.currency }]);
  const held = await ask(`POST /orders/${order.id}/resolution/release`, {});
  assert.equal(held.amount, '100.00');
  assert.equal(held.orderId, order.id);
  assert.equal((await get(order.id)).status, 'IN_PROGRESS');
  const ended = await approve(held.id);
  assert.equal(ended.status, 'APPROVED');
  assert.equal(ended.result.status, 'CLOSED');
  const { entries } = await done(`GET /orders/${order.id}/timeline`);
  const titles = entries.map(({ title }: Any) => title);
  for (const title of ['APPROVAL_REQUESTED', 'APPROVAL_GRANTED', 'APPROVAL_CARRIED_OUT']) {
    assert.ok(titles.includes(title), title);
  }
  await assertBothNamed(fixture, { id: held.id, action: 'ORDER_RELEASED' });
  await assertSound();
  assert.equal((await app.call(`POST /orders/${order.id}/resolution/release`, { body: {} })).status, 400);
});

test('order.refund and the parts of an order wait', async (t) => {
  const fixture = await openSharedApprovals(t);
  const { setRules, ask, approve, anOrder, get, assertSound } = fixture;
  const order = await anOrder({ at: 'IN_PROGRESS', amount: '90.00', milestones: ['30.00', '60.00'] });
  await fixture.done(`POST /orders/${order.id}/milestones/${order.milestones[0].ref}/complete`);
  await setRules([{ action: 'order.refund' }, { action: 'order.release', amountFrom: '30.00' }]);
  const part = await ask(`POST /orders/${order.id}/milestones/${order.milestones[0].ref}/release`, {});
  assert.equal(part.amount, '30.00');
  const back = await ask(`POST /orders/${order.id}/milestones/${order.milestones[1].ref}/refund`, { reason: 'late' });
  assert.equal(back.amount, '60.00');
  assert.equal((await approve(part.id)).status, 'APPROVED');
  assert.equal((await approve(back.id)).status, 'APPROVED');
  assert.equal((await get(order.id)).status, 'CLOSED');
  const whole = await anOrder({ at: 'IN_PROGRESS' });
  const refund = await ask(`POST /orders/${whole.id}/resolution/refund`, { reason: 'broken' });
  assert.equal((await approve(refund.id)).result.status, 'CLOSED');
  await assertSound();
});

test('dispute.resolve waits with the whole sum that the contract would pay', async (t) => {
  const { setRules, ask, approve, aDispute, assertSound } = await openSharedApprovals(t);
  const dispute = await aDispute({ at: 'UNDER_REVIEW', amount: '100.00' });
  await setRules([{ action: 'dispute.resolve', amountFrom: '50.00' }]);
  const held = await ask(`POST /disputes/${dispute.id}/resolve`, {
    decision: 'SPLIT',
    releaseAmount: '60.00',
    refundAmount: '40.00',
  });
  assert.equal(held.amount, '100.00');
  const ended = await approve(held.id);
  assert.equal(ended.result.status, 'RESOLVED');
  await assertSound();
});

test('withdrawal.commit waits, also when the creation commits at once', async (t) => {
  const { app, setRules, ask, approve, aWithdrawal, aPayee, balance } = await openSharedApprovals(t);
  const withdrawal = await aWithdrawal();
  const userId = await aPayee();
  await setRules([{ action: 'withdrawal.commit', amountFrom: '20.00' }]);
  const held = await ask(`POST /withdrawals/${withdrawal.id}/commit`);
  assert.equal(held.amount, '25.50');
  const ended = await approve(held.id);
  assert.equal(ended.status, 'APPROVED');
  assert.notEqual(ended.result.status, 'WITHDRAWAL_CREATED');
  const body = { userId, amount: '25.50', currency: 'USD', destination: { type: 'bank' } };
  assert.equal((await app.call('POST /withdrawals', { body })).status, 201);
  const atOnce = await ask('POST /withdrawals', { ...body, commit: true });
  assert.equal((await balance(userId)).available, '74.50');
  const paid = await approve(atOnce.id);
  assert.equal(paid.status, 'APPROVED');
  assert.equal((await balance(userId)).available, '49.00');
  assert.equal((await app.call('POST /withdrawals', { body: { ...body, amount: '19.99', commit: true } })).status, 201);
});

test('an approved withdrawal pays the payee that the approver has seen, or none', async (t) => {
  const { app, setRules, ask, approve, aPayee, done } = await openSharedApprovals(t);
  await setRules([{ action: 'withdrawal.commit' }]);
  const body = { amount: '10.00', currency: 'USD', destination: { type: 'bank' }, commit: true };
  const renamed = await aPayee();
  const linked = await aPayee();
  const { email } = await done(`GET /users/${renamed}`);
  const held = await ask('POST /withdrawals', { ...body, userId: renamed });
  assert.equal(held.request.body.destination.email, email, 'the approval shows the payee');
  assert.equal((await app.call(`PATCH /users/${renamed}`, { body: { email: 'thief@example.com' } })).status, 200);
  assert.equal((await approve(held.id)).result.destination.email, email);

  const other = await ask('POST /withdrawals', { ...body, userId: linked });
  const account = { email: 'thief@pay.example' };
  const answer = await app.call(`POST /users/${linked}/payment-account/link`, { body: account });
  assert.equal(answer.status, 200, answer.text);
  const refused = await approve(other.id);
  assert.equal(refused.status, 'FAILED', JSON.stringify(refused));
});

test('approval-rules binds a change of the rules themselves', async (t) => {
  const { app, setRules, approve, done } = await openSharedApprovals(t);
  await setRules([{ action: 'approval-rules' }]);
  const held = waiting(await app.call('PUT /approval-rules', { body: [] }));
  assert.equal(held.action, 'approval-rules');
  assert.deepEqual(await done('GET /approval-rules'), [{ action: 'approval-rules' }]);
  assert.equal((await approve(held.id)).status, 'APPROVED');
  assert.deepEqual(await done('GET /approval-rules'), []);
  assert.equal((await app.call('PUT /approval-rules', { body: [] })).status, 200);
});

test('api-key.create: the requester gets the text at once, and the key works once it is approved', async (t) => {
  const { app, setRules, approve } = await openSharedApprovals(t);
  const { marketplaceId } = app;
  await setRules([{ action: 'api-key.create' }]);
  const create = (scopes: string[]) =>
    app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'new', scopes, marketplaceId } });
  assert.equal((await create(['read'])).status, 201);
  const answer = await create(['support']);
  const held = waiting(answer);
  const { key } = answer.body.data;
  assert.equal((await app.call('GET /auth/me', { key })).status, 401);
  const ended = await approve(held.id);
  assert.equal(ended.status, 'APPROVED');
  assert.equal(ended.result.key, undefined);
  assert.equal(JSON.stringify(ended).includes(key.slice(-43)), false);
  assert.equal((await app.call('GET /auth/me', { key })).body.data.apiKeyId, ended.result.id);
  const [{ text }] = await app.sql('select request::text as text from approvals where id = $1', [held.id]);
  assert.equal(text.includes(key.slice(-43)), false);
});

test('a deadline that an operator triggers is bound like the release that it begins', async (t) => {
  const { setRules, approve, anOrder, done, ask, untilStatus } = await openSharedApprovals(t);
  await done('POST /policies', { body: { name: 'auto', rules: { autoReleaseAfter: 'P7D' } } });
  const order = await anOrder({ at: 'IN_PROGRESS', policy: 'auto' });
  await setRules([{ action: 'order.release' }]);
  const held = await ask(`POST /orders/${order.id}/deadlines/auto_release/trigger`, {});
  assert.equal(held.action, 'order.release');
  assert.equal((await approve(held.id)).status, 'APPROVED');
  await untilStatus(order.id, 'CLOSED');
});

test('with WRITE_INCLUDES=none a new key with write waits too: it could decide on the release of an order', async (t) => {
  const { app, anOrder, setRules, ask, decide } = await openApprovals(t, { env: { WRITE_INCLUDES: 'none' } });
  const writer = await app.key(['write']);
  const order = await anOrder({ at: 'IN_PROGRESS' });
  await setRules([{ action: 'order.refund' }, { action: 'api-key.create' }]);
  const create = (scopes: string[]) =>
    app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'new', scopes } });
  waiting(await create(['write']));
  waiting(await create(['read', 'write']));
  assert.equal((await create(['read'])).status, 201);
  const held = await ask(`POST /orders/${order.id}/resolution/refund`, { reason: 'broken' });
  assert.equal((await decide(held.id, { by: writer, how: 'reject' })).body.data.status, 'REJECTED');
});
