// The payment of a milestone while the provider refuses, does not answer, or shows what was not requested here.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { openOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const server = shareInFile((t) => openOrders(t, { env: { OPERATION_WAIT_MS: '1000', PROVIDER_TIMEOUT_MS: '1000' } }));

const at = (id: string, ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;
const body = { reason: 'Not delivered' };

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const statuses = (order: Any): string[] => order.milestones.map(({ status }: Any) => status);

test('500 when the platform cannot resolve: the milestone is as before, and a release of it still works', async () => {
  const { app, parties, anOrder, expect, fault, get, balance, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['40.00', '60.00'] });
  await expect(at(id, 'm1', 'complete'), { status: 201 });
  await fault('resolve', 'refusal', { match: id });
  assert.equal(codeOf(await app.call(at(id, 'm1', 'refund'), { body })), '500 INTERNAL_ERROR');
  const order = await get(id);
  assert.deepEqual([order.status, order.operation, statuses(order)], ['IN_PROGRESS', null, ['COMPLETED', 'OPEN']]);
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '0.00' });
  // On the ledger this milestone is in dispute now, so that only a resolution can pay the seller.
  const paid = await expect(at(id, 'm1', 'release'), { status: 200 });
  assert.deepEqual(statuses(paid), ['RELEASED', 'OPEN']);
  assert.deepEqual(await balance(who.seller), { available: '38.00', reserved: '0.00' });
  const failed = await app.sql(`select payload_after from audit_entries where action = 'MILESTONE_REFUND_FAILED'`);
  assert.equal(failed.length, 1);
  await assertSound();
});

test('504 when the ledger does not answer: no other payment begins, other milestones can be completed, and it ends once by itself', async () => {
  const { app, parties, anOrder, expect, fault, get, balance, eventsOf, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['40.00', '60.00'] });
  await expect(at(id, 'm1', 'complete'), { status: 201 });
  await fault('release', 'outage', { match: id, count: 20 });
  assert.equal(codeOf(await app.call(at(id, 'm1', 'release'))), '504 PROVIDER_TIMEOUT');
  const { operation } = await get(id);
  assert.equal(operation.kind, 'release-milestone');
  const requests: readonly (readonly [string, object])[] = [
    [at(id, 'm1', 'release'), {}],
    [at(id, 'm2', 'refund'), body],
    [at(id, 'm2', 'dispute'), { openedBy: 'BUYER', reason: 'OTHER' }],
    [`POST /orders/${id}/resolution/refund`, body],
    [`POST /orders/${id}/resolution/dispute`, { orderId: id, openedBy: 'BUYER', reason: 'OTHER' }],
    [`POST /orders/${id}/cancel`, {}],
  ];
  for (const [request, asked] of requests) {
    const answer = await app.call(request, { body: asked });
    assert.equal(codeOf(answer), '400 INVALID_STATE', request);
    assert.equal(answer.body.error.details.operation?.id, operation.id, request);
  }
  await expect(at(id, 'm2', 'complete'), { status: 201 });
  await server().simulator('DELETE /faults');
  await until(async () => (await get(id)).operation === null, 'the end of the operation');
  assert.deepEqual(statuses(await get(id)), ['RELEASED', 'COMPLETED']);
  assert.deepEqual(await balance(who.seller), { available: '38.00', reserved: '0.00' });
  const events = await eventsOf(id);
  assert.equal(events.filter((type) => type === 'order.milestone_released').length, 1);
  await assertSound();
});

test('a milestone that was paid without a request of ours is not paid again: the request books it', async (t) => {
  const { anOrder, act, expect, get, app, parties, balance } = await openSharedWebhooks(t);
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '70.00'] });
  await expect(at(order.id, 'm1', 'complete'), { status: 201 });
  await act(order.id, 'seller', { kind: 'change-status', milestone: 0, status: 'done' });
  await act(order.id, 'buyer', { kind: 'approve', milestone: 0 });
  await act(order.id, 'buyer', { kind: 'release', milestone: 0 });
  await expect(at(order.id, 'm1', 'release'), { status: 200 });
  assert.deepEqual(statuses(await get(order.id)), ['RELEASED', 'OPEN']);
  assert.equal((await balance(who.seller)).available, '28.50');
  const own = await app.sql(
    `select 1 from ledger_transactions where state = 'SUCCEEDED' and actions -> 0 ->> 'orderId' = $1
       and actions -> 0 ->> 'call' = 'release' and purpose <> 'adopted'`,
    [order.id],
  );
  assert.deepEqual(own, []);
});

test('an event about a milestone that we paid changes nothing, and a contract that was reported as funded has to hold the rest', async (t) => {
  const { app, anOrder, payIn, deliver, expect, get } = await openSharedWebhooks(t);
  const order = await anOrder({ at: 'ESCROW_FUNDING', milestones: ['30.00', '70.00'] });
  await payIn(order);
  assert.equal(await deliver({ type: 'escrow.funded', data: { order_id: order.id } }), true);
  await expect(at(order.id, 'm1', 'complete'), { status: 201 });
  await expect(at(order.id, 'm1', 'release'), { status: 200 });
  const data = { order_id: order.id, milestone_ref: 'm1' };
  assert.equal(await deliver({ type: 'escrow.released', data }), true);
  const after = await get(order.id);
  assert.deepEqual([after.status, statuses(after)], ['IN_PROGRESS', ['RELEASED', 'OPEN']]);
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const place = { marketplaceId: app.marketplaceId, contractId: after.escrow.providerContractId as string };
  const [position] = await createBreakReads(pool).contractPositions([place]);
  assert.equal(position?.expected, 700_000_000n);
});
