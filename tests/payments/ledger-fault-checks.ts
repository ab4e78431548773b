// A withdrawal to the ledger under one fault: what withdrawal-ledger-faults.test.ts and withdrawal-ledger-faults.long.test.ts
// both check.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Any, HURRIED } from './payment-fixture.ts';
import { openSharedWithdrawals, openWithdrawals, type WithdrawalFixture } from './withdrawal-fixture.ts';

export const HELD = '74.50 + 25.50';
const PAID = '74.50 + 0.00';
export const BACK = '100.00 + 0.00';

type LedgerWithdrawal = WithdrawalFixture & { readonly made: Any; readonly address: string };

/** A withdrawal to an outside address. The user's wallet already has the money and its fees unless `isPoor`. */
export const openLedgerWithdrawal = async (
  t: TestContext,
  { isPoor = false, isOwnServer = false } = {},
): Promise<LedgerWithdrawal> => {
  const fixture = await (isOwnServer ? openWithdrawals : openSharedWithdrawals)(t, { ledger: true, env: HURRIED });
  const { aPayee, outsideAddress, fillTreasury, aWithdrawal, addressOf, control, expect } = fixture;
  const userId = await aPayee({ available: isPoor ? '100.00' : '60.00' });
  const address = await outsideAddress();
  if (isPoor) await fillTreasury();
  else {
    const wallet = await addressOf(userId);
    await control('POST /faucet', { address: wallet, asset: 'USDC', amount: '40.00' });
    // Enough for fees: the treasury has nothing to pay before the withdrawal.
    await control('POST /faucet', { address: wallet, asset: 'XLM', amount: '5.00' });
    // Books the deposit now.
    await expect(`POST /users/${userId}/balance/sync`, { status: 200 });
    assert.equal(await fixture.balance(userId), BACK);
  }
  const made = await aWithdrawal({ userId, body: { destination: { type: 'crypto', address } } });
  return { ...fixture, made, address };
};

export const askToCommit = async ({ app, made }: LedgerWithdrawal): Promise<string> => {
  const { status, body } = await app.call(`POST /withdrawals/${made.id}/commit`);
  return `${status} ${body.error?.code ?? body.data.status}`;
};

export const paymentsOf = ({ app }: LedgerWithdrawal): Promise<Any[]> =>
  app.sql("select state, failure from ledger_transactions where purpose = 'withdrawal' order by created_at");

export const assertArrives = async (opened: LedgerWithdrawal): Promise<void> => {
  const { made, address, untilStatus, dollarsAt, balance, eventsOf, assertSound } = opened;
  await untilStatus(made.id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '25.5000000');
  assert.equal(await balance(made.userId), PAID);
  const types = (await eventsOf(made)).map(([type]) => type);
  assert.deepEqual(
    types.slice(-2),
    ['withdrawal.committed', 'withdrawal.completed'],
    'no money was given back before the payment arrived',
  );
  await assertSound();
};

/** Two attempts fail, and the payment arrives. Returns the payments that were made. */
export const paymentsSentAgain = async (t: TestContext, fault: string): Promise<Any[]> => {
  const opened = await openLedgerWithdrawal(t);
  opened.arm({ operation: 'payment', fault, count: 2, match: opened.address });
  const answer = await askToCommit(opened);
  assert.ok(['504 PROVIDER_TIMEOUT', '200 WITHDRAWAL_COMPLETED'].includes(answer), answer);
  await assertArrives(opened);
  return paymentsOf(opened);
};

/** The ledger does not answer reads of this kind for a while. */
export const assertGoesOnUnread = async (t: TestContext, operation: 'account' | 'transaction-get'): Promise<void> => {
  const opened = await openLedgerWithdrawal(t);
  const { arm, sandbox, made, balance } = opened;
  arm({ operation, fault: 'outage', count: 1_000 });
  assert.equal(await askToCommit(opened), '504 PROVIDER_TIMEOUT');
  assert.equal(await balance(made.userId), HELD);
  sandbox.faults.clear();
  await assertArrives(opened);
};
