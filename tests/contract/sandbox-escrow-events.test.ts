// POST /sandbox/escrow-events, by status: the simulator tells what is true of a contract, signed, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { UNKNOWN } from './order-fixture.ts';
import { openSandboxRoutes } from './sandbox-fixture.ts';

/** An order that waits for its funding, and one that is funded. */
const orders = shareInFile(async (t) => {
  const sandboxRoutes = await openSandboxRoutes(t);
  const who = await sandboxRoutes.parties();
  return {
    sandboxRoutes,
    who,
    created: await sandboxRoutes.anOrder({ at: 'ESCROW_FUNDING', between: who }),
    paid: await sandboxRoutes.anOrder({ at: 'IN_PROGRESS', between: who }),
  };
});

test('400 VALIDATION_ERROR for what is not true of the contract, and nothing is sent', async () => {
  const { sandboxRoutes, created, paid } = orders();
  const { refused, app, get } = sandboxRoutes;
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
  const { sandboxRoutes, who, paid: order } = orders();
  const { callSandbox, expect, get, balance, assertSound } = sandboxRoutes;
  await expect(`POST /orders/${order.id}/resolution/release`, { body: {}, status: 200 });
  const before = await get(order.id);
  const money = await balance(who.seller);
  for (const type of ['escrow.created', 'escrow.funded', 'escrow.released']) {
    assert.equal((await callSandbox('POST /sandbox/escrow-events', { type, orderId: order.id })).delivered, true, type);
  }
  assert.deepEqual([await get(order.id), await balance(who.seller)], [before, money]);
  await assertSound();
});

test('200 sends a signed webhook that an outsider has funded the contract, and the order goes on', async () => {
  const { sandboxRoutes, created: order } = orders();
  const { callSandbox, app, get } = sandboxRoutes;
  const address = order.escrow.providerContractId;
  await callSandbox('POST /sandbox/faucet', { address, asset: 'USDC', amount: '100.00' });
  const told = await callSandbox('POST /sandbox/escrow-events', { type: 'escrow.funded', orderId: order.id });
  assert.deepEqual(told, { eventId: told.eventId, type: 'escrow.funded', delivered: true, processed: true });
  assert.equal((await get(order.id)).status, 'IN_PROGRESS');
  const rows = await app.sql('select type, signed, state from webhook_events where id = $1', [
    `escrow-provider:${told.eventId}`,
  ]);
  assert.deepEqual(rows, [{ type: 'escrow.funded', signed: true, state: 'PROCESSED' }]);
});

test('404 ESCROW_NOT_FOUND for an order without an escrow, 400 for a type that is none', async () => {
  const { sandboxRoutes, who } = orders();
  const { refused, anOrder } = sandboxRoutes;
  const { id: orderId } = await anOrder({ between: who });
  const none = await refused('POST /sandbox/escrow-events', { body: { type: 'escrow.created', orderId } });
  assert.equal(none.code, '404 ESCROW_NOT_FOUND');
  const odd = await refused('POST /sandbox/escrow-events', { body: { type: 'escrow.lost', orderId } });
  assert.equal(odd.code, '400 VALIDATION_ERROR');
});

test("404 for an order that is not the marketplace's, and for a milestone that it has not", async () => {
  const { sandboxRoutes, paid } = orders();
  const { refused, stranger } = sandboxRoutes;
  const { id: orderId } = paid;
  const body = { type: 'escrow.created', orderId };
  assert.equal((await refused('POST /sandbox/escrow-events', { body, key: stranger })).code, '404 ORDER_NOT_FOUND');
  const unknown = { ...body, orderId: UNKNOWN.order };
  assert.equal((await refused('POST /sandbox/escrow-events', { body: unknown })).code, '404 ORDER_NOT_FOUND');
  const odd = { type: 'escrow.milestone_completed', orderId, milestoneRef: 'm9' };
  assert.equal((await refused('POST /sandbox/escrow-events', { body: odd })).code, '404 MILESTONE_NOT_FOUND');
});
