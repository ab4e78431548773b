// POST /webhooks/escrow-provider with ESCROW_WEBHOOK_CHECK=verify: a signed event about money is applied when provider and ledger
// agree, kept while one of them cannot be asked, and set aside with an alert when they contradict it. The alert says nothing about the
// books.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatInstant, systemClock } from '../../server/src/base/instant.ts';
import { recordedIn } from '../support/recorded-provider.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openRecordedWebhooks, type WebhookFixture } from './webhook-escrow-fixture.ts';

const HOUR_MICROS = 3_600_000_000;

/** The requests of the server to the escrow provider and to the ledger: the priority of each and its name. */
const requests: string[] = [];

const recorded = recordedIn(requests);

const server = shareInFile((t) =>
  openRecordedWebhooks(t, {
    env: { ESCROW_WEBHOOK_CHECK: 'verify' },
    through: ({ escrow, network, ...others }) => ({
      ...others,
      escrow: recorded(escrow!),
      network: recorded(network!),
    }),
  }),
);

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

test('a signed event about money that did not move changes nothing and becomes an alert when it is checked again', async () => {
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
  assert.deepEqual([found.subject, found.actual, others], [fixture.storedId('forged'), '100.0000000', []]);
  const { probes } = (await fixture.app.call('GET /health/detailed')).body.data;
  const { status, detail } = probes.find(({ name }: Any) => name === 'escrow-events');
  assert.deepEqual([status, /books do not include them: 1 event of/.test(detail)], ['degraded', true]);
  assert.equal(probes.find(({ name }: Any) => name === 'reconciliation').status, 'ok');
  assert.equal((await fixture.expect('GET /audit/proof', { status: 200 })).holds, true);
  const metrics = await (await fetch(`${fixture.app.url}/metrics`)).text();
  assert.match(metrics, /holdfast_open_breaks\{kind="escrow-event"\} 1/);
  assert.doesNotMatch(metrics, /^holdfast_oldest_break_timestamp_seconds \d/m);
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
    [fixture.storedId('never')],
  );
  await fixture.fault('fund', 'refusal', { match: order.id });
  assert.equal((await fixture.app.call(`POST /orders/${order.id}/escrow/fund`)).status, 400);
  await retryAfter(fixture, 3);
  assert.equal((await fixture.eventRow('never')).state, 'FAILED');
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a signed event that would only lock the order changes nothing: a funding that may come, a dispute that was never opened', async () => {
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

test('two events of one order are two alerts, and both end with the order', async () => {
  const fixture = server();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: await fixture.parties() });
  const told = [
    { ...about('escrow.released', order), eventId: 'one' },
    { ...about('escrow.refunded', order), eventId: 'two' },
  ];
  for (const event of [...told, ...told]) assert.equal(await fixture.deliver(event), false);
  const subjects = (await openBreaks(fixture)).map(({ subject }) => subject).sort();
  assert.deepEqual(subjects, [fixture.storedId('one'), fixture.storedId('two')]);

  await fixture.expect(`POST /orders/${order.id}/resolution/refund`, { body: { reason: 'late' }, status: 200 });
  await retryAfter(fixture, 3);
  // The refund came true; the release never will.
  assert.equal((await fixture.eventRow('two')).state, 'PROCESSED');
  const { state, failure, next_attempt_at: next } = await fixture.eventRow('one');
  assert.deepEqual([state, failure, next], ['FAILED', 'The order is closed.', null]);
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a check that got no answer is not a contradiction', async () => {
  const fixture = server();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: await fixture.parties() });
  const told = { ...about('escrow.released', order), eventId: 'unsure' };
  const { seller } = await fixture.escrowRow(order.id);
  await fixture.fault('account', 'outage', { match: seller.address, count: 10_000 });
  for (let check = 1; check <= 2; check++) assert.equal(await fixture.deliver(told), false);
  await fixture.simulator('DELETE /faults');
  const seen: Any[] = [];
  for (let check = 1; check <= 2; check++) {
    assert.equal(await fixture.deliver(told), false);
    const { state, attempts, contradictions } = await fixture.eventRow('unsure');
    seen.push([state, attempts, contradictions]);
  }
  assert.deepEqual(seen, [
    ['PENDING', 3, 1],
    ['SET_ASIDE', 4, 2],
  ]);
});

