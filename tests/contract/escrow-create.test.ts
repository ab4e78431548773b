// POST /orders/{id}/escrow: every status and rule, in the order of the specification's checks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, openOrders, openSharedOrders } from '../orders/order-stand.ts';

test('201: the order waits for its funding, and the contract has the roles, fee, type and amount of the order', async (t) => {
  const { app, people, reserved, expect, contractOf } = await openSharedOrders(t);
  const who = await people();
  const parts = ['40.00', '60.00'];
  const { id } = await reserved(who, { milestones: parts, metadata: { platformFee: '7.25' } });
  // Whatever body comes is ignored, malformed JSON too.
  const answer = await app.call(`POST /orders/${id}/escrow`, { body: '{"amount": ' });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.body.data.success, true);
  const order = answer.body.data.data;
  assert.deepEqual([order.status, order.escrow.status, order.escrow.amount], ['ESCROW_FUNDING', 'CREATED', '100.00']);
  assert.match(order.escrow.id, /^esc_/);
  assert.match(order.escrow.providerContractId, /^C[A-Z2-7]{55}$/);
  assert.deepEqual(order.escrow.terms, { milestones_required: true });
  const { fundedAt, releasedAt, refundedAt } = order.escrow;
  assert.deepEqual([fundedAt, releasedAt, refundedAt, order.dispute, order.operation], [null, null, null, null, null]);

  const addressOf = async (userId: string) => (await expect(`GET /users/${userId}`, { status: 200 })).ledgerAddress;
  const [buyer, seller] = [await addressOf(who.buyer), await addressOf(who.seller)];
  const [platform] = await app.sql(`select address from wallets where owner = 'platform'`);
  const contract = await contractOf(order);
  assert.deepEqual([contract.type, contract.engagementId, contract.platformFee], ['multi-release', id, 7.25]);
  assert.equal(contract.signer, buyer);
  assert.deepEqual(contract.roles, {
    approver: buyer,
    releaseSigner: buyer,
    serviceProvider: seller,
    disputeResolver: platform.address,
    platformAddress: platform.address,
  });
  assert.deepEqual(
    contract.milestones.map((each: { amount: number; receiver: string }) => [each.amount, each.receiver]),
    [
      [40, seller],
      [60, seller],
    ],
  );
});

test('201: exactly one milestone is a single-release contract, and stays one to the end', async (t) => {
  const { people, withEscrow, expect, contractOf, completeAll } = await openSharedOrders(t);
  const order = await withEscrow(await people(), { milestones: ['100.00'] });
  assert.deepEqual([order.escrow.contractType, (await contractOf(order)).type], ['single-release', 'single-release']);
  await expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  await completeAll(order);
  await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
});

test('201 with CREATING when no contract id came back; it is finished later by itself', async (t) => {
  const { people, reserved, expect, fault, untilStatus } = await openOrders(t);
  const { id } = await reserved(await people());
  await fault('deploy', 'no-contract-id');
  const order = await expect(`POST /orders/${id}/escrow`, { status: 201 });
  assert.deepEqual(
    [order.status, order.escrow.status, order.escrow.providerContractId],
    ['ESCROW_CREATING', 'CREATING', null],
  );
  const later = await untilStatus(id, 'ESCROW_FUNDING');
  assert.equal(later.escrow.status, 'CREATED');
  assert.match(later.escrow.providerContractId, /^C/);
});

