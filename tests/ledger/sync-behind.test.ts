// A sync of a wallet that has paid what the books do not know, as after the restore of a backup: the payment is adopted, and is not booked
// as a loss of the user.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLedgerCursor } from '../../server/src/ledger/deposits/ledger-cursor.ts';
import { createLedgerBalances, waitUntilSettled } from '../../server/src/modules/reconciliation/ledger-balances.ts';
import { openOlder } from './adoption-fixture.ts';
import { openEscrowFixture } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE, type Process, startProcess } from './ledger-fixture.ts';

const observeWallet = async (process: Process, walletId: string) => {
  const { ledger: network, depositReads: reads, pool, deposits, sender, usdc: settlement } = process;
  const { adoption } = sender;
  const settled = waitUntilSettled(reads);
  const cursor = createLedgerCursor(pool);
  const balances = createLedgerBalances({ network, reads, cursor, deposits, adoption, settled, settlement });
  const wallet = await reads.find({ marketplaceId: MARKETPLACE, id: walletId });
  return balances.observeWallet(wallet!, 'USDC');
};

test('the funding of an escrow that the database has forgotten is no difference of the buyer', async (t) => {
  const { environment, order } = await openEscrowFixture(t);
  const older = await openOlder(t, environment);
  await order.funded();

  const restored = await startProcess(t, older);
  const { actual, holdings } = await observeWallet(restored, order.buyer.id);
  assert.equal(
    holdings.reduce((sum, { amount }) => sum + amount, 0n),
    actual,
  );
  await assertBooksEqualLedger(restored.pool, environment.sandbox);
});

test('nothing is compared while a transaction of the wallet cannot be adopted', async (t) => {
  const { environment, order } = await openEscrowFixture(t);
  const older = await openOlder(t, environment);
  await order.funded();

  const restored = await startProcess(t, older);
  environment.sandbox.faults.arm({ operation: 'transaction-get', fault: 'outage', count: 1_000 });
  await assert.rejects(observeWallet(restored, order.buyer.id), { code: 'INVALID_STATE' });
  environment.sandbox.faults.clear();
  await restored.sender.resumeAll();
  await observeWallet(restored, order.buyer.id);
  await assertBooksEqualLedger(restored.pool, environment.sandbox);
});

test('a rejected transaction whose number a forgotten one has used has expired, and a sync does not wait for it', async (t) => {
  const { environment, order } = await openEscrowFixture(t);
  const { clock, faults } = environment.sandbox;
  await order.deployed();
  faults.arm({ operation: 'fund', fault: 'http-200-failed' });
  const rejected = await order.send('fund');
  assert.ok(rejected.kind === 'no' && rejected.why === 'rejected');
  const older = await openOlder(t, environment);
  // Another envelope with the same number.
  await clock.advance(1_000);
  await order.make('fund');

  const restored = await startProcess(t, older);
  const endOf = async () => (await restored.transactions.find(MARKETPLACE, rejected.hash!))!.ending;
  await clock.advance(600_000);
  assert.equal(await endOf(), 'rejected');
  await assert.rejects(observeWallet(restored, order.buyer.id), { code: 'INVALID_STATE' });
  for (let minute = 0; minute < 2; minute++) await restored.sender.resumeAll();
  assert.equal(await endOf(), 'expired');
  await observeWallet(restored, order.buyer.id);
  await assertBooksEqualLedger(restored.pool, environment.sandbox);
});
