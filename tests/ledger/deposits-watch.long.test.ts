// The ledger is followed with one cursor, in one process at a time: every kind of payment, however many wallets there are.
// What cannot be credited is a break that says why.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { Registry } from 'prom-client';
import { createLagNotes, readDepositLag } from '../../server/src/ledger/deposits/lag.ts';
import { createRecordTransaction } from '../../server/src/ledger/transactions/record-transaction.ts';
import { depositsProbe, lagMetrics } from '../../server/src/observability/deposit-lag.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { perform, settle, write } from '../../tools/simulation/ledger-accounts.ts';
import { until } from '../../tools/until.ts';
import { deploy, finish, fund, mustAct, openEscrows, roles } from '../sandbox/escrow-parties.ts';
import {
  beginAtNewest as begin,
  type DepositFixture,
  followToEnd,
  MARKETPLACE,
  openDepositFixture,
  outsiderOf,
  startProcess,
} from './deposit-fixture.ts';

const openBreaks = (fixture: DepositFixture) =>
  fixture.sql(`select subject, actual, reason from breaks where kind = 'deposit' and resolved_at is null`);

/** Rows of wallets that no user has. */
const addWallets = (fixture: DepositFixture, count: number) =>
  fixture.sql(
    `insert into wallets (marketplace_id, id, version, owner, user_id, address, type, sealed_secret, status, is_primary,
       payments_cursor, created_at, updated_at)
     select 'mkt_many', 'wal_' || n, 1, 'user', 'usr_' || n, 'G' || upper(md5(n::text)), 'INVISIBLE', 'sealed', 'ACTIVE', true,
       '0', now(), now() from generate_series(1, $1) n`,
    [count],
  );

test('a wallet that was created after the start is watched without a restart', async (t) => {
  const fixture = await openDepositFixture(t);
  fixture.watch();
  const { userId, address } = await fixture.user();
  await fixture.pay(address, '4.20');
  await until(async () => (await fixture.books(`${userId}:available:USD`)) === '4.2000000');
  assert.equal((await fixture.sql('select 1 from deposits where user_id = $1', [userId])).length, 1);
});

test('one process follows the ledger, another takes over when it stops, and each payment is credited once', async (t) => {
  const fixture = await openDepositFixture(t);
  const { userId, address } = await fixture.user();
  const second = await startProcess(t, { ledger: fixture.ledger, connection: fixture.connection });
  const first = fixture.watch();
  await until(() => fixture.calls.includes('network-payments'));
  const other = second.watch();
  for (let i = 0; i < 5; i++) await fixture.pay(address, '1');
  await until(async () => (await fixture.books(`${userId}:available:USD`)) === '5.0000000');
  assert.equal(second.calls.length, 0, 'the second process asks the ledger nothing');
  await first.stop();
  await fixture.pay(address, '2');
  await until(async () => (await fixture.books(`${userId}:available:USD`)) === '7.0000000');
  assert.ok(second.calls.includes('network-payments'));
  await other.stop();
  assert.equal((await fixture.sql('select 1 from deposits where user_id = $1', [userId])).length, 6);
});

