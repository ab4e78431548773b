// POST /orders/{id}/escrow/fund: every status and rule, and the way on after a failed funding.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, openOrders, openSharedOrders } from '../orders/order-stand.ts';

test('201: the order is in progress, its money in the contract and no longer reserved', async (t) => {
  const { people, withEscrow, expect, balance, contractOf, assertSound } = await openSharedOrders(t);
  const who = await people();
  const { id } = await withEscrow(who);
  const order = await expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
  assert.deepEqual([order.status, order.escrow.status], ['IN_PROGRESS', 'FUNDED']);
  assert.match(order.escrow.fundedAt, /^\d{4}-/);
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '0.00' });
  assert.equal((await contractOf(order)).balance, 100);
  await assertSound();
});

test('404 and 400 INVALID_STATE: only an order in ESCROW_FUNDING is funded, and only once', async (t) => {
  const { app, people, reserved, funded } = await openSharedOrders(t);
  const who = await people();
  assert.equal(codeOf(await app.call('POST /orders/ord_nobody/escrow/fund')), '404 ORDER_NOT_FOUND');
  const { id } = await reserved(who);
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '400 INVALID_STATE');
  const done = await funded(who);
  assert.equal(codeOf(await app.call(`POST /orders/${done.id}/escrow/fund`)), '400 INVALID_STATE');
});

test('422 RESERVE_NOT_FOUND with what is asked and what is there; reserving the rest is the way on', async (t) => {
  const { app, people, withEscrow, expect, get } = await openSharedOrders(t);
  const who = await people();
  const { id } = await withEscrow(who);
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
  await expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
});

test('400 ESCROW_FUNDING_FAILED restores what was reserved, and the same contract is funded by the next try (defects 2, 4)', async (t) => {
  const { app, people, withEscrow, expect, fault, get, balance, twin, assertSound } = await openOrders(t);
  const who = await people('100.00');
  const { id, escrow } = await withEscrow(who);
  await fault('fund', 'refusal');
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
  assert.equal((await twin('GET /state')).contracts.length, 1);
  await assertSound();
});

test('an order whose funding failed can be canceled, and all of its money is available again (defect 27)', async (t) => {
  const { app, people, withEscrow, expect, fault, balance } = await openOrders(t);
  const who = await people();
  const { id } = await withEscrow(who);
  // While its contract may still be funded it cannot.
  assert.equal(codeOf(await app.call(`POST /orders/${id}/cancel`)), '400 INVALID_STATE');
  await fault('fund', 'refusal');
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
  const order = await expect(`POST /orders/${id}/cancel`, { body: { reason: 'enough' }, status: 201 });
  assert.deepEqual([order.status, order.finalStatus], ['CLOSED', 'CANCELED']);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
});

test('a submission that answers FAILED with HTTP 200 is a failure, and nothing is booked (defect 5)', async (t) => {
  const { app, people, withEscrow, fault, get, contractOf, assertSound } = await openOrders(t);
  const order = await withEscrow(await people());
  await fault('fund', 'http-200-failed');
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
  assert.equal((await contractOf(order)).balance, 0);
  assert.equal((await get(order.id)).status, 'FUNDS_RESERVED');
  await assertSound();
});
