// The reports for bookkeeping agree exactly with the exported journal and with the proof of the books, as JSON and as CSV.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactUnits } from '../../tools/decimals.ts';
import { readJournal } from '../../tools/outside-books/read-journal.ts';
import { until } from '../../tools/until.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { assertProof } from '../support/checks.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

/** Half of the payout of 8.00 reaches the destination, and a correction returns the rest to the user. */
const payShort = async (app: TestApp): Promise<void> => {
  const { aWithdrawal, done } = builderOf(app);
  const { id } = await aWithdrawal({
    body: { amount: '8.00', destination: { type: 'payment_account', email: 'cy@example.com' } },
  });
  await done('POST /sandbox/faults', { body: { operation: 'payout-commit', fault: 'short', match: id } });
  // The answer says that the provider shows another amount.
  await app.call(`POST /withdrawals/${id}/commit`);
  await until(async () => (await done(`GET /withdrawals/${id}`)).providerPayoutId !== null, 'the payout exists');
  await done(`POST /sandbox/payouts/${id}/complete`);
  await until(async () => (await done(`GET /withdrawals/${id}`)).status === 'WITHDRAWAL_COMPLETED', 'the payout ends');
  const body = { kind: 'settle-payout', resourceId: id, reason: 'The provider paid half of it.' };
  await done('POST /corrections', { body });
};

/** Two releases with a fee, money left in escrow, a dispute, a top-up that is paid and one that waits, and withdrawals that are paid, fail and wait. */
const trade = async (app: TestApp) => {
  const { anOrder, aDispute, aTopup, aWithdrawal, completeAll, done } = builderOf(app);
  for (const amount of ['33.33', '66.67']) {
    const released = await anOrder({ at: 'IN_PROGRESS', amount });
    await completeAll(released);
    await done(`POST /orders/${released.id}/resolution/release`);
  }
  const open = await anOrder({ at: 'IN_PROGRESS', amount: '12.34' });
  const dispute = await aDispute({ amount: '99.99' });
  const { id: topup } = await aTopup();
  await done(`POST /sandbox/payins/${topup}/confirm`);
  const waiting = await aTopup({ body: { amount: '7.00' } });
  const paid = await aWithdrawal({ body: { destination: { type: 'bank', email: 'ada@example.com' } } });
  const failed = await aWithdrawal({
    body: { amount: '3.01', destination: { type: 'bank', email: 'ben@example.com' } },
  });
  for (const { id } of [paid, failed]) {
    await done(`POST /withdrawals/${id}/commit`);
    await until(async () => (await done(`GET /withdrawals/${id}`)).providerPayoutId !== null, 'the payout exists');
    await done(`POST /sandbox/payouts/${id}/${id === paid.id ? 'complete' : 'fail'}`);
    await until(async () => /COMPLETED|FAILED/.test((await done(`GET /withdrawals/${id}`)).status), 'the payout ends');
  }
  await payShort(app);
  const created = await aWithdrawal({
    body: { amount: '4.00', destination: { type: 'bank', email: '=cmd@example.com' } },
  });
  return { open, dispute, waiting, created };
};

const journalOf = async (app: TestApp) => {
  const { text } = await app.call(`GET /exports/journal?format=jsonl&to=${new Date().toISOString()}`);
  return readJournal(text);
};

const unitsOf = (lines: readonly Any[], wanted: (line: Any) => boolean): bigint =>
  lines.filter(wanted).reduce((sum, { amount }) => sum + exactUnits(amount), 0n);

const totalOf = (parts: readonly Any[], name: string): bigint =>
  parts.reduce((sum, part) => sum + exactUnits(part[name].amount), 0n);

