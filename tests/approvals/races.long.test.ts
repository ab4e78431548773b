// Two decisions at the same moment have one effect: two approvers on two servers, an approver against the canceller, against time, and
// against a change of the state. The books hold afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf, startApp } from '../support/app.ts';
import { assertProof } from '../support/checks.ts';
import { type Any, openApprovals, openSharedApprovals } from './fixture.ts';

const ROUNDS = 5;
const ONCE = ['200 undefined', '409 INVALID_STATE'];

test('two approvers on two servers: one carries the request out, and the money moves once', async (t) => {
  const fixture = await openApprovals(t);
  const { app, setRules, ask, decide, balance, approval } = fixture;
  const other = await startApp(t, { connection: app.connection });
  const third = await app.key(['*']);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  for (let round = 1; round <= ROUNDS; round++) {
    const { id } = await ask(`POST /users/${userId}/balance/credit`, { amount: '10.00' });
    const answers = await Promise.all([decide(id), decide(id, { by: third, to: other })]);
    assert.deepEqual(answers.map(codeOf).sort(), ONCE);
    assert.equal((await approval(id)).status, 'APPROVED');
    assert.equal((await balance(userId)).available, `${round}0.00`);
  }
  await assertProof(app);
});

test('a rule that one server sets binds on another server', async (t) => {
  const { app, setRules } = await openApprovals(t);
  const other = await startApp(t, { connection: app.connection });
  const userId = await app.aUser();
  const key = await app.key(['*']);
  const credit = () => other.call(`POST /users/${userId}/balance/credit`, { key, body: { amount: '1.00' } });
  assert.equal((await credit()).status, 200);
  await setRules([{ action: 'balance.credit' }]);
  await until(async () => (await credit()).status === 202, 'the other server knows the rule');
  await setRules([]);
  await until(async () => (await credit()).status === 200, 'the other server knows that there is no rule');
});

test('an approver against the canceller and against a rejection: one decision counts', async (t) => {
  const { app, setRules, ask, decide, balance, approval, assertSound } = await openSharedApprovals(t);
  const userId = await app.aUser();
  const third = await app.key(['*']);
  await setRules([{ action: 'balance.credit' }]);
  let expected = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await ask(`POST /users/${userId}/balance/credit`, { amount: '10.00' });
    const against =
      round % 2 === 0 ? app.call(`POST /approvals/${id}/cancel`) : decide(id, { by: third, how: 'reject' });
    const answers = await Promise.all(round % 3 === 0 ? [decide(id), against] : [against, decide(id)]);
    assert.deepEqual(answers.map(codeOf).sort(), ONCE);
    if ((await approval(id)).status === 'APPROVED') expected += 10;
    assert.equal((await balance(userId)).available, `${expected}.00`);
  }
  await assertSound();
});

test('an approver against time: approved or expired, never both', async (t) => {
  const { app, setRules, ask, decide, done, balance, approval, approvalEvents } = await openApprovals(t, {
    env: { APPROVAL_EXPIRES_HOURS: '1' },
  });
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  let expected = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await ask(`POST /users/${userId}/balance/credit`, { amount: '10.00' });
    const [answer] = await Promise.all([decide(id), done('POST /sandbox/clock/advance', { body: { seconds: 3_601 } })]);
    await until(async () => (await approval(id)).status !== 'PENDING', 'it is decided');
    const { status } = await approval(id);
    assert.equal(codeOf(answer), status === 'APPROVED' ? '200 undefined' : '409 INVALID_STATE');
    assert.deepEqual(await approvalEvents(id), ['approval.requested', `approval.${status.toLowerCase()}`]);
    if (status === 'APPROVED') expected += 10;
    assert.equal((await balance(userId)).available, `${expected}.00`);
  }
  // The time has passed and its command may not have run yet.
  const { id } = await ask(`POST /users/${userId}/balance/credit`, { amount: '10.00' });
  await done('POST /sandbox/clock/advance', { body: { seconds: 3_601 } });
  const late = await decide(id);
  assert.equal(codeOf(late), '409 INVALID_STATE');
  assert.equal(late.body.error.details.currentState, 'EXPIRED');
  await until(async () => (await approval(id)).status === 'EXPIRED', 'it expires');
  await assertProof(app);
});

