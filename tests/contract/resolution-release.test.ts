// POST /orders/{orderId}/resolution/release: every status, the checks in the specification's order, and what is credited.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, openOrders, openSharedOrders } from '../orders/order-stand.ts';

const release = (id: string): string => `POST /orders/${id}/resolution/release`;

test('200: the order is closed, the seller is credited less the fee, and the reason is in the audit trail (defects 1, 13, 14)', async (t) => {
  const { app, people, funded, reserved, expect, balance, contractOf, assertSound } = await openSharedOrders(t);
  const who = await people();
  const { id } = await funded(who, { amount: '10.01', metadata: { platformFee: 2.5 } });
  // Another order of the same buyer holds its reservation throughout.
  await reserved(who, { amount: '500.00' });
  const order = await expect(release(id), { body: { reason: 'Delivered' }, status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'RELEASED', 'RELEASED']);
  assert.ok(order.escrow.releasedAt);
  assert.deepEqual(await balance(who.buyer), { available: '489.99', reserved: '500.00' });
  // 10.01 less 2.5 % is 9.75975; what is shown is cut off and never rounded up.
  assert.deepEqual(await balance(who.seller), { available: '9.75', reserved: '0.00' });
  const rows = await app.sql(
    `select balance::text as units from accounts where id in ($1, 'platform:fees:USD') order by id`,
    [`${who.seller}:available:USD`],
  );
  assert.deepEqual(rows.map(({ units }) => units).sort(), ['2502500', '97597500']);
  assert.equal((await contractOf(order)).flags.released, true);
  const logs = await expect(`GET /audit/logs?resourceId=${id}&action=RELEASE_REQUESTED`, { status: 200 });
  assert.deepEqual([logs.length, logs[0].payloadAfter.reason], [1, 'Delivered']);
  const [event] = await app.sql(`select envelope::jsonb as e from events where event_type = 'order.released'`);
  assert.equal(event.e.payload.amount, '9.75');
  assert.equal(event.e.metadata.platformFee, '0.25');
  await assertSound();
});

test('200 for an order of two milestones: every milestone is really released (defect 15)', async (t) => {
  const { people, funded, completeAll, expect, contractOf } = await openSharedOrders(t);
  const order = await funded(await people(), { milestones: ['25.00', '75.00'] });
  await completeAll(order);
  await expect(release(order.id), { status: 200 });
  const contract = await contractOf(order);
  assert.deepEqual(
    contract.milestones.map(({ flags }: { flags: { released: boolean } }) => flags.released),
    [true, true],
  );
});

test('400 VALIDATION_ERROR for a property that is unknown; nothing changes', async (t) => {
  const { app, people, funded, get } = await openSharedOrders(t);
  const { id } = await funded(await people());
  assert.equal(codeOf(await app.call(release(id), { body: { why: 'x' } })), '400 VALIDATION_ERROR');
  assert.equal(codeOf(await app.call(release(id), { body: { reason: 7 } })), '400 VALIDATION_ERROR');
  assert.equal((await get(id)).status, 'IN_PROGRESS');
});

test('404 for no such order; 400 INVALID_STATE without an escrow, before it is funded, and once it is closed', async (t) => {
  const { app, people, createOrder, withEscrow, funded, expect, balance } = await openSharedOrders(t);
  const who = await people();
  assert.equal(codeOf(await app.call(release('ord_nobody'))), '404 ORDER_NOT_FOUND');
  const { id } = await createOrder(who);
  assert.equal(codeOf(await app.call(release(id))), '400 INVALID_STATE');
  const early = await withEscrow(who);
  assert.equal(codeOf(await app.call(release(early.id))), '400 INVALID_STATE');
  const done = await funded(who);
  await expect(release(done.id), { status: 200 });
  const after = await balance(who.seller);
  assert.equal(codeOf(await app.call(release(done.id))), '400 INVALID_STATE');
  const body = { reason: 'no' };
  assert.equal(codeOf(await app.call(`POST /orders/${done.id}/resolution/refund`, { body })), '400 INVALID_STATE');
  assert.deepEqual(await balance(who.seller), after);
});

test('400 INVALID_STATE names the milestones that are not completed', async (t) => {
  const { app, people, funded, expect } = await openSharedOrders(t);
  const { id } = await funded(await people(), { milestones: ['20.00', '30.00', '50.00'] });
  await expect(`POST /orders/${id}/milestones/m2/complete`, { status: 201 });
  const answer = await app.call(release(id));
  assert.equal(codeOf(answer), '400 INVALID_STATE');
  assert.match(answer.body.error.message, /m1, m3/);
  assert.deepEqual(answer.body.error.details.incompleteMilestones, ['m1', 'm3']);
});

test('400 INVALID_STATE while a dispute is open', async (t) => {
  const { app, people, disputed } = await openSharedOrders(t);
  const { orderId } = await disputed(await people());
  assert.equal(codeOf(await app.call(release(orderId))), '400 INVALID_STATE');
});

test('500 INTERNAL_ERROR when the provider refuses: back to IN_PROGRESS, and asking again skips what is done (defect 10)', async (t) => {
  const { app, people, funded, expect, fault, get, balance, assertSound } = await openOrders(t);
  const who = await people();
  const { id } = await funded(who);
  await fault('release', 'refusal');
  assert.equal(codeOf(await app.call(release(id))), '500 INTERNAL_ERROR');
  const order = await get(id);
  assert.deepEqual([order.status, order.escrow.status, order.operation], ['IN_PROGRESS', 'FUNDED', null]);
  assert.deepEqual(await balance(who.seller), { available: '0.00', reserved: '0.00' });
  await expect(release(id), { status: 200 });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await assertSound();
});
