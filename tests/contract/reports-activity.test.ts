// GET /reports/activity, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { tradeIn } from './order-fixture.ts';
import { assertInvalid, assertScope } from './report-fixture.ts';

const NOTHING = {
  ordersCreated: 0,
  ordersSettled: 0,
  ordersCanceled: 0,
  amountCreated: '0.00',
  releasedToSellers: '0.00',
  refundedToBuyers: '0.00',
  platformFees: '0.00',
  toppedUp: '0.00',
  withdrawn: '0.00',
  settlement: { medianSeconds: null, p90Seconds: null },
};

const report = async (app: TestApp, query = '', key?: string) => {
  const answer = await app.call(`GET /reports/activity${query}`, key === undefined ? {} : { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

test('200 counts what was created, released, refunded, canceled, topped up and withdrawn today', async (t) => {
  const fixture = await openSharedOrders(t);
  const who = await fixture.parties();
  const released = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, amount: '100.00' });
  await fixture.completeAll(released);
  await fixture.expect(`POST /orders/${released.id}/resolution/release`, { body: {}, status: 200 });
  const refunded = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, amount: '60.00' });
  await fixture.expect(`POST /orders/${refunded.id}/resolution/refund`, { body: { reason: 'late' }, status: 200 });
  const canceled = await fixture.anOrder({ between: who, amount: '5.00' });
  await fixture.expect(`POST /orders/${canceled.id}/cancel`, { status: 201 });
  const body = { userId: who.buyer, amount: '25.00' };
  const topup = await fixture.expect('POST /topups', { body, status: 201 });
  await fixture.simulator(`POST /payins/${topup.id}/confirm`, {});
  const destination = { type: 'bank', ref: 'bank-1', email: 'ada@example.com' };
  const asked = { userId: who.buyer, amount: '10.00', currency: 'USD', destination, commit: true };
  const withdrawal = await fixture.expect('POST /withdrawals', { body: asked, status: 201 });
  const complete = async () => fixture.simulator(`POST /payouts/${withdrawal.id}/complete`, {});
  await fixture.expect(`POST /withdrawals/${withdrawal.id}/refresh`, { status: 200 });
  await complete();
  await fixture.expect(`POST /withdrawals/${withdrawal.id}/refresh`, { status: 200 });
  await fixture.atRest();

  const { days, totals, currency, to } = await report(fixture.app);
  assert.deepEqual([days.length, currency], [30, 'USD']);
  const { settlement, ...counts } = days.at(-1);
  assert.deepEqual(counts, {
    date: to.slice(0, 10),
    ordersCreated: 3,
    ordersSettled: 2,
    ordersCanceled: 1,
    amountCreated: '165.00',
    releasedToSellers: '95.00',
    refundedToBuyers: '60.00',
    platformFees: '5.00',
    toppedUp: '25.00',
    withdrawn: '10.00',
  });
  assert.ok(Number.isInteger(settlement.medianSeconds) && settlement.medianSeconds <= settlement.p90Seconds);
  const { date: _, ...today } = days.at(-1);
  assert.deepEqual(totals, today);
});

test('200 has a row for each day, also for those on which nothing happened, and knows the days apart', async (t) => {
  const app = await openApp(t);
  const trade = await tradeIn(app, { available: '500.00' });
  const { id } = await trade.anOrder({ amount: '10.00' });
  await trade.done(`POST /orders/${id}/cancel`);
  const week = await report(app, '?days=7');
  assert.equal(week.days.length, 7);
  const dates = week.days.map(({ date }: { date: string }) => date);
  assert.deepEqual(dates, dates.toSorted());
  assert.equal(new Set(dates).size, 7);
  assert.equal(week.from.slice(0, 10), dates[0]);
  for (const { date: _, ...figures } of week.days.slice(0, -1)) assert.deepEqual(figures, NOTHING);
  assert.deepEqual([week.totals.ordersCreated, week.totals.ordersCanceled], [1, 1]);
  assert.equal((await report(app, '?days=1')).days.length, 1);
});

test('200 counts one currency, the base currency unless another is asked for', async (t) => {
  const app = await openApp(t);
  const trade = await tradeIn(app, {});
  await trade.anOrder({ amount: '10.00' });
  await trade.anOrder({ amount: '3.00', currency: 'USDC' });
  assert.equal((await report(app)).totals.amountCreated, '10.00');
  assert.equal((await report(app, '?currency=USDC')).totals.amountCreated, '3.00');
});

test("200 never counts another marketplace's orders", async (t) => {
  const app = await openApp(t);
  await (await tradeIn(app, {})).anOrder();
  const key = await app.key(['read'], 'mkt_other');
  assert.deepEqual((await report(app, '', key)).totals, NOTHING);
});

test('400 VALIDATION_ERROR for days out of range and for a currency that is none', async (t) => {
  const app = await openApp(t);
  const queries = ['days=0', 'days=91', 'days=1.5', 'days=all', 'currency=EUR', 'from=2026-01-01'];
  await assertInvalid(
    app,
    queries.map((query) => `GET /reports/activity?${query}`),
  );
});

test('401 and 403 without the scope to read', async (t) => {
  await assertScope(await openApp(t), 'GET /reports/activity', 'read');
});
