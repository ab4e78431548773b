// Settlements that fail in the middle, at every kind of call, and the decisions that can follow: all cases of half-done.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWebhooks, openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { MULTI, releaseKnownElsewhere, runCases, SINGLE, splitOneWay } from './half-done.ts';

const AT_ONCE = { concurrency: 6 };
const STRUCK = 'every fault happened';

test(
  'every half-done settlement of one milestone ends as it was last decided (defects 10, 11, 12, 15)',
  AT_ONCE,
  async (t) => assert.deepEqual(await runCases(t, { ...SINGLE, courses: [...SINGLE.few, ...SINGLE.more] }), [], STRUCK),
);

test(
  'every half-done settlement of two milestones ends as it was last decided (defects 10, 11, 12, 15)',
  AT_ONCE,
  async (t) => assert.deepEqual(await runCases(t, { ...MULTI, courses: [...MULTI.few, ...MULTI.more] }), [], STRUCK),
);

test('a split that gives one side nothing pays the other side alone, with milestones or without (defect 16)', async (t) => {
  const fixture = await openSharedOrders(t);
  for (const milestones of [undefined, ['50.00', '50.00']]) {
    const parts = milestones ? { milestones } : {};
    assert.deepEqual(await splitOneWay(fixture, { to: 'seller', ...parts }), ['900.00', '95.00']);
    assert.deepEqual(await splitOneWay(fixture, { to: 'buyer', ...parts }), ['1000.00', '0.00']);
  }
  await fixture.assertSound();
});

test('a contract call of another party is read from the provider, also when the provider does not answer (defect 10)', async (t) => {
  const fixture = await openWebhooks(t, { PROVIDER_TIMEOUT_MS: '1500' });
  assert.deepEqual(await releaseKnownElsewhere(fixture, { fault: 'timeout' }), { status: 200, seller: '95.00' });
});

test('a contract call that a party made without the server is read from the ledger, whatever the provider answers (defect 10)', async (t) => {
  const fixture = await openSharedWebhooks(t);
  assert.deepEqual(await releaseKnownElsewhere(fixture, { fault: 'slow', delayMs: 50 }), {
    status: 200,
    seller: '95.00',
  });
  assert.deepEqual(await releaseKnownElsewhere(fixture, { fault: 'refusal' }), { status: 200, seller: '95.00' });
});
