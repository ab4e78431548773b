// POST /orders/{orderId}/resolution/refund: every status, and that the buyer gets back all of it. What is refused by the body,
// without an order or before it is funded is in orders-too-early, in a dispute in disputes-open.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { ordersIn } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';

const server = shareInFile(async (t) => ordersIn(await openApp(t, { sandbox: true })));

const refund = (id: string): string => `POST /orders/${id}/resolution/refund`;
const body = { reason: 'Not delivered' };

test('a buyer can spend a refund again: the treasury pays the fees that the contract kept, and money of others in it is no obstacle', async () => {
  const { parties, anOrder, expect, balance, simulator, assertSound } = server();
  const who = await parties('100.00');
  const first = await anOrder({ at: 'IN_PROGRESS', between: who });
  await simulator('POST /faucet', { address: first.escrow.providerContractId, asset: 'USDC', amount: '0.0000007' });
  const order = await expect(refund(first.id), { body, status: 200 });
  assert.equal(order.status, 'CLOSED');
  assert.deepEqual(await balance(who.buyer), { available: '100.00', reserved: '0.00' });
  const second = await anOrder({ at: 'IN_PROGRESS', between: who });
  assert.equal(second.status, 'IN_PROGRESS');
  await assertSound();
});

test('500 INTERNAL_ERROR when the platform cannot resolve: IN_PROGRESS again, and a release still works (defect 11)', async () => {
  const { app, parties, anOrder, expect, fault, get, balance, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who });
  await fault('resolve', 'refusal', { match: id });
  assert.equal(codeOf(await app.call(refund(id), { body })), '500 INTERNAL_ERROR');
  assert.equal((await get(id)).status, 'IN_PROGRESS');
  // On the ledger the contract is in dispute now, so that only a resolution can pay the seller.
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await assertSound();
});

test('500 then a second refund goes on where the first was refused (defect 11): the buyer has all of it back, open milestones or not', async () => {
  const { app, parties, anOrder, expect, fault, balance, contractOf, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['20.00', '80.00'] });
  await expect(`POST /orders/${id}/milestones/m1/complete`, { status: 201 });
  await fault('resolve', 'refusal', { match: id });
  assert.equal(codeOf(await app.call(refund(id), { body })), '500 INTERNAL_ERROR');
  const order = await expect(refund(id), { body, status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'REFUNDED', 'REFUNDED']);
  assert.ok(order.escrow.refundedAt);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  const contract = await contractOf(order);
  assert.ok(contract.milestones.every(({ flags }: { flags: { resolved: boolean } }) => flags.resolved));
  await assertSound();
});
