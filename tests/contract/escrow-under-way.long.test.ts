// What is answered, listed and believed about an order while the escrow provider has not answered yet. One server for all of it,
// in which a request waits three seconds for its operation.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openWebhooks, units, type WebhookFixture } from './webhook-escrow-fixture.ts';

const server = shareInFile((t) => openWebhooks(t, { OPERATION_WAIT_MS: '3000', PROVIDER_TIMEOUT_MS: '6000' }));

test('504 PROVIDER_TIMEOUT for a funding in progress: 500 to fund again, its money cannot move, and no job polls it', async () => {
  const { app, parties, anOrder, fault, openEars, untilStatus, balance, assertSound } = server();
  const who = await parties('100.00');
  const other = await parties();
  const quiet = await anOrder({ at: 'IN_PROGRESS', between: other });
  const aside = await anOrder({ at: 'ESCROW_FUNDING', between: other });
  const { id } = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fault('fund', 'refusal', { match: aside.id });
  assert.equal(codeOf(await app.call(`POST /orders/${aside.id}/escrow/fund`)), '400 ESCROW_FUNDING_FAILED');

  await fault('fund', 'timeout', { match: id, count: 2 });
  const first = await app.call(`POST /orders/${id}/escrow/fund`);
  assert.equal(codeOf(first), '504 PROVIDER_TIMEOUT');
  assert.equal(first.body.error.details.operation.kind, 'fund-escrow');
  const second = await app.call(`POST /orders/${id}/escrow/fund`);
  assert.equal(codeOf(second), '500 INTERNAL_ERROR');
  assert.equal(second.body.error.details.operation.id, first.body.error.details.operation.id);
  assert.match(second.body.error.message, /FUNDING\. An earlier request is still in progress: check the order again/);
  const move = (verb: string, body: object) => app.call(`POST /users/${who.buyer}/balance/${verb}`, { body });
  assert.equal(codeOf(await move('release', { amount: '1.00', orderId: id })), '400 RESERVATION_EXCEEDED');
  assert.equal(codeOf(await move('release', { amount: '1.00' })), '400 RESERVATION_EXCEEDED');
  assert.equal(codeOf(await move('deduct-reserved', { amount: '1.00' })), '400 INVALID_RESERVED_DEDUCTION');
  assert.equal(codeOf(await move('cancel-reservation', { orderId: id })), '404 RESERVATION_NOT_FOUND');
  // Neither an order with an operation nor one whose escrow is set aside.
  const listed = (await openEars().listOpen()).map(({ escrow }) => escrow.orderId);
  assert.deepEqual(listed, [quiet.id]);

  await untilStatus(id, 'IN_PROGRESS');
  assert.deepEqual(await balance(who.buyer), { available: '0.00', reserved: '0.00' });
  await assertSound();
});

test('504 PROVIDER_TIMEOUT for a release with an unknown outcome; it completes later, and a repeat before that moves no money', async () => {
  const { app, parties, anOrder, fault, untilStatus, balance, assertSound } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who });
  await fault('approve', 'timeout', { match: id });
  const answer = await app.call(`POST /orders/${id}/resolution/release`);
  assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT');
  assert.equal(answer.body.error.details.operation.kind, 'release');
  const repeat = await app.call(`POST /orders/${id}/resolution/release`);
  assert.equal(codeOf(repeat), '400 INVALID_STATE');
  assert.equal(repeat.body.error.details.operation.id, answer.body.error.details.operation.id);
  const order = await untilStatus(id, 'CLOSED');
  assert.equal(order.escrow.status, 'RELEASED');
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await assertSound();
});

test('our own funding and its event at the same moment move the money once', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fixture.fault('fund', 'lost-answer', { match: order.id });
  const asked = fixture.app.call(`POST /orders/${order.id}/escrow/fund`);
  const data = { order_id: order.id };
  const { hear } = fixture.openEars();
  await until(() => hear('escrow.funded', { orderId: order.id }), 'the provider shows the money');
  const answers = await Promise.all([
    fixture.deliver({ type: 'escrow.funded', data }),
    fixture.deliver({ type: 'escrow.funded', data, signed: false }),
  ]);
  assert.deepEqual(answers, [true, true]);
  assert.equal((await asked).status, 504);
  await fixture.untilStatus(order.id, 'IN_PROGRESS');
  assert.deepEqual(await fixture.balance(who.buyer), { available: '900.00', reserved: '0.00' });
  assert.equal((await fixture.contractOf(order)).balance, 100);
  assert.equal((await fixture.eventsOf(order.id)).filter((type) => type === 'escrow.funded').length, 1);
  await fixture.assertSound();
});