test('fees, payouts and open items agree with the journal and with the books, to the last place', async (t) => {
  const app = await startApp(t, { sandbox: true });
  const { open, dispute, waiting, created } = await trade(app);
  await assertProof(app);
  const { lines, sums } = await journalOf(app);
  const read = async (path: string): Promise<Any> => (await app.call(`GET ${path}`)).body.data;

  const { currencies, interval } = await read('/reports/fees');
  assert.equal(interval, 'day');
  for (const { currency, totals, intervals } of currencies) {
    const fees = unitsOf(lines, (line) => line.to === 'income:fees' && line.currency === currency);
    assert.equal(exactUnits(totals.earned), fees);
    assert.equal(exactUnits(totals.earned) - exactUnits(totals.reversed), sums.get(`income:fees ${currency}`) ?? 0n);
    assert.equal(-exactUnits(totals.networkFees), sums.get(`expenses:network-fees ${currency}`) ?? 0n);
    assert.equal(-exactUnits(totals.providerFees), sums.get(`expenses:provider-fees ${currency}`) ?? 0n);
    const summed = intervals.reduce((sum: bigint, { net }: Any) => sum + exactUnits(net), 0n);
    assert.equal(summed, exactUnits(totals.net));
    assert.equal(intervals.length, 30);
  }
  assert.ok(
    currencies.some(({ totals }: Any) => totals.earned === '5.00'),
    JSON.stringify(currencies),
  );
  for (const [by, count] of [
    ['week', 5],
    ['month', 2],
  ] as const) {
    const cut = await read(`/reports/fees?interval=${by}`);
    assert.deepEqual(
      cut.currencies.map(({ totals }: Any) => totals),
      currencies.map(({ totals }: Any) => totals),
    );
    assert.ok(cut.currencies[0].intervals.length <= count + 1, by);
  }

  const { groups } = await read('/reports/payouts');
  const received = (line: Any): boolean => ['payout', 'payout_excess', 'withdrawal_paid'].includes(line.move);
  assert.equal(totalOf(groups, 'paid'), unitsOf(lines, received));
  assert.equal(
    totalOf(groups, 'failed'),
    unitsOf(lines, ({ move }) => move === 'withdrawal_return'),
  );
  assert.deepEqual(
    groups.map(({ type, currency, paid, failed, open: left }: Any) => [
      type,
      currency,
      paid.count,
      failed.count,
      left.amount,
    ]),
    [
      ['bank', 'USD', 1, 1, '4.00'],
      ['payment_account', 'USD', 1, 0, '0.00'],
    ],
  );
  assert.equal(groups[1].paid.amount, '4.00');
  assert.deepEqual(
    groups[0].destinations.map(({ email }: Any) => email),
    ['ada@example.com', '=cmd@example.com', 'ben@example.com'],
  );

  const { kinds } = await read('/reports/open-items');
  const kindOf = (kind: string): Any => kinds.find((each: Any) => each.kind === kind);
  const { claims } = (await read('/reports/money')).currencies.find(({ currency }: Any) => currency === 'USD');
  const inEscrow = claims.find(({ place }: Any) => place === 'in_escrow').amount;
  assert.deepEqual(
    kindOf('orders_in_escrow').currencies.map(({ currency, count, amount }: Any) => [currency, count, amount]),
    [['USD', 2, inEscrow]],
  );
  assert.deepEqual(
    kindOf('orders_in_escrow').oldest.map(({ id, amount }: Any) => [id, amount]),
    [
      [open.id, '12.34'],
      [dispute.orderId, '99.99'],
    ],
  );
  assert.deepEqual(
    kindOf('disputes').oldest.map(({ id, amount }: Any) => [id, amount]),
    [[dispute.id, '99.99']],
  );
  assert.deepEqual(
    kindOf('topups').oldest.map(({ id, amount }: Any) => [id, amount]),
    [[waiting.id, '7.00']],
  );
  assert.deepEqual(
    kindOf('withdrawals').oldest.map(({ id, amount }: Any) => [id, amount]),
    [[created.id, '4.00']],
  );

  const table = async (path: string): Promise<string[]> => {
    const asked = await app.call(`GET ${path}?format=csv`);
    assert.equal(asked.headers.get('content-type'), 'text/csv; charset=utf-8');
    const accepted = await app.call(`GET ${path}`, { headers: { accept: 'text/csv' } });
    const times = /T\d\d:\d\d:\d\d\.\d+Z/g;
    assert.equal(accepted.text.replace(times, ''), asked.text.replace(times, ''));
    return asked.text.split('\r\n').slice(0, -1);
  };
  const payouts = await table('/reports/payouts');
  assert.equal(
    payouts[0],
    'type,currency,destination,destinations,paid_count,paid_amount,failed_count,failed_amount,open_count,open_amount',
  );
  assert.equal(payouts.filter((row) => row.startsWith("bank,USD,'=cmd@example.com,1,0,0.00")).length, 1, 'no formula');
  assert.equal((await table('/reports/fees')).length, 1 + 30 * currencies.length);
  assert.ok((await table('/reports/open-items')).includes('topups,USD,under_1_day,1,7.00,,'));
  const month = new Date().toISOString().slice(0, 7);
  const closing = await app.call(`GET /reports/closing?period=${month}&format=csv`);
  assert.match(String(closing.headers.get('content-disposition')), /closing-\d{4}-\d\d\.csv/);
  const { holdings } = (await read('/reports/money')).currencies.find(({ currency }: Any) => currency === 'USD');
  const [shown] = (await read(`/reports/closing?period=${month}`)).currencies.filter(
    ({ currency }: Any) => currency === 'USD',
  );
  const held = (places: readonly string[]): bigint =>
    holdings
      .filter(({ place }: Any) => places.includes(place))
      .reduce((sum: bigint, { amount }: Any) => sum + exactUnits(amount), 0n);
  assert.deepEqual([shown.assets.wallets, shown.assets.contracts, shown.assets.provider].map(exactUnits), [
    held(['user_wallets', 'treasury_wallet', 'platform_wallet']),
    held(['contracts']),
    held(['payment_float']),
  ]);
});
