// Every resource of the client, in the order in which a marketplace needs them, against a real server and its simulators.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Holdfast } from '@holdfast/sdk';
import { until } from '../../tools/until.ts';
import { MASTER_KEY } from '../support/app.ts';
import { aUser, failureOf, openFixture, openOwnFixture, parties } from './fixture.ts';

test('keys are created, listed, rotated, exchanged for a token and revoked', async (t) => {
  const { app, master } = await openFixture(t);
  const marketplaceId = `${app.marketplaceId}-shop`;
  const made = await master.keys.create({ name: 'shop', scopes: ['read', 'write'], marketplaceId });
  const shop = new Holdfast({ url: app.url, apiKey: made.key });
  const me = await shop.keys.me();
  assert.deepEqual([me.marketplaceId, me.scopes], [marketplaceId, ['read', 'write']]);
  const { token } = await shop.keys.token(made.id, { scopes: ['read'] });
  const reader = new Holdfast({ url: app.url, apiKey: token });
  const error = await failureOf(reader.users.create({ externalUserId: 'ada' }));
  assert.ok(error.code === 'INSUFFICIENT_SCOPE' && error.details.requiredScope === 'write');
  const inShop = new Holdfast({ url: app.url, apiKey: MASTER_KEY, marketplaceId });
  const rotated = await inShop.keys.rotate(made.id);
  assert.notEqual(rotated.key, made.key);
  assert.ok((await inShop.keys.list().toArray({ max: 10 })).some(({ id }) => id === made.id));
  await inShop.keys.revoke(made.id);
  assert.equal((await failureOf(shop.keys.me())).code, 'UNAUTHORIZED');
  assert.deepEqual(await inShop.users.list().toArray({ max: 5 }), []);
  const places = await Array.fromAsync(master.marketplaces.list());
  assert.ok(places.some(({ id, keys }) => id === marketplaceId && keys === 1));
});

test('users and balances: created, credited, reserved, released, deducted, suspended, and stated', async (t) => {
  const { client } = await openFixture(t);
  const { users, balances } = client;
  const { id } = await users.create({ externalUserId: 'ada', metadata: { row: 3 } });
  assert.equal((await users.create({ externalUserId: 'ada' })).id, id);
  await balances.credit(id, { amount: '100.00' });
  await balances.debit(id, { amount: '10.00' });
  const order = await client.orders.create({ buyerId: id, sellerId: await aUser(client), amount: '50.00' });
  await balances.reserve(id, { amount: '50.00', orderId: order.id });
  const [reservation] = await users.reservations(id).toArray({ max: 5 });
  assert.deepEqual([reservation!.orderId, reservation!.remaining], [order.id, '50.00']);
  await balances.release(id, { amount: '10.00', orderId: order.id });
  await balances.deductReserved(id, { amount: '15.00', orderId: order.id });
  const { available, reserved, total } = await balances.cancelReservation(id, { orderId: order.id });
  assert.deepEqual([available, reserved, total], ['75.00', '0.00', '75.00']);
  assert.equal((await users.suspend(id, { reason: 'Asked for' })).status, 'SUSPENDED');
  assert.equal((await users.reactivate(id)).status, 'ACTIVE');
  const statement = await users.statement(id, { limit: 2 });
  assert.deepEqual([statement.lines.length, statement.hasMore], [2, true]);
  const lines = await Array.fromAsync(users.statementLines(id, { limit: 2 }));
  assert.equal(new Set(lines.map((line) => JSON.stringify(line))).size, lines.length);
  assert.ok(lines.length > 4);
  assert.deepEqual(lines.slice(0, 2), statement.lines);
  const csv = await users.statementCsv(id);
  assert.ok(csv.trim().split(/\r?\n/).length > lines.length);
});

test('an order from its creation to its release, with its timeline and the reports', async (t) => {
  const { client } = await openFixture(t, { sandbox: true });
  const { orders } = client;
  const milestones = [{ ref: 'a/b ü', title: 'Odd name', amount: '100.00' }];
  const order = await orders.create({ ...(await parties(client)), milestones, title: 'A chair' });
  await orders.reserve(order.id);
  await orders.createEscrow(order.id);
  await orders.fundEscrow(order.id);
  const early = await failureOf(orders.release(order.id));
  assert.equal(early.code, 'INVALID_STATE');
  await orders.completeMilestone(order.id, 'a/b ü');
  assert.deepEqual(
    (await orders.milestones(order.id)).map(({ ref, status }) => [ref, status]),
    [['a/b ü', 'COMPLETED']],
  );
  assert.equal((await orders.release(order.id)).status, 'CLOSED');
  assert.equal((await orders.whenIdle(order.id)).operation, null);
  assert.ok((await orders.timeline(order.id)).entries.length > 5);
  const found = await orders.list({ status: 'CLOSED', buyerId: order.buyerId }).toArray({ max: 5 });
  assert.deepEqual([found.length, found[0]!.id], [1, order.id]);
  const operations = await client.operations.list().toArray({ max: 10 });
  assert.ok(operations.some(({ orderId }) => orderId === order.id));
  assert.ok((await client.audit.logs({ resourceId: order.id }).toArray({ max: 50 })).length > 2);
  const proof = await client.audit.proof();
  const chain = await client.audit.verify();
  assert.ok(proof.checks.every(({ holds }) => holds) && chain.holds);
  for (const report of [client.reports.money(), client.reports.activity({ days: 2 }), client.reports.openWork()]) {
    assert.equal(typeof (await report), 'object');
  }
  assert.deepEqual(await client.reconciliation.breaks().toArray({ max: 5 }), []);
});

