// POST /webhooks/escrow-provider with ESCROW_WEBHOOK_CHECK=verify: a signed event about money is applied when provider and ledger
// agree, kept while one of them cannot be asked, and set aside as a break when they contradict it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openWebhooks, type WebhookFixture } from './webhook-escrow-fixture.ts';

const HOUR_MICROS = 3_600_000_000;

const server = shareInFile((t) => openWebhooks(t, { ESCROW_WEBHOOK_CHECK: 'verify' }));

/** The job of another process, some hours later. */
const retryAfter = async (fixture: WebhookFixture, hours: number): Promise<void> => {
  const { retryKept, troubles } = fixture.openEars(() => systemClock() + hours * HOUR_MICROS, 'verify');
  await retryKept();
  assert.deepEqual(troubles, []);
};

const openBreaks = ({ expect }: WebhookFixture): Promise<Any[]> =>
  expect('GET /reconciliation/breaks?kind=escrow-event&open=true', { status: 200 });

const about = (type: string, order: Any, more: object = {}) => ({ type, data: { order_id: order.id, ...more } });

test('a signed event that provider and ledger confirm is applied, with its transaction and without', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const paid = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who, milestones: ['30.00', '70.00'] });
  const hash = await fixture.payIn(paid);
  assert.equal(await fixture.deliver(about('escrow.funded', paid, { transaction_hash: hash })), true);
  assert.equal((await fixture.get(paid.id)).status, 'IN_PROGRESS');

  const released = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['40.00', '60.00'] });
  await fixture.releaseOutside(released);
  assert.equal(await fixture.deliver(about('escrow.released', released)), true);
  const refunded = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.resolveOutside(refunded, 'buyer');
  assert.equal(await fixture.deliver(about('escrow.refunded', refunded)), true);
  for (const [order, end] of [
    [released, 'RELEASED'],
    [refunded, 'REFUNDED'],
  ] as const) {
    assert.equal((await fixture.get(order.id)).finalStatus, end);
  }
  // 300.00 went into three orders, and 100.00 came back.
  assert.deepEqual(await fixture.balance(who.buyer), { available: '800.00', reserved: '0.00' });
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
});

test('a signed event about money that did not move changes nothing and becomes a break when it is checked again', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const before = await fixture.get(order.id);
  const told = { ...about('escrow.released', order), eventId: 'forged' };
  assert.equal(await fixture.deliver(told), false);
  assert.equal((await fixture.eventRow('forged')).state, 'PENDING');
  assert.deepEqual(await openBreaks(fixture), []);

  await retryAfter(fixture, 1);
  const { state, failure } = await fixture.eventRow('forged');
  assert.deepEqual([state, failure], ['SET_ASIDE', 'The ledger shows no such payment.']);
  const [found, ...others] = await openBreaks(fixture);
  assert.deepEqual([found.subject, found.actual, others], [order.id, '100.0000000', []]);
  const { probes } = (await fixture.app.call('GET /health/detailed')).body.data;
  const { status, detail } = probes.find(({ name }: Any) => name === 'reconciliation');
  assert.deepEqual([status, /1 escrow-event/.test(detail)], ['degraded', true]);
  const metrics = await (await fetch(`${fixture.app.url}/metrics`)).text();
  assert.match(metrics, /holdfast_open_breaks\{kind="escrow-event"\} 1/);
  assert.deepEqual(await fixture.get(order.id), before);
  assert.deepEqual(await fixture.balance(who.seller), { available: '0.00', reserved: '0.00' });

  // It comes true later: the next check applies it and resolves the break.
  await fixture.releaseOutside(order);
  await retryAfter(fixture, 3);
  assert.equal((await fixture.get(order.id)).finalStatus, 'RELEASED');
  assert.equal((await fixture.eventRow('forged')).state, 'PROCESSED');
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a signed event is kept while the provider or the ledger cannot be asked, and applied by the job', async () => {
  const fixture = server();
  const who = await fixture.parties();
  for (const silent of ['get-escrow', 'account'] as const) {
    const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
    await fixture.releaseOutside(order);
    const { seller } = await fixture.escrowRow(order.id);
    const match = silent === 'get-escrow' ? order.escrow.providerContractId : seller.address;
    await fixture.fault(silent, 'outage', { match, count: 10_000 });
    assert.equal(await fixture.deliver({ ...about('escrow.released', order), eventId: silent }), false);
    assert.equal((await fixture.eventRow(silent)).state, 'PENDING');
    await retryAfter(fixture, 1);
    const { state, attempts } = await fixture.eventRow(silent);
    assert.deepEqual([state, attempts], ['PENDING', 2]);
    assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
    await fixture.simulator('DELETE /faults');
    await retryAfter(fixture, 3);
    assert.equal((await fixture.get(order.id)).finalStatus, 'RELEASED');
  }
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a hint and a poll need the ledger too, and an event of what the rows show needs nothing', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fixture.payIn(order);
  // The money came from an outsider, so only a transaction proves it.
  const { lookAt } = fixture.openEars(systemClock, 'verify');
  assert.equal(await lookAt(order), true);
  assert.equal(await fixture.deliver({ ...about('escrow.funded', order), signed: false }), false);
  assert.equal((await fixture.get(order.id)).status, 'ESCROW_FUNDING');

  const own = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.fault('get-escrow', 'outage', { match: own.escrow.providerContractId, count: 10_000 });
  assert.equal(await fixture.deliver(about('escrow.funded', own)), true);
  await fixture.simulator('DELETE /faults');
});

test('an event that cannot be checked for a day is set aside, and closed when it turns out to fit no order', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const hash = 'cd'.repeat(32);
  const told = { ...about('escrow.funded', order, { transaction_hash: hash }), eventId: 'never' };
  for (let check = 1; check <= 31; check++) assert.equal(await fixture.deliver(told), false);
  assert.equal((await fixture.eventRow('never')).state, 'SET_ASIDE');
  assert.deepEqual(
    (await openBreaks(fixture)).map(({ subject }) => subject),
    [order.id],
  );
  await fixture.fault('fund', 'refusal', { match: order.id });
  assert.equal((await fixture.app.call(`POST /orders/${order.id}/escrow/fund`)).status, 400);
  await retryAfter(fixture, 3);
  assert.equal((await fixture.eventRow('never')).state, 'FAILED');
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a signed event that would only lock the order changes nothing: a funding that may come, a dispute that nobody opened', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  assert.equal(await fixture.deliver(about('escrow.funding_started', order)), true);
  assert.equal((await fixture.escrowRow(order.id)).status, 'CREATED');
  await fixture.expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  const funded = await fixture.get(order.id);
  assert.equal(funded.status, 'IN_PROGRESS');
  assert.equal(await fixture.deliver(about('escrow.disputed', order)), false);
  assert.deepEqual(await fixture.get(order.id), funded);
});
