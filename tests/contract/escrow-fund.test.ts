// POST /orders/{id}/escrow/fund: every status and rule, and what can be done after a failed funding. What is refused before there
// is an escrow is in orders-too-early, a funding whose outcome is unknown is in escrow-under-way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { ordersIn } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';

/** An order that waits for its funding. */
const waiting = shareInFile(async (t) => {
  const fixture = ordersIn(await openApp(t, { sandbox: true }));
  const who = await fixture.parties();
  const { id } = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  return { fixture, who, id };
});

test('422 RESERVE_NOT_FOUND with what is asked and what is there; the buyer can reserve the rest', async () => {
  const { fixture, who, id } = waiting();
  const { app, expect, get } = fixture;
  await expect(`POST /users/${who.buyer}/balance/release`, { body: { amount: '0.01', orderId: id }, status: 200 });
  const answer = await app.call(`POST /orders/${id}/escrow/fund`);
  assert.equal(codeOf(answer), '422 RESERVE_NOT_FOUND');
  const { requested, reserved, currency } = answer.body.error.details;
  assert.deepEqual([requested, reserved, currency], ['100.00', '99.99', 'USD']);
  const order = await get(id);
  assert.deepEqual([order.status, order.escrow.status], ['ESCROW_FUNDING', 'CREATED']);
  // What is reserved for another order does not count.
  await expect(`POST /users/${who.buyer}/balance/reserve`, { body: { amount: '50.00', orderId: 'else' }, status: 200 });
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '422 RESERVE_NOT_FOUND');
  await expect(`POST /users/${who.buyer}/balance/reserve`, { body: { amount: '0.01', orderId: id }, status: 200 });
});

test('201: the order is in progress, its money in the contract and no longer reserved; 400 INVALID_STATE the second time', async () => {
  const { fixture, who, id } = waiting();
  const { app, expect, balance, contractOf, assertSound } = fixture;
  const order = await expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
  assert.deepEqual([order.status, order.escrow.status], ['IN_PROGRESS', 'FUNDED']);
  assert.match(order.escrow.fundedAt, /^\d{4}-/);
  assert.deepEqual(await balance(who.buyer), { available: '850.00', reserved: '50.00' });
  assert.equal((await contractOf(order)).balance, 100);
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '400 INVALID_STATE');
  assert.equal((await contractOf(order)).balance, 100);
  await assertSound();
});

test('400 ESCROW_FUNDING_FAILED restores what was reserved, and the same contract is funded by the next try (defects 2, 4)', async () => {
  const { app, parties, anOrder, expect, fault, get, balance, simulator, assertSound } = waiting().fixture;
  const who = await parties('100.00');
  const { id, escrow } = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fault('fund', 'refusal', { match: id });
  const answer = await app.call(`POST /orders/${id}/escrow/fund`);
  assert.equal(codeOf(answer), '400 ESCROW_FUNDING_FAILED');
  assert.ok(answer.body.error.details.reason);
  const order = await get(id);
  assert.deepEqual([order.status, order.escrow, order.operation], ['FUNDS_RESERVED', null, null]);
  assert.deepEqual(await balance(who.buyer), { available: '0.00', reserved: '100.00' });
  const logs = await expect(`GET /audit/logs?resourceId=${id}&action=ESCROW_FUNDING_FAILED`, { status: 200 });
  assert.deepEqual([logs.length, logs[0].result], [1, 'FAILURE']);

  const again = await expect(`POST /orders/${id}/escrow`, { status: 201 });
  assert.notEqual(again.escrow.id, escrow.id);
  assert.equal(again.escrow.providerContractId, escrow.providerContractId);
  await expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
  const { contracts } = await simulator('GET /state');
  assert.equal(contracts.filter(({ engagementId }: { engagementId: string }) => engagementId === id).length, 1);
  await assertSound();
});

test('a submission that answers FAILED with HTTP 200 books nothing (defect 5), and its order can be canceled with all its money (defect 27)', async () => {
  const { app, parties, anOrder, expect, fault, get, balance, contractOf, assertSound } = waiting().fixture;
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  const { id } = order;
  // While its contract may still be funded it cannot be canceled.
  assert.equal(codeOf(await app.call(`POST /orders/${id}/cancel`)), '400 INVALID_STATE');
  await fault('fund', 'http-200-failed', { match: id });
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
  assert.equal((await contractOf(order)).balance, 0);
  assert.equal((await get(id)).status, 'FUNDS_RESERVED');
  await assertSound();
  const canceled = await expect(`POST /orders/${id}/cancel`, { body: { reason: 'enough' }, status: 201 });
  assert.deepEqual([canceled.status, canceled.finalStatus], ['CLOSED', 'CANCELED']);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
});