test('how far the ledger is read behind its end is noted, and shown in health and metrics', async (t) => {
  const fixture = await openDepositFixture(t);
  const { pool, network, sandbox } = fixture;
  const registry = new Registry();
  const lag = () => readDepositLag(pool);
  lagMetrics([registry], lag);
  const probe = depositsProbe({ lag, hasLedger: true, pollMs: 5_000 });
  assert.deepEqual([await lag(), (await probe.check()).status], [null, 'ok']);
  assert.doesNotMatch(await registry.metrics(), /^holdfast_\w+ \d/m);

  const watching = fixture.watch();
  await until(async () => (await lag())?.seconds !== null && (await lag())?.ledgers === 0);
  assert.equal((await probe.check()).status, 'ok');
  await watching.stop();
  // Ledgers close, and their payments are not read to the end.
  await sandbox.clock.advance(600_000);
  const notes = createLagNotes({ pool, network });
  await notes.look();
  await notes.note(false);
  assert.ok((await lag())!.ledgers >= 120, JSON.stringify(await lag()));
  await fixture.sql(`update ledger_cursors set reached_at = reached_at - interval '1 hour' where id = 'payments'`);
  const { status, detail } = await probe.check();
  assert.equal(status, 'degraded');
  assert.match(detail, /^The payments of the ledger are read up to 3\d{3} s ago; 1\d\d ledgers are not read\./);
  assert.match(await registry.metrics(), /^holdfast_deposits_behind_seconds 3\d{3}$/m);
  await notes.note(true);
  assert.deepEqual([(await lag())!.ledgers, (await probe.check()).status], [0, 'ok']);
  assert.match(await registry.metrics(), /^holdfast_deposits_behind_ledgers 0$/m);
});

test('the number of requests does not depend on the number of wallets', async (t) => {
  const fixture = await openDepositFixture(t);
  const { address } = await fixture.user();
  await begin(fixture);
  const requestsFor = async (): Promise<string[]> => {
    fixture.calls.length = 0;
    await fixture.pay(address, '1');
    assert.equal(await followToEnd(fixture), 1);
    assert.equal(await followToEnd(fixture), 0);
    return [...fixture.calls];
  };
  const few = await requestsFor();
  assert.deepEqual(
    few,
    ['network-payments', 'operations', 'network-payments'],
    'a page and the transaction of a deposit, and a page without one',
  );
  await addWallets(fixture, 1_000);
  assert.deepEqual(await requestsFor(), few);
});

test('every kind of payment counts: paid, by a path, by a contract, a created account and a merged one', async (t) => {
  const cast = await openEscrows(t);
  const fixture = await openDepositFixture(t, { ledger: cast.ledger });
  const { ledger, books, network } = fixture;
  const { userId, address: destination } = await fixture.user();
  const pending = await fixture.pendingUser();
  await begin(fixture);
  const type = 'single-release';
  const contractId = await deploy(cast, type, { roles: { ...roles(cast), receiver: destination } });
  await fund(cast, { type, contractId, amount: 10 });
  await finish(cast, { type, contractId, index: 0 });
  const body = { contractId, releaseSigner: cast.buyer.publicKey() };
  await mustAct(cast, { path: `/escrow/${type}/release-funds`, body, by: cast.buyer });
  const payer = await settle(ledger, { usdc: '100' });
  const leaver = await settle(ledger, { trust: false });
  const { usdc } = ledger;
  await perform(ledger, {
    by: payer,
    operations: [
      Operation.payment({ destination, asset: usdc, amount: '1' }),
      Operation.pathPaymentStrictReceive({
        sendAsset: usdc,
        sendMax: '5',
        destination,
        destAsset: usdc,
        destAmount: '2',
      }),
      Operation.pathPaymentStrictSend({ sendAsset: usdc, sendAmount: '3', destination, destAsset: usdc, destMin: '3' }),
    ],
  });
  await perform(ledger, { by: leaver, operations: [Operation.accountMerge({ destination })] });
  assert.equal((await network.friendbot(pending.address)).kind, 'yes');
  assert.equal(await followToEnd(fixture), 6);
  assert.equal(await books(`${userId}:available:USD`), '15.4700000');
  assert.equal(await books(`${userId}:available:XLM`), '9999.9999900');
  assert.equal(await books(`${pending.userId}:available:XLM`), '10000.0000000');
  const { balances } = (await ledger.horizon.loadAccount(destination)) as { balances: { balance: string }[] };
  assert.ok(balances.some(({ balance }) => balance === '15.4700000'));
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a payment in another asset is a break that names the asset', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger } = fixture;
  const { userId, address, key } = await fixture.user();
  await begin(fixture);
  const outsider = await outsiderOf(ledger);
  const other = new Asset('EURC', outsider.publicKey());
  await perform(ledger, {
    by: outsider,
    operations: [
      Operation.changeTrust({ asset: other, source: address }),
      Operation.payment({ destination: address, asset: other, amount: '500' }),
    ],
    signers: [outsider, key],
  });
  assert.equal(await followToEnd(fixture), 0);
  const [found, ...more] = await openBreaks(fixture);
  assert.deepEqual(more, []);
  assert.deepEqual([found!.actual, found!.reason], ['500.0000000', 'The payment is in another asset (EURC).']);
  assert.equal(await fixture.books(`${userId}:available:USD`), '0.0000000');
});

