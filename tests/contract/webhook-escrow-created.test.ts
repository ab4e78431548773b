// POST /webhooks/escrow-provider with escrow.created: it may only name the contract that our own deployment made, signed or not. An
// order that another contract was named for can be funded or cancelled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../server/src/commit/command.ts';
import { putEscrow } from '../../server/src/modules/escrows/escrow.ts';
import { codeOf } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Any, openWebhooks, type WebhookFixture } from './webhook-escrow-fixture.ts';

const FOREIGN = `C${'A'.repeat(55)}`;

const server = shareInFile((t) => openWebhooks(t));

/** An order whose deployment the provider has not prepared yet. */
const undeployed = async (fixture: WebhookFixture, between: Any): Promise<string> => {
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between });
  await fixture.fault('deploy', 'outage', { match: id, count: 10_000 });
  assert.equal(codeOf(await fixture.app.call(`POST /orders/${id}/escrow`)), '504 PROVIDER_TIMEOUT');
  return id;
};

const created = (fixture: WebhookFixture, orderId: string, more: object = {}): Promise<boolean> =>
  fixture.deliver({ type: 'escrow.created', data: { order_id: orderId, contract_id: FOREIGN }, ...more });

test('a signed escrow.created that names a foreign contract is refused, and the order is funded as before', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const id = await undeployed(fixture, who);
  assert.equal(await created(fixture, id, { eventId: 'foreign' }), false);
  const { state, failure } = await fixture.eventRow('foreign');
  assert.deepEqual([state, failure], ['FAILED', 'The order has not deployed a contract.']);
  const { status, escrow } = await fixture.get(id);
  assert.deepEqual([status, escrow.status, escrow.providerContractId], ['ESCROW_CREATING', 'CREATING', null]);
  assert.equal(await created(fixture, id, { signed: false }), false);
  await fixture.simulator('DELETE /faults');
  const order = await fixture.untilStatus(id, 'ESCROW_FUNDING');
  assert.notEqual(order.escrow.providerContractId, FOREIGN);
  await fixture.expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
  await fixture.assertSound();
});

/** What an earlier version stored for a signed event that named a foreign contract. */
const touch = command<{ readonly escrowId: string }, void>({
  name: 'test-touch-escrow',
  needs: ({ escrowId }) => ({ rows: [{ table: 'escrows', id: escrowId }] }),
  decide({ escrowId }, work) {
    putEscrow(work, { ...work.get('escrows', escrowId), providerContractId: FOREIGN });
    work.audit({ action: 'ESCROW_CREATED', resourceType: 'Escrow', resourceId: escrowId });
  },
});

const touched = async (fixture: WebhookFixture, order: Any): Promise<void> => {
  const { app } = fixture;
  const context = {
    marketplaceId: app.marketplaceId,
    actor: { type: 'system', id: 'test' },
    requestId: 'r-1',
  } as const;
  await fixture.openEars().submit({ command: touch, input: { escrowId: order.escrow.id }, context });
  assert.equal((await fixture.get(order.id)).escrow.providerContractId, FOREIGN);
};

test('an order with a foreign contract is not funded; then its escrow is created again and funded, or it is cancelled', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const first = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  const second = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who });
  for (const order of [first, second]) {
    await touched(fixture, order);
    const funded = await fixture.app.call(`POST /orders/${order.id}/escrow/fund`);
    assert.equal(codeOf(funded), '400 ESCROW_FUNDING_FAILED');
    assert.match(funded.body.error.details.reason, /not the one that was deployed for this order/);
    assert.equal((await fixture.get(order.id)).status, 'FUNDS_RESERVED');
  }
  const again = await fixture.expect(`POST /orders/${first.id}/escrow`, { status: 201 });
  assert.equal(again.status, 'ESCROW_FUNDING');
  assert.equal(again.escrow.providerContractId, first.escrow.providerContractId);
  await fixture.expect(`POST /orders/${first.id}/escrow/fund`, { status: 201 });
  await fixture.expect(`POST /orders/${second.id}/cancel`, { status: 201 });
  assert.deepEqual(await fixture.balance(who.buyer), { available: '900.00', reserved: '0.00' });
  await fixture.assertSound();
});

test('an order that a foreign contract holds in ESCROW_CREATING continues with its own contract', async () => {
  const fixture = server();
  const who = await fixture.parties();
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  await fixture.fault('deploy', 'no-contract-id', { match: id });
  await fixture.fault('get-escrow', 'refusal', { match: id, count: 10_000 });
  await touched(fixture, await fixture.expect(`POST /orders/${id}/escrow`, { status: 201 }));
  await fixture.simulator('DELETE /faults');
  const order = await fixture.untilStatus(id, 'ESCROW_FUNDING');
  const { contracts } = await fixture.simulator('GET /state');
  const own = contracts.find((one: Any) => one.engagementId === id).contractId;
  assert.equal(order.escrow.providerContractId, own);
  await fixture.expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
});
