// Random ways to pay an order milestone by milestone end with exactly the money of a whole payment, and books and ledger agree.
// random-parts.long.test.ts runs many more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openOrders } from '../support/order-fixture.ts';
import { cases, createPolicy, runCase } from './random-parts.ts';

test('whatever the order of releases, refunds and decisions, each cent is paid once and the fee is that of the whole', async (t) => {
  const fixture = await openOrders(t);
  await createPolicy(fixture);
  let most = 0;
  for (const one of fc.sample(cases, { numRuns: 3, seed: 37 })) {
    t.diagnostic(JSON.stringify(one));
    most = Math.max(most, await runCase(fixture, one));
  }
  // Several milestones were disputed at the same time.
  assert.ok(most > 1, String(most));
  await fixture.assertSound();
});
