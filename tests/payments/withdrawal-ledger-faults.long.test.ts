// The faults that withdrawal-ledger-faults.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askToCommit,
  assertArrives,
  assertGoesOnUnread,
  HELD,
  openLedgerWithdrawal,
  paymentsOf,
  paymentsSentAgain,
} from './ledger-fault-checks.ts';

for (const fault of ['timeout', 'http-200-failed']) {
  test(`a payment that did not get through (${fault}) is sent again unchanged, and arrives once`, async (t) => {
    assert.deepEqual(await paymentsSentAgain(t, fault), [{ state: 'SUCCEEDED', failure: null }]);
  });
}

test('while the ledger cannot be read (transaction-get) nothing is lost, and the withdrawal continues afterwards', async (t) => {
  await assertGoesOnUnread(t, 'transaction-get');
});

test('a payment that arrived while the ledger was unreadable keeps its money reserved until a read succeeds', async (t) => {
  const opened = await openLedgerWithdrawal(t);
  const { arm, sandbox, address, made, balance, dollarsAt, get } = opened;
  arm({ operation: 'payment', fault: 'lost-answer', match: address });
  arm({ operation: 'transaction-get', fault: 'outage', count: 1_000 });
  assert.equal(await askToCommit(opened), '504 PROVIDER_TIMEOUT');
  assert.equal(await dollarsAt(address), '25.5000000');
  assert.deepEqual([(await get(made.id)).status, await balance(made.userId)], ['WITHDRAWAL_COMMITTED', HELD]);
  sandbox.faults.clear();
  await assertArrives(opened);
});

test('a payment over less than the signed amount is followed by the rest, so that the whole amount arrives', async (t) => {
  const opened = await openLedgerWithdrawal(t);
  opened.arm({ operation: 'payment', fault: 'wrong-amount', match: opened.address });
  await askToCommit(opened);
  await assertArrives(opened);
  assert.equal((await paymentsOf(opened)).length, 2);
  const parts = await opened.app.sql(
    "select (-amount)::text as units from postings where move = 'withdrawal_paid' and amount < 0 order by seq",
  );
  assert.deepEqual(parts, [{ units: '127500000' }, { units: '127500000' }]);
  const actions = (await opened.audited(opened.made.id)).map(({ action }) => action);
  assert.deepEqual(actions.slice(2), ['WITHDRAWAL_PART_PAID', 'WITHDRAWAL_COMPLETED']);
});

test('while the ledger cannot be read (account) nothing is lost, and the withdrawal continues afterwards', async (t) => {
  await assertGoesOnUnread(t, 'account');
});

test('the treasury funds the wallet once, however often that outcome is unknown', async (t) => {
  const opened = await openLedgerWithdrawal(t, { isPoor: true });
  const { app, arm } = opened;
  const [treasury] = await app.sql("select address from wallets where owner = 'treasury'");
  arm({ operation: 'payment', fault: 'lost-answer', match: treasury.address });
  await askToCommit(opened);
  await assertArrives(opened);
  const paid = await app.sql("select amount::text as units, state from treasury_payments where asset = 'USDC'");
  assert.deepEqual(paid, [{ units: '255000000', state: 'DONE' }]);
});

test('an expired payment is built again, and arrives once', async (t) => {
  const opened = await openLedgerWithdrawal(t, { isOwnServer: true });
  const { arm, sandbox, address, control, made, balance, get } = opened;
  arm({ operation: 'payment', fault: 'timeout', count: 1_000, match: address });
  assert.equal(await askToCommit(opened), '504 PROVIDER_TIMEOUT');
  assert.deepEqual([(await get(made.id)).status, await balance(made.userId)], ['WITHDRAWAL_COMMITTED', HELD]);
  await control('POST /clock/advance', { seconds: 200 });
  sandbox.faults.clear();
  await assertArrives(opened);
  const states = (await paymentsOf(opened)).map(({ state }) => state);
  assert.deepEqual(states, ['FAILED', 'SUCCEEDED']);
});
