// POST /webhooks/escrow-provider without a signature: a hint. What it claims counts only when the provider or the ledger
// show it themselves, and whom a decision has paid is never taken from the sender's word.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openSharedWebhooks, type WebhookFixture } from './webhook-escrow-fixture.ts';

const PARTS = ['30.00', '70.00'];

const hint = (fixture: WebhookFixture, type: string, data: Record<string, unknown>): Promise<boolean> =>
  fixture.deliver({ type, data, signed: false });

const statusOf = async (fixture: WebhookFixture, orderId: string): Promise<string> =>
  (await fixture.get(orderId)).status;

/** Funded orders of one, two and two milestones. */
const orders = shareInFile(async (t) => {
  const fixture = await openSharedWebhooks(t);
  const who = await fixture.parties();
  return {
    fixture,
    who,
    single: await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['100.00'] }),
    multi: await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones: PARTS }),
    other: await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones: PARTS }),
  };
});

test('a hint that funding began changes nothing, and one that it is done counts when all of it is there', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const data = { contract_id: order.escrow.providerContractId };
  assert.equal(await hint(fixture, 'escrow.funding_started', data), false);
  assert.equal(await hint(fixture, 'escrow.funded', data), false);
  await fixture.payIn(order, '99.9999999');
  assert.equal(await hint(fixture, 'escrow.funded', data), false);
  assert.equal((await fixture.get(order.id)).escrow.status, 'CREATED');
  assert.deepEqual(await fixture.balance(who.buyer), { available: '900.00', reserved: '100.00' });
  await fixture.payIn(order, '0.0000001');
  assert.equal(await hint(fixture, 'escrow.funded', data), true);
  assert.equal(await statusOf(fixture, order.id), 'IN_PROGRESS');
  assert.deepEqual(await fixture.balance(who.buyer), { available: '900.00', reserved: '0.00' });
  // The outsider's money is paid out like any other, and the books explain it.
  await fixture.expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
  await fixture.assertSound();
});

test('a hint that a milestone is done counts when the provider shows work on that very milestone', async () => {
  const { fixture, single, multi } = orders();
  for (const order of [single, multi]) {
    const place = order.milestones.length - 1;
    const data = { order_id: order.id, milestone_ref: `m${place + 1}` };
    assert.equal(await hint(fixture, 'escrow.milestone_completed', data), false);
    await fixture.act(order.id, 'seller', { kind: 'change-status', milestone: place, status: 'delivered' });
    if (place > 0) {
      assert.equal(await hint(fixture, 'escrow.milestone_completed', { ...data, milestone_ref: 'm1' }), false);
    }
    assert.equal(await hint(fixture, 'escrow.milestone_completed', data), true);
    const done = (await fixture.get(order.id)).milestones.map((each: Any) => each.status);
    assert.deepEqual(done, place > 0 ? ['OPEN', 'COMPLETED'] : ['COMPLETED']);
  }
});

test('a hint of a release counts when the contract, or each of its milestones, was released', async () => {
  const { fixture, who, single, multi } = orders();
  for (const [order, seller] of [
    [single, '95.00'],
    [multi, '190.00'],
  ] as const) {
    const data = { order_id: order.id, contract_id: order.escrow.providerContractId };
    assert.equal(await hint(fixture, 'escrow.released', data), false);
    if (order === multi) {
      await fixture.act(order.id, 'seller', { kind: 'change-status', milestone: 0, status: 'done' });
      await fixture.act(order.id, 'buyer', { kind: 'approve', milestone: 0 });
      await fixture.act(order.id, 'buyer', { kind: 'release', milestone: 0 });
      assert.equal(await hint(fixture, 'escrow.released', data), false, 'the other one is not released');
      await fixture.act(order.id, 'buyer', { kind: 'approve', milestone: 1 });
      await fixture.act(order.id, 'buyer', { kind: 'release', milestone: 1 });
    } else {
      await fixture.releaseOutside(order);
    }
    assert.equal(await hint(fixture, 'escrow.refunded', data), false);
    assert.equal(await hint(fixture, 'escrow.released', data), true);
    assert.equal((await fixture.get(order.id)).finalStatus, 'RELEASED');
    assert.deepEqual(await fixture.balance(who.seller), { available: seller, reserved: '0.00' });
  }
});