test('a record that cannot be read, and a merged account without an amount, are breaks that say so', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, network, follower } = fixture;
  const { userId, address } = await fixture.user();
  const leaver = await settle(ledger, { trust: false });
  await begin(fixture);
  await perform(ledger, { by: leaver, operations: [Operation.accountMerge({ destination: address })] });
  await fixture.pay(address, '3');
  // The records of the ledger, as a server of another version could show them.
  const odd = fixture.followWith({
    ...network,
    async networkPayments(query) {
      const page = await network.networkPayments(query);
      if (page.kind !== 'yes') return page;
      const unread = page.value.payments.map(({ id, to }) => ({ id, addresses: [to!] }));
      return { ...page, value: { ...page.value, payments: [], unread } };
    },
    mergedAmount: async () => ({ kind: 'yes', value: null }),
    mergeResult: async () => ({ kind: 'yes', value: null }),
  });
  assert.equal((await odd.readPage()).kind, 'yes');
  assert.deepEqual((await openBreaks(fixture)).map(({ reason }) => reason).toSorted(), [
    'The ledger describes the payment in a form that cannot be read.',
    'The ledger does not show how much the merged account had.',
  ]);
  await follower.recheck();
  assert.deepEqual(await openBreaks(fixture), [], 'once the ledger shows them, they are credited');
  assert.equal(await fixture.books(`${userId}:available:USD`), '3.0000000');
  assert.equal(await fixture.books(`${userId}:available:XLM`), '9999.9999900');
});

test('a payment of our own wallet that the books do not know is no deposit; once they know it, its break is closed', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, treasury, follower, books } = fixture;
  const { userId, address } = await fixture.user();
  await fixture.pay(treasury.address, '100');
  await fixture.pollAll();
  await begin(fixture);
  // What a database that is older than the ledger sees: the transaction was sent, and its row is gone.
  const operations = [Operation.payment({ destination: address, asset: ledger.usdc, amount: '40' })];
  const forgotten = await write(ledger, { by: treasury.key, operations });
  await ledger.horizon.submitTransaction(forgotten, { skipMemoRequiredCheck: true });
  assert.equal(await followToEnd(fixture), 0);
  assert.equal(await books(`${userId}:available:USD`), '0.0000000');
  assert.match(String((await openBreaks(fixture))[0]!.reason), /^One of our own wallets sent the payment/);
  await follower.recheck();
  assert.equal((await openBreaks(fixture)).length, 1);

  await fixture.run(createRecordTransaction(ACTION_OWNERS), {
    id: Buffer.from(forgotten.hash()).toString('hex'),
    source: treasury.address,
    sequence: forgotten.sequence,
    purpose: 'test',
    envelope: forgotten.toXDR(),
    validUntil: new Date(ledger.sandbox.clock.now() + 60_000).toISOString(),
    actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units: '400000000', paymentId: null }],
  });
  await follower.recheck();
  assert.deepEqual(await openBreaks(fixture), []);
  assert.equal(await books(`${userId}:available:USD`), '0.0000000');
});

