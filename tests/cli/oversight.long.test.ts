// What an operator asks for: the proof, the audit chain with and without a server, migrations, rotation, health.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { until } from '../../tools/until.ts';
import { openWallets } from '../ledger/wallet-fixture.ts';
import { openLine } from '../sdk/line.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { openTool } from './tool.ts';

const urlOf = ({ host, port, user, database }: Connection): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;

test('an operator looks after a server', { timeout: 300_000 }, async (t) => {
  const app = await startApp(t);
  const key = await app.key(['*']);
  const tool = await openTool(t, { url: app.url, key });
  const env = { DATABASE_URL: urlOf(app.connection as Connection) };
  await app.aUser({ key, available: '25.00' });

  await t.test('health and config are printed as tables and as JSON', async () => {
    const health = await tool.run(['health']);
    assert.equal(health.code, 0, health.err);
    assert.match(health.out, /database\s+ok/);
    assert.match((await tool.run(['config'])).out, /base currency\s+USD/);
    assert.equal((await tool.run(['config', '--json'])).json.sandbox, false);
  });

  await t.test('payments are held and released, as text and as JSON, and the doctor says so', async () => {
    const master = await openTool(t, { url: app.url, key: MASTER_KEY });
    const status = async () => (await master.run(['payments', 'status', '--json'])).json;
    assert.equal((await master.run(['payments', 'status'])).out, 'Payments are not on hold.\n');
    assert.notEqual((await tool.run(['payments', 'status'])).code, 0, 'only the master key may');
    const held = await master.run(['payments', 'hold', 'the ledger is being checked']);
    assert.equal(held.code, 0, held.err);
    assert.match(held.out, /^Payments are on hold since \S+: the ledger is being checked\n/);
    const readHealth = async () => (await fetch(`${app.url}/api/v1/health/detailed`)).text();
    // Health is read again after a moment.
    await until(async () => (await readHealth()).includes('Payments are on hold since'), 'health shows the hold');
    assert.ok(
      !(await readHealth()).includes('being checked'),
      'health is public, and the reason is a text of an operator',
    );
    await until(async () => (await status()).payoutsCompared, 'the payouts were compared');
    assert.match((await master.run(['payments', 'status'])).out, /Everything was compared.*holdfast payments release/);
    const { held: isHeld, reason, wallets, lostPayouts, ledgerCompared } = await status();
    const shown = [true, 'the ledger is being checked', [], 0, true];
    assert.deepEqual([isHeld, reason, wallets, lostPayouts, ledgerCompared], shown);
    const { checks } = (await master.run(['doctor', '--json'], { env })).json;
    const check = checks.find(({ name }: { name: string }) => name === 'payment-hold');
    assert.equal(check.state, 'warning');
    assert.match(check.detail, /^Payments are on hold since 20\S+: the ledger is being checked/);
    assert.match(check.remedy, /holdfast payments status/);
    assert.equal((await master.run(['payments', 'release', '--wallet', 'wal_none'])).code, 1);
    const released = await master.run(['payments', 'release', '--json']);
    assert.deepEqual([released.code, released.json.held], [0, false], released.err);
  });

  await t.test(
    'the status of a hold says that money of forgotten payments is still in the balances of users',
    async () => {
      const payment = { to: 'GAOUT', asset: 'USDC', amount: '12.0000000' };
      const wallet = {
        walletId: 'wal_1',
        marketplaceId: 'mkt_default',
        address: 'GAOURS',
        reason: 'unexplained',
        since: '',
      };
      const data = {
        held: true,
        reason: 'restored',
        since: '2026-11-16T10:00:00.000000Z',
        ledgerCompared: true,
        payoutsCompared: true,
        lostPayouts: 2,
        wallets: [{ ...wallet, transactions: [{ hash: 'aa', at: '2026-11-16T09:00:00Z', payments: [payment] }] }],
      };
      const line = await openLine(t, app.url);
      const headers = { 'content-type': 'application/json' };
      line.play('GET /api/v1/payments/hold', { status: 200, headers, body: JSON.stringify({ data, meta: {} }) });
      const { out } = await (await openTool(t, { url: line.url, key: MASTER_KEY })).run(['payments', 'status']);
      assert.match(out, /without a withdrawal: 2\..*\n.*holdfast users debit.*--accept-lost-payouts/);
      assert.match(out, /still in the balance of the user: take it out with `holdfast users debit`/);
      assert.match(out, /next payment of a wallet is shown after the release/);
      assert.match(out, /Everything was compared/);
    },
  );

  await t.test('the audit trail is listed, and its chain holds with and without the server', async () => {
    assert.match((await tool.run(['audit', 'logs'])).out, /BALANCE_CREDITED/);
    const online = await tool.run(['audit', 'verify']);
    assert.equal(online.code, 0);
    assert.match(online.out, /The chain is intact/);
    const offline = await tool.run(['audit', 'verify', '--offline'], { env });
    assert.equal(offline.code, 0, offline.err);
    assert.match(offline.out, /mkt_default: the chain of \d+ entries holds/);
  });

  await t.test('a changed audit chain is reported as broken, with its own exit code', async () => {
    await app.sql('alter table audit_entries disable trigger all');
    await app.sql(`update audit_entries set actor_id = 'another' where seq = 2`);
    const online = await tool.run(['audit', 'verify']);
    assert.equal(online.code, 1);
    assert.match(online.out, /BROKEN at entry 2/);
    assert.equal((await tool.run(['audit', 'verify', '--offline'], { env })).code, 1);
  });

  await t.test('the proof holds, and ends with 1 when a balance is no longer what its postings say', async () => {
    const held = await tool.run(['proof']);
    assert.equal(held.code, 0, held.err);
    assert.match(held.out, /Balanced: every cent/);
    await app.sql('alter table accounts disable trigger all');
    await app.sql(`update accounts set balance = balance + 1 where balance > 0`);
    const broken = await tool.run(['proof', '--json']);
    assert.deepEqual([broken.code, broken.json.holds], [1, false]);
    assert.match((await tool.run(['proof'])).out, /NOT balanced/);
    const unread = tool.start(['proof']);
    unread.child.stdout!.destroy();
    assert.equal((await unread.ended).code, 1);
  });
});

