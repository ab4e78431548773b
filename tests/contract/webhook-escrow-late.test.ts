// POST /webhooks/escrow-provider: events that come late, out of order, twice, or about what is over. An order never goes
// back, no money moves twice, and nobody can use up the provider's event ids.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { takeEscrowEvent } from '../../server/src/commands/take-escrow-event.ts';
import { until } from '../committer/bend.ts';
import { type Any, openWebhooks, type WebhookStand } from './webhook-escrow-ground.ts';

const TYPES = ['created', 'funding_started', 'funded', 'milestone_completed', 'disputed', 'refunded', 'released'];

/** What each event comes to, told anew by the provider itself. */
const tellAll = async (stand: WebhookStand, order: Any): Promise<Record<string, boolean>> => {
  const told: Record<string, boolean> = {};
  for (const name of TYPES) {
    const data = { order_id: order.id, contract_id: order.escrow.providerContractId, milestone_ref: 'm1' };
    told[name] = await stand.deliver({ type: `escrow.${name}`, data });
  }
  return told;
};

const everything = async ({ app }: WebhookStand): Promise<Any> =>
  (
    await app.sql(`select
      (select array_agg(t::text order by id) from orders t) as orders,
      (select array_agg(t::text order by id) from escrows t) as escrows,
      (select array_agg(t::text order by id) from milestones t) as milestones,
      (select array_agg(t::text order by id) from disputes t) as disputes,
      (select array_agg(t::text order by id) from accounts t) as accounts,
      (select count(*) from events) as events, (select count(*) from postings) as postings`)
  )[0];

test('every event of an order that is over is either what is so already, or refused: nothing changes', async (t) => {
  const stand = await openWebhooks(t);
  const so = { created: true, funding_started: true, funded: true };
  const released = await stand.funded(await stand.people(), { milestones: ['40.00', '60.00'] });
  await stand.completeAll(released);
  await stand.expect(`POST /orders/${released.id}/resolution/release`, { status: 200 });
  const refunded = await stand.funded(await stand.people());
  const body = { reason: 'Changed my mind' };
  await stand.expect(`POST /orders/${refunded.id}/resolution/refund`, { body, status: 200 });
  const dispute = await stand.disputed(await stand.people());
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  await stand.expect(`POST /disputes/${dispute.id}/resolve`, { body: split, status: 200 });
  const divided = await stand.get(dispute.orderId);
  await stand.atRest();

  const before = await everything(stand);
  assert.deepEqual(await tellAll(stand, released), {
    ...{ ...so, milestone_completed: true, disputed: false, refunded: false, released: true },
  });
  assert.deepEqual(await tellAll(stand, refunded), {
    ...{ ...so, milestone_completed: false, disputed: true, refunded: true, released: false },
  });
  assert.deepEqual(await tellAll(stand, divided), {
    ...{ ...so, milestone_completed: false, disputed: true, refunded: true, released: true },
  });
  assert.deepEqual(await everything(stand), before);
});

test('every event that comes too early is refused and leaves the order where it was', async (t) => {
  const stand = await openWebhooks(t);
  const who = await stand.people();
  const order = await stand.withEscrow(who, { milestones: ['40.00', '60.00'] });
  const early = async (name: string, orderId = order.id): Promise<boolean> =>
    stand.deliver({ type: `escrow.${name}`, data: { order_id: orderId, milestone_ref: 'm1' } });
  const { id: reserved } = await stand.reserved(who);
  const before = await everything(stand);
  for (const name of ['milestone_completed', 'disputed', 'refunded', 'released']) {
    assert.equal(await early(name), false, name);
  }
  for (const name of TYPES) assert.equal(await early(name, reserved), false, name);
  assert.deepEqual(await everything(stand), before);
});

test('escrow.created can neither reset an order nor give it another contract (defect 29)', async (t) => {
  const stand = await openWebhooks(t);
  const order = await stand.funded(await stand.people());
  const before = await everything(stand);
  const created = (contract: string) =>
    stand.deliver({ type: 'escrow.created', data: { order_id: order.id, contract_id: contract } });
  assert.equal(await created(`C${'A'.repeat(55)}`), false);
  assert.equal(await created(order.escrow.providerContractId), true);
  assert.deepEqual(await everything(stand), before);
});

test('a repeat about an escrow that was set aside is still a repeat, and a new event about it finds no escrow', async (t) => {
  const stand = await openWebhooks(t);
  const order = await stand.withEscrow(await stand.people());
  const data = { contract_id: order.escrow.providerContractId };
  const told = { type: 'escrow.created', eventId: 'deployed', data };
  assert.equal(await stand.deliver(told), true);
  await stand.fault('fund', 'refusal', { match: order.id });
  const failed = await stand.app.call(`POST /orders/${order.id}/escrow/fund`);
  assert.equal(`${failed.status} ${failed.body.error.code}`, '400 ESCROW_FUNDING_FAILED');
  const before = await everything(stand);
  assert.equal(await stand.deliver(told), true);
  assert.equal(await stand.deliver({ ...told, eventId: 'deployed-again' }), false);
  assert.equal((await stand.eventRow('deployed-again')).failure, 'The order has no escrow.');
  assert.deepEqual(await everything(stand), before);
});