test('a decision does not say in whose favour it was: a hint of it counts only with the transaction that paid', async () => {
  const { fixture } = orders();
  for (const to of ['buyer', 'seller'] as const) {
    const who = await fixture.parties('100.00');
    const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
    const hash = await fixture.resolveOutside(order, to);
    const data = { order_id: order.id };
    assert.equal(await hint(fixture, 'escrow.refunded', data), false);
    assert.equal(await hint(fixture, 'escrow.released', data), false);
    assert.equal(await hint(fixture, 'escrow.released', { ...data, transaction_hash: hash }), false);
    const proven = await hint(fixture, 'escrow.refunded', { ...data, transaction_hash: hash });
    assert.equal(proven, to === 'buyer');
    assert.equal(await statusOf(fixture, order.id), to === 'buyer' ? 'CLOSED' : 'IN_PROGRESS');
    const { available } = await fixture.balance(who.buyer);
    assert.equal(available, to === 'buyer' ? '100.00' : '0.00');
    assert.deepEqual(await fixture.balance(who.seller), { available: '0.00', reserved: '0.00' });
  }
});

test('a hint of a dispute counts when the contract is in dispute', async () => {
  const { fixture, other: order } = orders();
  assert.equal(await hint(fixture, 'escrow.disputed', { order_id: order.id }), false);
  assert.equal((await fixture.get(order.id)).dispute, null);
  await fixture.act(order.id, 'seller', { kind: 'dispute', milestone: 1 });
  assert.equal(await hint(fixture, 'escrow.disputed', { order_id: order.id }), true);
  const { status, dispute } = await fixture.get(order.id);
  assert.deepEqual([status, dispute.status], ['DISPUTED', 'OPEN']);
});

/** What a hint could leave behind: rows of events and audit entries. */
const traces = async ({ app }: WebhookFixture): Promise<Any> => {
  const [row] = await app.sql(
    `select (select count(*) from webhook_events where marketplace_id = $1) as events,
      (select count(*) from audit_entries where marketplace_id = $1) as entries`,
    [app.marketplaceId],
  );
  return row;
};

test('while the provider does not answer, or shows less, a hint leaves no trace, and is taken when it is repeated', async () => {
  const { fixture } = orders();
  const who = await fixture.parties();
  for (const fault of ['wrong-amount', 'refusal'] as const) {
    const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
    // Before the money is there: the server looks for itself too.
    await fixture.fault('get-escrow', fault, { match: order.escrow.providerContractId, count: 10_000 });
    await fixture.payIn(order);
    const told = { type: 'escrow.funded', eventId: fault, data: { order_id: order.id }, signed: false };
    const before = await traces(fixture);
    assert.equal(await fixture.deliver(told), false);
    assert.deepEqual(await traces(fixture), before);
    assert.equal(await statusOf(fixture, order.id), 'ESCROW_FUNDING');
    await fixture.simulator('DELETE /faults');
    assert.equal(await fixture.deliver(told), true);
    assert.equal(await statusOf(fixture, order.id), 'IN_PROGRESS');
    assert.equal((await fixture.eventRow(fault)).state, 'PROCESSED');
  }
});

test('a hint that is refused, or that tells what is so already, leaves no row and no audit entry', async () => {
  const { fixture, who } = orders();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.atRest();
  const before = await traces(fixture);
  const useless: [string, Record<string, unknown>, boolean][] = [
    ['escrow.released', {}, false],
    ['escrow.funded', { amount: '1' }, false],
    ['escrow.released', { transaction_hash: 'ab'.repeat(32) }, false],
    ['escrow.milestone_completed', { milestone_ref: 'm9' }, false],
    ['escrow.funding_started', {}, true],
    ['escrow.funded', {}, true],
    ['escrow.created', { contract_id: order.escrow.providerContractId }, true],
  ];
  for (const [type, data, processed] of useless) {
    assert.equal(await hint(fixture, type, { order_id: order.id, ...data }), processed, type);
  }
  assert.deepEqual(await traces(fixture), before);
});
