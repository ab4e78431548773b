// The correction adopt-contract-state: an order is brought to the state of its contract, as the provider and the ledger show it together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openSharedWebhooks, openWebhooks, type WebhookFixture } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { assertProof } from '../support/checks.ts';
import { type Any, corrections, openBreaks } from './correct.ts';

const KIND = 'adopt-contract-state';

const statuses = ({ milestones }: Any): string[] => milestones.map(({ status }: Any) => status);

/** The proof holds, and the books have what the contract paid: the transactions of our wallets are adopted in the background. */
const untilAdopted = async ({ app }: Pick<WebhookFixture, 'app'>, { escrow }: Any): Promise<void> => {
  const holding = `contract:${escrow.providerContractId}:USD`;
  await until(async () => {
    const [row] = await app.sql('select balance::text as balance from accounts where id = $1', [holding]);
    return row.balance === '0';
  }, 'an empty contract in the books');
  await assertProof(app);
};

/** Disputes a contract and lets it pay both sides, without the server's knowledge. */
const splitOutside = async ({ act, escrowRow }: WebhookFixture, order: Any, sellerUnits: bigint): Promise<void> => {
  const { buyer, seller, amount } = await escrowRow(order.id);
  await act(order.id, 'buyer', { kind: 'dispute' });
  const shares = [
    { address: seller.address, amount: sellerUnits },
    { address: buyer.address, amount: BigInt(amount) - sellerUnits },
  ];
  await act(order.id, 'platform', { kind: 'resolve', shares });
};

test('a release that a false webhook reported is undone, and the order is released for real', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, deliver, get, balance, expect, contractOf, assertSound } = fixture;
  const { make, refuse } = corrections(app);
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who });
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: order.id } }), true);
  assert.equal(
    codeOf(await app.call(`POST /orders/${order.id}/resolution/refund`, { body: { reason: 'late' } })),
    '400 INVALID_STATE',
  );
  const made = await make({ kind: KIND, resourceId: order.id });
  assert.deepEqual([made.amount, made.after.steps], ['100.00', ['reopen']]);
  const { orderStatus, finalStatus, inEscrow, sellerAvailable } = made.before;
  assert.deepEqual([orderStatus, finalStatus, inEscrow, sellerAvailable], ['CLOSED', 'RELEASED', '0.00', '95.00']);
  const { after } = made;
  assert.deepEqual([after.orderStatus, after.escrowStatus, after.inEscrow], ['IN_PROGRESS', 'FUNDED', '100.00']);
  assert.equal((await balance(who.seller)).available, '0.00');
  await assertSound();
  await refuse({ kind: KIND, resourceId: order.id }, /Nothing is left to correct/);
  await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
  assert.equal((await contractOf(order)).balance, 0);
  assert.deepEqual([(await get(order.id)).finalStatus, (await balance(who.seller)).available], ['RELEASED', '95.00']);
  const { totals } = await expect('GET /reports/activity', { status: 200 });
  const { ordersSettled, releasedToSellers, platformFees } = totals;
  assert.deepEqual([ordersSettled, releasedToSellers, platformFees], [1, '95.00', '5.00']);
  await assertSound();
});

test('a refund that a false webhook reported is undone only when the buyer has the money', async (t) => {
  const { app, parties, anOrder, deliver, balance, expect, assertSound } = await openSharedWebhooks(t);
  const { make, refuse } = corrections(app);
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who });
  assert.equal(await deliver({ type: 'escrow.refunded', data: { order_id: id } }), true);
  await expect(`POST /users/${who.buyer}/balance/debit`, { status: 200, body: { amount: '950.00' } });
  const facts = await refuse({ kind: KIND, resourceId: id }, /has 50.00 USD of the 100.00 .*balance\/credit/);
  assert.deepEqual([facts.finalStatus, facts.inContract], ['REFUNDED', '100.0000000']);
  await expect(`POST /users/${who.buyer}/balance/credit`, { status: 200, body: { amount: '50.00' } });
  await make({ kind: KIND, resourceId: id });
  assert.deepEqual(await balance(who.buyer), { available: '0.00', reserved: '0.00' });
  await assertSound();
});

