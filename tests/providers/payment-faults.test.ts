// The payment provider's adapter while its simulator misbehaves: each fault gives the right kind of answer, and a repeat is
// made only where it is safe. A fault armed many times counts the calls that came.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../server/src/base/answer.ts';
import { amount, gist, openSimulators, type Simulators, shareEmptySimulators, take } from './provider-fixture.ts';

const openEmpty = shareEmptySimulators();

const MANY = 9;
let number = 0;

const newPayin = () => ({
  code: `top_${++number}`,
  amount: amount('25.5'),
  description: 'Top-up',
  returnUrl: 'http://127.0.0.1:1/back',
  cancelUrl: 'http://127.0.0.1:1/not',
});
const newPayout = () => ({
  code: `wdr_${++number}`,
  amount: amount('40'),
  email: 'maria@example.com',
  notes: 'Out',
  commit: false,
});

type Asked = { operation: string; attempts: number; ask: () => Promise<Answer<unknown>> };

async function everyCall(simulators: Simulators, payment = simulators.payment): Promise<Asked[]> {
  const payin = take(await simulators.payment.createPayin(newPayin()));
  const payout = take(await simulators.payment.createPayout(newPayout()));
  return [
    { operation: 'payin', attempts: 3, ask: () => payment.createPayin(newPayin()) },
    { operation: 'payin-get', attempts: 3, ask: () => payment.getPayin(payin.id) },
    { operation: 'payin-get', attempts: 3, ask: () => payment.findPayinByCode(payin.code) },
    { operation: 'payin-cancel', attempts: 3, ask: () => payment.cancelPayin(payin.id) },
    { operation: 'payout', attempts: 3, ask: () => payment.createPayout(newPayout()) },
    { operation: 'payout-get', attempts: 3, ask: () => payment.getPayout(payout.id) },
    { operation: 'payout-get', attempts: 3, ask: () => payment.findPayoutByCode(payout.code!) },
    { operation: 'payout-commit', attempts: 1, ask: () => payment.commitPayout(payout.id) },
  ];
}

test('an outage is unknown; only what is safe to repeat was repeated', async () => {
  const simulators = await openEmpty();
  for (const { operation, attempts, ask } of await everyCall(simulators)) {
    const fault = simulators.arm({ operation, fault: 'outage', count: MANY });
    assert.deepEqual(gist(await ask()), ['unknown', 'connection'], operation);
    assert.equal(simulators.struck(fault), attempts, operation);
    simulators.sandbox.faults.clear();
    take(await simulators.payment.balance());
  }
});

test('one outage is bridged where a repeat is safe', async () => {
  const simulators = await openEmpty();
  for (const { operation, attempts, ask } of await everyCall(simulators)) {
    simulators.arm({ operation, fault: 'outage' });
    assert.equal((await ask()).kind, attempts > 1 ? 'yes' : 'unknown', operation);
  }
});

test('silence is unknown and asked once', async () => {
  const simulators = await openEmpty();
  for (const { operation, ask } of await everyCall(simulators, simulators.hurried.payment)) {
    const fault = simulators.arm({ operation, fault: 'timeout', count: MANY });
    assert.deepEqual(gist(await ask()), ['unknown', 'timeout'], operation);
    assert.equal(simulators.struck(fault), 1, operation);
    simulators.sandbox.faults.clear();
  }
});

test('a refusal is a no with its code, and is not repeated', async () => {
  const simulators = await openEmpty();
  for (const { operation, ask } of await everyCall(simulators)) {
    const fault = simulators.arm({ operation, fault: 'refusal', count: MANY });
    assert.deepEqual(gist(await ask()), ['no', '415903'], operation);
    assert.equal(simulators.struck(fault), 1, operation);
    simulators.sandbox.faults.clear();
  }
});

test('a slow answer within the deadline is an answer', async () => {
  const simulators = await openEmpty();
  for (const { operation, ask } of await everyCall(simulators)) {
    simulators.arm({ operation, fault: 'slow', delayMs: 20 });
    assert.equal((await ask()).kind, 'yes', operation);
  }
});

