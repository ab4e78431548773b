// Two processes pay one withdrawal. One of them creates the payout, and the other one gets a refusal: the code is taken, or the float is used
// up. The refusal does not end the withdrawal, because the first process is about to commit the payout.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failWithdrawal } from '../../server/src/modules/withdrawals/end-withdrawal.ts';
import { PaymentInProgress } from '../../server/src/modules/withdrawals/ledger-payments.ts';
import { until } from '../../tools/until.ts';
import { openFixture } from '../commit/fixture.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';

test('a withdrawal whose payout exists is not failed by a process that was refused', async (t) => {
  const fixture = await openWithdrawals(t);
  const { app, sandbox, balance, get } = fixture;
  const userId = await fixture.aPayee();
  sandbox.faults.arm({ operation: 'payout-commit', fault: 'outage', count: 1_000 });
  const { id } = await fixture.aWithdrawal({ userId, body: { amount: '40.00', commit: true } });
  await until(async () => (await get(id)).providerPayoutId !== null, 'the payout is created');
  assert.equal((await get(id)).status, 'WITHDRAWAL_COMMITTED');

  const other = await openFixture(t, { connection: app.connection, marketplaceId: app.marketplaceId });
  const refusal = { withdrawalId: id, reason: 'Payout code already exists', code: '415056' };
  await assert.rejects(other.submit(failWithdrawal, refusal), PaymentInProgress);
  assert.deepEqual([(await get(id)).status, await balance(userId)], ['WITHDRAWAL_COMMITTED', '60.00 + 40.00']);
});
