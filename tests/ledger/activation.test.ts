// Wallets are activated on the ledger: in few transactions, and with the books equal to the ledger to the last unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromUnits } from '../../server/src/books/money.ts';
import { operationCount } from '../../server/src/ledger/format/build-transaction.ts';
import { actionOf, chooseBatch } from '../../server/src/ledger/treasury/batch.ts';
import type { TreasuryPayment } from '../../server/src/ledger/treasury/treasury-payment.ts';
import { until } from '../../tools/until.ts';
import {
  amount,
  assertBooksEqualLedger,
  type Environment,
  faucet,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  type Process,
  startProcess,
} from './ledger-fixture.ts';

/** How many reserves the treasury locks for others, as its row and as the ledger say. */
const sponsoring = async ({ urls }: Environment, { treasury }: Process) => {
  const { address, sponsoredReserves: books } = (await treasury())!;
  const account = (await (await fetch(`${urls.ledger}/accounts/${address}`)).json()) as { num_sponsoring: number };
  return { books, ledger: account.num_sponsoring };
};

test("a new user's wallet is on the ledger, trusts the asset, and the books equal the ledger with its fees", async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: null });
  const wallet = await server.activate(await server.pendingUser());
  assert.deepEqual(onLedger(environment.sandbox, wallet.address), { usdc: '0.0000000', xlm: '0.0000000' });
  const treasury = (await server.treasury())!;
  // 10,000 from friendbot, less one operation for the trustline and four for the activation. What is locked is still in the treasury.
  assert.deepEqual(onLedger(environment.sandbox, treasury.address), { usdc: '0.0000000', xlm: '9999.9999500' });
  assert.deepEqual(await sponsoring(environment, server), { books: 3, ledger: 3 });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  const { rows } = await server.pool.query(
    `select action, resource_type from audit_entries where action like 'WALLET_ACTIVATED' order by seq`,
  );
  assert.equal(rows.length, 2, 'the treasury and the user');
});

test('the sweep activates a wallet that was requested before a restart, and no wallet that was never requested', async (t) => {
  const environment = await openEnvironment(t);
  const first = await startProcess(t, environment);
  const unused = await first.pendingUser();
  const wallet = await first.pendingUser();
  // As the command that links a wallet does, in its own commit.
  await first.pool.query('update wallets set activation_requested_at = now() where id = $1', [wallet.id]);
  await first.close();
  const second = await startProcess(t, environment);
  await second.activation.sweep();
  await until(async () => (await second.wallets.find(MARKETPLACE, wallet.id))?.status === 'ACTIVE', 'it is active');
  await second.activation.sweep();
  const { rows } = await second.pool.query('select from treasury_payments where wallet_id = $1', [unused.id]);
  assert.deepEqual([rows.length, onLedger(environment.sandbox, unused.address)], [0, null]);
  await assertBooksEqualLedger(second.pool, environment.sandbox);
});

test('a wallet gets its fees when it first pays, once, and one that has locked its own reserve needs none', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { feesXlm: amount('1.5') });
  const wallet = await server.user();
  assert.equal(onLedger(environment.sandbox, wallet.address)!.xlm, '1.5000000');
  await server.payFees(wallet);
  assert.equal(onLedger(environment.sandbox, wallet.address)!.xlm, '1.5000000');
  // As an earlier version activated it: 1.5 of the 3 are locked in the wallet itself.
  const older = await server.pendingUser();
  const { id: walletId, address } = older;
  const sent = await server.sender.send({
    marketplaceId: MARKETPLACE,
    wallet: (await server.treasury())!,
    purpose: 'treasury',
    actions: [{ type: 'activate', walletId, address, units: '30000000', paymentId: null }],
  });
  assert.equal(sent.kind, 'yes');
  await server.payFees(older);
  assert.equal(onLedger(environment.sandbox, address)!.xlm, '3.0000000');
  assert.deepEqual(await sponsoring(environment, server), { books: 3, ledger: 3 });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a transaction of the treasury keeps the limits of the network: a hundred operations and twenty signatures', () => {
  const payment = (index: number, kind: 'activate' | 'pay'): TreasuryPayment => ({
    id: `${index}`,
    kind,
    walletId: `w${index}`,
    address: 'G',
    asset: 'XLM',
    currency: 'XLM',
    amount: fromUnits(kind === 'pay' ? 1n : 0n),
    reference: null,
    state: 'QUEUED',
    alone: false,
    transactionId: null,
    failure: null,
    createdAt: '',
    updatedAt: '',
  });
  const waiting = Array.from({ length: 50 }, (_, index) => payment(index, index < 20 ? 'activate' : 'pay'));
  const { chosen, unfunded } = chooseBatch(waiting, { USDC: amount('0.01'), XLM: amount('1000') });
  assert.equal(chosen.filter(({ kind }) => kind === 'activate').length, 19);
  assert.equal(operationCount(chosen.map((one) => actionOf(one, { exists: false }))), 100);
  assert.equal(unfunded, 0);
  const poor = chooseBatch(waiting, { USDC: amount('0.01'), XLM: amount('3.2') });
  assert.deepEqual([poor.chosen.filter(({ kind }) => kind === 'activate').length, poor.unfunded], [2, 18]);
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
  assert.deepEqual(onLedger(environment.sandbox, taken.address), { usdc: '0.0000000', xlm: '10000.0000000' });
  // Three for each of the others, and one for the trustline of the account that existed.
  assert.deepEqual(await sponsoring(environment, server), { books: 7, ledger: 7 });
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

test('a marketplace activates no more wallets on one day than its limit, and the others on the next day', async (t) => {
  const environment = await openEnvironment(t);
  let day = '2026-11-16';
  const limits = { perMarketplace: 2, overall: null };
  const server = await startProcess(t, environment, { activationLimits: limits, today: () => day });
  const made = await Promise.all(Array.from({ length: 4 }, () => server.pendingUser()));
  const states = await Promise.all(
    made.map(({ id }) => server.activation.begin({ marketplaceId: MARKETPLACE, walletId: id })),
  );
  assert.deepEqual(states.sort(), ['limited', 'limited', 'queued', 'queued']);
  const active = async () =>
    (await server.pool.query(`select from wallets where owner = 'user' and status = 'ACTIVE'`)).rows.length;
  await until(async () => (await active()) === 2, 'two are active');
  await server.activation.sweep();
  const queued = async () => (await server.pool.query('select from treasury_payments')).rows.length;
  assert.equal(await queued(), 2);
  assert.equal(await server.payments.countWaiting(), 2);
  // The platform's own wallet does not count: no order works without it.
  await server.activate(await server.platformWallets.platform(MARKETPLACE));
  day = '2026-11-17';
  await server.activation.sweep();
  await until(async () => (await active()) === 4, 'all are active');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('the overall limit holds for requests at once, and the refusal says when to try again', async (t) => {
  const environment = await openEnvironment(t);
  const limits = { perMarketplace: 10, overall: 3 };
  const server = await startProcess(t, environment, { activationLimits: limits, today: () => '2026-11-16' });
  const made = await Promise.all(Array.from({ length: 8 }, () => server.pendingUser()));
  const ended = await Promise.allSettled(
    made.map(({ id }) => server.activation.waitUntilActive({ marketplaceId: MARKETPLACE, walletId: id })),
  );
  const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.equal(refused.length, 5);
  for (const { code, details } of refused) {
    assert.deepEqual([code, details.resetsAt], ['WALLET_ACTIVATION_LIMIT', '2026-11-17T00:00:00.000000Z']);
  }
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