test('migrate brings an empty database up to date, says so, and has nothing to do the second time', async (t) => {
  const database = await createDatabase({ empty: true });
  afterwards(t, database.drop);
  const tool = await openTool(t);
  const env = { DATABASE_URL: urlOf(database.connection) };
  const first = await tool.run(['migrate', '--json'], { env });
  assert.equal(first.code, 0, first.err);
  assert.ok(first.json.lines.includes('Applied migration 0001_books'));
  const second = await tool.run(['migrate'], { env });
  assert.equal(second.out, 'The schema is up to date.\n');
  assert.equal((await tool.run(['migrate'], { env: { DATABASE_URL: 'nonsense' } })).code, 2);
});

test('distribute refuses a database without migrations or without Citus, and says what to do', async (t) => {
  const database = await createDatabase({ empty: true });
  afterwards(t, database.drop);
  const tool = await openTool(t);
  const env = { DATABASE_URL: urlOf(database.connection) };
  const empty = await tool.run(['distribute', '--yes'], { env });
  assert.equal(empty.code, 1);
  assert.match(empty.err, /lacks \d+ migrations, the first is 0001_books\. Run `holdfast migrate` first\./);
  assert.equal((await tool.run(['migrate'], { env })).code, 0);
  const plain = await tool.run(['distribute', '--dry-run', '--json'], { env });
  assert.equal(plain.code, 1);
  assert.equal(plain.json.kind, 'refused');
  assert.match(plain.json.reason, /The database has no Citus/);
  assert.equal((await tool.run(['distribute', '--shards', '0'], { env })).code, 2);
});

test('wallets rotate-keys brings every wallet under the newest key, and refuses when one is missing', async (t) => {
  const fixture = await openWallets(t);
  await fixture.user();
  const tool = await openTool(t);
  const keks = [{ version: 2, key: randomBytes(32) }, ...fixture.keks];
  const [fresh, ...before] = keks.map(({ version, key }) => `${version}:${key.toString('base64')}`);
  const rotate = (...all: (string | undefined)[]) => {
    const env = { DATABASE_URL: urlOf(fixture.connection as Connection), WALLET_KEK: all.join(',') };
    return tool.run(['wallets', 'rotate-keys'], { env });
  };
  const lacking = await rotate(fresh);
  assert.equal(lacking.code, 1);
  assert.match(lacking.err, /Nothing was changed/);
  const { code, out, err } = await rotate(fresh, ...before);
  assert.equal(code, 0, err);
  assert.match(out, /Wallets sealed with the key-encryption key 2: 1/);
  for (const secret of [fresh, ...before]) assert.ok(!(out + err + lacking.err).includes(secret!.slice(2)));
});
