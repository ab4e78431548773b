// POST /sandbox/escrow-events, by status: the twin tells what is true of a contract, signed, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { NOBODY } from './order-ground.ts';
import { openToys } from './sandbox-ground.ts';

/** An order that waits for its funding, and one that is funded. */
const orders = shareInFile(async (t) => {
  const toys = await openToys(t);
  const who = await toys.people();
  return { toys, who, created: await toys.withEscrow(who), paid: await toys.funded(who) };
});

test('400 VALIDATION_ERROR for what is not true of the contract, and nothing is sent', async () => {
  const { toys, created, paid } = orders();
  const { refused, app, get } = toys;
  const lies = [
    ...['escrow.funded', 'escrow.released', 'escrow.refunded', 'escrow.disputed'].map((type) => [type, created.id]),
    ...['escrow.released', 'escrow.refunded', 'escrow.disputed'].map((type) => [type, paid.id]),
  ];
  for (const [type, orderId] of lies) {
    const { code, details } = await refused('POST /sandbox/escrow-events', { body: { type, orderId } });
    assert.equal(code, '400 VALIDATION_ERROR', type);
    assert.match(details.validationErrors[0], /is not true of the contract/, type);
  }
  const body = { type: 'escrow.milestone_completed', orderId: paid.id };
  assert.equal((await refused('POST /sandbox/escrow-events', { body })).code, '400 VALIDATION_ERROR');
  const sent = 'select id from webhook_events where marketplace_id = $1';
  assert.deepEqual(await app.sql(sent, [app.marketplaceId]), []);
  assert.deepEqual([(await get(created.id)).status, (await get(paid.id)).status], ['ESCROW_FUNDING', 'IN_PROGRESS']);
});

test('200 repeats what the server knows already, and nothing changes', async () => {
  const { toys, who, paid: order } = orders();
  const { toy, expect, get, balance, assertSound } = toys;
  await expect(`POST /orders/${order.id}/resolution/release`, { body: {}, status: 200 });
  const [before, money] = [await get(order.id), await balance(who.seller)];
  for (const type of ['escrow.created', 'escrow.funded', 'escrow.released']) {
    assert.equal((await toy('POST /sandbox/escrow-events', { type, orderId: order.id })).delivered, true, type);
  }
  assert.deepEqual([await get(order.id), await balance(who.seller)], [before, money]);
  await assertSound();
});

test('200 sends a signed webhook that an outsider has funded the contract, and the order goes on', async () => {
  const { toys, created: order } = orders();
  const { toy, app, get } = toys;
  const address = order.escrow.providerContractId;
  await toy('POST /sandbox/faucet', { address, asset: 'USDC', amount: '100.00' });
  const told = await toy('POST /sandbox/escrow-events', { type: 'escrow.funded', orderId: order.id });
  assert.deepEqual(told, { eventId: told.eventId, type: 'escrow.funded', delivered: true, processed: true });
  assert.equal((await get(order.id)).status, 'IN_PROGRESS');
  const rows = await app.sql('select type, signed, state from webhook_events where id = $1', [
    `escrow-provider:${told.eventId}`,
  ]);
  assert.deepEqual(rows, [{ type: 'escrow.funded', signed: true, state: 'PROCESSED' }]);
});

test('400 VALIDATION_ERROR for an order without a contract, and for a type that is none', async () => {
  const { toys, who } = orders();
  const { refused, createOrder } = toys;
  const { id: orderId } = await createOrder(who);
  const none = await refused('POST /sandbox/escrow-events', { body: { type: 'escrow.created', orderId } });
  assert.equal(none.code, '400 VALIDATION_ERROR');
  assert.match(none.details.validationErrors[0], /no contract/);
  const odd = await refused('POST /sandbox/escrow-events', { body: { type: 'escrow.lost', orderId } });
  assert.equal(odd.code, '400 VALIDATION_ERROR');
});

test("404 for an order that is not the marketplace's, and for a milestone that it has not", async () => {
  const { toys, paid } = orders();
  const { refused, stranger } = toys;
  const { id: orderId } = paid;
  const body = { type: 'escrow.created', orderId };
  assert.equal((await refused('POST /sandbox/escrow-events', { body, key: stranger })).code, '404 ORDER_NOT_FOUND');
  const unknown = { ...body, orderId: NOBODY.order };
  assert.equal((await refused('POST /sandbox/escrow-events', { body: unknown })).code, '404 ORDER_NOT_FOUND');
  const odd = { type: 'escrow.milestone_completed', orderId, milestoneRef: 'm9' };
  assert.equal((await refused('POST /sandbox/escrow-events', { body: odd })).code, '404 MILESTONE_NOT_FOUND');
});
