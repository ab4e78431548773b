// A database that is older than the ledger, as after the restore of a backup: what the wallets have done since then is read from the
// ledger and adopted into the books before anything more is paid, and nothing is paid a second time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { until } from '../../tools/until.ts';
import { openTool } from '../cli/tool.ts';
import { openWithdrawals, type WithdrawalFixture } from '../payments/withdrawal-fixture.ts';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { openBackup } from '../support/backup-fixture.ts';
import { builderOf } from '../support/builder.ts';
import { untilIdle } from '../support/checks.ts';

/** The books add up. A break that was seen before the adoption is resolved by the next reconciliation. */
const assertBooksHold = async (app: TestApp): Promise<void> => {
  const { checks } = await builderOf(app).expect('GET /audit/proof', { status: 200 });
  const failed = checks.filter((check: { name: string; holds: boolean }) => !check.holds);
  assert.deepEqual(
    failed.filter(({ name }: { name: string }) => name !== 'no-open-breaks'),
    [],
  );
};

const assertEqualBooks = async (app: TestApp, { sandbox }: Pick<WithdrawalFixture, 'sandbox'>): Promise<void> => {
  await untilIdle(app, ['ledger_transactions']);
  let different: unknown[] = [];
  const isSame = async (): Promise<boolean> => {
    different = await compareBooksWithLedger({ sql: app.sql, state: sandbox.describe() });
    return different.length === 0;
  };
  await until(isSame, 'the ledger is what the books say').catch(() => {});
  assert.deepEqual(different, []);
  await assertBooksHold(app);
};

const toAddress = (address: string) => ({ destination: { type: 'crypto', address } });

test('a withdrawal that was paid after the backup is not paid again after a restore', async (t) => {
  const fixture = await openWithdrawals(t, { ledger: true });
  const { outsideAddress, dollarsAt, aPayee, aWithdrawal, addressOf, fillTreasury, atRest } = fixture;
  const address = await outsideAddress();
  const userId = await aPayee();
  await addressOf(userId);
  await fillTreasury();
  const { id } = await aWithdrawal({ userId, body: toAddress(address) });
  await atRest();
  const { later, restore } = await openBackup(t, fixture);
  const paid = await builderOf(later).expect(`POST /withdrawals/${id}/commit`, { status: 200 });
  assert.equal(paid.status, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '25.5000000');

  const restored = await restore();
  await restored.call(`POST /withdrawals/${id}/commit`);
  const get = () => builderOf(restored).expect(`GET /withdrawals/${id}`, { status: 200 });
  await until(async () => (await get()).status === 'WITHDRAWAL_COMPLETED', 'the payment of the ledger is adopted');
  assert.equal(await dollarsAt(address), '25.5000000');
  const treasury = "select address, sponsored_reserves as reserves from wallets where owner = 'treasury'";
  const [sponsor] = await restored.sql(treasury);
  const answer = await fetch(`${fixture.sandbox.urls.ledger}/accounts/${sponsor.address}`);
  const account = (await answer.json()) as { num_sponsoring: number };
  assert.deepEqual([sponsor.reserves, sponsor.reserves > 0], [account.num_sponsoring, true]);
  await assertEqualBooks(restored, fixture);
});