test('a page that the ledger does not answer, or answers wrong, moves no cursor and loses nothing', async (t) => {
  const fixture = await openDepositFixture(t);
  const { sandbox, follower, cursor, books } = fixture;
  const { userId, address } = await fixture.user();
  await begin(fixture);
  const before = await cursor.read();
  await fixture.pay(address, '3');
  for (const fault of ['outage', 'refusal', 'timeout', 'wrong-amount'] as const) {
    sandbox.faults.arm({ operation: 'payments-get', fault, count: 1, delayMs: 50 });
    assert.notEqual((await follower.readPage()).kind, 'yes', fault);
    assert.deepEqual(await cursor.read(), before);
  }
  assert.equal(await followToEnd(fixture), 1);
  assert.equal(await books(`${userId}:available:USD`), '3.0000000');
});

/** Wrong for longer than the attempts of one read. */
const FALSE_LISTS = [
  { operation: 'payments-get', fault: 'wrong-amount' },
  { operation: 'payments-get', fault: 'wrong-asset' },
  { operation: 'payments-get', fault: 'wrong-destination' },
  { operation: 'payments-get', fault: 'repeated' },
  { operation: 'payments-get', fault: 'unordered' },
  { operation: 'transaction-get', fault: 'wrong-amount' },
] as const;

test('a deposit is credited only as two lists of the ledger show it', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, sandbox, follower, cursor, books } = fixture;
  const { userId, address } = await fixture.user();
  const stranger = await settle(ledger);
  await begin(fixture);
  const before = await cursor.read();
  await fixture.pay(stranger.publicKey(), '30');
  await fixture.pay(address, '3');
  for (const list of FALSE_LISTS) {
    sandbox.faults.arm({ ...list, count: 4 });
    for (let attempt = 0; attempt < 3; attempt++) assert.notEqual((await follower.readPage()).kind, 'yes', list.fault);
    sandbox.faults.clear();
    assert.deepEqual(await cursor.read(), before, list.fault);
    assert.equal(await books(`${userId}:available:USD`), '0.0000000', list.fault);
  }
  assert.equal(await followToEnd(fixture), 1);
  assert.equal(await books(`${userId}:available:USD`), '3.0000000');
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a wallet that is read alone is credited only as the transaction shows it', async (t) => {
  const fixture = await openDepositFixture(t);
  const { sandbox, deposits, books } = fixture;
  const { userId, id: walletId, address } = await fixture.user();
  await fixture.pay(address, '3');
  sandbox.faults.arm({ operation: 'account', fault: 'wrong-amount', count: 4 });
  assert.notEqual((await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId })).kind, 'yes');
  sandbox.faults.clear();
  assert.equal((await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId })).kind, 'yes');
  assert.equal(await books(`${userId}:available:USD`), '3.0000000');
});

test('a merged account is credited only with the amount that the result of its transaction shows', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, sandbox, follower, books } = fixture;
  const { userId, address } = await fixture.user();
  const leaver = await settle(ledger, { trust: false });
  await begin(fixture);
  await perform(ledger, { by: leaver, operations: [Operation.accountMerge({ destination: address })] });
  sandbox.faults.arm({ operation: 'payments-get', fault: 'wrong-amount', count: 4 });
  for (let attempt = 0; attempt < 2; attempt++) assert.notEqual((await follower.readPage()).kind, 'yes');
  sandbox.faults.clear();
  assert.equal(await followToEnd(fixture), 1);
  assert.equal(await books(`${userId}:available:XLM`), '9999.9999900');
});

test('a payment that the ledger goes on showing in two ways is a break, and the others are credited', async (t) => {
  const fixture = await openDepositFixture(t);
  const { sandbox, follower, books } = fixture;
  const { userId, address } = await fixture.user();
  await begin(fixture);
  await fixture.pay(address, '3');
  sandbox.faults.arm({ operation: 'payments-get', fault: 'wrong-amount', count: 1_000 });
  let attempts = 1;
  while ((await follower.readPage()).kind !== 'yes') attempts++;
  assert.equal(attempts, 20);
  const [found] = await openBreaks(fixture);
  assert.equal(found!.reason, 'Two answers of the ledger describe the payment in different ways.');
  assert.equal(await books(`${userId}:available:USD`), '0.0000000');
  sandbox.faults.clear();
  await follower.recheck();
  assert.equal(await books(`${userId}:available:USD`), '3.0000000');
  assert.deepEqual(await openBreaks(fixture), []);
});

