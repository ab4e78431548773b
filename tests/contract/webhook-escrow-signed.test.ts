// POST /webhooks/escrow-provider with the provider's signature: each event does what a request would have done, in the
// same commit as the event itself, and never twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, dataOf, openSharedWebhooks, units, type WebhookFixture } from './webhook-escrow-fixture.ts';

/** A funded order that a forged event leaves as it is, and that a genuine one then releases. */
const funded = shareInFile(async (t) => {
  const fixture = await openSharedWebhooks(t);
  const who = await fixture.parties();
  return { fixture, who, order: await fixture.anOrder({ at: 'IN_PROGRESS', between: who }) };
});

/** An order whose contract is deployed and which the server has not heard of yet. */
const unnamed = async (fixture: WebhookFixture, who: { buyer: string; seller: string }, ask = {}): Promise<Any> => {
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who, ...ask });
  await fixture.fault('deploy', 'no-contract-id', { match: id });
  await fixture.fault('get-escrow', 'refusal', { match: id, count: 10_000 });
  const order = await fixture.expect(`POST /orders/${id}/escrow`, { status: 201 });
  assert.deepEqual([order.status, order.escrow.status], ['ESCROW_CREATING', 'CREATING']);
  return order;
};

const contractFor = async ({ simulator }: WebhookFixture, orderId: string): Promise<string> =>
  (await simulator('GET /state')).contracts.find((one: Any) => one.engagementId === orderId).contractId;

test('200 for every event of an order, from its contract to its release, with the money and events of requests', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const { deliver, get, balance, eventsOf, expect } = fixture;
  const who = await fixture.parties();
  const { id } = await unnamed(fixture, who, { milestones: ['30.00', '70.00'] });
  const contractId = await contractFor(fixture, id);

  assert.equal(await deliver({ type: 'escrow.created', data: { contract_id: contractId, order_id: id } }), true);
  let order = await get(id);
  assert.deepEqual([order.status, order.escrow.status], ['ESCROW_FUNDING', 'CREATED']);
  assert.equal(order.escrow.providerContractId, contractId);
  await fixture.simulator('DELETE /faults');

  assert.equal(await deliver({ type: 'escrow.funding_started', data: { contract_id: contractId } }), true);
  assert.equal((await get(id)).escrow.status, 'FUNDING');
  const again = await fixture.app.call(`POST /orders/${id}/escrow/fund`);
  assert.equal(`${again.status} ${again.body.error.code}`, '500 INTERNAL_ERROR');
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '100.00' });

  const hash = await fixture.payIn(order);
  const told = { ...dataOf(order, await fixture.escrowRow(id)), transaction_hash: hash };
  assert.equal(await deliver({ type: 'escrow.funded', data: told }), true);
  order = await get(id);
  assert.deepEqual([order.status, order.escrow.status], ['IN_PROGRESS', 'FUNDED']);
  assert.ok(order.escrow.fundedAt);
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '0.00' });

  for (const [ref, amount] of [
    ['m1', '30.00'],
    ['m2', '70.00'],
  ] as const) {
    const data = { contract_id: contractId, milestone_ref: ref, amount: units(amount), currency: 'USD' };
    assert.equal(await deliver({ type: 'escrow.milestone_completed', data }), true);
  }
  assert.deepEqual(
    (await get(id)).milestones.map((milestone: Any) => milestone.status),
    ['COMPLETED', 'COMPLETED'],
  );

  const { transaction_hash, ...settled } = told;
  assert.equal(await deliver({ type: 'escrow.released', data: settled }), true);
  order = await get(id);
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'RELEASED', 'RELEASED']);
  assert.ok(order.escrow.releasedAt);
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  assert.deepEqual((await eventsOf(id)).slice(3), [
    ...['order.escrow_creating', 'escrow.created', 'order.escrow_funding', 'escrow.funding_started'],
    ...['balance.released', 'escrow.funded', 'order.escrow_funded', 'order.in_progress'],
    ...['escrow.milestone_completed', 'escrow.milestone_completed', 'order.release_requested'],
    ...['escrow.released', 'balance.credited', 'order.released', 'order.closed'],
  ]);
  const audited = await fixture.audited('WEBHOOK_TAKEN');
  assert.equal(audited.length, 6);
  for (const { result, actor_type: actor, actor_id: name } of audited) {
    assert.deepEqual([result, actor, name], ['SUCCESS', 'system', 'escrow-provider']);
  }
  const proof = await expect('GET /audit/proof', { status: 200 });
  assert.equal(proof.holds, true);
});

test('200 for escrow.milestone_completed with the amount of the milestone, of the escrow, or none', async () => {
  const { fixture } = funded();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['20.00', '30.00', '50.00'] });
  for (const [ref, amount] of [
    ['m1', units('20.00')],
    ['m2', units('100.00')],
    ['m3', null],
  ] as const) {
    const data = { ...dataOf(order, await fixture.escrowRow(order.id)), milestone_ref: ref, amount };
    assert.equal(await fixture.deliver({ type: 'escrow.milestone_completed', data }), true, ref);
  }
  const done = (await fixture.get(order.id)).milestones.map((milestone: Any) => milestone.status);
  assert.deepEqual(done, ['COMPLETED', 'COMPLETED', 'COMPLETED']);
});

