// A crash at each step of each kind of transaction of the treasury, and kill -9 of one process after the other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashActivation, crashFirst, crashPayment, killProcesses, STEPS } from './transaction-crash.ts';

for (const step of STEPS) {
  test(`a crash at "${step}" of the treasury's very first transaction does not stop activation`, async (t) => {
    assert.equal(await crashFirst(t, step), '0.0000000');
  });

  test(`a crash at "${step}" of an activation leaves each wallet activated once`, async (t) => {
    assert.deepEqual(new Set(await crashActivation(t, step)), new Set(['0.0000000']));
  });

  test(`a crash at "${step}" of a payment of the treasury pays it once, also when the order requests it again`, async (t) => {
    assert.equal(await crashPayment(t, step), '9.0000000');
  });
}

test('after kill -9 of processes in the middle of many activations and payments each happened once', async (t) => {
  const { wallets, timesMax } = await killProcesses(t, { kills: 3 });
  assert.ok(wallets > 3);
  assert.equal(timesMax, 1);
});
