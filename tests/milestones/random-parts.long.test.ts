// Many random ways to pay an order milestone by milestone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openOrders } from '../support/order-fixture.ts';
import { cases, createPolicy, runCase } from './random-parts.ts';

const CASES = 60;

test('whatever the order of releases, refunds and decisions, each cent is paid once and the fee is that of the whole', async (t) => {
  const fixture = await openOrders(t);
  await createPolicy(fixture);
  let done = 0;
  let together = 0;
  for (const one of fc.sample(cases, { numRuns: CASES, seed: 21 })) {
    t.diagnostic(JSON.stringify(one));
    if ((await runCase(fixture, one)) > 1) together += 1;
    done += 1;
  }
  // Several milestones were disputed at the same time.
  assert.ok(together >= 3, String(together));
  assert.equal(done, CASES);
  await fixture.assertSound();
});