test('an approval against a change of the state: the order is released or refunded, and what did not fit is FAILED', async (t) => {
  const { app, setRules, ask, decide, approval, anOrder, get, assertSound } = await openSharedApprovals(t);
  const orders = await Promise.all(Array.from({ length: 3 }, () => anOrder({ at: 'IN_PROGRESS' })));
  await setRules([{ action: 'order.release' }]);
  const held: Any[] = [];
  for (const { id } of orders) held.push(await ask(`POST /orders/${id}/resolution/release`, {}));
  const refund = (id: string) => app.call(`POST /orders/${id}/resolution/refund`, { body: { reason: 'late' } });
  // The first one before, the others at the same moment.
  await refund(orders[0].id);
  await Promise.all(orders.map(({ id }, place) => Promise.all([place > 0 && refund(id), decide(held[place].id)])));
  for (const [place, { id }] of orders.entries()) {
    await until(async () => (await get(id)).status === 'CLOSED', 'the order is closed');
    await until(async () => (await approval(held[place].id)).status !== 'APPROVING', 'the approval has ended');
    const { status, error } = await approval(held[place].id);
    const { finalStatus } = await get(id);
    assert.equal(status, finalStatus === 'RELEASED' ? 'APPROVED' : 'FAILED');
    if (status === 'FAILED') assert.equal(error.code, 'INVALID_STATE');
  }
  assert.equal((await get(orders[0].id)).finalStatus, 'REFUNDED');
  await assertSound();
});

test('while the provider is silent the approval is APPROVING, and the release happens once', async (t) => {
  const { app, setRules, ask, decide, approval, anOrder, get, fault, done, assertSound } = await openApprovals(t, {
    env: { OPERATION_WAIT_MS: '1000', PROVIDER_TIMEOUT_MS: '500' },
  });
  const order = await anOrder({ at: 'IN_PROGRESS' });
  await setRules([{ action: 'order.release' }]);
  const { id } = await ask(`POST /orders/${order.id}/resolution/release`, {});
  await fault('release', 'timeout', { count: 3 });
  const answer = await decide(id);
  assert.equal(answer.status, 200, answer.text);
  assert.ok(['APPROVING', 'APPROVED'].includes(answer.body.data.status), answer.text);
  assert.equal(codeOf(await decide(id)), '409 INVALID_STATE');
  assert.equal(codeOf(await app.call(`POST /approvals/${id}/cancel`)), '409 INVALID_STATE');
  await until(async () => (await approval(id)).status === 'APPROVED', 'the release is done');
  assert.equal((await approval(id)).result.status, 'CLOSED');
  assert.equal((await get(order.id)).finalStatus, 'RELEASED');
  await done('DELETE /sandbox/faults');
  await assertSound();
});

test('at most 1,000 requests of a marketplace wait; the next one is 409 with a sentence', async (t) => {
  const { app, setRules, ask } = await openApprovals(t);
  const userId = await app.aUser();
  await setRules([{ action: 'balance.credit' }]);
  const path = `POST /users/${userId}/balance/credit`;
  const { id } = await ask(path, { amount: '1.00' });
  const [{ names }] = await app.sql(
    "select string_agg(column_name, ', ') as names from information_schema.columns where table_name = 'approvals' and column_name <> 'id'",
  );
  await app.sql(
    `insert into approvals (id, ${names}) select 'apr_' || lpad(n::text, 26, '0'), ${names} from approvals, generate_series(1, 999) n where id = $1`,
    [id],
  );
  // A server that has not read them yet.
  const other = await startApp(t, { connection: app.connection });
  const refused = await other.call(path, { key: await app.key(['*']), body: { amount: '1.00' } });
  assert.equal(codeOf(refused), '409 APPROVAL_LIMIT');
  assert.equal(refused.body.error.details.limit, 1_000);
});
