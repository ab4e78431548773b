// GET /orders/{id}/timeline, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { tradeIn, UNKNOWN } from './order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const titlesOf = (entries: Any[], kind: string): string[] =>
  entries.filter((entry) => entry.kind === kind).map(({ title }) => title);

test('200 lists all entries of a released order, from every source, in the order of time', async (t) => {
  const fixture = await openSharedOrders(t);
  const order = await fixture.anOrder({ at: 'IN_PROGRESS' });
  await fixture.completeAll(order);
  await fixture.expect(`POST /orders/${order.id}/resolution/release`, { body: {}, status: 200 });
  await fixture.atRest();
  const { orderId, entries, truncated } = await fixture.expect(`GET /orders/${order.id}/timeline`, { status: 200 });
  assert.deepEqual([orderId, truncated], [order.id, false]);
  const times = entries.map(({ at }: Any) => at);
  assert.deepEqual(times, times.toSorted());

  assert.deepEqual(titlesOf(entries, 'event').toSorted(), (await fixture.eventsOf(order.id)).toSorted());
  const moves = entries.filter(({ kind }: Any) => kind === 'posting').map(({ details }: Any) => details);
  const told = moves.map(
    ({ move, from, to, amount, currency }: Any) => `${move}: ${from} -> ${to} ${amount} ${currency}`,
  );
  for (const line of [
    'reserve: buyer, available -> buyer, reserved 100.00 USD',
    'fund_escrow: buyer, reserved -> escrow of the order 100.00 USD',
    "contract_funding: buyer's wallet -> escrow contract 100.00 USD",
    'pay_seller: escrow of the order -> seller, available 95.00 USD',
    'platform_fee: escrow of the order -> platform fees 5.00 USD',
  ]) {
    assert.equal(told.filter((one: string) => one === line).length, 1, `${line} in ${told.join('; ')}`);
  }
  assert.ok(
    told.some((line: string) => /^contract_payment: escrow contract -> seller's wallet/.test(line)),
    told.join('; '),
  );

  const calls = entries.filter(({ kind }: Any) => kind === 'ledger');
  const actions = calls.map(({ details }: Any) => details.action);
  for (const action of ['deploy', 'fund', 'change-status', 'approve', 'release'])
    assert.ok(actions.includes(action), action);
  const hashes = await fixture.app.sql('select id from ledger_transactions where actions -> 0 ->> $2 = $1', [
    order.id,
    'orderId',
  ]);
  for (const { id } of hashes) assert.ok(calls.some(({ reference }: Any) => reference === id));
  for (const { details } of calls) assert.equal(details.state, 'SUCCEEDED');
  for (const { details } of calls.filter(({ details: { action } }: Any) => action === 'fund')) {
    assert.equal(details.contract, order.escrow.providerContractId);
    assert.match(details.signer, /^G[A-Z2-7]{55}$/);
  }

  const operations = entries.filter(({ kind }: Any) => kind === 'operation');
  assert.deepEqual(
    operations.map(({ title, details }: Any) => `${title} (${details.state})`),
    [
      'Creating the escrow has begun (RUNNING)',
      'Creating the escrow is done (DONE)',
      'Funding the escrow has begun (RUNNING)',
      'Funding the escrow is done (DONE)',
      'Releasing to the seller has begun (RUNNING)',
      'Releasing to the seller is done (DONE)',
    ],
  );
  const audits = titlesOf(entries, 'audit');
  for (const action of ['ORDER_CREATED', 'BALANCE_RESERVED', 'ESCROW_FUNDED', 'RELEASE_REQUESTED', 'ORDER_RELEASED']) {
    assert.ok(audits.includes(action), action);
  }
  const created = entries.find(({ title }: Any) => title === 'ORDER_CREATED');
  assert.deepEqual([created.details.actorType, created.details.result], ['api_key', 'SUCCESS']);
  const trail = await fixture.app.call(`GET /audit/logs?resourceId=${order.id}`);
  const ids = entries.map(({ reference }: Any) => reference);
  for (const { id } of trail.body.data.data) assert.ok(ids.includes(id));
});

test('200 lists manual reservations of the order and the money that a cancellation returned', async (t) => {
  const app = await openApp(t);
  const trade = await tradeIn(app, { available: '500.00' });
  const { id } = await trade.anOrder();
  const other = await trade.anOrder();
  const reserve = (orderId: string) =>
    app.call(`POST /users/${trade.buyerId}/balance/reserve`, { body: { amount: '7.00', orderId } });
  for (const orderId of [id, other.id]) assert.equal((await reserve(orderId)).status, 200);
  await trade.done(`POST /orders/${id}/cancel`);
  const { entries } = await trade.done(`GET /orders/${id}/timeline`);
  const moves = entries.filter(({ kind }: Any) => kind === 'posting');
  assert.deepEqual(
    moves.map(({ details }: Any) => [details.move, details.amount]),
    [
      ['reserve', '7.00'],
      ['cancel_reservation', '7.00'],
    ],
  );
  const balances = titlesOf(entries, 'event').filter((type) => type.startsWith('balance.'));
  assert.deepEqual(balances, ['balance.reserved', 'balance.released']);
});

test('200 is cut after five hundred entries, the oldest first, and says so', async (t) => {
  const app = await openApp(t);
  const trade = await tradeIn(app, { available: '500.00' });
  const { id } = await trade.anOrder();
  const reserve = () =>
    app.call(`POST /users/${trade.buyerId}/balance/reserve`, { body: { amount: '0.01', orderId: id } });
  // Each is a posting, an event and an audit entry.
  for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 17 }, reserve));
  const { entries, truncated } = await trade.done(`GET /orders/${id}/timeline`);
  assert.deepEqual([entries.length, truncated], [500, true]);
  assert.equal(entries[0].title, 'order.created');
});

test("404 ORDER_NOT_FOUND for an unknown order and for another marketplace's", async (t) => {
  const app = await openApp(t);
  const { id } = await (await tradeIn(app, {})).anOrder();
  assert.equal(codeOf(await app.call(`GET /orders/${UNKNOWN.order}/timeline`)), '404 ORDER_NOT_FOUND');
  const key = await app.key(['read'], 'mkt_other');
  assert.equal(codeOf(await app.call(`GET /orders/${id}/timeline`, { key })), '404 ORDER_NOT_FOUND');
});