test('a server that lags behind, or an empty page, moves the cursor past nothing', async (t) => {
  const fixture = await openDepositFixture(t);
  const { sandbox, follower, cursor, books } = fixture;
  const { userId, address } = await fixture.user();
  await begin(fixture);
  const before = await cursor.read();
  await fixture.pay(address, '3');
  sandbox.faults.arm({ operation: 'payments-get', fault: 'lagging', count: 1 });
  assert.deepEqual(await follower.readPage(), { kind: 'yes', value: { recorded: 0, more: false } });
  assert.deepEqual(await cursor.read(), before);
  await fixture.pay(address, '4');
  sandbox.faults.arm({ operation: 'payments-get', fault: 'lagging', count: 1 });
  assert.deepEqual(await follower.readPage(), { kind: 'yes', value: { recorded: 1, more: false } });
  assert.equal(await followToEnd(fixture), 1);
  assert.equal(await books(`${userId}:available:USD`), '7.0000000');
});

test('a deposit that a page left out is found by the second read, or by a read of its wallet, and is credited once', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, sandbox, follower, deposits, books } = fixture;
  const { userId, id: walletId, address } = await fixture.user();
  const stranger = await settle(ledger);
  await begin(fixture);
  for (const fault of ['missing', 'wrong-destination'] as const) {
    await fixture.pay(address, '3');
    await fixture.pay(stranger.publicKey(), '30');
    sandbox.faults.arm({ operation: 'payments-get', fault, count: 1 });
    assert.equal(await followToEnd(fixture), 0, fault);
    assert.equal(await followToEnd(fixture), 0, 'the cursor is behind the deposit');
    if (fault === 'missing') await follower.check();
    else assert.equal((await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId })).kind, 'yes');
  }
  assert.equal(await books(`${userId}:available:USD`), '6.0000000');
  await follower.check();
  fixture.calls.length = 0;
  await follower.check();
  assert.deepEqual(fixture.calls, [], 'everything has been read twice');
  assert.equal(await books(`${userId}:available:USD`), '6.0000000');
  assert.match(fixture.troubles.join(), /found late/);
});

test('many deposits of a ledger are confirmed with the payments of that ledger', async (t) => {
  const fixture = await openDepositFixture(t);
  const { sandbox, books } = fixture;
  const { userId, address } = await fixture.user();
  await begin(fixture);
  for (let i = 0; i < 12; i++) await fixture.pay(address, '1');
  fixture.calls.length = 0;
  assert.equal(await followToEnd(fixture), 12);
  assert.ok(fixture.calls.includes('ledger-payments'), fixture.calls.join());
  assert.ok(fixture.calls.length < 12, fixture.calls.join());
  assert.equal(await books(`${userId}:available:USD`), '12.0000000');
  assert.deepEqual(sandbox.faults.list(), []);
});

test('more than a page of payments of strangers, with ours among them, is followed to its end', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, books } = fixture;
  const { userId, address } = await fixture.user();
  await begin(fixture);
  const payer = await settle(ledger, { usdc: '1000' });
  const stranger = await settle(ledger);
  for (let batch = 0; batch < 5; batch++) {
    const operations = Array.from({ length: 90 }, (_, i) =>
      Operation.payment({ destination: i === 7 ? address : stranger.publicKey(), asset: ledger.usdc, amount: '0.01' }),
    );
    await perform(ledger, { by: payer, operations, fee: '100' });
  }
  fixture.calls.length = 0;
  assert.equal(await followToEnd(fixture), 5);
  assert.equal(await books(`${userId}:available:USD`), '0.0500000');
  const { length } = fixture.calls.filter((operation) => operation === 'network-payments');
  assert.equal(length, 3);
});

