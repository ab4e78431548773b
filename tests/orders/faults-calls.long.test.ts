// Every fault of every call that an order makes at the escrow provider: the answer, and that the order always reaches the correct
// end, with each step done once. A few rows are in faults.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meetAll } from './fault-case.ts';
import { CALLS, LOOKS, OUTAGES, SUBMISSIONS } from './fault-table.ts';

// Eight failing calls in a row would open the circuit breaker of the provider: each row has one, an outage three.
const AT_ONCE = { concurrency: 6 };
const TWO_AT_ONCE = { concurrency: 2 };
const STRUCK = 'every fault happened';

test(
  'whatever fault a contract call meets, its order reaches the correct end (defects 2, 4, 5, 10, 11, 12)',
  AT_ONCE,
  async (t) => assert.deepEqual(await meetAll(t, CALLS), [], STRUCK),
);

test('whatever fault a submission meets, its order reaches the correct end (defects 5, 10, 11)', AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, SUBMISSIONS), [], STRUCK),
);

test('a contract that the deployment did not name is found, whatever fault the read meets', AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, LOOKS), [], STRUCK),
);

test('a provider that is unreachable for a while only delays an order', TWO_AT_ONCE, async (t) =>
  assert.deepEqual(await meetAll(t, OUTAGES), [], STRUCK),
);
