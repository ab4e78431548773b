// Approvals where the request does not come from a key: Surface B and operators. The SDK and the command line when a request waits, and the
// gauges.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Holdfast, HoldfastError } from '@holdfast/sdk';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { until } from '../../tools/until.ts';
import { openTool } from '../cli/tool.ts';
import { codeOf } from '../support/app.ts';
import { anOperator } from '../support/operator-fixture.ts';
import { openPeople, refused } from '../surface-b/people-fixture.ts';
import { openApprovals, openSharedApprovals, waiting } from './fixture.ts';

const WAITS = { status: 409, message: 'The release waits for the approval of an operator' };

test('on Surface B the release of a buyer waits once, and an operator carries it out', async (t) => {
  const { app, aPerson, aFundedEscrow, call, balance, done } = await openPeople(t, { sandbox: true });
  const { buyer, seller, escrow } = await aFundedEscrow({}, await aPerson());
  assert.equal((await app.call('PUT /approval-rules', { body: [{ action: 'order.release' }] })).status, 200);
  const release = () => call('POST /escrow/release', { token: buyer.token, body: { escrow_id: escrow.escrow_id } });
  assert.deepEqual(refused(await release()), WAITS);
  assert.deepEqual(refused(await release()), WAITS);
  const [approval, ...others] = (await app.call('GET /approvals')).body.data.data;
  assert.deepEqual(others, []);
  assert.deepEqual(approval.requestedBy, { type: 'user', id: buyer.id, name: buyer.id });
  assert.deepEqual(await balance(buyer), [900, 100]);
  const answer = await app.call(`POST /approvals/${approval.id}/approve`);
  assert.equal(answer.status, 200, answer.text);
  await until(async () => (await balance(seller))[0] === 95, 'the seller is paid');
  assert.equal((await done('GET /projects', { token: buyer.token })).projects[0].status, 'completed');
  // Without a rule the buyer releases as before.
  await app.call('PUT /approval-rules', { body: [] });
  assert.deepEqual(refused(await release()).message, 'Escrow is not in a releasable state');
});

test('a rule with a role binds only operators with this role, and two operators are two actors', async (t) => {
  const { app, setRules } = await openApprovals(t);
  const userId = await app.aUser();
  const asks = await anOperator(app, { role: 'finance' });
  const decides = await anOperator(app, { role: 'finance' });
  const admin = await anOperator(app, { role: 'admin' });
  const viewer = await anOperator(app, { role: 'viewer' });
  await setRules([{ action: 'balance.credit', role: 'finance' }]);
  const request = `POST /users/${userId}/balance/credit`;
  const body = { amount: '5.00' };
  assert.equal((await app.call(request, { body })).status, 200);
  assert.equal((await admin.call(request, { body })).status, 200);
  const { id, requestedBy } = waiting(await asks.call(request, { body }));
  assert.deepEqual([requestedBy.type, requestedBy.id], ['operator', asks.id]);
  assert.equal(codeOf(await asks.call(`POST /approvals/${id}/approve`)), '403 APPROVAL_SELF');
  assert.equal(codeOf(await viewer.call(`POST /approvals/${id}/approve`)), '403 INSUFFICIENT_SCOPE');
  assert.equal((await decides.call(`POST /approvals/${id}/approve`)).body.data.status, 'APPROVED');
  const [{ text }] = await app.sql('select request::text as text from approvals where id = $1', [id]);
  assert.equal(text.includes(asks.sessionId), false);
  assert.equal((await admin.call('PUT /approval-rules', { body: [] })).status, 200);
  assert.equal(codeOf(await decides.call('PUT /approval-rules', { body: [] })), '403 INSUFFICIENT_SCOPE');
});

