// A marketplace for the tests of a user's own code: empty at the beginning, apart from others, and only where there are simulators.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestMarketplace } from '@holdfast/sdk/testing';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';

test('a marketplace has its own users and money, and its key ends with it', async (t) => {
  const { url } = await openApp(t, { sandbox: true });
  const shop = await openTestMarketplace({ url, masterKey: MASTER_KEY });
  const other = await openTestMarketplace({ url, masterKey: MASTER_KEY });
  afterwards(t, () => other.close());
  const ada = await shop.user({ credit: '5.00' });
  assert.equal((await shop.holdfast.balances.get(ada.id)).available, '5.00');
  const topup = await shop.holdfast.topups.create({ userId: ada.id, amount: '25.00' });
  assert.equal((await shop.payTopup(topup.id)).status, 'TOPUP_SUCCEEDED');
  const order = await shop.fundedOrder({ amount: '40.00' });
  assert.equal(order.status, 'IN_PROGRESS');
  await shop.quiet();
  assert.deepEqual(await other.holdfast.users.list().toArray({ max: 5 }), []);
  await shop.close();
  await assert.rejects(shop.holdfast.users.get(ada.id), { code: 'UNAUTHORIZED' });
});

const BANK = { type: 'bank', email: 'ada@shop.example' } as const;

test('a withdrawal that was just committed can be paid, and quiet waits for its payout', async (t) => {
  // Not a shared server: the faults are for whichever payout comes next.
  const { url } = await startApp(t, { sandbox: true });
  const { holdfast, ...shop } = await openTestMarketplace({ url, masterKey: MASTER_KEY });
  const ada = await shop.user();
  const topup = await holdfast.topups.create({ userId: ada.id, amount: '50.00' });
  await shop.payTopup(topup.id);
  const wanted = { userId: ada.id, amount: '10.00', currency: 'USD', destination: BANK } as const;
  const slow = { operation: 'payout-commit', fault: 'slow', delayMs: 400 } as const;

  await holdfast.sandbox.armFault(slow);
  const first = await holdfast.withdrawals.create({ ...wanted, commit: true });
  assert.equal(first.status, 'WITHDRAWAL_COMMITTED');
  assert.equal((await shop.payWithdrawal(first.id)).status, 'WITHDRAWAL_COMPLETED');

  await holdfast.sandbox.armFault(slow);
  const second = await holdfast.withdrawals.create({ ...wanted, commit: true });
  await shop.quiet();
  const { payouts } = await holdfast.sandbox.state();
  assert.equal(payouts.find(({ withdrawalId }) => withdrawalId === second.id)?.status, 'COMMITTED');

  const uncommitted = await holdfast.withdrawals.create(wanted);
  await assert.rejects(holdfast.sandbox.decidePayout(uncommitted.id, 'complete'), { code: 'VALIDATION_ERROR' });
  await shop.close();
});

test('a server without simulators is refused', async (t) => {
  const { url } = await openApp(t);
  await assert.rejects(
    openTestMarketplace({ url, masterKey: MASTER_KEY }),
    /runs without simulators.*npx holdfast dev/,
  );
});
