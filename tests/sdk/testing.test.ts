// A marketplace for the tests of a user's own code: empty at the beginning, apart from others, and only where there are simulators.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestMarketplace } from '@holdfast/sdk/testing';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { MASTER_KEY } from '../support/app.ts';
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

test('a server without simulators is refused', async (t) => {
  const { url } = await openApp(t);
  await assert.rejects(
    openTestMarketplace({ url, masterKey: MASTER_KEY }),
    /runs without simulators.*npx holdfast dev/,
  );
});