test('HTTP 200 with a failure inside is a no', async () => {
  const simulators = await openEmpty();
  for (const { operation, ask } of await everyCall(simulators)) {
    if (operation.endsWith('-get')) continue;
    simulators.arm({ operation, fault: 'http-200-failed' });
    assert.equal((await ask()).kind, 'no', operation);
  }
});

test('a lost answer to a creation is bridged by its code: one payin, one payout', async () => {
  const { payment, arm, sandbox } = await openEmpty();
  arm({ operation: 'payin', fault: 'lost-answer', delayMs: 5 });
  const payin = newPayin();
  assert.equal(take(await payment.createPayin(payin)).code, payin.code);
  arm({ operation: 'payout', fault: 'lost-answer', delayMs: 5 });
  const payout = { ...newPayout(), commit: true };
  assert.equal(take(await payment.createPayout(payout)).state, 'WITHDRAWAL_COMMITTED');
  const { payins, payouts } = sandbox.describe() as { payins: unknown[]; payouts: unknown[] };
  assert.deepEqual([payins.length, payouts.length], [1, 1]);
});

test('a payout that took the last of the float and lost its answer is a yes, though its repeat is refused', async (t) => {
  const { payment, arm, calls } = await openSimulators(t, { sandbox: { payment: { openingBalance: 40 } } });
  arm({ operation: 'payout', fault: 'lost-answer', delayMs: 5 });
  assert.equal(take(await payment.createPayout({ ...newPayout(), commit: true })).state, 'WITHDRAWAL_COMMITTED');
  assert.deepEqual(
    calls.map(({ operation, attempts, outcome }) => [operation, attempts, outcome]),
    [
      ['create-payout', 2, 'no'],
      ['find-payout', 1, 'yes'],
    ],
  );
});

test('a lost answer to a commitment is unknown, and asking what became of it tells', async () => {
  const { payment, arm, struck } = await openEmpty();
  const { id } = take(await payment.createPayout(newPayout()));
  const fault = arm({ operation: 'payout-commit', fault: 'lost-answer', delayMs: 5, count: MANY });
  assert.deepEqual(gist(await payment.commitPayout(id)), ['unknown', 'connection']);
  assert.equal(struck(fault), 1);
  assert.equal(take(await payment.getPayout(id))?.state, 'WITHDRAWAL_COMMITTED');
});

test('a lost answer to a cancellation is bridged', async () => {
  const { payment, arm } = await openEmpty();
  const { id } = take(await payment.createPayin(newPayin()));
  arm({ operation: 'payin-cancel', fault: 'lost-answer', delayMs: 5 });
  assert.equal(take(await payment.cancelPayin(id)).state, 'TOPUP_CANCELED');
});

test('a creation over another amount is a mismatch, neither yes nor no; a read tells the amount it was told', async () => {
  const { payment, arm } = await openEmpty();
  arm({ operation: 'payin', fault: 'wrong-amount' });
  assert.deepEqual(gist(await payment.createPayin(newPayin())), ['unknown', 'mismatch']);
  arm({ operation: 'payout', fault: 'wrong-amount' });
  assert.deepEqual(gist(await payment.createPayout(newPayout())), ['unknown', 'mismatch']);
  const payin = take(await payment.createPayin(newPayin()));
  arm({ operation: 'payin-get', fault: 'wrong-amount' });
  assert.equal(take(await payment.getPayin(payin.id))?.amount, amount('26.5'));
  const payout = take(await payment.createPayout(newPayout()));
  arm({ operation: 'payout-commit', fault: 'wrong-amount' });
  take(await payment.commitPayout(payout.id));
  assert.equal(take(await payment.getPayout(payout.id))?.amount, amount('41'));
});

test('a code that is taken is never a no, also while the provider does not show the payment', async () => {
  const simulators = await openEmpty();
  const payout = newPayout();
  take(await simulators.payment.createPayout(payout));
  simulators.arm({ operation: 'payout-get', fault: 'missing', count: MANY });
  assert.deepEqual(gist(await simulators.payment.createPayout(payout)), ['unknown', 'lagging']);
  simulators.sandbox.faults.clear();
  assert.equal((await simulators.payment.createPayout(payout)).kind, 'yes');
});
