// An order when an outside system fails: the answer to the caller, and that the order always reaches the correct end, with each
// step done once. A few rows of fault-table.ts are here, the full tables in faults-calls.long.test.ts and faults-ledger.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { meetRows, openFaultFixture } from './fault-case.ts';
import { EVERY, FEW, type Row, SCRIPTS } from './fault-table.ts';

const STRUCK = 'every fault happened';

test('whatever fault a call of an order meets, the order reaches the correct end (defects 2, 4, 5, 10, 11, 12)', async (t) => {
  const fixture = await openFaultFixture(t);
  // Eight failing calls in a row would open the circuit breaker of the provider.
  await t.test('a call that fails once', { concurrency: 6 }, async (each) =>
    assert.deepEqual(await meetRows(each, { fixture, rows: FEW.calls }), [], STRUCK),
  );
  await t.test('a provider that is unreachable for a while', async (each) =>
    assert.deepEqual(await meetRows(each, { fixture, rows: FEW.outages }), [], STRUCK),
  );
});

/** Not calls of an order: payments, deposits, the price of fees, and the whole node, which two-nodes.test.ts tests. */
const OTHERS = /^(payin|payout|webhook|user-get|payments-get|fees|node)/;
const ofOrders = Object.entries(OPERATIONS).filter(([operation]) => !OTHERS.test(operation));
const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].sort();

test('the full tables hold every fault of every call that an order makes', () => {
  const met = EVERY.map(([, operation, trouble]) => `${operation} ${SCRIPTS[trouble].fault}`);
  const known = ofOrders.flatMap(([operation, faults]) => faults.map((fault) => `${operation} ${fault}`));
  // faults-ledger.test.ts and contract-breaks.test.ts test the first two, because the order ends differently. Only a withdrawal pays a
  // receiver that demands a memo.
  assert.deepEqual(sorted([...met, 'release wrong-amount', 'fund surplus', 'account memo-required']), known.sort());
});

test('the few rows hold every phase, every fault and every answer', () => {
  const few: readonly Row[] = Object.values(FEW).flat();
  const ofRows = (rows: readonly Row[]) => ({
    phases: sorted(rows.map(([phase]) => phase)),
    answers: sorted(rows.map(([, , , reply]) => reply)),
  });
  assert.deepEqual(ofRows(few), ofRows(EVERY));
  assert.deepEqual(sorted(few.map(([, , trouble]) => trouble)), Object.keys(SCRIPTS).sort());
  const every = new Set(EVERY.map((row) => row.join()));
  assert.deepEqual(
    few.filter((row) => !every.has(row.join())),
    [],
  );
});