test('a hint of our own refund counts while that refund is under way, and its own dispute is no dispute', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const hint = (type: string) => fixture.deliver({ type, data: { order_id: order.id }, signed: false });
  // All is done on the ledger, and the server waits for an answer that will never come.
  await fixture.fault('resolve', 'lost-answer', { match: order.id });
  const body = { reason: 'Changed my mind' };
  const asked = fixture.app.call(`POST /orders/${order.id}/resolution/refund`, { body });
  await until(async () => (await fixture.contractOf(order)).flags.resolved, 'the contract is resolved');
  assert.equal(await hint('escrow.disputed'), true);
  assert.equal((await fixture.get(order.id)).status, 'REFUND_REQUESTED');
  assert.equal(await hint('escrow.released'), false);
  assert.equal(await hint('escrow.refunded'), true);
  const { finalStatus, dispute } = await fixture.get(order.id);
  assert.deepEqual([finalStatus, dispute], ['REFUNDED', null]);
  assert.deepEqual(await fixture.balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  assert.equal((await asked).status, 504);
  await fixture.assertSound();
  assert.deepEqual(await fixture.balance(who.buyer), { available: '1000.00', reserved: '0.00' });
});

// One of the last, because the server stops asking a provider that keeps failing.
test('504 PROVIDER_TIMEOUT for a decision while the provider is unreachable: the timeline has the reason, a repeat is refused, and it completes later', async () => {
  const { app, parties, aDispute, expect, fault, simulator, get, balance } = server();
  const who = await parties();
  const { id, orderId } = await aDispute({ at: 'UNDER_REVIEW', between: who });
  await fault('resolve', 'outage', { count: 100_000 });
  const ask = { body: { decision: 'FULL_REFUND' }, headers: { 'idempotency-key': randomUUID() } };
  assert.equal(codeOf(await app.call(`POST /disputes/${id}/resolve`, ask)), '504 PROVIDER_TIMEOUT');

  const { operation } = await get(orderId);
  assert.deepEqual([operation.kind, operation.state], ['resolve-dispute', 'RUNNING']);
  const postponed = async (): Promise<Any[]> => {
    const { entries } = await expect(`GET /orders/${orderId}/timeline`, { status: 200 });
    return entries.filter(({ title }: Any) => title === 'Paying as the dispute was decided was postponed');
  };
  // The request may end before the operation has recorded its first failure.
  await until(async () => (await postponed()).length > 0, 'the timeline shows the postponed operation');
  const off = await postponed();
  assert.equal(off[0].details.attempts, 1);
  assert.ok(off[0].details.problem.length > 3);
  const repeat = await app.call(`POST /disputes/${id}/resolve`, ask);
  assert.equal(codeOf(repeat), '400 INVALID_STATE');
  assert.equal(repeat.body.error.details.operation.id, operation.id);
  // A 504 is no answer to keep.
  assert.equal((await app.sql('select 1 from idempotency_answers')).length, 0);

  await simulator('DELETE /faults');
  await until(
    async () => (await expect(`GET /disputes/${id}`, { status: 200 })).status === 'RESOLVED',
    'the resolution',
  );
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
});

/** From the database, for when the server itself is gone. */
const storedStatus = async (fixture: WebhookFixture, orderId: string): Promise<string> =>
  (await fixture.app.sql('select status from orders where id = $1', [orderId]))[0].status;

// The last one, because it closes the server.
test('a hint that a contract was created counts when the provider shows that contract, made for this order', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const other = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who, amount: '50.00' });
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who, milestones: ['30.00', '70.00'] });
  await fixture.fault('deploy', 'no-contract-id', { match: id });
  await fixture.fault('get-escrow', 'refusal', { match: id, count: 10_000 });
  await fixture.expect(`POST /orders/${id}/escrow`, { status: 201 });
  // Only the hint can finish the operation now.
  await fixture.app.close();
  const { hear } = fixture.openEars();
  const { contracts } = await fixture.simulator('GET /state');
  const { contractId } = contracts.find((one: Any) => one.engagementId === id);
  assert.equal(await hear('escrow.created', { orderId: id, contractId }), false, 'the provider says nothing');
  await fixture.simulator('DELETE /faults');
  const foreign = other.escrow.providerContractId;
  assert.equal(await hear('escrow.created', { orderId: id, contractId: foreign }), false);
  assert.equal(await hear('escrow.created', { orderId: id, contractId: `C${'A'.repeat(55)}` }), false);
  assert.equal(await hear('escrow.created', { orderId: id }), false);
  assert.equal(await storedStatus(fixture, id), 'ESCROW_CREATING');
  assert.equal(await hear('escrow.created', { orderId: id, contractId, amount: units('100.00') }), true);
  assert.equal(await storedStatus(fixture, id), 'ESCROW_FUNDING');
});
