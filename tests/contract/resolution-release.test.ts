// POST /orders/{orderId}/resolution/release: every status, and what is credited. What is refused by the body, without an order or
// before it is funded is in orders-too-early, in a dispute in disputes-open, with open milestones in orders-milestones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { ordersIn } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';

const server = shareInFile(async (t) => ordersIn(await openApp(t, { sandbox: true })));

const release = (id: string): string => `POST /orders/${id}/resolution/release`;

test('200: the order is closed, the seller is credited less the fee, and the reason is in the audit trail (defects 1, 13, 14); 400 INVALID_STATE afterwards', async () => {
  const { app, parties, anOrder, expect, balance, contractOf, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, amount: '10.01', metadata: { platformFee: 2.5 } });
  // Another order of the same buyer holds its reservation throughout.
  await anOrder({ at: 'FUNDS_RESERVED', between: who, amount: '500.00' });
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
  const released = `select envelope::jsonb as e from events where event_type = 'order.released' and aggregate_id = $1`;
  const [event] = await app.sql(released, [id]);
  assert.equal(event.e.payload.amount, '9.75');
  assert.equal(event.e.metadata.platformFee, '0.25');
  assert.equal(codeOf(await app.call(release(id))), '400 INVALID_STATE');
  const refund = { body: { reason: 'no' } };
  assert.equal(codeOf(await app.call(`POST /orders/${id}/resolution/refund`, refund)), '400 INVALID_STATE');
  assert.deepEqual(await balance(who.seller), { available: '9.75', reserved: '0.00' });
  await assertSound();
});

test('500 INTERNAL_ERROR when the provider refuses: back to IN_PROGRESS (defect 10); asked again, every milestone is really released (defect 15)', async () => {
  const { app, parties, anOrder, completeAll, expect, fault, get, balance, contractOf, assertSound } = server();
  const who = await parties();
  const { id, milestones } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['25.00', '75.00'] });
  await completeAll({ id, milestones });
  await fault('release', 'refusal', { match: id });
  assert.equal(codeOf(await app.call(release(id))), '500 INTERNAL_ERROR');
  const order = await get(id);
  assert.deepEqual([order.status, order.escrow.status, order.operation], ['IN_PROGRESS', 'FUNDED', null]);
  assert.deepEqual(await balance(who.seller), { available: '0.00', reserved: '0.00' });
  // What was done before the refusal is not done again: the contract would refuse it.
  await expect(release(id), { status: 200 });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  const contract = await contractOf(order);
  assert.deepEqual(
    contract.milestones.map(({ flags }: { flags: { released: boolean } }) => flags.released),
    [true, true],
  );
  await assertSound();
});
