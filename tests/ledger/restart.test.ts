// After a crash at any step of a transaction the next process continues: nothing is lost, nothing is paid twice, and the books
// equal the ledger. Each step is here once. restart.long.test.ts has each step of each kind of transaction.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashActivation, crashFirst, crashPayment, killProcesses } from './transaction-crash.ts';

for (const step of ['recorded', 'settled'] as const) {
  test(`a crash at "${step}" of the treasury's very first transaction does not stop activation`, async (t) => {
    assert.equal(await crashFirst(t, step), '0.0000000');
  });
}

test('a crash at "submitted" of an activation leaves each wallet activated once', async (t) => {
  assert.deepEqual(new Set(await crashActivation(t, 'submitted')), new Set(['0.0000000']));
});

for (const step of ['signed', 'looked-up'] as const) {
  test(`a crash at "${step}" of a payment of the treasury pays it once, also when the order requests it again`, async (t) => {
    assert.equal(await crashPayment(t, step), '9.0000000');
  });
}

test('after kill -9 of a process in the middle of many activations and payments each happened once', async (t) => {
  const { wallets, timesMax } = await killProcesses(t, { kills: 1 });
  assert.ok(wallets > 1);
  assert.equal(timesMax, 1);
});
