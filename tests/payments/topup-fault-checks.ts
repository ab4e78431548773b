// Top-ups under one fault or one spelling of the webhooks: what faults.test.ts and faults.long.test.ts both check.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Any, HURRIED, openSharedPayments, type PaymentFixture } from './payment-fixture.ts';

/** Requests a top-up while the provider has a fault. */
export const askFor = async ({ app }: PaymentFixture): Promise<{ status: number; id: string; error: Any }> => {
  const { status, body } = await app.call('POST /topups', { body: { userId: await app.aUser(), amount: '25.50' } });
  assert.ok(status >= 500, `${status}`);
  return { status, id: body.error.details.topupId, error: body.error };
};

export const refresh = async ({ app }: PaymentFixture, id: string): Promise<Any> => {
  const { status, body, text } = await app.call(`POST /topups/${id}/refresh`);
  assert.equal(status, 200, text);
  return body.data;
};

/** The request for a payment meets a lasting fault; afterwards it is credited. Returns the number of payments at the provider. */
export const paymentsFoundAgain = async (t: TestContext, fault: string): Promise<number> => {
  const fixture = await openSharedPayments(t, { env: HURRIED, webhooks: false });
  const { arm, sandbox, get, pay, payins, available, assertSettled } = fixture;
  arm({ operation: 'payin', fault, count: 9 });
  const { status, id, error } = await askFor(fixture);
  assert.deepEqual([status, error.code], [504, 'PROVIDER_TIMEOUT']);
  assert.equal((await get(id)).status, 'TOPUP_CREATED');
  sandbox.faults.clear();
  assert.equal((await refresh(fixture, id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  await pay(id, 'confirm');
  const paid = await refresh(fixture, id);
  assert.equal(await available(paid.userId), '25.50');
  await assertSettled();
  return payins().length;
};

export const assertWebhooksEndTheSame = async (t: TestContext, spelling: 'native' | 'neutral'): Promise<void> => {
  const fixture = await openSharedPayments(t, { spelling, movesClock: true });
  const { arm, aTopup, pay, get, control, available, assertSettled } = fixture;
  const twice = await aTopup();
  arm({ operation: 'webhook', fault: 'duplicate', match: twice.id });
  await pay(twice.id, 'confirm');
  assert.equal(await available(twice.userId), '25.50');

  const late = await aTopup();
  arm({ operation: 'webhook', fault: 'late', delayMs: 60_000, match: late.id });
  await pay(late.id, 'confirm');
  assert.equal(await available(late.userId), '0.00');
  await control('POST /clock/advance', { seconds: 61 });
  assert.equal(await available(late.userId), '25.50');

  const turned = await aTopup();
  arm({ operation: 'webhook', fault: 'reorder', match: turned.id });
  await pay(turned.id, 'process');
  assert.equal((await get(turned.id)).status, 'TOPUP_AWAITING_USER_CONFIRMATION');
  await pay(turned.id, 'confirm');
  await control('POST /clock/advance', { seconds: 61 });
  assert.equal((await get(turned.id)).status, 'TOPUP_SUCCEEDED');
  assert.equal(await available(turned.userId), '25.50');
  await assertSettled();
};
