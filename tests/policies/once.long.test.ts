// Each deadline passes exactly once: with two servers, with operators and time at the same moment, and after an outage in order. Without
// simulators deadlines follow the wall clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf, startApp, type TestApp } from '../support/app.ts';
import { builderOf } from '../support/builder.ts';
import { assertProof } from '../support/checks.ts';

type Wanted = { count: number; after: (place: number) => string; reserved?: boolean };

/** Orders of which every second one has money reserved unless it says none, each with this much time to be funded. */
const makeOrders = async (app: TestApp, { count, after, reserved = true }: Wanted) => {
  const { done, anOrder } = builderOf(app);
  const between = { buyer: await app.aUser({ available: '100000.00' }), seller: await app.aUser() };
  const orders: { id: string }[] = [];
  for (let place = 0; place < count; place++) {
    const name = `after ${after(place)}`;
    await done('POST /policies', { body: { name, rules: { cancelUnfundedAfter: after(place) } } });
    orders.push(
      await anOrder({ between, policy: name, ...(reserved && place % 2 === 0 ? { at: 'FUNDS_RESERVED' } : {}) }),
    );
  }
  return orders.map(({ id }) => id);
};

const openCount = async (app: TestApp): Promise<number> =>
  (await app.sql("select count(*)::integer as open from orders where status <> 'CLOSED'"))[0].open;

/** How often each event happened to each order. */
const assertOnce = async (app: TestApp, ids: readonly string[]): Promise<void> => {
  const rows = await app.sql(
    `select aggregate_id as id, event_type as type, count(*)::integer as times from events
     where event_type in ('order.deadline_passed', 'order.canceled', 'order.closed') group by 1, 2`,
  );
  assert.equal(rows.length, ids.length * 3);
  assert.deepEqual(
    rows.filter(({ times }) => times !== 1),
    [],
  );
  await assertProof(app);
};

test('two servers on one database pass each deadline once', async (t) => {
  const app = await startApp(t);
  const second = await startApp(t, { connection: app.connection });
  const ids = await makeOrders(app, { count: 40, after: (place) => `PT${1 + (place % 3)}S`, reserved: false });
  await until(async () => (await openCount(second)) === 0, 'every order is canceled');
  await assertOnce(app, ids);
});

test('requests to trigger a deadline at the same moment, on two servers, carry it out once', async (t) => {
  const app = await startApp(t);
  const second = await startApp(t, { connection: app.connection });
  const ids = await makeOrders(app, { count: 10, after: () => 'P1D' });
  await app.call('GET /auth/me');
  await second.call('GET /auth/me');
  for (const id of ids) {
    const trigger = (to: TestApp) => to.call(`POST /orders/${id}/deadlines/cancel_unfunded/trigger`);
    const answers = await Promise.all([app, second, app, second].map(trigger));
    const codes = answers.map(codeOf).sort();
    assert.deepEqual(codes, ['200 undefined', '400 INVALID_STATE', '400 INVALID_STATE', '400 INVALID_STATE']);
  }
  await assertOnce(app, ids);
});

test('after an outage the deadlines pass in the order of their times', async (t) => {
  const app = await startApp(t);
  // Later orders are due earlier.
  const ids = await makeOrders(app, { count: 12, after: (place) => `PT${30 - 2 * place}S` });
  const last = `select max(at) as last from deadlines`;
  await app.close();
  // The time of the outage: every deadline is due when the next server starts.
  await app.sql("update deadlines set at = at - interval '1 minute'");
  assert.ok(Date.parse((await app.sql(last))[0].last) < Date.now());
  const next = await startApp(t, { connection: app.connection });
  await until(async () => (await openCount(next)) === 0, 'every order is canceled');
  await assertOnce(next, ids);
  const passed = await next.sql(
    "select envelope::jsonb -> 'payload' ->> 'at' as at from events where event_type = 'order.deadline_passed' order by position",
  );
  const times = passed.map(({ at }) => at);
  assert.deepEqual(times, [...times].sort());
});

test('100,000 pending deadlines are not read: an index finds what is due', async (t) => {
  const app = await startApp(t);
  const [id] = await makeOrders(app, { count: 1, after: () => 'P1D' });
  await app.sql(
    `insert into deadlines (marketplace_id, id, version, order_id, kind, subject, at, status, created_at, updated_at)
     select 'mkt_default', 'dln_' || n, 1, 'ord_' || n, 'cancel_unfunded', '', now() + interval '1 day' + n * interval '1 second',
       'PENDING', now(), now() from generate_series(1, 100000) n`,
  );
  await app.sql('analyze deadlines');
  const scans = async () =>
    (
      await app.sql(
        "select seq_scan::integer as seq, idx_scan::integer as idx from pg_stat_user_tables where relname = 'deadlines'",
      )
    )[0];
  // The statistics are written with a delay: those of the filling come first.
  let before = await scans();
  await until(async () => {
    const last = before;
    before = await scans();
    return before.seq === last.seq && before.idx > last.idx;
  }, 'the filling is counted');
  await until(async () => (await scans()).idx >= before.idx + 3, 'the server reads what is due');
  assert.equal((await scans()).seq, before.seq);
  const { status } = (await app.call(`POST /orders/${id}/deadlines/cancel_unfunded/trigger`)).body.data.data;
  assert.equal(status, 'CLOSED');
  assert.equal((await scans()).seq, before.seq);
});
