// Wallets are activated on the ledger: in few transactions, and with the books equal to the ledger to the last unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import {
  assertBooksEqualLedger,
  faucet,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';

test("a new user's wallet is on the ledger, trusts the asset, and the books equal the ledger with its fees", async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: null });
  const wallet = await server.user();
  assert.deepEqual(onLedger(environment.sandbox, wallet.address), { usdc: '0.0000000', xlm: '3.0000000' });
  const treasury = (await server.treasury())!;
  // 10,000 from friendbot, less 3 for the wallet, one operation for the trustline and two for the activation.
  assert.deepEqual(onLedger(environment.sandbox, treasury.address), { usdc: '0.0000000', xlm: '9996.9999700' });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  const { rows } = await server.pool.query(
    `select action, resource_type from audit_entries where action like 'WALLET_ACTIVATED' order by seq`,
  );
  assert.equal(rows.length, 2, 'the treasury and the user');
});

test('forty users at once are activated in few transactions', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const pending = await Promise.all(Array.from({ length: 40 }, () => server.pendingUser()));
  await Promise.all(pending.map(server.activate));
  const { address } = (await server.treasury())!;
  const sent = transactionsOf(environment.sandbox, address);
  // One for the trustline, and at most nineteen wallets in each of the others.
  assert.ok(sent.length >= 4 && sent.length <= 7, `${sent.length} transactions`);
  assert.ok(sent.every(({ successful }) => successful));
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('the sweep activates a wallet whose activation was never started, also after a restart', async (t) => {
  const environment = await openEnvironment(t);
  const first = await startProcess(t, environment);
  const wallet = await first.pendingUser();
  await first.close();
  const second = await startProcess(t, environment);
  await second.activation.sweep();
  await until(async () => (await second.wallets.find(MARKETPLACE, wallet.id))?.status === 'ACTIVE', 'it is active');
  await assertBooksEqualLedger(second.pool, environment.sandbox);
});

test('many requests for one wallet activate it once', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const wallet = await server.pendingUser();
  await Promise.all(Array.from({ length: 10 }, () => server.activate(wallet)));
  await server.activate(wallet);
  const { rows } = await server.pool.query('select state from treasury_payments');
  assert.deepEqual(rows, [{ state: 'DONE' }]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an address that an outsider created first still becomes active, and delays no other wallet', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  await server.user();
  const taken = await server.pendingUser();
  const other = await server.pendingUser();
  const answer = await fetch(`${environment.sandbox.urls.ledger}/friendbot?addr=${taken.address}`);
  assert.equal(answer.status, 200);
  const active = server.activate(other);
  await server.activation.begin({ marketplaceId: MARKETPLACE, walletId: taken.id });
  await active;
  await until(async () => {
    await server.activation.sweep();
    return (await server.wallets.find(MARKETPLACE, taken.id))?.status === 'ACTIVE';
  }, 'the wallet is active');
  await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: taken.id });
  assert.deepEqual(onLedger(environment.sandbox, taken.address), { usdc: '0.0000000', xlm: '10002.9999900' });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test("the platform wallet is created once and activated like a user's", async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const made = await Promise.all(Array.from({ length: 5 }, () => server.platformWallets.platform(MARKETPLACE)));
  assert.equal(new Set(made.map(({ id }) => id)).size, 1);
  const active = await server.activate(made[0]!);
  assert.equal(active.owner, 'platform');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('on a network without friendbot, activation waits until the operator has funded the treasury', async (t) => {
  const environment = await openEnvironment(t);
  const bare = await startProcess(t, environment, { fill: null, friendbot: false });
  const wallet = await bare.pendingUser();
  await bare.activation.begin({ marketplaceId: MARKETPLACE, walletId: wallet.id });
  await until(async () => (await bare.treasury()) !== null, 'the treasury has an address');
  const { address } = (await bare.treasury())!;
  await until(() => bare.troubles.some((line) => line.includes(`Send XLM to ${address}`)), 'the log says what to do');
  const given = await fetch(`${environment.sandbox.urls.ledger}/friendbot?addr=${address}`);
  assert.equal(given.status, 200);
  await bare.activate(wallet);
  await faucet(environment.sandbox.urls.control, { address, asset: 'USDC', amount: '5' });
  await bare.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: (await bare.treasury())!.id });
  await assertBooksEqualLedger(bare.pool, environment.sandbox);
});