test('a payment that nothing explains holds its wallet until an operator releases it, and is then a loss', async (t) => {
  const fixture = await openWithdrawals(t, { ledger: true });
  const { outsideAddress, dollarsAt, aPayee, addressOf, fillTreasury, atRest } = fixture;
  const address = await outsideAddress();
  const userId = await aPayee();
  await fillTreasury();
  // A first withdrawal activates the wallet.
  await fixture.commit((await fixture.aWithdrawal({ userId, body: toAddress(address) })).id);
  const source = await addressOf(userId);
  await atRest();
  const { later, restore } = await openBackup(t, fixture);
  // The request itself is lost with the database.
  const lost = await builderOf(later).aWithdrawal({ userId, body: { ...toAddress(address), amount: '7.00' } });
  await builderOf(later).expect(`POST /withdrawals/${lost.id}/commit`, { status: 200 });
  assert.equal(await dollarsAt(address), '32.5000000');

  const restored = await restore();
  const again = await builderOf(restored).aWithdrawal({ userId, body: { ...toAddress(address), amount: '9.00' } });
  assert.equal((await restored.call(`POST /withdrawals/${again.id}/commit`)).status, 504);
  const hold = async () => (await restored.call('GET /payments/hold', { key: MASTER_KEY })).body.data;
  await until(async () => (await hold()).wallets.length === 1, 'the wallet is held');
  const [held] = (await hold()).wallets;
  assert.deepEqual(
    [held.address, held.transactions.flatMap(({ payments }: { payments: unknown[] }) => payments)],
    [source, [{ to: address, asset: 'USDC', amount: '7.0000000' }]],
  );
  assert.equal(await dollarsAt(address), '32.5000000');
  const breaks = () =>
    builderOf(restored).expect('GET /reconciliation/breaks?kind=unexplained-payment', { status: 200 });
  const [shown] = await breaks();
  assert.deepEqual([shown.actual, shown.isOpen], ['7.0000000', true]);
  for (const part of [source, address, held.transactions[0].hash]) assert.ok(shown.reason.includes(part), shown.reason);

  const tool = await openTool(t, { url: restored.url, key: MASTER_KEY });
  const status = (await tool.run(['payments', 'status'])).out;
  const line = new RegExp(
    `${held.walletId} +mkt_default +7\\.0000000 +USDC .*${address} +${held.transactions[0].hash}`,
  );
  assert.match(status, line);
  assert.match(status, /payments release --wallet/);
  // The release of all payments does not release the wallet.
  const all = await tool.run(['payments', 'release', '--json']);
  assert.deepEqual([all.code, all.json.wallets.length], [0, 1], all.err);
  assert.equal(await dollarsAt(address), '32.5000000');
  const released = await tool.run(['payments', 'release', '--wallet', held.walletId]);
  assert.deepEqual([released.code, released.out], [0, 'Payments are not on hold.\n'], released.err);
  const get = () => builderOf(restored).expect(`GET /withdrawals/${again.id}`, { status: 200 });
  await until(async () => (await get()).status === 'WITHDRAWAL_COMPLETED', 'the wallet pays again');
  assert.equal(await dollarsAt(address), '41.5000000');
  assert.deepEqual((await hold()).wallets, []);
  assert.equal((await breaks())[0].isOpen, false);
  await assertEqualBooks(restored, fixture);
});

test('while payments are on hold nothing is signed, and what was requested goes on after the release', async (t) => {
  const fixture = await openWithdrawals(t, { ledger: true });
  const { app, outsideAddress, dollarsAt, aPayee, aWithdrawal, fillTreasury, untilStatus } = fixture;
  const address = await outsideAddress();
  const userId = await aPayee();
  await fillTreasury();
  const master = { key: MASTER_KEY };
  const held = await app.call('POST /payments/hold', { ...master, body: { reason: 'The ledger is being checked.' } });
  assert.deepEqual([held.status, held.body.data.held], [200, true]);
  const { id } = await aWithdrawal({ userId, body: toAddress(address) });
  const signed = await app.sql('select count(*)::int as count from ledger_transactions');
  assert.equal((await app.call(`POST /withdrawals/${id}/commit`)).status, 504);
  assert.deepEqual(await app.sql('select count(*)::int as count from ledger_transactions'), signed);
  const releaseWallet = async (walletId: string) =>
    (await app.call('POST /payments/release', { ...master, body: { walletId } })).status;
  assert.equal(await releaseWallet('wal_x'), 409);
  // A wallet can be released that the list has no room for.
  await app.sql(`insert into wallets (marketplace_id, id, version, owner, user_id, address, type, status, is_primary, payments_cursor,
      created_at, updated_at)
    select 'mkt_default', 'wal_' || n, 1, 'user', 'usr_' || n, 'G' || n, 'EXTERNAL', 'ACTIVE', true, '0', now(), now()
    from generate_series(1, 101) n`);
  await app.sql(`insert into payment_holds (marketplace_id, id, version, held, reason, transactions, accepted, since, updated_at)
    select 'mkt_default', 'wal_' || n, 1, true, 'r', '[]', '[]', now() + n * interval '1 second', now() from generate_series(1, 101) n`);
  assert.equal(await releaseWallet('wal_101'), 200);
  const release = async () => (await app.call('POST /payments/release', { ...master, body: {} })).status === 200;
  await until(release, 'the ledger and the payment provider were compared, and payments are released');
  await untilStatus(id, 'WITHDRAWAL_COMPLETED');
  assert.equal(await dollarsAt(address), '25.5000000');
});
