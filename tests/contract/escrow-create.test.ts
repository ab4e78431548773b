// POST /orders/{id}/escrow: every status and rule. What is refused before there is an escrow, by the order's state or because
// there is no such order, is in orders-too-early; whose key may do it is in scopes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginEscrow } from '../../server/src/modules/escrows/begin-escrow.ts';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { until } from '../../tools/until.ts';
import { openFixture } from '../commit/fixture.ts';
import { codeOf } from '../support/app.ts';
import { openOrders, ordersIn } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';

const server = shareInFile(async (t) => ordersIn(await openApp(t, { sandbox: true })));

test('201: the order waits for its funding, and the contract has the roles, fee, type and amount of the order', async () => {
  const { app, parties, anOrder, expect, contractOf } = server();
  const who = await parties();
  const parts = ['40.00', '60.00'];
  const { id } = await anOrder({
    at: 'FUNDS_RESERVED',
    between: who,
    milestones: parts,
    metadata: { platformFee: '7.25' },
  });
  // Whatever body comes is ignored, malformed JSON too.
  const answer = await app.call(`POST /orders/${id}/escrow`, { body: '{"amount": ' });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.body.data.success, true);
  const order = answer.body.data.data;
  assert.deepEqual([order.status, order.escrow.status, order.escrow.amount], ['ESCROW_FUNDING', 'CREATED', '100.00']);
  assert.equal(order.escrow.contractType, 'multi-release');
  assert.match(order.escrow.id, /^esc_/);
  assert.match(order.escrow.providerContractId, /^C[A-Z2-7]{55}$/);
  assert.deepEqual(order.escrow.terms, { milestones_required: true });
  const { fundedAt, releasedAt, refundedAt } = order.escrow;
  assert.deepEqual([fundedAt, releasedAt, refundedAt, order.dispute, order.operation], [null, null, null, null, null]);

  const addressOf = async (userId: string) => (await expect(`GET /users/${userId}`, { status: 200 })).ledgerAddress;
  const buyer = await addressOf(who.buyer);
  const seller = await addressOf(who.seller);
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

test('201 with CREATING when no contract id came back; the server finishes it later', async () => {
  const { anOrder, expect, fault, untilStatus } = server();
  const { id } = await anOrder({ at: 'FUNDS_RESERVED', milestones: ['100.00'] });
  await fault('deploy', 'no-contract-id', { match: id });
  const order = await expect(`POST /orders/${id}/escrow`, { status: 201 });
  assert.deepEqual(
    [order.status, order.escrow.status, order.escrow.providerContractId],
    ['ESCROW_CREATING', 'CREATING', null],
  );
  const later = await untilStatus(id, 'ESCROW_FUNDING');
  assert.equal(later.escrow.status, 'CREATED');
  assert.match(later.escrow.providerContractId, /^C/);
  assert.equal(later.escrow.contractType, 'single-release', 'exactly one milestone is paid all at once');
});

test('409 ESCROW_ALREADY_EXISTS when an order in FUNDS_RESERVED has an escrow', async (t) => {
  const { app, anOrder } = server();
  const { id, escrow } = await anOrder({ at: 'ESCROW_FUNDING' });
  // No request of the API leads to this state; a manual correction of the row may. Another process reads the row only.
  await app.sql(`update orders set status = 'FUNDS_RESERVED', version = version + 1 where id = $1`, [id]);
  const { submit } = await openFixture(t, { connection: app.connection as Connection });
  const parties = { buyer: null, seller: null, platform: null };
  const input = { orderId: id, ...parties, requirePaymentAccount: false };
  const expected = { code: 'ESCROW_ALREADY_EXISTS', status: 409, details: { escrowId: escrow.id } };
  await assert.rejects(submit(beginEscrow, input, { marketplaceId: app.marketplaceId }), expected);
});

test('500 INTERNAL_ERROR before any ledger call without an active account, and when milestones do not add up', async (t) => {
  const fixture = await openOrders(t, { env: { LENIENT_MILESTONES: 'true', REQUIRE_PAYMENT_ACCOUNT: 'true' } });
  const { app, parties, anOrder, expect, simulator, get } = fixture;
  const who = await parties();
  const { id } = await anOrder({ at: 'FUNDS_RESERVED', between: who });
  const unlinked = await app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(unlinked), '500 INTERNAL_ERROR');
  assert.match(unlinked.body.error.message, /no account at the payment provider is linked/);
  for (const userId of [who.buyer, who.seller]) {
    const body = { email: `${userId}@example.com`.toLowerCase() };
    await expect(`POST /users/${userId}/payment-account/link`, { body, status: 200 });
  }
  await expect(`POST /users/${who.seller}/suspend`, { status: 200 });
  const suspended = await app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(suspended), '500 INTERNAL_ERROR');
  assert.match(suspended.body.error.message, /seller/);
  await expect(`POST /users/${who.seller}/reactivate`, { status: 200 });

  const odd = await anOrder({ between: who, milestones: ['40.00', '59.99'] });
  assert.equal(odd.milestones[1].amount, '59.99', 'LENIENT_MILESTONES takes them');
  await expect(`POST /orders/${odd.id}/reserve`, { status: 201 });
  const unequal = await app.call(`POST /orders/${odd.id}/escrow`);
  assert.equal(codeOf(unequal), '500 INTERNAL_ERROR');
  const { amount, milestonesTotal } = unequal.body.error.details;
  assert.deepEqual([amount, milestonesTotal], ['100.00', '99.99']);
  assert.deepEqual((await simulator('GET /state')).contracts, []);
  assert.deepEqual([(await get(id)).status, (await get(odd.id)).status], ['FUNDS_RESERVED', 'FUNDS_RESERVED']);
  await expect(`POST /orders/${id}/escrow`, { status: 201 });
});

test('504 PROVIDER_TIMEOUT while a wallet of the order is not active on the ledger yet, and 201 afterwards', async (t) => {
  const { app, anOrder, fault, simulator } = await openOrders(t, { env: { OPERATION_WAIT_MS: '1000' } });
  await fault('account', 'outage', { count: 10_000 });
  const { id } = await anOrder({ at: 'FUNDS_RESERVED' });
  const answer = await app.call(`POST /orders/${id}/escrow`);
  assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT', answer.text);
  assert.equal(answer.body.error.details.provider, 'ledger-network');
  await simulator('DELETE /faults');
  await until(async () => (await app.call(`POST /orders/${id}/escrow`)).status !== 504, 'the wallets are active');
  assert.notEqual((await app.call(`GET /orders/${id}`)).body.data.escrow, null);
});

test('500 INTERNAL_ERROR when the provider refuses: back to FUNDS_RESERVED, audited as a failure, and it can be asked again', async () => {
  const { app, anOrder, expect, fault, get, simulator } = server();
  const { id } = await anOrder({ at: 'FUNDS_RESERVED' });
  await fault('deploy', 'refusal', { match: id });
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
  const { contracts } = await simulator('GET /state');
  assert.equal(contracts.filter(({ engagementId }: { engagementId: string }) => engagementId === id).length, 1);
});
