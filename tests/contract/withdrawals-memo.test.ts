// Withdrawals over the ledger arrive: memos, muxed addresses, accounts that demand a memo, and the checks before the money is
// reserved and before it is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeMuxedAccountToAddress, Keypair, MuxedAccount, Account as StellarAccount } from '@stellar/stellar-sdk';
import type { Any } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { codeOf } from '../support/app.ts';

const HASH = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

const muxedOf = (address: string, id: string): string =>
  encodeMuxedAccountToAddress(new MuxedAccount(new StellarAccount(address, '0'), id).toXDRObject());

const open = (...args: Parameters<typeof openSharedWithdrawals>) =>
  openSharedWithdrawals(args[0], { ledger: true, ...args[1] });

const createdBy = async ({ app, aPayee }: WithdrawalFixture) => {
  const userId = await aPayee();
  const create = (destination: object, more: object = {}) =>
    app.call('POST /withdrawals', {
      body: { userId, amount: '25.50', currency: 'USD', destination: { type: 'crypto', ...destination }, ...more },
    });
  return { userId, create };
};

/** The transaction on the ledger and its only operation. */
const onLedger = async ({ ledger }: WithdrawalFixture, hash: string) => {
  const read = async (path: string) =>
    (await fetch(`${ledger.sandbox.urls.ledger}/transactions/${hash}${path}`)).json();
  const [transaction, operations] = (await Promise.all([read(''), read('/operations')])) as [Any, Any];
  return { transaction, operation: operations._embedded.records[0] };
};

test('201 and the payment arrives with its memo, of every kind', async (t) => {
  const fixture = await open(t);
  const { userId, create } = await createdBy(fixture);
  await fixture.addressOf(userId);
  await fixture.fillTreasury();
  const address = await fixture.outsideAddress();
  const base64 = Buffer.from(HASH, 'hex').toString('base64');
  for (const [memoType, memo, shown] of [
    ['text', 'Zürich 12345', 'Zürich 12345'],
    ['id', '18446744073709551615', '18446744073709551615'],
    ['hash', HASH, base64],
    ['return', HASH, base64],
  ] as const) {
    const made = await create({ address, memo, memo_type: memoType }, { amount: '10.00', commit: true });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.data.destination.memo, made.body.data.destination.memoType], [memo, memoType]);
    const { transactionHash } = await fixture.untilStatus(made.body.data.id, 'WITHDRAWAL_COMPLETED');
    const { transaction } = await onLedger(fixture, transactionHash);
    assert.deepEqual([transaction.memo_type, transaction.memo], [memoType, shown]);
  }
  assert.equal(await fixture.dollarsAt(address), '40.0000000');
  await fixture.assertSound();
});

test('201 pays a muxed address, which is shown as it was given, and its account receives the money', async (t) => {
  const fixture = await open(t);
  const { userId, create } = await createdBy(fixture);
  await fixture.addressOf(userId);
  await fixture.fillTreasury();
  const account = await fixture.outsideAddress();
  const address = muxedOf(account, '9007199254740993');
  const { body } = await create({ address }, { commit: true });
  const { transactionHash, destination } = await fixture.untilStatus(body.data.id, 'WITHDRAWAL_COMPLETED');
  assert.equal(destination.address, address);
  const { operation } = await onLedger(fixture, transactionHash);
  assert.deepEqual([operation.to, operation.to_muxed, operation.to_muxed_id], [account, address, '9007199254740993']);
  assert.equal(await fixture.dollarsAt(account), '25.5000000');
  await fixture.assertSound();
});

test('201 takes ref for the address where there is none, and keeps both', async (t) => {
  const fixture = await open(t);
  const { create } = await createdBy(fixture);
  const ref = await fixture.outsideAddress();
  const { status, body } = await create({ ref });
  assert.equal(status, 201);
  assert.deepEqual(body.data.destination, { type: 'crypto', ref, address: ref, email: null });
  const label = await create({ ref: 'my exchange', address: ref }, { amount: '1' });
  assert.deepEqual(label.body.data.destination, { type: 'crypto', ref: 'my exchange', address: ref, email: null });
  const refused = await create({ ref: 'my exchange' });
  assert.equal(codeOf(refused), '422 WITHDRAWAL_DESTINATION_INVALID');
});

