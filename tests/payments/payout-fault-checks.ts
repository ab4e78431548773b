// Withdrawals under one fault or one spelling of the webhooks: what payout-faults.test.ts and payout-faults.long.test.ts both
// check.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Any, HURRIED } from './payment-fixture.ts';
import { openSharedWithdrawals, type WithdrawalFixture } from './withdrawal-fixture.ts';

export const HELD = '74.50 + 25.50';
export const PAID = '74.50 + 0.00';
export const BACK = '100.00 + 0.00';

type Operation = 'payout' | 'payout-commit';

export const askToCommit = async ({ app }: WithdrawalFixture, id: string): Promise<string> => {
  const { status, body } = await app.call(`POST /withdrawals/${id}/commit`);
  return `${status} ${body.error?.code ?? body.data.status}`;
};

/** The payout was sent to the provider once, and is completed when the provider has paid. */
export const assertGoesOn = async (fixture: WithdrawalFixture, { id, userId }: Any): Promise<void> => {
  const { untilPayout, payouts, move, refresh, balance, assertSound } = fixture;
  await untilPayout(id, 'COMMITTED');
  assert.equal(payouts().length, 1);
  assert.equal(await balance(userId), HELD);
  await move(id, 'complete');
  assert.equal((await refresh(id)).status, 'WITHDRAWAL_COMPLETED');
  assert.equal(await balance(userId), PAID);
  await assertSound();
};

export const assertSlowAnswerCounts = async (t: TestContext, operation: Operation): Promise<void> => {
  const fixture = await openSharedWithdrawals(t);
  const made = await fixture.aWithdrawal();
  fixture.arm({ operation, fault: 'slow', delayMs: 150, match: made.id });
  assert.equal(await askToCommit(fixture, made.id), '200 WITHDRAWAL_COMMITTED');
  await assertGoesOn(fixture, made);
};

export type LastingFault = { readonly operation: Operation; readonly fault: string };

export const assertCarriedOn = async (t: TestContext, { operation, fault }: LastingFault): Promise<void> => {
  const fixture = await openSharedWithdrawals(t, { env: HURRIED, webhooks: false });
  const made = await fixture.aWithdrawal();
  fixture.arm({ operation, fault, count: 3, match: made.id });
  assert.equal(await askToCommit(fixture, made.id), '504 PROVIDER_TIMEOUT');
  assert.equal((await fixture.get(made.id)).status, 'WITHDRAWAL_COMMITTED');
  assert.equal(await fixture.balance(made.userId), HELD);
  await assertGoesOn(fixture, made);
};

export const assertWebhooksEndTheSame = async (t: TestContext, spelling: 'native' | 'neutral'): Promise<void> => {
  const fixture = await openSharedWithdrawals(t, { spelling, movesClock: true });
  const { arm, aWithdrawal, commit, move, get, control, balance, assertSound } = fixture;
  const twice = await aWithdrawal();
  await commit(twice.id);
  arm({ operation: 'webhook', fault: 'duplicate', match: twice.id });
  await move(twice.id, 'complete');
  assert.equal(await balance(twice.userId), PAID);

  const late = await aWithdrawal();
  await commit(late.id);
  arm({ operation: 'webhook', fault: 'late', delayMs: 60_000, match: late.id });
  await move(late.id, 'fail');
  assert.equal(await balance(late.userId), HELD);
  await control('POST /clock/advance', { seconds: 61 });
  assert.equal(await balance(late.userId), BACK);

  const turned = await aWithdrawal();
  await commit(turned.id);
  arm({ operation: 'webhook', fault: 'reorder', match: turned.id });
  await move(turned.id, 'pend');
  await move(turned.id, 'complete');
  await control('POST /clock/advance', { seconds: 61 });
  assert.equal((await get(turned.id)).status, 'WITHDRAWAL_COMPLETED');
  assert.equal(await balance(turned.userId), PAID);
  await assertSound();
};
