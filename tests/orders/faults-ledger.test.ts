// The ledger moves another amount than was signed. A real ledger never does this. faults.test.ts has the other faults of the
// ledger, and faults-ledger.long.test.ts has all of them in all phases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';

// No money is lost: the books show where it is, and a missing amount can be paid into the contract.
test('when the ledger moves another amount than was signed, the books follow the ledger', async (t) => {
  const fixture = await openSharedOrders(t);
  const { app, parties, expect, balance, contractOf } = fixture;

  const who = await parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fixture.fault('send-transaction', 'wrong-amount', { match: order.id });
  await expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  assert.equal((await contractOf(order)).balance, 50);
  await fixture.assertSound();
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/resolution/release`)), '500 INTERNAL_ERROR');
  await fixture.simulator('POST /faucet', { address: order.escrow.providerContractId, asset: 'USDC', amount: '50.00' });
  await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await fixture.assertSound();

  const other = await parties();
  const { id } = await fixture.anOrder({ at: 'IN_PROGRESS', between: other });
  await fixture.fault('release', 'wrong-amount', { match: id });
  const released = await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.equal((await contractOf(released)).balance, 50, 'the amount that was not paid out is still in the contract');
  assert.deepEqual(await balance(other.seller), { available: '95.00', reserved: '0.00' });
  await fixture.assertSound();
});