test('a funding that a false webhook reported is undone, and the order can be funded or canceled', async (t) => {
  const { app, parties, anOrder, deliver, get, balance, expect, assertSound } = await openSharedWebhooks(t);
  const { make } = corrections(app);
  for (const isFunded of [true, false]) {
    const who = await parties();
    const { id } = await anOrder({ at: 'ESCROW_FUNDING', between: who });
    assert.equal(await deliver({ type: 'escrow.funded', data: { order_id: id } }), true);
    assert.equal((await get(id)).status, 'IN_PROGRESS');
    // Closed by a second false report: both are undone.
    if (!isFunded) assert.equal(await deliver({ type: 'escrow.released', data: { order_id: id } }), true);
    const { after } = await make({ kind: KIND, resourceId: id });
    assert.deepEqual(after.steps, isFunded ? ['undo-funding'] : ['reopen', 'undo-funding']);
    assert.deepEqual([after.orderStatus, after.escrowStatus, after.inEscrow], ['ESCROW_FUNDING', 'CREATED', '0.00']);
    assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '100.00' });
    await assertSound();
    if (isFunded) await expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
    else await make({ kind: 'cancel-unfunded-order', resourceId: id });
    assert.deepEqual(await balance(who.buyer), { available: isFunded ? '900.00' : '1000.00', reserved: '0.00' });
  }
  await assertSound();
});

test('a contract that was resolved without us settles the order with the shares of the ledger', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, get, balance, expect, openEars } = fixture;
  const { make } = corrections(app);
  for (const isDisputed of [false, true]) {
    const who = await parties();
    const order = await anOrder({ at: 'IN_PROGRESS', between: who });
    if (isDisputed) {
      const complaint = { orderId: order.id, openedBy: 'BUYER', reason: 'OTHER' };
      await expect(`POST /orders/${order.id}/resolution/dispute`, { status: 201, body: complaint });
    }
    await splitOutside(fixture, order, 600_000_000n);
    await openEars().lookAt(order);
    assert.notEqual((await get(order.id)).status, 'CLOSED', 'no poll knows who was paid');
    const { after } = await make({ kind: KIND, resourceId: order.id });
    assert.deepEqual([after.steps, after.disputeStatus, after.inEscrow], [['resolve'], 'RESOLVED', '0.00']);
    const closed = await get(order.id);
    assert.deepEqual([closed.status, closed.finalStatus], ['CLOSED', 'SPLIT']);
    assert.equal((await balance(who.seller)).available, '57.00');
    assert.equal((await balance(who.buyer)).available, '940.00');
    await untilAdopted(fixture, order);
  }
});

test('a false release of a contract that was refunded without us becomes the refund', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, deliver, resolveOutside, balance } = fixture;
  const { make } = corrections(app);
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who });
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: order.id } }), true);
  await resolveOutside(order, 'buyer');
  const { after } = await make({ kind: KIND, resourceId: order.id });
  assert.deepEqual([after.steps, after.finalStatus], [['reopen', 'resolve'], 'REFUNDED']);
  assert.deepEqual([(await balance(who.buyer)).available, (await balance(who.seller)).available], ['1000.00', '0.00']);
  await untilAdopted(fixture, order);
});

test('a release and a dispute without us are adopted as the poll would', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, act, releaseOutside, payIn, get, balance } = fixture;
  const { make, refuse } = corrections(app);
  const who = await parties();
  const released = await anOrder({ at: 'IN_PROGRESS', between: who });
  await releaseOutside(released);
  assert.deepEqual((await make({ kind: KIND, resourceId: released.id })).after.steps, ['release']);
  assert.equal((await balance(who.seller)).available, '95.00');
  await refuse({ kind: KIND, resourceId: released.id }, /Nothing is left/);
  const disputed = await anOrder({ at: 'IN_PROGRESS', between: who });
  await act(disputed.id, 'buyer', { kind: 'dispute' });
  const made = await make({ kind: KIND, resourceId: disputed.id });
  assert.deepEqual([made.amount, made.after.orderStatus], [null, 'DISPUTED']);
  await refuse({ kind: KIND, resourceId: disputed.id }, /disputes\/dsp_\w+\/resolve/);
  const funded = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await payIn(funded);
  assert.deepEqual((await make({ kind: KIND, resourceId: funded.id })).after.steps, ['confirm-funding']);
  assert.equal((await get(funded.id)).status, 'IN_PROGRESS');
  await assertProof(app);
});