test('200 for escrow.refunded closes the order and gives the buyer everything back', async () => {
  const { fixture } = funded();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const data = dataOf(order, await fixture.escrowRow(order.id));
  assert.equal(await fixture.deliver({ type: 'escrow.refunded', data }), true);
  const { status, finalStatus, escrow } = await fixture.get(order.id);
  assert.deepEqual([status, finalStatus, escrow.status], ['CLOSED', 'REFUNDED', 'REFUNDED']);
  assert.deepEqual(await fixture.balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  assert.deepEqual(await fixture.balance(who.seller), { available: '0.00', reserved: '0.00' });
  assert.deepEqual((await fixture.eventsOf(order.id)).slice(-5), [
    ...['order.refund_requested', 'escrow.refunded', 'balance.credited', 'order.refunded', 'order.closed'],
  ]);
});

test('200 for escrow.disputed opens a dispute that has to be resolved like any other', async () => {
  const { fixture } = funded();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS' });
  const data = { order_id: order.id };
  assert.equal(await fixture.deliver({ type: 'escrow.disputed', data }), true);
  const { status, escrow, dispute } = await fixture.get(order.id);
  assert.deepEqual([status, escrow.status, dispute.status], ['DISPUTED', 'DISPUTED', 'OPEN']);
  assert.deepEqual([dispute.openedBy, dispute.reason, dispute.evidence], ['BUYER', 'OTHER', null]);
  assert.deepEqual((await fixture.eventsOf(order.id)).slice(-2), ['dispute.opened', 'order.disputed']);
  const release = await fixture.app.call(`POST /orders/${order.id}/resolution/release`);
  assert.equal(`${release.status} ${release.body.error.code}`, '400 INVALID_STATE');
});

test('401 WEBHOOK_SIGNATURE_INVALID leaves no trace of the event', async () => {
  const { fixture, order } = funded();
  const event_id = `forged-${order.id}`;
  const body = JSON.stringify({ type: 'escrow.released', event_id, data: { order_id: order.id } });
  const answer = await fixture.send(body, { 'x-escrow-signature': '0'.repeat(64) });
  assert.deepEqual([answer.status, answer.body.error.code], [401, 'WEBHOOK_SIGNATURE_INVALID']);
  const kept = await fixture.app.sql('select id from webhook_events where id = $1', [`escrow-provider:${event_id}`]);
  assert.deepEqual(kept, []);
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
});

test('a repeat is answered alike and applied once, however many come at the same moment', async () => {
  const { fixture, who, order } = funded();
  const told = { type: 'escrow.released', eventId: 'twenty', data: { order_id: order.id } };
  const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.deliver(told)));
  assert.deepEqual(new Set(answers), new Set([true]));
  assert.equal(await fixture.deliver(told), true);
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
  const { state, attempts, signed, subject_id: subject } = await fixture.eventRow('twenty');
  assert.deepEqual(
    { state, attempts, signed, subject },
    { state: 'PROCESSED', attempts: 1, signed: true, subject: order.id },
  );
  const taken = (await fixture.audited('WEBHOOK_TAKEN')).filter(({ resource_id: id }) => id.endsWith('-twenty'));
  assert.equal(taken.length, 1);
  assert.equal((await fixture.eventsOf(order.id)).filter((type) => type === 'order.released').length, 1);
});

test('an event that cannot be applied is kept with its reason, and applied when it is repeated and can be (defect 21)', async (t) => {
  const fixture = await openSharedWebhooks(t);
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const told = { type: 'escrow.released', eventId: 'too-early', data: { order_id: order.id } };
  assert.equal(await fixture.deliver(told), false);
  assert.equal(await fixture.deliver(told), false);
  const failed = await fixture.eventRow('too-early');
  assert.deepEqual([failed.state, failed.attempts, failed.subject_id], ['FAILED', 2, order.id]);
  assert.match(failed.failure, /the order is ESCROW_FUNDING/);
  assert.equal((await fixture.get(order.id)).status, 'ESCROW_FUNDING');
  const audited = await fixture.audited('WEBHOOK_FAILED');
  assert.deepEqual(
    audited.map(({ result, resource_type: type }) => [result, type]),
    [
      ['FAILURE', 'WebhookEvent'],
      ['FAILURE', 'WebhookEvent'],
    ],
  );
  await fixture.expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  assert.equal(await fixture.deliver(told), true);
  const taken = await fixture.eventRow('too-early');
  assert.deepEqual([taken.state, taken.attempts, taken.failure], ['PROCESSED', 3, null]);
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
});