test('SDK: APPROVAL_PENDING unless approvals: true, then the approval; the other methods decide', async (t) => {
  const { app, second, setRules, anOrder } = await openSharedApprovals(t);
  const userId = await app.aUser();
  const order = await anOrder({ at: 'IN_PROGRESS' });
  await setRules([{ action: 'balance.credit' }, { action: 'order.release' }]);
  const holdfast = new Holdfast({ url: app.url, apiKey: await app.key(['*']) });
  const other = new Holdfast({ url: app.url, apiKey: second });
  const failure = await holdfast.balances.credit(userId, { amount: '5.00' }).catch((error) => error);
  assert.ok(failure instanceof HoldfastError && failure.code === 'APPROVAL_PENDING');
  assert.deepEqual([failure.status, failure.outcomeUnknown], [202, false]);
  const { approval } = failure.details as unknown as { approval: { id: string } };
  assert.equal((await other.approvals.approve(approval.id)).status, 'APPROVED');
  const answer = await holdfast.orders.release(order.id, {}, { approvals: true });
  assert.ok('approval' in answer);
  assert.equal((await holdfast.approvals.get(answer.approval.id)).status, 'PENDING');
  const preview = await holdfast.orders.release(order.id, {}, { dryRun: true });
  assert.equal(preview.status, 202);
  assert.equal((await other.approvals.reject(answer.approval.id, { reason: 'no' })).reason, 'no');
  const again = await holdfast.orders.release(order.id, {}, { approvals: true });
  assert.ok('approval' in again);
  assert.equal((await holdfast.approvals.cancel(again.approval.id)).status, 'CANCELED');
  assert.equal((await Array.fromAsync(holdfast.approvals.list({ action: 'order.release' }))).length, 2);
  assert.deepEqual(await holdfast.approvals.rules(), [{ action: 'balance.credit' }, { action: 'order.release' }]);
  assert.deepEqual(await holdfast.approvals.setRules([]), []);
});

test('CLI: exit code 4 when a command waits, and the commands that decide', async (t) => {
  const { app, second, balance } = await openSharedApprovals(t);
  const userId = await app.aUser();
  const tool = await openTool(t, { url: app.url, key: await app.key(['*']) });
  const other = await openTool(t, { url: app.url, key: second });
  const rules = await tool.run(['approvals', 'rules', '--set', 'balance.credit:5.00:USD']);
  assert.equal(rules.code, 0, rules.err);
  assert.match(rules.out, /balance\.credit\s+5\.00\s+USD/);
  const held = await tool.run(['users', 'credit', userId, '5.00']);
  assert.equal(held.code, 4, held.err);
  assert.match(held.err, /waits for the approval/);
  const [id] = /apr_\w+/.exec(held.err)!;
  assert.match((await tool.run(['approvals', 'list', '--status', 'PENDING'])).out, new RegExp(id));
  assert.match((await tool.run(['approvals', 'show', id])).out, /POST \/users\/usr_\w+\/balance\/credit/);
  assert.equal((await tool.run(['approvals', 'approve', id])).code, 1);
  const approved = await other.run(['approvals', 'approve', id]);
  assert.equal(approved.code, 0, approved.err);
  assert.match(approved.out, /APPROVED/);
  assert.equal((await balance(userId)).available, '5.00');
  const next = await tool.run(['users', 'credit', userId, '6.00', '--json']);
  assert.equal(next.code, 4);
  const [rejected] = /apr_\w+/.exec(next.err + next.out)!;
  assert.equal((await other.run(['approvals', 'reject', rejected, '--reason', 'no'])).code, 0);
  assert.equal((await tool.run(['approvals', 'rules', '--clear'])).code, 0);
});

test('the gauges show how many requests wait and how long the oldest has waited', async (t) => {
  const { app, setRules, ask } = await openApprovals(t);
  const gauge = async (name: string): Promise<number> => {
    const { text } = await httpRequest(`${app.url}/metrics`, { method: 'GET', headers: {} });
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  assert.equal(await gauge('holdfast_approvals_pending'), 0);
  assert.equal(await gauge('holdfast_approval_oldest_seconds'), 0);
  await setRules([{ action: 'balance.credit' }]);
  await ask(`POST /users/${await app.aUser()}/balance/credit`, { amount: '1.00' });
  assert.equal(await gauge('holdfast_approvals_pending'), 1);
  assert.ok((await gauge('holdfast_approval_oldest_seconds')) >= 0);
});