test('the first start records what arrived before it, from the cursor of each wallet, and leaves old merges to a sync', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, books, cursor } = fixture;
  const { userId, address } = await fixture.user();
  await fixture.pay(address, '5');
  const leaver = await settle(ledger, { trust: false });
  await perform(ledger, { by: leaver, operations: [Operation.accountMerge({ destination: address })] });
  fixture.watch();
  await until(async () => (await cursor.read())?.caughtUp === true);
  assert.equal(await books(`${userId}:available:USD`), '5.0000000');
  assert.equal(await books(`${userId}:available:XLM`), '0.0000000');
  await fixture.pay(address, '1');
  await until(async () => (await books(`${userId}:available:USD`)) === '6.0000000');
});

test('while the wallets of an earlier version are read one by one, the ledger is followed too', async (t) => {
  const fixture = await openDepositFixture(t);
  const { calls, cursor } = fixture;
  const addresses = Array.from({ length: 420 }, () => Keypair.random().publicKey());
  await addWallets(fixture, addresses.length);
  await fixture.sql(
    `update wallets w set address = a.address from unnest($1::text[]) with ordinality a (address, n) where w.id = 'wal_' || a.n`,
    [addresses],
  );
  calls.length = 0;
  fixture.watch();
  await until(async () => (await cursor.read())?.caughtUp === true);
  const ofWallets = calls.slice(calls.indexOf('payments'), calls.lastIndexOf('payments'));
  assert.ok(ofWallets.includes('network-payments'), 'a deposit does not wait for the last wallet');
  assert.ok(ofWallets.filter((call) => call === 'payments').length >= addresses.length, 'each wallet is read');
});

test('a wallet that is read now is read from where the network has been read', async (t) => {
  const fixture = await openDepositFixture(t);
  const { ledger, deposits, books } = fixture;
  const { userId, id: walletId, address } = await fixture.user();
  await begin(fixture);
  await fixture.pay(address, '5');
  assert.equal(await followToEnd(fixture), 1);
  const leaver = await settle(ledger, { trust: false });
  await perform(ledger, { by: leaver, operations: [Operation.accountMerge({ destination: address })] });
  const polled = await deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  assert.deepEqual(polled, { kind: 'yes', value: { recorded: 1 } });
  assert.equal(await followToEnd(fixture), 0, 'the follower finds the merge in the books');
  assert.equal(await books(`${userId}:available:USD`), '5.0000000');
  assert.equal(await books(`${userId}:available:XLM`), '9999.9999900');
});

test('a deposit that cannot be recorded does not stop the others: after a few attempts it is a break', async (t) => {
  const fixture = await openDepositFixture(t);
  const { follower, sql, books } = fixture;
  const good = await fixture.user();
  const bad = await fixture.user();
  await begin(fixture);
  await sql(`create function refuse() returns trigger language plpgsql as $$ begin
    if new.wallet_id = '${bad.id}' then raise exception 'refused by the test'; end if; return new; end $$`);
  await sql('create trigger refuse before insert on deposits for each row execute function refuse()');
  await fixture.pay(bad.address, '1');
  await fixture.pay(good.address, '2');
  for (let attempt = 1; attempt < 5; attempt++) assert.notEqual((await follower.readPage()).kind, 'yes');
  assert.equal(await books(`${good.userId}:available:USD`), '2.0000000', 'at the first attempt');
  assert.equal((await follower.readPage()).kind, 'yes');
  assert.match(String((await openBreaks(fixture))[0]!.reason), /could not be recorded/);
  await sql('drop trigger refuse on deposits');
  await follower.recheck();
  assert.equal(await books(`${bad.userId}:available:USD`), '1.0000000');
  assert.deepEqual(await openBreaks(fixture), []);
});
