// POST /orders/{orderId}/resolution/refund: every status, and that the buyer gets back all of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, openOrders, openSharedOrders } from '../orders/order-stand.ts';

const refund = (id: string): string => `POST /orders/${id}/resolution/refund`;
const body = { reason: 'Not delivered' };

test('200: the buyer has all of it back, open milestones or not, and the contract was resolved for the buyer alone', async (t) => {
  const { people, funded, expect, balance, contractOf, assertSound } = await openSharedOrders(t);
  const who = await people();
  const { id } = await funded(who, { milestones: ['20.00', '80.00'] });
  await expect(`POST /orders/${id}/milestones/m1/complete`, { status: 201 });
  const order = await expect(refund(id), { body, status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'REFUNDED', 'REFUNDED']);
  assert.ok(order.escrow.refundedAt);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  const contract = await contractOf(order);
  assert.ok(contract.milestones.every(({ flags }: { flags: { resolved: boolean } }) => flags.resolved));
  await assertSound();
});

test('a buyer can spend a refund again although the contract kept its fees of it: the treasury makes up for them', async (t) => {
  const { people, funded, expect, assertSound } = await openSharedOrders(t);
  const who = await people('100.00');
  const first = await funded(who);
  await expect(refund(first.id), { body, status: 200 });
  const second = await funded(who);
  assert.equal(second.status, 'IN_PROGRESS');
  await assertSound();
});

test('400 VALIDATION_ERROR without a reason, with an empty one, and with unknown properties', async (t) => {
  const { app, people, funded, get } = await openSharedOrders(t);
  const { id } = await funded(await people());
  for (const bad of [undefined, {}, { reason: '' }, { reason: 'x', more: 1 }, '{']) {
    assert.equal(codeOf(await app.call(refund(id), { body: bad })), '400 VALIDATION_ERROR', JSON.stringify(bad));
  }
  assert.equal((await get(id)).status, 'IN_PROGRESS');
});

test('404 for no such order, 400 INVALID_STATE when it is not in progress or in dispute', async (t) => {
  const { app, people, withEscrow, disputed } = await openSharedOrders(t);
  const who = await people();
  assert.equal(codeOf(await app.call(refund('ord_nobody'), { body })), '404 ORDER_NOT_FOUND');
  const { id } = await withEscrow(who);
  assert.equal(codeOf(await app.call(refund(id), { body })), '400 INVALID_STATE');
  const { orderId } = await disputed(who);
  assert.equal(codeOf(await app.call(refund(orderId), { body })), '400 INVALID_STATE');
});

test('500 INTERNAL_ERROR when the platform cannot resolve: IN_PROGRESS again, and a release still works (defect 11)', async (t) => {
  const { app, people, funded, expect, fault, get, balance, assertSound } = await openOrders(t);
  const who = await people();
  const { id } = await funded(who);
  await fault('resolve', 'refusal');
  assert.equal(codeOf(await app.call(refund(id), { body })), '500 INTERNAL_ERROR');
  assert.equal((await get(id)).status, 'IN_PROGRESS');
  // On the ledger the contract is in dispute now, so that only a resolution can pay the seller.
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await assertSound();
});

test('500 then a second refund goes on where the first was refused (defect 11)', async (t) => {
  const { app, people, funded, expect, fault, balance, assertSound } = await openOrders(t);
  const who = await people();
  const { id } = await funded(who, { milestones: ['10.00', '90.00'] });
  await fault('resolve', 'refusal');
  assert.equal(codeOf(await app.call(refund(id), { body })), '500 INTERNAL_ERROR');
  await expect(refund(id), { body, status: 200 });
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  await assertSound();
});

test('money that somebody else paid into the contract does not stand in the way of a refund', async (t) => {
  const { people, funded, expect, balance, twin, assertSound } = await openOrders(t);
  const who = await people();
  const { id, escrow } = await funded(who);
  await twin('POST /faucet', { address: escrow.providerContractId, asset: 'USDC', amount: '0.0000007' });
  const order = await expect(refund(id), { body, status: 200 });
  assert.equal(order.status, 'CLOSED');
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  await assertSound();
});
