// A request whose operation is busy makes the next attempt itself, so it answers with the outcome of this attempt and not with a later one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATION_KINDS } from '@holdfast/contract/states.ts';
import { systemClock } from '../../server/src/base/instant.ts';
import { type Context, command } from '../../server/src/commit/command.ts';
import { createCommitter } from '../../server/src/commit/committer.ts';
import type { Operation } from '../../server/src/modules/operations/operation.ts';
import { busy, type OperationOutcome, waiting } from '../../server/src/modules/operations/operation-context.ts';
import { createOperations } from '../../server/src/modules/operations/operations.ts';
import { createOperationReads } from '../../server/src/modules/operations/queries.ts';
import { createOrderReads } from '../../server/src/modules/orders/queries.ts';
import { openLane, openPool } from '../../server/src/postgres/connection.ts';
import { ORDER_TABLES, TABLES } from '../../server/src/registry.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openSharedOrders } from '../support/order-fixture.ts';

/** Stands for the command of a request, which writes the row of a new operation. */
const readOperation = command<string, Operation>({
  name: 'read-operation',
  needs: (id) => ({ rows: [{ table: 'operations', id }] }),
  decide: (id, work) => work.get('operations', id),
});

type Running = { readonly marketplaceId: string; readonly id: string };

test('a request answers with the first outcome after a busy attempt, however fast this attempt is', async (t) => {
  const { app, anOrder, fault } = await openSharedOrders(t);
  const { id: orderId } = await anOrder({ at: 'FUNDS_RESERVED' });
  // The operation keeps running: the provider never shows the contract.
  await fault('deploy', 'no-contract-id', { match: orderId });
  await fault('get-escrow', 'refusal', { match: orderId, count: 10_000 });
  await app.call(`POST /orders/${orderId}/escrow`);
  const [running] = (await app.sql(
    `select marketplace_id as "marketplaceId", id from operations where order_id = $1 and state = 'RUNNING'`,
    [orderId],
  )) as Running[];
  assert.ok(running);

  const pool = openPool(app.connection, { max: 2, onError() {} });
  const { submit, close } = createCommitter({
    tables: TABLES,
    connect: () => openLane(app.connection),
    clock: systemClock,
    lanes: 1,
    groupMax: 64,
    queueMax: 512,
    patienceMs: 10_000,
    onEvents() {},
    onTrouble() {},
  });
  const outcomes: OperationOutcome[] = [busy(), { kind: 'waiting', reason: 'named later', isAnswered: true }];
  const attempt = async (): Promise<OperationOutcome> => outcomes.shift() ?? waiting('a later attempt');
  const { find, listDue, listRunning } = createOperationReads(pool);
  const operations = createOperations({
    submit,
    handlers: Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, attempt] as const)) as never,
    findOrder: createOrderReads(pool, ORDER_TABLES).find,
    findOperation: find,
    listDue,
    listRunning,
    waitMs: 30_000,
    onTrouble: (_message, error) => assert.fail(String(error)),
  });
  afterwards(t, async () => {
    await operations.close();
    await close();
    await pool.end();
  });
  const context = { marketplaceId: running.marketplaceId, actor: { type: 'system', id: 'test' }, requestId: 'busy' };
  // The first wait of a timer is shorter than the pause of a request.
  await app.sql('update operations set attempts = 0, version = version + 1 where id = $1', [running.id]);
  await operations.start({ command: readOperation, input: running.id, context: context as Context });
  assert.deepEqual(outcomes, []);
});