test('an event without confirmation for a week has failed: its alert ends with a log line and an audit entry', async () => {
  const fixture = server();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: await fixture.parties() });
  const told = { ...about('escrow.released', order), eventId: 'week' };
  for (let check = 1; check <= 2; check++) assert.equal(await fixture.deliver(told), false);
  const id = fixture.storedId('week');
  const isOpen = async () => (await openBreaks(fixture)).some(({ subject }) => subject === id);
  assert.equal(await isOpen(), true);
  await fixture.app.sql(
    `update webhook_events set created_at = (created_at at time zone 'UTC' - interval '8 days') at time zone 'UTC' where id = $1`,
    [id],
  );

  const { retryKept, warnings } = fixture.openEars(() => systemClock() + 3 * HOUR_MICROS, 'verify');
  await retryKept();
  assert.deepEqual(warnings, ['a signed escrow webhook was never confirmed and is not checked any more']);
  const { state, next_attempt_at: next } = await fixture.eventRow('week');
  assert.deepEqual([state, next], ['FAILED', null]);
  assert.equal(await isOpen(), false);
  const entry = (await fixture.audited('WEBHOOK_FAILED')).find(({ resource_id: one }) => one === id);
  assert.match(JSON.stringify(entry), /The checks ended after a week/);
});

test('an event that is not about money is never an alert', async () => {
  const fixture = server();
  const between = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between, milestones: ['40.00', '60.00'] });
  const before = await openBreaks(fixture);
  const more = { milestone_ref: order.milestones[0].ref, transaction_hash: 'ab'.repeat(32) };
  const told = { ...about('escrow.milestone_completed', order, more), eventId: 'quiet' };
  for (let check = 1; check <= 31; check++) assert.equal(await fixture.deliver(told), false);
  assert.equal((await fixture.eventRow('quiet')).state, 'SET_ASIDE');
  assert.equal((await openBreaks(fixture)).length, before.length);
});

test('an alert that a stopped process left open is closed by the job', async () => {
  const fixture = server();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: await fixture.parties() });
  const told = { ...about('escrow.released', order), eventId: 'left' };
  for (let check = 1; check <= 2; check++) assert.equal(await fixture.deliver(told), false);
  const id = fixture.storedId('left');
  await fixture.app.sql(`update webhook_events set state = 'FAILED', next_attempt_at = null where id = $1`, [id]);
  const isOpen = async () => (await openBreaks(fixture)).some(({ subject }) => subject === id);
  assert.equal(await isOpen(), true);
  await retryAfter(fixture, 0);
  assert.equal(await isOpen(), false);
});

test('fresh events are checked before those set aside, and a check that breaks is postponed', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const old = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const told = { ...about('escrow.released', old), eventId: 'old' };
  for (let check = 1; check <= 2; check++) assert.equal(await fixture.deliver(told), false);
  await fixture.app.sql(`update webhook_events set next_attempt_at = now() - interval '1 day' where id = $1`, [
    fixture.storedId('old'),
  ]);
  const fresh = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  assert.equal(await fixture.deliver({ ...about('escrow.released', fresh), eventId: 'fresh' }), false);
  const clock = () => systemClock() + HOUR_MICROS;
  const { listKept, retryKept, troubles } = fixture.openEars(clock, 'verify');
  const [first] = await listKept(1, formatInstant(clock()));
  assert.equal(first?.event.id, fixture.storedId('fresh'));

  const { next_attempt_at: before } = await fixture.eventRow('fresh');
  await fixture.app.sql(`update escrows set buyer = 'null'::jsonb where order_id = $1`, [fresh.id]);
  await retryKept();
  const { state, attempts, next_attempt_at: after } = await fixture.eventRow('fresh');
  assert.deepEqual([state, attempts, after > before, troubles.length], ['PENDING', 2, true, 1]);
});

test('a hint is read behind everything else, a signed event before hints, and an operation before both', async () => {
  const fixture = server();
  const requestsOf = async (step: () => Promise<unknown>): Promise<string[]> => {
    await fixture.atRest();
    requests.length = 0;
    await step();
    return [...new Set(requests)].sort();
  };
  const isEvidence = (line: string): boolean => / (findByContract|verifyTransactionConcerns|payments)$/.test(line);
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING' });
  const data = { order_id: order.id, transaction_hash: await fixture.payIn(order) };
  const hint = await requestsOf(() => fixture.deliver({ type: 'escrow.funded', data, signed: false }));
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
  await fixture.releaseOutside(order);
  const signed = await requestsOf(() => fixture.deliver(about('escrow.released', order)));
  const operation = await requestsOf(() => fixture.anOrder({ at: 'ESCROW_FUNDING' }));
  assert.deepEqual(hint.filter(isEvidence), ['background findByContract', 'background verifyTransactionConcerns']);
  assert.deepEqual(signed.filter(isEvidence), ['check findByContract', 'check payments']);
  assert.ok(operation.includes('operation prepare') && operation.includes('operation submit'), operation.join());
  assert.ok(
    operation.every((line) => line.startsWith('operation ')),
    operation.join(),
  );
});