test('milestones that the contract paid without us are booked one by one, and the rest goes on', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, act, escrowRow, get, balance, expect } = fixture;
  const { make, refuse } = corrections(app);
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['30.00', '30.00', '40.00'] });
  const { buyer, seller } = await escrowRow(order.id);
  await act(order.id, 'buyer', { kind: 'dispute', milestone: 0 });
  const shares = [
    { address: seller.address, amount: 100_000_000n },
    { address: buyer.address, amount: 200_000_000n },
  ];
  await act(order.id, 'platform', { kind: 'resolve', milestone: 0, shares });
  await act(order.id, 'seller', { kind: 'change-status', milestone: 1, status: 'done' });
  await act(order.id, 'buyer', { kind: 'approve', milestone: 1 });
  await act(order.id, 'buyer', { kind: 'release', milestone: 1 });
  const { after } = await make({ kind: KIND, resourceId: order.id });
  assert.deepEqual(
    [after.steps, Object.values(after.milestones)],
    [['pay-milestones'], ['RELEASED', 'RELEASED', 'OPEN']],
  );
  assert.equal((await balance(who.seller)).available, '38.00');
  assert.equal((await balance(who.buyer)).available, '920.00');
  await refuse({ kind: KIND, resourceId: order.id }, /Nothing is left/);
  await expect(`POST /orders/${order.id}/resolution/refund`, { status: 200, body: { reason: 'agreed' } });
  const closed = await get(order.id);
  assert.deepEqual([closed.finalStatus, statuses(closed)], ['SPLIT', ['RELEASED', 'RELEASED', 'REFUNDED']]);
  await untilAdopted(fixture, order);
});

test('corrections, webhooks and the poll at the same time book one settlement', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, releaseOutside, deliver, openEars, get, balance } = fixture;
  const { send } = corrections(app);
  const ears = openEars();
  for (let round = 0; round < 3; round++) {
    const who = await parties();
    const order = await anOrder({ at: 'IN_PROGRESS', between: who });
    await releaseOutside(order);
    const wanted = { kind: KIND, resourceId: order.id };
    const event = { type: 'escrow.released', data: { order_id: order.id } };
    const [first, second] = await Promise.all([send(wanted), send(wanted), deliver(event), ears.lookAt(order)]);
    const made = [first, second].filter(({ status }) => status === 201);
    assert.ok(made.length <= 1);
    for (const { status } of [first, second]) assert.ok([201, 409].includes(status), String(status));
    assert.equal((await get(order.id)).finalStatus, 'RELEASED');
    assert.equal((await balance(who.seller)).available, '95.00');
  }
  await assertProof(app);
});

test('while provider and ledger do not say the same, nothing is decided', async (t) => {
  const fixture = await openWebhooks(t, { PROVIDER_TIMEOUT_MS: '1000' });
  const { app, anOrder, fault, simulator, get, deliver } = fixture;
  const { send, make, refuse } = corrections(app);
  const { id, escrow } = await anOrder({ at: 'IN_PROGRESS' });
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: id } }), true);
  assert.deepEqual(await openBreaks(app), [`contract:${escrow.providerContractId}`]);
  for (const [operation, name] of [
    ['get-escrow', 'outage'],
    ['get-escrow', 'wrong-amount'],
    ['contract-get', 'outage'],
  ] as const) {
    await fault(operation, name, { count: 50 });
    assert.equal(codeOf(await send({ kind: KIND, resourceId: id })), '504 PROVIDER_TIMEOUT', `${operation} ${name}`);
    assert.equal((await get(id)).status, 'CLOSED');
    await simulator('DELETE /faults');
  }
  await make({ kind: KIND, resourceId: id });
  assert.deepEqual(await openBreaks(app), []);
  const other = await anOrder({ at: 'FUNDS_RESERVED' });
  await refuse({ kind: KIND, resourceId: other.id }, /has no contract/);
  assert.equal(codeOf(await send({ kind: KIND, resourceId: 'ord_unknown' })), '404 ORDER_NOT_FOUND');
  await fixture.assertSound();
});

test('a release that ends while the contract is read is not taken for one that was never made', async (t) => {
  const { app, parties, anOrder, fault, unmetFaults, escrowRow, expect, get, balance, assertSound } =
    await openWebhooks(t);
  const { refuse } = corrections(app);
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who });
  const { platform } = await escrowRow(id);
  // The last read of the look: what the buyer's wallet has done was read before.
  await fault('account', 'slow', { match: platform.address, delayMs: 6_000 });
  const refused = refuse({ kind: KIND, resourceId: id }, /has changed|runs on the order/);
  await until(async () => (await unmetFaults()).length === 0, 'the last read of the look');
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  await refused;
  assert.equal((await get(id)).finalStatus, 'RELEASED');
  assert.equal((await balance(who.seller)).available, '95.00');
  await assertSound();
});
