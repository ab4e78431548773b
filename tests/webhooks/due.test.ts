// What the sender reads again and again costs what it finds, however many deliveries wait for later or are in the log. And what waits for
// an endpoint that was deleted leaves the log.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createPendingReads } from '../../server/src/modules/webhook-deliveries/pending-queries.ts';
import { createDeliveryReads } from '../../server/src/modules/webhook-deliveries/queries.ts';
import { trimDeliveries } from '../../server/src/modules/webhook-deliveries/trim-deliveries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { overheard, type Sent } from '../support/tenancy-wire.ts';
import { anEndpoint, openSending } from './fixture.ts';

const MARKETPLACE = 'mkt_shop';
const ENDPOINTS = ['whe_1', 'whe_2'];
const SOON = '2026-11-17T12:01:00.000000Z';
const LIMIT = 1_000;

// For each endpoint 5,000 that wait for hours, 5,000 that were delivered, 5 that are due and 3 that hold later events back.
const FILL = `insert into webhook_deliveries (marketplace_id, id, version, endpoint_id, event_id, event_type, aggregate_id, position, status,
    attempts, attempt_count, tries, next_attempt_at, delivered_at, created_at, updated_at)
  select $1, 'whd_' || e || lpad(n::text, 8, '0'), 1, e, 'evt_' || n, 'user.created', 'usr_' || n, n,
    case when n <= 5000 then 'DELIVERED' else 'PENDING' end, '[]', 1, case when n > 10005 then 1 else 5 end,
    case when n > 10005 then $2::timestamptz + interval '4 minutes'
      when n > 10000 then $2::timestamptz - interval '1 minute'
      when n > 5000 then $2::timestamptz + interval '9 hours' end,
    case when n <= 5000 then $2::timestamptz end, $2::timestamptz, $2::timestamptz
  from unnest($3::text[]) e, generate_series(1, 10008) n`;

type Plan = {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};

/** How many rows of the log were looked at. */
const readIn = (plan: Plan): number => {
  const removed = plan['Rows Removed by Filter'] ?? 0;
  const own =
    plan['Relation Name'] === 'webhook_deliveries' ? (plan['Actual Rows'] + removed) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + readIn(each), own);
};

const openFilled = async (t: TestContext) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const sent: Sent[] = [];
  const pool = openPool(
    overheard(connection, (one) => void sent.push(one)),
    { max: 1, onError() {} },
  );
  afterwards(t, () => pool.end());
  await pool.query(FILL, [MARKETPLACE, SOON, ENDPOINTS]);
  /** The rows that the read returned, and how many it looked at. */
  const measure = async (read: () => Promise<readonly unknown[]>) => {
    const rows = await read();
    const { text, values } = sent.at(-1)!;
    const { rows: plans } = await pool.query(`explain (analyze, format json) ${text}`, [...values]);
    return [rows.length, readIn(plans[0]['QUERY PLAN'][0].Plan)];
  };
  return { pool, measure, deliveries: createPendingReads(pool) };
};

for (const isAnalysed of [false, true]) {
  test(`a round and a start read only what they need, ${isAnalysed ? 'with' : 'without'} statistics`, async (t) => {
    const { pool, measure, deliveries } = await openFilled(t);
    if (isAnalysed) await pool.query('analyze webhook_deliveries');
    const of = { marketplaceId: MARKETPLACE, dueBy: SOON, limit: LIMIT };
    assert.deepEqual(await measure(() => deliveries.due({ ...of, endpointIds: ENDPOINTS })), [10, 10]);
    assert.deepEqual(await measure(() => deliveries.pending({ ...of, endpointId: 'whe_1' })), [8, 8]);
    const waiting = () => deliveries.waiting({ marketplaceId: MARKETPLACE, endpointId: 'whe_1', limit: LIMIT });
    assert.deepEqual(await measure(waiting), [LIMIT, LIMIT]);
  });
}

test('a start reads first what holds later events back, in order, and a round what was due first', async (t) => {
  const { deliveries } = await openFilled(t);
  const of = { marketplaceId: MARKETPLACE, dueBy: SOON };
  const first = await deliveries.pending({ ...of, endpointId: 'whe_2', limit: 2 });
  assert.deepEqual(
    first.map(({ id }) => id),
    ['whd_whe_200010006', 'whd_whe_200010007', 'whd_whe_200010001', 'whd_whe_200010002'],
  );
  const due = await deliveries.due({ ...of, endpointIds: ENDPOINTS, limit: 1 });
  assert.deepEqual(due.map(({ endpointId, id }) => `${endpointId} ${id}`).sort(), [
    'whe_1 whd_whe_100010001',
    'whe_2 whd_whe_200010001',
  ]);
});

test('what waits for a deleted endpoint is neither counted nor kept longer than the rest of the log', async (t) => {
  const app = await openSending(t);
  const gone = await anEndpoint(t, app);
  const other = await anEndpoint(t, app);
  for (const { receiver } of [gone, other]) receiver.answer({ status: 500 });
  await app.aUser();
  for (const { receiver, settled } of [gone, other]) {
    await receiver.count(1);
    await settled(receiver.received[0]!.event.eventId, 'PENDING');
  }
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const { countPending } = createDeliveryReads(pool);
  const before = await countPending();
  assert.equal((await app.call(`DELETE /webhook-endpoints/${gone.id}`)).status, 200);
  assert.equal(await countPending(), before - 1);
  await trimDeliveries(pool, { olderThan: new Date(Date.now() + 60_000).toISOString(), batch: 100 });
  const left = await app.sql('select endpoint_id from webhook_deliveries');
  assert.deepEqual(left, [{ endpoint_id: other.id }]);
});