test('404 ORDER_NOT_FOUND, also for an order of another marketplace', async (t) => {
  const { app, people, reserved } = await openSharedOrders(t);
  const { id } = await reserved(await people());
  const other = await app.key(['*'], 'mkt_other');
  assert.equal(codeOf(await app.call('POST /orders/ord_nobody/escrow')), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow`, { key: other })), '404 ORDER_NOT_FOUND');
});

test('400 INVALID_STATE unless the funds are reserved, with what can be asked for', async (t) => {
  const { app, people, createOrder, withEscrow } = await openSharedOrders(t);
  const who = await people();
  const { id } = await createOrder(who);
  const early = await app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(early), '400 INVALID_STATE');
  const { currentState, allowedActions } = early.body.error.details;
  assert.deepEqual([currentState, allowedActions], ['ORDER_CREATED', ['reserve', 'cancel']]);
  const { id: second } = await withEscrow(who);
  assert.equal(codeOf(await app.call(`POST /orders/${second}/escrow`)), '400 INVALID_STATE');
});

test('409 ESCROW_ALREADY_EXISTS when an order in FUNDS_RESERVED has an escrow', async (t) => {
  const { app, people, withEscrow } = await openOrders(t);
  const { id, escrow } = await withEscrow(await people());
  // No way of the API leads here; a row that was put right by hand may.
  await app.sql(`update orders set status = 'FUNDS_RESERVED', version = version + 1 where id = $1`, [id]);
  await app.close();
  const again = await openOrders(t, { connection: app.connection });
  const answer = await again.app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(answer), '409 ESCROW_ALREADY_EXISTS');
  assert.equal(answer.body.error.details.escrowId, escrow.id);
});

test('500 INTERNAL_ERROR before any ledger call when an account is not active or milestones do not add up', async (t) => {
  const stand = await openOrders(t, { env: { LENIENT_MILESTONES: 'true' } });
  const { app, people, reserved, createOrder, expect, twin, get } = stand;
  const who = await people();
  const { id } = await reserved(who);
  await expect(`POST /users/${who.seller}/suspend`, { status: 200 });
  const suspended = await app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(suspended), '500 INTERNAL_ERROR');
  assert.match(suspended.body.error.message, /seller/);
  await expect(`POST /users/${who.seller}/reactivate`, { status: 200 });

  const odd = await createOrder(who, { milestones: ['40.00', '59.99'] });
  await expect(`POST /orders/${odd.id}/reserve`, { status: 201 });
  const unequal = await app.call(`POST /orders/${odd.id}/escrow`);
  assert.equal(codeOf(unequal), '500 INTERNAL_ERROR');
  const { amount, milestonesTotal } = unequal.body.error.details;
  assert.deepEqual([amount, milestonesTotal], ['100.00', '99.99']);
  assert.deepEqual((await twin('GET /state')).contracts, []);
  assert.deepEqual([(await get(id)).status, (await get(odd.id)).status], ['FUNDS_RESERVED', 'FUNDS_RESERVED']);
});

test('500 INTERNAL_ERROR without a linked payment account where one is required', async (t) => {
  const { app, people, reserved, expect } = await openOrders(t, { env: { REQUIRE_PAYMENT_ACCOUNT: 'true' } });
  const who = await people();
  const { id } = await reserved(who);
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow`)), '500 INTERNAL_ERROR');
  for (const userId of [who.buyer, who.seller]) {
    const body = { email: `${userId}@example.com`.toLowerCase() };
    await expect(`POST /users/${userId}/payment-account/link`, { body, status: 200 });
  }
  await expect(`POST /orders/${id}/escrow`, { status: 201 });
});

test('500 INTERNAL_ERROR when the provider refuses: back to FUNDS_RESERVED, audited as a failure, and it can be asked again', async (t) => {
  const { app, people, reserved, expect, fault, get, twin } = await openOrders(t);
  const { id } = await reserved(await people());
  await fault('deploy', 'refusal');
  const answer = await app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(answer), '500 INTERNAL_ERROR');
  const order = await get(id);
  assert.deepEqual([order.status, order.escrow], ['FUNDS_RESERVED', null]);
  const logs = await expect(`GET /audit/logs?resourceId=${id}&action=ESCROW_CREATE_FAILED`, { status: 200 });
  assert.deepEqual(
    logs.map(({ result }: { result: string }) => result),
    ['FAILURE'],
  );
  await expect(`POST /orders/${id}/escrow`, { status: 201 });
  assert.equal((await twin('GET /state')).contracts.length, 1);
});

test('401 without a key and 403 without the scope, and neither tells whether the order is there', async (t) => {
  const { app, people, reserved } = await openSharedOrders(t);
  const { id } = await reserved(await people());
  const reader = await app.key(['read']);
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow`, { key: null })), '401 UNAUTHORIZED');
  assert.equal(codeOf(await app.call(`POST /orders/${id}/escrow`, { key: reader })), '403 INSUFFICIENT_SCOPE');
});
