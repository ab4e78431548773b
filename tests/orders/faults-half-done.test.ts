// Settlements that break off in the middle, and what is asked for then. A few courses of half-done.ts are here, all of them in
// faults-half-done.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWebhooks } from '../contract/webhook-escrow-ground.ts';
import { liveAll, MULTI, SINGLE, splitOneWay } from './half-done.ts';
import { openSharedOrders } from './order-stand.ts';

const AT_ONCE = { concurrency: 6 };
const STRUCK = 'every fault has struck';

test(
  'a half-done settlement of one milestone ends as it was last decided (defects 10, 11, 12, 15)',
  AT_ONCE,
  async (t) => assert.deepEqual(await liveAll(t, { ...SINGLE, courses: SINGLE.few }), [], STRUCK),
);

test(
  'a half-done settlement of two milestones ends as it was last decided (defects 10, 11, 12, 15)',
  AT_ONCE,
  async (t) => assert.deepEqual(await liveAll(t, { ...MULTI, courses: MULTI.few }), [], STRUCK),
);

test('a split that gives one side nothing pays the other side alone (defect 16)', async (t) => {
  const stand = await openSharedOrders(t);
  assert.deepEqual(await splitOneWay(stand, { to: 'seller' }), ['900.00', '95.00']);
  assert.deepEqual(await splitOneWay(stand, { to: 'buyer', milestones: ['50.00', '50.00'] }), ['1000.00', '0.00']);
  await stand.assertSound();
});

test('what somebody else has called is learned from the provider, whatever the look at it meets (defect 10)', async (t) => {
  const stand = await openWebhooks(t, { PROVIDER_TIMEOUT_MS: '1500' });
  const looks = { slow: 200, refusal: 504, timeout: 504 };
  for (const [fault, status] of Object.entries(looks)) {
    const who = await stand.people();
    const { id } = await stand.funded(who);
    await stand.act(id, 'seller', { kind: 'change-status', milestone: 0, status: 'done' });
    await stand.act(id, 'buyer', { kind: 'approve', milestone: 0 });
    // Twice, because whoever polls the provider may meet one of them.
    await stand.fault('get-escrow', fault, { match: id, count: 2, ...(fault === 'slow' ? { delayMs: 50 } : {}) });
    const answer = await stand.app.call(`POST /orders/${id}/resolution/release`);
    assert.equal(answer.status, status, answer.text);
    const order = await stand.untilStatus(id, 'CLOSED');
    assert.equal(order.finalStatus, 'RELEASED');
    assert.equal((await stand.contractOf(order)).balance, 0);
    assert.deepEqual(await stand.balance(who.seller), { available: '95.00', reserved: '0.00' });
  }
});
