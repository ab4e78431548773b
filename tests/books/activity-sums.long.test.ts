// The maintained sums of the activity report: a report from them is the report from the records, also for what came since, and the full
// proof finds sums that are wrong.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { cancelOrder } from '../../server/src/modules/orders/cancel-order.ts';
import { createOrder } from '../../server/src/modules/orders/create-order.ts';
import { createActivityReads } from '../../server/src/modules/reports/activity.ts';
import { checkActivity } from '../../server/src/modules/reports/activity-check.ts';
import { settlementSeconds } from '../../server/src/modules/reports/activity-records.ts';
import { keepActivitySums } from '../../server/src/modules/reports/activity-sums.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { type Fixture, newDatabase, openFixture, replyOf } from '../commit/fixture.ts';
import { orderInput } from '../commit/order-steps.ts';

const MARKETPLACE = 'mkt_default';
const HOUR_MICROS = 3_600_000_000;

/** A marketplace with a year of orders, made by SQL, and a committer on it. `setBack` moves its clock. */
const openFilled = async (t: TestContext) => {
  const connection = await newDatabase(t);
  await fillMarketplace(connection, { sizes: { users: 200, orders: 2_000, postings: 1 }, say() {} });
  const clock = { setBack: 0 };
  const now = () => systemClock() - clock.setBack;
  const fixture = await openFixture(t, { connection, marketplaceId: MARKETPLACE, clock: now });
  return { fixture, clock, ...(await readParties(fixture)) };
};

const readParties = async ({ pool }: Fixture) => {
  const { rows } = await pool.query<{ id: string }>(`select id from users where status = 'ACTIVE' order by id limit 2`);
  return { parties: { buyerId: rows[0]!.id, sellerId: rows[1]!.id } };
};

const report = async ({ pool }: Fixture, days = 90) => {
  const { to: _, ...activity } = await createActivityReads(pool).read({
    marketplaceId: MARKETPLACE,
    currency: 'USD',
    days,
  });
  return activity;
};

const keep = ({ pool }: Fixture): Promise<void> => keepActivitySums(pool, { marketplaceId: MARKETPLACE });

const assertEqualsRecords = async ({ pool }: Fixture): Promise<void> => {
  const check = await checkActivity(pool, { marketplaceId: MARKETPLACE });
  assert.equal(check.holds, true, check.detail);
};

const newOrder = async (fixture: Fixture, parties: { buyerId: string; sellerId: string }): Promise<string> =>
  replyOf(await fixture.submit(createOrder, orderInput(parties))).order.id;

test('the report from the sums is the report from the records, and reads the sums', async (t) => {
  const { fixture } = await openFilled(t);
  const fromRecords = await Promise.all([1, 30, 90].map((days) => report(fixture, days)));
  assert.ok(fromRecords[2]!.totals.ordersSettled > 400 && fromRecords[2]!.totals.releasedToSellers > 0n);
  assert.ok(fromRecords[2]!.totals.settlement.medianSeconds! < fromRecords[2]!.totals.settlement.p90Seconds!);
  await keep(fixture);
  assert.deepEqual(await Promise.all([1, 30, 90].map((days) => report(fixture, days))), fromRecords);
  await assertEqualsRecords(fixture);
  await fixture.pool.query('delete from orders where created_at < now() - interval $$2 days$$');
  assert.deepEqual(await report(fixture, 90), fromRecords[2], 'orders of past days are not read');
});

test('what was recorded since the sums were kept is added, once', async (t) => {
  const { fixture, parties } = await openFilled(t);
  await keep(fixture);
  const before = (await report(fixture)).totals;
  const id = await newOrder(fixture, parties);
  await newOrder(fixture, parties);
  await fixture.submit(cancelOrder, { orderId: id, reason: null });
  const expected = [before.ordersCreated + 2, before.ordersCanceled + 1];
  const counted = async () => {
    const { ordersCreated, ordersCanceled } = (await report(fixture)).totals;
    return [ordersCreated, ordersCanceled];
  };
  assert.deepEqual(await counted(), expected);
  for (let i = 0; i < 2; i++) {
    await keep(fixture);
    assert.deepEqual(await counted(), expected);
  }
  await assertEqualsRecords(fixture);
});

for (const hours of [5, 23]) {
  test(`an order of a server whose clock was set back by ${hours} hours is counted in its day`, async (t) => {
    const { fixture, clock, parties } = await openFilled(t);
    await keep(fixture);
    const before = (await report(fixture)).totals.ordersCreated;
    clock.setBack = hours * HOUR_MICROS;
    await newOrder(fixture, parties);
    clock.setBack = 0;
    await newOrder(fixture, parties);
    assert.equal((await report(fixture)).totals.ordersCreated, before + 2);
    await assertEqualsRecords(fixture);
    await keep(fixture);
    assert.equal((await report(fixture)).totals.ordersCreated, before + 2);
    await assertEqualsRecords(fixture);
  });
}

test('sums that were kept on another day are completed', async (t) => {
  const { fixture } = await openFilled(t);
  await keep(fixture);
  const today = await report(fixture);
  // As if the sums had last been kept in the night before yesterday.
  await fixture.pool.query(
    `update activity_marks set hours_from = (hours_from at time zone 'UTC' - interval '2 days') at time zone 'UTC'`,
  );
  await fixture.pool.query(
    `delete from activity_sums where span = 'hour' or begins_at >= (select hours_from from activity_marks)`,
  );
  await keep(fixture);
  assert.deepEqual(await report(fixture), today);
  await assertEqualsRecords(fixture);
});

test('two servers that keep the sums at the same time count nothing twice', async (t) => {
  const { fixture, parties } = await openFilled(t);
  await keep(fixture);
  for (let i = 0; i < 3; i++) {
    await newOrder(fixture, parties);
    await Promise.all([keep(fixture), newOrder(fixture, parties), keep(fixture)]);
    await assertEqualsRecords(fixture);
  }
});

test('the full proof finds a sum that was altered, and names it', async (t) => {
  const { fixture } = await openFilled(t);
  await keep(fixture);
  await fixture.pool.query(`update activity_sums set units = (units::numeric + 1)::text where figure = 'orders_created' and span = 'day'
    and begins_at = (select max(begins_at) from activity_sums where span = 'day')`);
  const further = [() => checkActivity(fixture.pool, { marketplaceId: MARKETPLACE })];
  const proof = await proveAndMark(fixture.pool, { marketplaceId: MARKETPLACE, full: true, further });
  assert.equal(proof.holds, false);
  const check = proof.checks.find(({ name }) => name === 'activity-equals-records');
  assert.match(
    check?.detail ?? '',
    /^USD orders_created on \d{4}-\d\d-\d\d: \d+ of \d+ units in the sums, \d+ of \d+ units in the records\.$/,
  );
});

test('settlement times are exact below 64 seconds and within 2 % above', () => {
  for (const seconds of [0, 1, 63]) assert.equal(settlementSeconds(seconds), seconds);
  for (const bucket of [64, 126, 1_024, 86_016]) {
    const shown = settlementSeconds(bucket);
    assert.ok(shown > bucket && (shown - bucket) / bucket < 0.02, `${bucket}: ${shown}`);
  }
});
