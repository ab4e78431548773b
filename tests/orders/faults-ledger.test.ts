// Every fault of every look and payment that an order makes on the ledger: what is answered, and that the order always ends
// as it should, with each thing done once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meetAll } from './fault-case.ts';
import { ACCOUNTS, FATES, PAYMENTS } from './fault-table.ts';
import { codeOf, openOrders } from './order-stand.ts';

test('whatever a look at an account meets, its order ends right', { concurrency: 6 }, (t) => meetAll(t, ACCOUNTS));

// One after the other: a look at a transaction, and a payment among others, cannot be told from those of other orders.
test('whatever a look at a transaction meets, its order ends right', (t) => meetAll(t, FATES));

test('whatever a payment of the treasury meets, the funding that waits for it ends right', (t) => meetAll(t, PAYMENTS));

// No ledger does this. Should one, nothing is lost: the books say what is where, and what lacks can be paid in.
test('when the ledger moves another amount than was signed, the books follow the ledger', async (t) => {
  const stand = await openOrders(t);
  const { app, people, expect, balance, contractOf } = stand;

  const who = await people();
  const order = await stand.withEscrow(who);
  await stand.fault('send-transaction', 'wrong-amount', { match: order.id });
  await expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  assert.equal((await contractOf(order)).balance, 50);
  await stand.assertSound();
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/resolution/release`)), '500 INTERNAL_ERROR');
  await stand.twin('POST /faucet', { address: order.escrow.providerContractId, asset: 'USDC', amount: '50.00' });
  await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await stand.assertSound();

  const other = await people();
  const { id } = await stand.funded(other);
  await stand.fault('release', 'wrong-amount', { match: id });
  const released = await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.equal((await contractOf(released)).balance, 50, 'what was not paid out is still ours, in the contract');
  assert.deepEqual(await balance(other.seller), { available: '95.00', reserved: '0.00' });
  await stand.assertSound();
});
