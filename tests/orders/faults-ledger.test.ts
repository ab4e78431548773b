// The ledger moves another amount than was signed. A real ledger never does this. faults.test.ts has the other faults of the
// ledger, short-funding.test.ts a funding that arrives in part, and faults-ledger.long.test.ts all of them in all phases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';

// No money is lost: the books show where it is.
test('when the ledger pays out another amount than was signed, the books follow the ledger', async (t) => {
  const fixture = await openSharedOrders(t);
  const { parties, expect, balance, contractOf } = fixture;
  const who = await parties();
  const { id } = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.fault('release', 'wrong-amount', { match: id });
  const released = await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.equal((await contractOf(released)).balance, 50, 'the amount that was not paid out is still in the contract');
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await fixture.assertSound();
});
