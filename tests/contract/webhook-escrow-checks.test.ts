// POST /webhooks/escrow-provider: what an event says of itself has to fit the order, and its transaction has to be on the
// ledger and about this contract, asset and amount. Otherwise it is kept as failed and nothing moves, signed or not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { shareInFile } from '../support/share-in-file.ts';
import {
  type Any,
  dataOf,
  openSharedWebhooks,
  type Told,
  units,
  type WebhookFixture,
} from './webhook-escrow-fixture.ts';

const STRANGER = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const NO_CONTRACT = `C${'A'.repeat(55)}`;
const NO_ORDER = 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Two orders that most of these events are about: one is funded, the other waits for its funding. */
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

let made = 0;

/** The reason that was kept with it; the order must be as it was. */
const failed = async (fixture: WebhookFixture, order: Any, told: Told & { state?: string }): Promise<string> => {
  const before = await fixture.get(order.id);
  const eventId = `wrong-${++made}`;
  assert.equal(await fixture.deliver({ ...told, eventId }), false, JSON.stringify(told));
  assert.deepEqual(await fixture.get(order.id), before);
  const { state, failure } = await fixture.eventRow(eventId);
  assert.equal(state, told.state ?? 'FAILED');
  return failure;
};

test('an event whose amount in 10^-7, currency, party or contract is not ours changes nothing (defect 24)', async () => {
  const { fixture, paid: order, waiting: other } = orders();
  const right = dataOf(order, await fixture.escrowRow(order.id));
  const wrong: [Record<string, unknown>, string][] = [
    [{ amount: units('99.99') }, 'The amount does not match.'],
    [{ amount: '100.00' }, 'The amount does not match.'],
    [{ amount: '100000000' }, 'The amount does not match.'],
    [{ amount: `-${units('100.00')}` }, 'The amount does not match.'],
    [{ currency: 'XLM' }, 'The currency does not match.'],
    [{ buyer_address: STRANGER }, 'The escrow has other parties.'],
    [{ seller_address: right.buyer_address }, 'The escrow has other parties.'],
    [{ contract_id: NO_CONTRACT }, 'The escrow has another contract.'],
    [{ contract_id: other.escrow.providerContractId }, 'The contract belongs to another order.'],
    [{ order_id: other.id }, 'The contract belongs to another order.'],
    [{ order_id: NO_ORDER, contract_id: null }, 'There is no such order.'],
    [{ order_id: 'nonsense', contract_id: null }, 'There is no such order.'],
    [{ order_id: null, contract_id: NO_CONTRACT }, 'There is no order with this contract.'],
    [{ order_id: null, contract_id: null }, 'There is no order with this contract.'],
  ];
  for (const [change, reason] of wrong) {
    const told = { type: 'escrow.released', data: { ...right, ...change } };
    assert.equal(await failed(fixture, order, told), reason, JSON.stringify(change));
  }
  assert.equal(await fixture.deliver({ type: 'escrow.funded', data: { ...right, currency: 'USD' } }), true);
});

test('an event without an order of its own is kept in the default marketplace, one with it beside its order', async () => {
  const { fixture, who } = orders();
  const { id } = await fixture.anOrder({ between: who });
  assert.equal(
    await fixture.deliver({ type: 'escrow.funded', eventId: 'nowhere', data: { order_id: NO_ORDER } }),
    false,
  );
  assert.equal(await fixture.deliver({ type: 'escrow.funded', eventId: 'there', data: { order_id: id } }), false);
  const nowhere = await fixture.eventRow('nowhere');
  const there = await fixture.eventRow('there');
  assert.deepEqual([nowhere.marketplace_id, nowhere.subject_id], ['mkt_default', null]);
  assert.deepEqual([there.marketplace_id, there.subject_id], [fixture.app.marketplaceId, id]);
  assert.equal(there.failure, 'The order has no escrow.');
});

test('an event of a type that is not known, or about a milestone that is not there, changes nothing', async () => {
  const { fixture, waiting: order } = orders();
  const told = (type: string, data: object = {}): Told => ({ type, data: { order_id: order.id, ...data } });
  assert.equal(await failed(fixture, order, told('escrow.archived')), 'There is no such event type.');
  assert.equal(await failed(fixture, order, told('constructor')), 'There is no such event type.');
  const done = 'escrow.milestone_completed';
  assert.equal(await failed(fixture, order, told(done)), 'The order has no such milestone.');
  assert.equal(await failed(fixture, order, told(done, { milestone_ref: 'm3' })), 'The order has no such milestone.');
  for (const amount of ['60.00', '99.99']) {
    const other = { milestone_ref: 'm1', amount: units(amount) };
    assert.equal(await failed(fixture, order, told(done, other)), 'The amount does not match.', amount);
  }
  const created = { contract_id: null };
  assert.equal(await failed(fixture, order, told('escrow.created', created)), 'The event names no contract.');
});

