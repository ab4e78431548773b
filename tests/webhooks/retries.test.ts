// How often a delivery is tried: ten times, and ten times again after a replay or a retry of one that was given up.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  retried,
  WEBHOOK_DELIVERIES,
  type WebhookDelivery,
} from '../../server/src/modules/webhook-deliveries/delivery.ts';
import { createDeliveryReads } from '../../server/src/modules/webhook-deliveries/queries.ts';
import { createRecordDeliveries } from '../../server/src/modules/webhook-deliveries/record-deliveries.ts';
import { lockRows, writeRows } from '../../server/src/modules/webhook-deliveries/record-rows.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const MARKETPLACE = 'mkt_shop';
const DELIVERY = 'whd_1';
const NOW = '2026-11-17T12:00:00.000000Z';
const TRIES = 10;

/** The waits of the documentation, in seconds. */
const WAITS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const openLog = async (t: TestContext) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const pool = openPool(connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const record = createRecordDeliveries(pool);
  const reads = createDeliveryReads(pool);
  const find = async (): Promise<WebhookDelivery> => (await reads.find(MARKETPLACE, DELIVERY))!;
  let attempts = 0;
  const fail = async (): Promise<WebhookDelivery> => {
    const error = 'The receiver answered 500.';
    const requestId = `req_${++attempts}`;
    const attempt = { at: NOW, status: 500, durationMs: 1, error, responseHead: null, requestId };
    const event = { eventId: 'evt_1', eventType: 'user.created', aggregateId: 'usr_1', position: 1n, createdAt: NOW };
    const sent = { attempt, retryAfterMs: null, ends: null, deliveryId: DELIVERY, endpointId: 'whe_1', event } as const;
    await record({ marketplaceId: MARKETPLACE, now: NOW, sent: [sent], progress: [] });
    return find();
  };
  return { pool, find, fail };
};

type Log = Awaited<ReturnType<typeof openLog>>;

/** Fails until the delivery is given up. */
const assertAllTries = async ({ fail }: Log): Promise<void> => {
  for (const waitS of WAITS_S) {
    const { status, nextAttemptAt } = await fail();
    assert.deepEqual([status, (Date.parse(nextAttemptAt!) - Date.parse(NOW)) / 1_000], ['PENDING', waitS]);
  }
  const { status, nextAttemptAt, tries } = await fail();
  assert.deepEqual([status, nextAttemptAt, tries], ['FAILED', null, TRIES]);
};

test('a delivery is given up after ten tries; when a replay sends it again it has all of them again', async (t) => {
  const log = await openLog(t);
  await assertAllTries(log);
  await assertAllTries(log);
  assert.equal((await log.find()).attemptCount, 2 * TRIES);
});

test('a retry of one that was given up has all tries again', async (t) => {
  const log = await openLog(t);
  await assertAllTries(log);
  const place = { table: WEBHOOK_DELIVERIES, marketplaceId: MARKETPLACE };
  const client = await log.pool.connect();
  const rows = await lockRows<'webhookDeliveries'>(client, { ...place, ids: [DELIVERY] });
  const again = [...rows.values()].map(({ version, row }) => ({ version, row: retried(row, NOW) }));
  await writeRows(client, { ...place, rows: again });
  client.release();
  await assertAllTries(log);
});
