// Withdrawals to the ledger while it misbehaves: the money arrives once or comes back once, no money is given back while a signed
// payment may still be accepted, and afterwards the books agree with the ledger.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import {
  askToCommit,
  assertArrives,
  BACK,
  openLedgerWithdrawal,
  paymentsOf,
  paymentsSentAgain,
} from './ledger-fault-checks.ts';
import { HURRIED } from './payment-fixture.ts';
import { openSharedWithdrawals } from './withdrawal-fixture.ts';

// The other faults are in withdrawal-ledger-faults.long.test.ts.
test('a payment that did not get through (outage) is sent again unchanged, and arrives once', async (t) => {
  assert.deepEqual(await paymentsSentAgain(t, 'outage'), [{ state: 'SUCCEEDED', failure: null }]);
});

test('a payment whose answer is lost has arrived, and is not repeated', async (t) => {
  const opened = await openLedgerWithdrawal(t);
  opened.arm({ operation: 'payment', fault: 'lost-answer', match: opened.address });
  const answer = await askToCommit(opened);
  assert.ok(['504 PROVIDER_TIMEOUT', '200 WITHDRAWAL_COMPLETED'].includes(answer), answer);
  await assertArrives(opened);
  assert.equal((await paymentsOf(opened)).length, 1);
});

test('the ledger refuses an address that has removed its trustline, and the money is given back', async (t) => {
  const fixture = await openSharedWithdrawals(t, { ledger: true, env: HURRIED });
  const { aPayee, aWithdrawal, ledger, get, balance, eventsOf, app, assertSound } = fixture;
  const userId = await aPayee();
  const fickle = await settle(ledger);
  const destination = { type: 'crypto', address: fickle.publicKey() };
  const made = await aWithdrawal({ userId, body: { destination } });
  await perform(ledger, { by: fickle, operations: [Operation.changeTrust({ asset: ledger.usdc, limit: '0' })] });
  assert.equal((await app.call(`POST /withdrawals/${made.id}/commit`)).status, 500);
  const { status, failureReason } = await get(made.id);
  assert.equal(status, 'WITHDRAWAL_FAILED');
  assert.match(failureReason, /does not trust the asset/);
  assert.equal(await balance(userId), BACK);
  const types = (await eventsOf(made)).map(([type]) => type);
  assert.deepEqual(types.slice(-2), ['balance.credited', 'withdrawal.failed']);
  await assertSound();
});
