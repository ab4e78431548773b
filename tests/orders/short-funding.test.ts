// A funding that brings less into the contract than was sent: the rest is paid, or the part comes back. An order is never IN_PROGRESS
// with less than its amount in its contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';

const TWO = ['40.00', '60.00'];

const openFundings = async (t: Parameters<typeof openSharedOrders>[0]) => {
  const fixture = await openSharedOrders(t);
  const { app, contractOf } = fixture;
  return {
    ...fixture,
    /** What each funding of the order was signed for. */
    async fundings(orderId: string): Promise<string[]> {
      const rows = await app.sql(
        `select a ->> 'units' as units from ledger_transactions t, jsonb_array_elements(t.actions) a
         where t.state = 'SUCCEEDED' and a ->> 'call' = 'fund' and a ->> 'orderId' = $1 order by t.created_at`,
        [orderId],
      );
      return rows.map(({ units }) => units);
    },
    heldBy: async (order: Parameters<typeof contractOf>[0]) => (await contractOf(order)).balance,
  };
};

test('a funding that arrives in part is completed by a second one, which is booked apart', async (t) => {
  const { app, parties, anOrder, fault, expect, heldBy, fundings, balance, assertSound } = await openFundings(t);
  for (const [operation, name] of [
    ['send-transaction', 'wrong-amount'],
    ['fund', 'short'],
  ] as const) {
    const who = await parties();
    const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
    await fault(operation, name, { match: order.id });
    const funded = await expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
    assert.deepEqual([funded.status, await heldBy(funded)], ['IN_PROGRESS', 100], name);
    assert.deepEqual(await fundings(order.id), ['1000000000', '500000000']);
    await assertSound();
    await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
    assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  }
  await assertSound();
  const rows = await app.sql(`select calls from escrows where status = 'RELEASED' limit 1`);
  assert.deepEqual(
    rows[0].calls.filter(({ call }: { call: string }) => call === 'fund'),
    [
      { call: 'fund', milestone: null, units: '500000000' },
      { call: 'fund', milestone: null, part: 2, units: '500000000' },
    ],
  );
});

test('a funding that stays incomplete comes back, and the order can be funded with a new contract', async (t) => {
  const { app, parties, anOrder, get, fault, expect, heldBy, fundings, balance, assertSound } = await openFundings(t);
  for (const milestones of [['100.00'], TWO]) {
    const who = await parties();
    const order = await anOrder({ at: 'ESCROW_FUNDING', between: who, milestones });
    const before = await balance(who.buyer);
    await fault('fund', 'short', { match: order.id, count: 3 });
    assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
    assert.equal((await get(order.id)).status, 'FUNDS_RESERVED');
    assert.equal(await heldBy(order), 0, 'the contract has paid everything back');
    assert.deepEqual(await fundings(order.id), ['1000000000', '500000000', '250000000']);
    assert.deepEqual(await balance(who.buyer), before, 'the money of the buyer stays reserved');
    await assertSound();
    const again = await expect(`POST /orders/${order.id}/escrow`, { status: 201 });
    assert.notEqual(again.escrow.providerContractId, order.escrow.providerContractId);
    const funded = await expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
    assert.equal(await heldBy(funded), 100);
    await expect(`POST /orders/${order.id}/resolution/refund`, { body: { reason: 'never came' }, status: 200 });
    await assertSound();
  }
});

test('an order whose contract has paid an incomplete funding back can be canceled', async (t) => {
  const { app, parties, anOrder, fault, expect, heldBy, balance, assertSound } = await openFundings(t);
  for (const milestones of [['100.00'], TWO]) {
    const who = await parties();
    const order = await anOrder({ at: 'ESCROW_FUNDING', between: who, milestones });
    await fault('fund', 'short', { match: order.id, count: 3 });
    assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
    assert.equal(await heldBy(order), 0);
    const { status, finalStatus } = await expect(`POST /orders/${order.id}/cancel`, { status: 201 });
    assert.deepEqual([status, finalStatus], ['CLOSED', 'CANCELED']);
    assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  }
  await assertSound();
});

test('a signed webhook does not confirm a funding of ours that is incomplete', async (t) => {
  const { app, parties, anOrder, get, fault, deliver, eventRow, balance, untilStatus, assertSound } =
    await openSharedWebhooks(t);
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fault('fund', 'short', { match: order.id, count: 3 });
  await fault('dispute', 'refusal', { match: order.id, count: 3 });
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '504 PROVIDER_TIMEOUT');
  const data = { contract_id: order.escrow.providerContractId, order_id: order.id };
  assert.equal(await deliver({ type: 'escrow.funded', eventId: 'short', data }), false);
  assert.match((await eventRow('short')).failure, /holds 87\.50 of 100\.00/);
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '100.00' });
  // The operation continues without a request, and the part comes back.
  await untilStatus(order.id, 'FUNDS_RESERVED');
  assert.equal((await get(order.id)).escrow, null);
  await assertSound();
});
