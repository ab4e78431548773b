// Settlements that fail in the middle, and the settlement that is requested next. A few cases of half-done.ts are here, all of
// them in faults-half-done.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { MULTI, runCases, SINGLE, splitOneWay } from './half-done.ts';

const AT_ONCE = { concurrency: 6 };
const STRUCK = 'every fault happened';

test(
  'a half-done settlement of one milestone ends as it was last decided (defects 10, 11, 12, 15)',
  AT_ONCE,
  async (t) => assert.deepEqual(await runCases(t, { ...SINGLE, courses: SINGLE.few }), [], STRUCK),
);

test(
  'a half-done settlement of two milestones ends as it was last decided (defects 10, 11, 12, 15)',
  AT_ONCE,
  async (t) => assert.deepEqual(await runCases(t, { ...MULTI, courses: MULTI.few }), [], STRUCK),
);

test('a split that gives the seller nothing pays the buyer alone (defect 16)', async (t) => {
  const fixture = await openSharedOrders(t);
  assert.deepEqual(await splitOneWay(fixture, { to: 'buyer', milestones: ['50.00', '50.00'] }), ['1000.00', '0.00']);
  await fixture.assertSound();
});