test('a hint cannot use up the id of an event that the provider will sign', async (t) => {
  const stand = await openWebhooks(t);
  const who = await stand.people();
  const order = await stand.funded(who);
  const eventId = 'guessed';
  const data = { order_id: order.id };
  assert.equal(await stand.deliver({ type: 'escrow.funded', eventId, data, signed: false }), true);
  assert.deepEqual(
    [(await stand.eventRow(eventId)).state, (await stand.eventRow(eventId)).signed],
    ['PROCESSED', false],
  );
  assert.equal(await stand.deliver({ type: 'escrow.released', eventId, data }), true);
  assert.deepEqual(await stand.balance(who.seller), { available: '95.00', reserved: '0.00' });
  const { state, signed, type, attempts } = await stand.eventRow(eventId);
  assert.deepEqual([state, signed, type, attempts], ['PROCESSED', true, 'escrow.released', 2]);
  assert.equal(
    await stand.deliver({ type: 'escrow.refunded', eventId, data, signed: false }),
    true,
    'a repeat by its id',
  );
  assert.equal((await stand.get(order.id)).finalStatus, 'RELEASED');
});

test('an event is applied in the marketplace of its order, and seen by nobody else', async (t) => {
  const stand = await openWebhooks(t);
  const key = await stand.app.key(['*'], 'mkt_shop');
  const buyer = await stand.app.user({ key, available: '500.00' });
  const seller = await stand.app.user({ key });
  const body = { buyerId: buyer, sellerId: seller, amount: '100.00' };
  const { id } = await stand.expect('POST /orders', { key, body, status: 201 });
  await stand.expect(`POST /orders/${id}/reserve`, { key, status: 201 });
  const order = await stand.expect(`POST /orders/${id}/escrow`, { key, status: 201 });
  const hash = await stand.payIn(order);
  const data = { contract_id: order.escrow.providerContractId, transaction_hash: hash };
  assert.equal(await stand.deliver({ type: 'escrow.funded', eventId: 'shop', data }), true);
  assert.equal((await stand.expect(`GET /orders/${id}`, { key, status: 200 })).status, 'IN_PROGRESS');
  assert.equal((await stand.eventRow('shop')).marketplace_id, 'mkt_shop');
  const rows = await stand.app.sql(`select marketplace_id from events where event_type = 'order.in_progress'`);
  assert.deepEqual(
    rows.map((row: Any) => row.marketplace_id),
    ['mkt_shop'],
  );
});

test('our own funding and the event that tells of it may come at the same moment: the money moves once', async (t) => {
  const stand = await openWebhooks(t, { OPERATION_WAIT_MS: '1000', PROVIDER_TIMEOUT_MS: '3000' });
  const who = await stand.people();
  const order = await stand.withEscrow(who);
  await stand.fault('fund', 'lost-answer', { match: order.id });
  const asked = stand.app.call(`POST /orders/${order.id}/escrow/fund`);
  const data = { order_id: order.id };
  const { hear } = stand.openEars();
  await until(() => hear('escrow.funded', { orderId: order.id }), 'the provider shows the money');
  const answers = await Promise.all([
    stand.deliver({ type: 'escrow.funded', data }),
    stand.deliver({ type: 'escrow.funded', data, signed: false }),
  ]);
  assert.deepEqual(answers, [true, true]);
  assert.equal((await asked).status, 504);
  await stand.untilStatus(order.id, 'IN_PROGRESS');
  assert.deepEqual(await stand.balance(who.buyer), { available: '900.00', reserved: '0.00' });
  assert.equal((await stand.contractOf(order)).balance, 100);
  assert.equal((await stand.eventsOf(order.id)).filter((type) => type === 'escrow.funded').length, 1);
  await stand.assertSound();
});

test('what was not proven may only tell what is so already, also when the order has moved since it was looked at', async (t) => {
  const stand = await openWebhooks(t);
  const order = await stand.funded(await stand.people());
  const { submit } = stand.openEars();
  const context = { marketplaceId: 'mkt_default', actor: { type: 'system', id: 'test' }, requestId: 'r-1' } as const;
  const take = (type: EscrowEventType) => {
    const news = { type, orderId: order.id, contractId: null, milestoneRef: null };
    const told = { id: `escrow-provider:${type}`, provider: 'escrow-provider', type, signed: false } as const;
    const input = { news, proven: false, told: { ...told, subjectId: order.id } };
    return submit({ command: takeEscrowEvent, input, context });
  };
  const before = await everything(stand);
  for (const type of ['escrow.disputed', 'escrow.released', 'escrow.refunded'] as const) {
    await assert.rejects(take(type), { code: 'INVALID_STATE' });
    assert.equal(await stand.eventRow(type), undefined);
  }
  await take('escrow.funded');
  assert.equal((await stand.eventRow('escrow.funded')).state, 'PROCESSED');
  assert.deepEqual(await everything(stand), before);
});
