// Every fault of every call that an order makes at the escrow provider: what is answered, and that the order always ends as
// it should, with each thing done once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { meetAll } from './fault-case.ts';
import { CALLS, EVERY, LOOKS, OUTAGES, SCRIPTS, SUBMISSIONS } from './fault-table.ts';

// Eight failing calls in a row would make us stop asking the provider for a while: each row has one, an outage three.
const AT_ONCE = { concurrency: 6 };
const TWO_AT_ONCE = { concurrency: 2 };

test('whatever a call of the contract meets, its order ends right (defects 2, 4, 5, 10, 11, 12)', AT_ONCE, (t) =>
  meetAll(t, CALLS),
);

test('whatever a submission meets, its order ends right (defects 5, 10, 11)', AT_ONCE, (t) => meetAll(t, SUBMISSIONS));

test('a contract that was not named is found, whatever the look at it meets', AT_ONCE, (t) => meetAll(t, LOOKS));

test('a neighbour that cannot be reached for a while only delays an order', TWO_AT_ONCE, (t) => meetAll(t, OUTAGES));

test('the tables hold every fault of every call that an order makes', () => {
  const met = new Set(EVERY.map(([, operation, trouble]) => `${operation} ${SCRIPTS[trouble].fault}`));
  // Met in faults-ledger.test.ts: it has an end of its own.
  met.add('release wrong-amount');
  const ofOrders = Object.entries(OPERATIONS).filter(([operation]) => !/^(payin|payout|webhook)/.test(operation));
  const known = ofOrders.flatMap(([operation, faults]) => faults.map((fault) => `${operation} ${fault}`));
  assert.deepEqual([...met].sort(), known.sort());
});
