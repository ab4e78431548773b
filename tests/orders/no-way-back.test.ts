// What must not be undone or closed: a funding that is still in progress, a funding whose envelope the ledger could still accept,
// and an order whose contract has paid only a part. Each of these could lose the money of an order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failFunding } from '../../server/src/modules/escrows/end-funding.ts';
import { OperationHeldElsewhere } from '../../server/src/modules/operations/operation-work.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openSharedWebhooks, openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';

test('a funding in progress cannot be undone by another process, nor can its order be canceled', async (t) => {
  const fixture = await openWebhooks(t, { PROVIDER_TIMEOUT_MS: '1000' });
  const { app, anOrder, fault, untilStatus, openEars, get } = fixture;
  const { id } = await anOrder({ at: 'ESCROW_FUNDING' });
  await fault('send-transaction', 'timeout', { count: 3 });
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow/fund`)), '504 PROVIDER_TIMEOUT');
  const { operation } = await get(id);
  const context = { marketplaceId: 'mkt_default', actor: { type: 'system', id: 'other' }, requestId: 'other' } as const;
  const undo = (operationId: string) =>
    openEars().submit({ command: failFunding, input: { orderId: id, operationId, reason: 'short' }, context });
  await assert.rejects(undo(operation.id), OperationHeldElsewhere);
  assert.equal(codeOf(await app.call(`POST /orders/${id}/cancel`)), '400 INVALID_STATE');
  await untilStatus(id, 'IN_PROGRESS');
  // The same late request, when the operation has ended.
  await assert.rejects(undo(operation.id), OperationHeldElsewhere);
  await fixture.assertSound();
});

test('when a funding is reported as failed the ledger no longer accepts its envelope, and the order can be canceled', async (t) => {
  const { app, parties, anOrder, fault, expect, balance, contractOf, assertSound } = await openSharedOrders(t);
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fault('fund', 'http-200-failed', { match: order.id });
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');
  const [refused] = await app.sql(`select envelope from ledger_transactions where ending = 'rejected'`);
  const late = await fetch(`${app.sandboxUrl}/ledger/transactions`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ tx: refused.envelope }),
  });
  assert.equal(late.status, 400, 'the ledger refuses the envelope');
  await expect(`POST /orders/${order.id}/cancel`, { status: 201 });
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  assert.equal((await contractOf(order)).balance, 0);
  await assertSound();
});

test('a signed event about one milestone does not close an order whose other milestones are not paid', async (t) => {
  const { anOrder, deliver, act, get } = await openSharedWebhooks(t);
  const order = await anOrder({ at: 'IN_PROGRESS', milestones: ['30.00', '70.00'] });
  await act(order.id, 'seller', { kind: 'change-status', milestone: 0, status: 'done' });
  await act(order.id, 'buyer', { kind: 'approve', milestone: 0 });
  const hash = await act(order.id, 'buyer', { kind: 'release', milestone: 0 });
  const data = { order_id: order.id, transaction_hash: hash };
  assert.equal(await deliver({ type: 'escrow.released', data }), false);
  // Where the event names the milestone, that one alone is booked.
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: order.id, milestone_ref: 'm1' } }), true);
  const { status, milestones } = await get(order.id);
  assert.deepEqual(
    [status, ...milestones.map((each: { status: string }) => each.status)],
    ['IN_PROGRESS', 'RELEASED', 'OPEN'],
  );
});

test('a contract whose balance contradicts a signed event is a difference that reconciliation shows', async (t) => {
  const { app, parties, anOrder, deliver } = await openSharedWebhooks(t);
  const who = await parties();
  const unpaid = await anOrder({ at: 'IN_PROGRESS', between: who });
  const empty = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: unpaid.id } }), true);
  assert.equal(await deliver({ type: 'escrow.funded', data: { order_id: empty.id } }), true);
  const pool = openPool(app.connection, { max: 1, onError() {} });
  afterwards(t, () => pool.end());
  const places = [unpaid, empty].map(({ escrow }) => ({
    marketplaceId: app.marketplaceId,
    contractId: escrow.providerContractId as string,
  }));
  const positions = await createBreakReads(pool).contractPositions(places);
  const expected = (order: typeof unpaid) =>
    positions.find(({ contractId }) => contractId === order.escrow.providerContractId)!.expected;
  // On the ledger the first contract still holds 100, and the second one nothing.
  assert.deepEqual([expected(unpaid), expected(empty)], [0n, 1_000_000_000n]);
});
