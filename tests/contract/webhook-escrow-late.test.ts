// POST /webhooks/escrow-provider: events that arrive late, out of order, twice, or after the end of their order. An order
// never goes back, no money moves twice, and an unsigned event does not block an id of the provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openSharedWebhooks, type WebhookFixture } from './webhook-escrow-fixture.ts';

/** Two orders that most of these events leave as they are: one is funded, the other waits for its funding. */
const orders = shareInFile(async (t) => {
  const fixture = await openSharedWebhooks(t);
  const who = await fixture.parties();
  return {
    fixture,
    who,
    paid: await fixture.anOrder({ at: 'IN_PROGRESS', between: who }),
    waiting: await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who, milestones: ['40.00', '60.00'] }),
  };
});

const TYPES = ['created', 'funding_started', 'funded', 'milestone_completed', 'disputed', 'refunded', 'released'];

/** What each event comes to, told anew by the provider itself. */
const tellAll = async (fixture: WebhookFixture, order: Any): Promise<Record<string, boolean>> => {
  const told: Record<string, boolean> = {};
  for (const name of TYPES) {
    const data = { order_id: order.id, contract_id: order.escrow.providerContractId, milestone_ref: 'm1' };
    told[name] = await fixture.deliver({ type: `escrow.${name}`, data });
  }
  return told;
};

const everything = async ({ app }: WebhookFixture): Promise<Any> =>
  (
    await app.sql(
      `select
      (select array_agg(t::text order by id) from orders t where marketplace_id = $1) as orders,
      (select array_agg(t::text order by id) from escrows t where marketplace_id = $1) as escrows,
      (select array_agg(t::text order by id) from milestones t where marketplace_id = $1) as milestones,
      (select array_agg(t::text order by id) from disputes t where marketplace_id = $1) as disputes,
      (select array_agg(t::text order by id) from accounts t where marketplace_id = $1) as accounts,
      (select count(*) from events where marketplace_id = $1) as events,
      (select count(*) from postings where marketplace_id = $1) as postings`,
      [app.marketplaceId],
    )
  )[0];

test('every event of an order that is over is either what is so already, or refused: nothing changes', async () => {
  const { fixture } = orders();
  const so = { created: true, funding_started: true, funded: true };
  const who = await fixture.parties();
  const released = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['100.00'] });
  await fixture.completeAll(released);
  await fixture.expect(`POST /orders/${released.id}/resolution/release`, { status: 200 });
  const refunded = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  const body = { reason: 'Changed my mind' };
  await fixture.expect(`POST /orders/${refunded.id}/resolution/refund`, { body, status: 200 });
  const dispute = await fixture.aDispute({ at: 'UNDER_REVIEW', between: who });
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
  await fixture.expect(`POST /disputes/${dispute.id}/resolve`, { body: split, status: 200 });
  const divided = await fixture.get(dispute.orderId);
  await fixture.atRest();

  const before = await everything(fixture);
  assert.deepEqual(await tellAll(fixture, released), {
    ...so,
    milestone_completed: true,
    disputed: false,
    refunded: false,
    released: true,
  });
  assert.deepEqual(await tellAll(fixture, refunded), {
    ...so,
    milestone_completed: false,
    disputed: true,
    refunded: true,
    released: false,
  });
  assert.deepEqual(await tellAll(fixture, divided), {
    ...so,
    milestone_completed: false,
    disputed: true,
    refunded: true,
    released: true,
  });
  assert.deepEqual(await everything(fixture), before);
});

test('every event that comes too early is refused and leaves the order where it was', async () => {
  const { fixture, who, waiting: order } = orders();
  const early = async (name: string, orderId = order.id): Promise<boolean> =>
    fixture.deliver({ type: `escrow.${name}`, data: { order_id: orderId, milestone_ref: 'm1' } });
  const { id: reserved } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  const before = await everything(fixture);
  for (const name of ['milestone_completed', 'disputed', 'refunded', 'released']) {
    assert.equal(await early(name), false, name);
  }
  for (const name of TYPES) assert.equal(await early(name, reserved), false, name);
  assert.deepEqual(await everything(fixture), before);
});

test('escrow.created can neither reset an order nor give it another contract (defect 29)', async () => {
  const { fixture, paid: order } = orders();
  const before = await everything(fixture);
  const created = (contract: string) =>
    fixture.deliver({ type: 'escrow.created', data: { order_id: order.id, contract_id: contract } });
  assert.equal(await created(`C${'A'.repeat(55)}`), false);
  assert.equal(await created(order.escrow.providerContractId), true);
  assert.deepEqual(await everything(fixture), before);
});

test('a repeat about an escrow that was set aside is still a repeat, and a new event about it finds no escrow', async () => {
  const { fixture } = orders();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING' });
  const data = { contract_id: order.escrow.providerContractId };
  const told = { type: 'escrow.created', eventId: 'deployed', data };
  assert.equal(await fixture.deliver(told), true);
  await fixture.fault('fund', 'refusal', { match: order.id });
  const failed = await fixture.app.call(`POST /orders/${order.id}/escrow/fund`);
  assert.equal(`${failed.status} ${failed.body.error.code}`, '400 ESCROW_FUNDING_FAILED');
  const before = await everything(fixture);
  assert.equal(await fixture.deliver(told), true);
  assert.equal(await fixture.deliver({ ...told, eventId: 'deployed-again' }), false);
  assert.equal((await fixture.eventRow('deployed-again')).failure, 'The order has no escrow.');
  assert.deepEqual(await everything(fixture), before);
});

test('a hint does not block the id of an event that the provider signs later', async () => {
  const { fixture } = orders();
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const eventId = 'guessed';
  const data = { order_id: order.id };
  await fixture.payIn(order);
  assert.equal(await fixture.deliver({ type: 'escrow.funded', eventId, data, signed: false }), true);
  assert.deepEqual(
    [(await fixture.eventRow(eventId)).state, (await fixture.eventRow(eventId)).signed],
    ['PROCESSED', false],
  );
  assert.equal(await fixture.deliver({ type: 'escrow.released', eventId, data }), true);
  assert.deepEqual(await fixture.balance(who.seller), { available: '95.00', reserved: '0.00' });
  const { state, signed, type, attempts } = await fixture.eventRow(eventId);
  assert.deepEqual([state, signed, type, attempts], ['PROCESSED', true, 'escrow.released', 2]);
  assert.equal(
    await fixture.deliver({ type: 'escrow.refunded', eventId, data, signed: false }),
    true,
    'a repeat by its id',
  );
  assert.equal((await fixture.get(order.id)).finalStatus, 'RELEASED');
});

test('an event is applied in the marketplace of its order, and no other marketplace sees it', async () => {
  const { fixture, waiting: order } = orders();
  const hash = await fixture.payIn(order);
  const data = { contract_id: order.escrow.providerContractId, transaction_hash: hash };
  assert.equal(await fixture.deliver({ type: 'escrow.funded', eventId: 'shop', data }), true);
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
  const { marketplaceId } = fixture.app;
  assert.equal((await fixture.eventRow('shop')).marketplace_id, marketplaceId);
  const stranger = await fixture.app.key(['read'], 'mkt_other');
  assert.equal((await fixture.app.call(`GET /orders/${order.id}`, { key: stranger })).status, 404);
  const rows = await fixture.app.sql(
    `select marketplace_id from events where event_type = 'order.in_progress' and aggregate_id = $1`,
    [order.id],
  );
  assert.deepEqual(
    rows.map((row: Any) => row.marketplace_id),
    [marketplaceId],
  );
});
