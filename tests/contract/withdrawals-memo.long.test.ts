// Withdrawals with a memo to an account that changes, and while the ledger is unreachable. withdrawals-memo.test.ts has the answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import { HURRIED } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { codeOf } from '../support/app.ts';

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

test('an account that changes after the creation is not paid: the withdrawal fails and its money returns', async (t) => {
  const fixture = await open(t);
  const { userId, create } = await createdBy(fixture);
  const payer = await fixture.addressOf(userId);
  for (const [change, reason] of [
    [{ memoRequired: true }, /demands a memo/],
    [{ authorized: false }, /has not authorised/],
  ] as const) {
    const address = await fixture.outsideAddress();
    const { id } = (await create({ address })).body.data;
    await fixture.control(`POST /accounts/${address}`, change);
    const answer = await fixture.app.call(`POST /withdrawals/${id}/commit`);
    assert.equal(answer.status, 500);
    const { status, failureReason, transactionHash } = await fixture.get(id);
    assert.deepEqual([status, transactionHash], ['WITHDRAWAL_FAILED', null]);
    assert.match(failureReason, reason);
    assert.equal(await fixture.dollarsAt(address), '0.0000000');
  }
  assert.equal(await fixture.balance(userId), '100.00 + 0.00');
  const sent = await fixture.app.sql("select 1 from ledger_transactions where purpose = 'withdrawal' and source = $1", [
    payer,
  ]);
  assert.deepEqual(sent, [], 'nothing was signed');
  await fixture.assertSound();
});

test('201 while the ledger is unreachable; the account is checked before the payment instead', async (t) => {
  const fixture = await open(t, { env: HURRIED });
  const { userId, create } = await createdBy(fixture);
  await fixture.addressOf(userId);
  await fixture.fillTreasury();
  const good = await fixture.outsideAddress();
  const missing = Keypair.random().publicKey();
  const ids: string[] = [];
  for (const address of [good, missing]) {
    fixture.arm({ operation: 'account', fault: 'timeout', count: 9, match: address });
    const answer = await create({ address });
    assert.equal(answer.status, 201, answer.text);
    ids.push(answer.body.data.id);
  }
  const early = await fixture.app.call(`POST /withdrawals/${ids[1]}/commit`);
  assert.equal(codeOf(early), '504 PROVIDER_TIMEOUT');
  assert.equal((await fixture.get(ids[1]!)).status, 'WITHDRAWAL_COMMITTED', 'unknown is not no');
  fixture.sandbox.faults.clear();
  await fixture.commit(ids[0]!);
  await fixture.untilStatus(ids[0]!, 'WITHDRAWAL_COMPLETED');
  const failed = await fixture.untilStatus(ids[1]!, 'WITHDRAWAL_FAILED');
  assert.match(failed.failureReason, /there is no such account/);
  assert.equal(await fixture.dollarsAt(good), '25.5000000');
  assert.equal(await fixture.balance(userId), '74.50 + 0.00');
  await fixture.assertSound();
});
