// POST /sandbox/payins/{id}/{decision} and /sandbox/payouts/{id}/{decision}, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { openSandboxRoutes } from './sandbox-fixture.ts';

type SandboxRoutes = Awaited<ReturnType<typeof openSandboxRoutes>>;

const shared = shareInFile(openSandboxRoutes);

const topUp = async ({ parties, expect }: SandboxRoutes) => {
  const { buyer } = await parties('100.00');
  const topup = await expect('POST /topups', { body: { userId: buyer, amount: '25.00' }, status: 201 });
  return { buyer, topup };
};

const withdrawal = async ({ parties, expect }: SandboxRoutes) => {
  const { buyer } = await parties('100.00');
  const destination = { type: 'bank', ref: 'bank-1', email: 'ada@example.com' };
  const body = { userId: buyer, amount: '10.00', currency: 'USD', destination };
  const { id } = await expect('POST /withdrawals', { body, status: 201 });
  const committed = await expect(`POST /withdrawals/${id}/commit`, { status: 200 });
  return { buyer, id, committed };
};

test('200 confirms a payin by the id of its top-up, and the money is there', async () => {
  const sandboxRoutes = shared();
  const { buyer, topup } = await topUp(sandboxRoutes);
  const payin = await sandboxRoutes.callSandbox(`POST /sandbox/payins/${topup.id}/confirm`);
  assert.deepEqual([payin.topupId, payin.status, payin.amount], [topup.id, 'CONFIRMED', '25.00']);
  assert.equal((await sandboxRoutes.expect(`GET /topups/${topup.id}`, { status: 200 })).status, 'TOPUP_SUCCEEDED');
  assert.deepEqual(await sandboxRoutes.balance(buyer), { available: '125.00', reserved: '0.00' });
  const { webhooks } = await sandboxRoutes.callSandbox('GET /sandbox/state');
  assert.deepEqual([webhooks[0].about, webhooks[0].status], [topup.id, 'delivered']);
});

test('200 lets a payin fail for the reason given', async () => {
  const sandboxRoutes = shared();
  const { topup } = await topUp(sandboxRoutes);
  await sandboxRoutes.callSandbox(`POST /sandbox/payins/${topup.id}/fail`, { reason: 'card declined' });
  const failed = await sandboxRoutes.expect(`GET /topups/${topup.id}`, { status: 200 });
  assert.equal(failed.status, 'TOPUP_FAILED');
});

test('200 completes a payout by the id of its withdrawal, or by the id at the provider', async () => {
  const sandboxRoutes = shared();
  const { buyer, id } = await withdrawal(sandboxRoutes);
  const { payouts } = await sandboxRoutes.callSandbox('GET /sandbox/state');
  assert.equal(payouts[0].withdrawalId, id);
  await sandboxRoutes.callSandbox(`POST /sandbox/payouts/${payouts[0].id}/pend`);
  const payout = await sandboxRoutes.callSandbox(`POST /sandbox/payouts/${id}/complete`);
  assert.deepEqual([payout.withdrawalId, payout.status, payout.amount], [id, 'COMPLETED', '10.00']);
  assert.equal((await sandboxRoutes.expect(`GET /withdrawals/${id}`, { status: 200 })).status, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(await sandboxRoutes.balance(buyer), { available: '90.00', reserved: '0.00' });
});

test('400 VALIDATION_ERROR with its sentence for a decision that comes too late', async () => {
  const sandboxRoutes = shared();
  const { topup } = await topUp(sandboxRoutes);
  await sandboxRoutes.callSandbox(`POST /sandbox/payins/${topup.id}/confirm`);
  const { code, details } = await sandboxRoutes.refused(`POST /sandbox/payins/${topup.id}/cancel`);
  assert.equal(code, '400 VALIDATION_ERROR');
  assert.match(details.validationErrors[0], /CONFIRMED/);
});

test('400 VALIDATION_ERROR for a decision that is none', async () => {
  const { refused } = shared();
  for (const path of ['payins/top_1/complete', 'payouts/wdr_1/confirm']) {
    assert.equal((await refused(`POST /sandbox/${path}`)).code, '400 VALIDATION_ERROR', path);
  }
});

test("404 for a top-up or a withdrawal that is not the marketplace's", async () => {
  const sandboxRoutes = shared();
  const { stranger, refused, expect } = sandboxRoutes;
  const { topup } = await topUp(sandboxRoutes);
  const { id } = await withdrawal(sandboxRoutes);
  const payin = await refused(`POST /sandbox/payins/${topup.id}/confirm`, { key: stranger });
  assert.equal(payin.code, '404 TOPUP_NOT_FOUND');
  const payout = await refused(`POST /sandbox/payouts/${id}/complete`, { key: stranger });
  assert.equal(payout.code, '404 WITHDRAWAL_NOT_FOUND');
  assert.equal((await refused('POST /sandbox/payins/top_none/confirm')).code, '404 TOPUP_NOT_FOUND');
  assert.equal((await expect(`GET /topups/${topup.id}`, { status: 200 })).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
});