test('400 VALIDATION_ERROR for a memo that the ledger cannot carry or that belongs to no address', async (t) => {
  const fixture = await open(t);
  const { userId, create } = await createdBy(fixture);
  const address = await fixture.outsideAddress();
  const muxed = muxedOf(address, '7');
  for (const destination of [
    { address, memo: '12' },
    { address, memoType: 'id' },
    { address, memo: '12', memoType: 'number' },
    { address, memo: 12, memoType: 'id' },
    { address, memo: '', memoType: 'text' },
    { address, memo: 'a'.repeat(29), memoType: 'text' },
    { address, memo: 'ä'.repeat(15), memoType: 'text' },
    { address, memo: 'a\u0007b', memoType: 'text' },
    { address, memo: '18446744073709551616', memoType: 'id' },
    { address, memo: '-1', memoType: 'id' },
    { address, memo: '007', memoType: 'id' },
    { address, memo: '1.0', memoType: 'id' },
    { address, memo: HASH.slice(1), memoType: 'hash' },
    { address, memo: `${HASH.slice(1)}g`, memoType: 'return' },
    { address: muxed, memo: '1', memoType: 'id' },
    { ref: muxed, memo: '1', memoType: 'id' },
    { type: 'bank', memo: '1', memoType: 'id' },
    { type: 'payment_account', memo: 'x', memoType: 'text' },
  ]) {
    const answer = await create(destination);
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', JSON.stringify(destination));
    assert.match(JSON.stringify(answer.body.error), /memo/, JSON.stringify(destination));
  }
  assert.equal(await fixture.balance(userId), '100.00 + 0.00');
});

test('422 for an account that demands a memo, unless there is one; a muxed address names its user itself', async (t) => {
  const fixture = await open(t);
  const { userId, create } = await createdBy(fixture);
  const address = await fixture.outsideAddress();
  await fixture.control(`POST /accounts/${address}`, { memoRequired: true });
  const refused = await create({ address });
  assert.equal(codeOf(refused), '422 WITHDRAWAL_DESTINATION_INVALID');
  assert.match(refused.body.error.details.reason, /demands a memo: set destination\.memo/);
  assert.equal(await fixture.balance(userId), '100.00 + 0.00');
  assert.equal((await create({ address, memo: '42', memoType: 'id' })).status, 201);
  assert.equal((await create({ address: muxedOf(address, '42') })).status, 201);
});

test('422 for an account without the permission of the issuer, and for a muxed address that cannot be paid', async (t) => {
  const fixture = await open(t);
  const { userId, create } = await createdBy(fixture);
  const own = await fixture.addressOf(userId);
  const other = await fixture.addressOf(await fixture.aPayee());
  const locked = await fixture.outsideAddress();
  await fixture.control(`POST /accounts/${locked}`, { authorized: false });
  const muxed = muxedOf(await fixture.outsideAddress(), '7');
  const typo = `${muxed.slice(0, -1)}${muxed.endsWith('A') ? 'C' : 'A'}`;
  for (const [address, reason] of [
    [locked, 'the issuer has not authorised the account to hold the asset.'],
    [muxedOf(own, '1'), 'it is an address of our own.'],
    [muxedOf(other, '1'), `it is a muxed form of one of our wallets: use ${other}.`],
    [muxedOf(Keypair.random().publicKey(), '1'), 'there is no such account on the ledger.'],
    [typo, 'it is not the address of an account.'],
  ] as const) {
    const answer = await create({ address });
    assert.equal(codeOf(answer), '422 WITHDRAWAL_DESTINATION_INVALID', reason);
    assert.equal(answer.body.error.details.reason, reason);
  }
  assert.equal(await fixture.balance(userId), '100.00 + 0.00');
});