test('a transaction that is not there, or is about another contract, asset or amount, proves nothing (defect 31)', async () => {
  const { fixture, waiting: order, paid: other } = orders();
  const funded = (hash: string): Told => ({
    type: 'escrow.funded',
    data: { order_id: order.id, transaction_hash: hash },
  });
  const reasons = {
    // The ledger may show it later.
    missing: await failed(fixture, order, { ...funded('ab'.repeat(32)), state: 'PENDING' }),
    nonsense: await failed(fixture, order, funded('no hash at all')),
    elsewhere: await failed(fixture, order, funded(await fixture.hashOf(other.id, 'fund'))),
    deployment: await failed(fixture, order, funded(await fixture.hashOf(order.id, 'deploy'))),
    half: await failed(fixture, order, funded(await fixture.payIn(order, '50.00'))),
    stranger: await failed(fixture, order, funded((await fixture.simulator('POST /faucet', payment(order))).hash)),
  };
  assert.deepEqual(reasons, {
    missing: 'The ledger has no such transaction.',
    nonsense: 'This is not a transaction hash.',
    elsewhere: 'The transaction concerns another contract.',
    deployment: 'The transaction concerns another contract.',
    half: 'The transaction moves another amount.',
    stranger: 'The transaction moves another asset.',
  });
  assert.equal(await fixture.deliver(funded(await fixture.payIn(order))), true);
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
});

/** The right amount of the wrong thing. */
const payment = (order: Any) => ({ address: order.escrow.providerContractId, asset: 'XLM', amount: order.amount });

test('an order in the native asset is funded by the native asset alone', async () => {
  const { fixture } = orders();
  const who = await fixture.parties();
  const credit = { body: { amount: '500.00', currency: 'XLM' }, status: 200 };
  await fixture.expect(`POST /users/${who.buyer}/balance/credit`, credit);
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING', between: who, currency: 'XLM' });
  const funded = (hash: string, currency: string): Told => ({
    type: 'escrow.funded',
    data: { order_id: order.id, transaction_hash: hash, currency, amount: units('100.00') },
  });
  const dollars = await fixture.payIn(order);
  assert.equal(await failed(fixture, order, funded(dollars, 'USDC')), 'The currency does not match.');
  assert.equal(await failed(fixture, order, funded(dollars, 'XLM')), 'The transaction moves another asset.');
  const { hash } = await fixture.simulator('POST /faucet', payment(order));
  assert.equal(await fixture.deliver(funded(hash, 'XLM')), true);
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
});

test('while the ledger does not answer the event is kept, and taken by a job or when it is repeated', async () => {
  for (const way of ['job', 'repeat'] as const) await keepAndTake(orders().fixture, way);
});

const HOUR_MICROS = 3_600_000_000;

const keepAndTake = async (fixture: WebhookFixture, way: 'job' | 'repeat'): Promise<void> => {
  const order = await fixture.anOrder({ at: 'ESCROW_FUNDING' });
  // The server must not see for itself what the event tells.
  await fixture.fault('get-escrow', 'refusal', { match: order.escrow.providerContractId, count: 10_000 });
  const hash = await fixture.payIn(order);
  const eventId = `patience-${way}`;
  const told = { type: 'escrow.funded', eventId, data: { order_id: order.id, transaction_hash: hash } };
  await fixture.fault('transaction-get', 'outage', { match: hash, count: 100 });
  assert.equal(await fixture.deliver(told), false);
  assert.equal((await fixture.eventRow(eventId)).state, 'PENDING');
  assert.equal((await fixture.get(order.id)).status, 'ESCROW_FUNDING');
  await fixture.simulator('DELETE /faults');
  if (way === 'repeat') assert.equal(await fixture.deliver(told), true);
  else await fixture.openEars(() => systemClock() + HOUR_MICROS).retryKept();
  assert.equal((await fixture.get(order.id)).status, 'IN_PROGRESS');
  const { state, claim, next_attempt_at: next } = await fixture.eventRow(eventId);
  assert.deepEqual([state, claim, next], ['PROCESSED', null, null]);
};

test('the transaction of a payout must pay the party that the event names', async () => {
  const { fixture, who, paid: order } = orders();
  const funding = await fixture.hashOf(order.id, 'fund');
  const hash = await fixture.resolveOutside(order, 'buyer');
  const told = (type: string, transaction: string): Told => ({
    type,
    data: { order_id: order.id, transaction_hash: transaction },
  });
  assert.equal(await failed(fixture, order, told('escrow.released', funding)), 'The transaction moves another amount.');
  assert.equal(await failed(fixture, order, told('escrow.released', hash)), 'The transaction pays another party.');
  assert.equal(await fixture.deliver(told('escrow.refunded', hash)), true);
  // The other order of the buyer was funded by an outsider.
  assert.deepEqual(await fixture.balance(who.buyer), { available: '900.00', reserved: '0.00' });
});

test('escrow.created with the hash of the deployment is believed, with another hash it is not', async () => {
  const { fixture, who, paid: other } = orders();
  const { id } = await fixture.anOrder({ at: 'FUNDS_RESERVED', between: who });
  await fixture.fault('deploy', 'no-contract-id', { match: id });
  await fixture.fault('get-escrow', 'refusal', { match: id, count: 10_000 });
  const order = await fixture.expect(`POST /orders/${id}/escrow`, { status: 201 });
  const { contracts } = await fixture.simulator('GET /state');
  const { contractId } = contracts.find((one: Any) => one.engagementId === id);
  const created = (hash: string): Told => ({
    type: 'escrow.created',
    data: { order_id: id, contract_id: contractId, transaction_hash: hash },
  });
  const wrong = created(await fixture.hashOf(other.id, 'deploy'));
  assert.equal(await fixture.deliver({ ...wrong, eventId: 'wrong' }), false);
  assert.equal((await fixture.eventRow('wrong')).failure, 'The transaction concerns another contract.');
  assert.equal((await fixture.get(order.id)).status, 'ESCROW_CREATING');
  assert.equal(await fixture.deliver(created(await fixture.hashOf(id, 'deploy'))), true);
  assert.equal((await fixture.get(order.id)).status, 'ESCROW_FUNDING');
});