test('a dispute is opened, assigned and split', async (t) => {
  const { client } = await openFixture(t, { sandbox: true });
  const who = await parties(client);
  const { id } = await client.orders.create(who);
  await client.orders.reserve(id);
  await client.orders.createEscrow(id);
  await client.orders.fundEscrow(id);
  const opened = await client.orders.dispute(id, {
    openedBy: 'SELLER',
    reason: 'OTHER',
    evidence: ['https://a.example'],
  });
  const blocked = await failureOf(client.orders.refund(id, { reason: 'Please' }));
  assert.ok(['DISPUTE_ALREADY_OPEN', 'INVALID_STATE'].includes(blocked.code));
  await client.disputes.assign(opened.id, { assignedTo: 'agent-1' });
  const parts = { releaseAmount: '40.00', refundAmount: '60.00' };
  await client.disputes.resolve(opened.id, { decision: 'SPLIT', note: 'Both are right.', ...parts });
  const seen = await client.disputes.get(opened.id);
  assert.deepEqual([seen.status, seen.order.finalStatus, seen.sellerAmount], ['RESOLVED', 'SPLIT', '40.00']);
  assert.equal((await client.disputes.list({ status: 'RESOLVED' }).toArray({ max: 5 })).length, 1);
  assert.equal((await client.balances.get(who.buyerId)).available, '460.00');
});

test('money comes in by deposit and top-up and goes out by withdrawal, with the sandbox deciding', async (t) => {
  const { client } = await openFixture(t, { sandbox: true });
  const { wallets, topups, withdrawals, sandbox } = client;
  const id = await aUser(client, '100.00');
  await client.users.linkPaymentAccount(id, { paymentAccountUserId: `account-${id}` });
  const { address } = await wallets.deposit(id);
  await until(async () => (await wallets.get(id)).isActive, 'the wallet is active');
  await sandbox.faucet({ address, asset: 'USDC', amount: '7.5' });
  await until(async () => (await wallets.transactions(id).page()).items.length > 0, 'the deposit is booked');
  assert.match((await wallets.treasuryDeposit()).address, /^G/);

  const topup = await topups.create({ userId: id, amount: '25.00' });
  assert.ok(topups.callbackUrl(topup.id).endsWith(`/api/v1/topups/${topup.id}/callback`));
  await sandbox.decidePayin(topup.id, 'confirm');
  await until(async () => (await topups.refresh(topup.id)).status === 'TOPUP_SUCCEEDED', 'the top-up is paid');
  const other = await topups.create({ userId: id, amount: '30.00' });
  await topups.cancel(other.id);
  await until(async () => (await topups.get(other.id)).status === 'TOPUP_CANCELED', 'the other is cancelled');
  assert.equal((await topups.list({ userId: id }).toArray({ max: 5 })).length, 2);

  const destination = { type: 'payment_account' } as const;
  const withdrawal = await withdrawals.create({ userId: id, amount: '20.00', currency: 'USD', destination });
  await withdrawals.commit(withdrawal.id);
  await sandbox.decidePayout(withdrawal.id, 'complete');
  await until(
    async () => (await withdrawals.refresh(withdrawal.id)).status === 'WITHDRAWAL_COMPLETED',
    'it is paid out',
  );
  assert.equal((await withdrawals.get(withdrawal.id)).status, 'WITHDRAWAL_COMPLETED');
  assert.equal((await withdrawals.list().toArray({ max: 5 })).length, 1);
  assert.equal((await client.balances.verify(id, { currency: 'USDC' })).onChainBalance.address, address);
  assert.equal(typeof (await client.balances.sync(id, { currency: 'USDC' })).synced, 'boolean');
});

test('the service routes answer, and the sandbox can be read and changed', async (t) => {
  const { client, app } = await openOwnFixture(t, { sandbox: true });
  const open = new Holdfast({ url: `${app.url}/` });
  assert.equal((await open.service.health()).status, 'ok');
  assert.ok((await open.service.detailedHealth()).probes.length > 2);
  assert.equal((await open.service.config()).sandbox, true);
  assert.ok((await client.service.jobs()).length > 3);
  const { time } = await client.sandbox.state();
  await client.sandbox.advanceClock({ seconds: 3_600 });
  assert.ok(Date.parse((await client.sandbox.state()).time) - Date.parse(time) >= 3_600_000);
  const armed = await client.sandbox.armFault({ operation: 'deploy', fault: 'refusal', match: randomUUID() });
  assert.ok((await client.sandbox.faults()).faults.some(({ id }) => id === armed.id));
  await client.sandbox.clearFaults();
  assert.deepEqual((await client.sandbox.faults()).faults, []);
});
