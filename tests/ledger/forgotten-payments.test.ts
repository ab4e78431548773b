// Payments between our wallets in a transaction that the books have forgotten, as after the restore of a backup. They are
// credited as soon as the books know the transaction, whatever was read before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { adoptTransaction } from '../../server/src/ledger/adoption/adopt-transaction.ts';
import { write } from '../../tools/simulation/ledger-accounts.ts';
import {
  beginAtNewest,
  type DepositFixture,
  followToEnd,
  MARKETPLACE,
  type Owner,
  openDepositFixture,
} from './deposit-fixture.ts';

const openBreaks = (fixture: DepositFixture) =>
  fixture.sql(`select subject from breaks where kind = 'deposit' and resolved_at is null`);

/** The treasury pays, and no row says so. `remember` adopts it: a payment that no request explains. */
const payForgotten = async (fixture: DepositFixture, { to, amount }: { to: Owner; amount: string }) => {
  const { ledger, treasury } = fixture;
  const { address } = to;
  const operations = [Operation.payment({ destination: address, asset: ledger.usdc, amount })];
  const forgotten = await write(ledger, { by: treasury.key, operations });
  await ledger.horizon.submitTransaction(forgotten, { skipMemoRequiredCheck: true });
  const units = `${amount}0000000`;
  return {
    remember: () =>
      fixture.run(adoptTransaction, {
        id: Buffer.from(forgotten.hash()).toString('hex'),
        source: treasury.address,
        sequence: forgotten.sequence,
        envelope: forgotten.toXDR(),
        validUntil: new Date(ledger.sandbox.clock.now() + 60_000).toISOString(),
        actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units, paymentId: null, outside: true }],
      }),
  };
};

test('a later deposit that is recorded does not hide a payment that waits for its transaction', async (t) => {
  const fixture = await openDepositFixture(t);
  const owner = await fixture.user();
  await fixture.pay(fixture.treasury.address, '100');
  await fixture.pollAll();
  const { remember } = await payForgotten(fixture, { to: owner, amount: '40' });
  await fixture.pay(owner.address, '5');
  assert.equal(await fixture.pollAll(), 1);
  assert.equal(await fixture.pollAll(), 0, 'once');
  await remember();
  assert.equal(await fixture.pollAll(), 1);
  assert.equal(await fixture.pollAll(), 0, 'once');
  assert.equal(await fixture.books(`${owner.userId}:available:USD`), '45.0000000');
});

test('a payment that was set aside is credited before a spending counts as unexplained, and its break is closed', async (t) => {
  const fixture = await openDepositFixture(t);
  const owner = await fixture.user();
  await fixture.pay(fixture.treasury.address, '100');
  await fixture.pollAll();
  await beginAtNewest(fixture);
  const { remember } = await payForgotten(fixture, { to: owner, amount: '40' });
  assert.equal(await followToEnd(fixture), 0);
  // The network has been read beyond the payment, and twice.
  await fixture.follower.check();
  assert.equal((await openBreaks(fixture)).length, 1);
  const poll = async () => {
    const polled = await fixture.deposits.pollToSettle({ marketplaceId: MARKETPLACE, walletId: owner.id });
    assert.ok(polled.kind === 'yes', polled.kind === 'yes' ? '' : polled.reason);
    return polled.value.recorded;
  };
  assert.equal(await poll(), 0, 'the books do not know its transaction');
  await remember();
  assert.equal(await poll(), 1);
  assert.deepEqual(await openBreaks(fixture), []);
  assert.equal(await poll(), 0, 'once');
  assert.equal(await fixture.books(`${owner.userId}:available:USD`), '40.0000000');
});
