// The treasury pays what a wallet lacks: exactly that, once, many in one transaction, and says so when it cannot. Every fault that a
// batch can meet is in treasury.long.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { fromUnits, minus } from '../../server/src/books/money.ts';
import { treasuryMetrics, treasuryProbe } from '../../server/src/observability/outside-probes.ts';
import { until } from '../../tools/until.ts';
import { FEW, nameOf, PAID_AND_ACTIVATED, payAndActivateUnder, payAndActivateWhile } from './batch-faults.ts';
import {
  amount,
  assertBooksEqualLedger,
  faucet,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  shareServer,
  startProcess,
} from './ledger-fixture.ts';

const shared = shareServer();
const impatient = shareServer({ timeoutMs: 1_000 });

test('a wallet gets exactly what it lacks, and nothing when it lacks nothing', async () => {
  const { environment, server } = shared();
  const wallet = await server.richUser('4.0000001');
  const covered = await server.fundWallet(wallet.id, '10.00');
  assert.equal(covered.kind, 'yes');
  assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, '10.0000000');
  await server.endOperation(covered.id);
  assert.equal((await server.fundWallet(wallet.id, '10.00')).kind, 'yes');
  assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, '10.0000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('two operations of one wallet never count the same money, and what one is done with can be counted again', async () => {
  const { environment, server } = shared();
  const wallet = await server.richUser('10');
  const [first, second] = await Promise.all([
    server.fundWallet(wallet.id, '10.00'),
    server.fundWallet(wallet.id, '7.00'),
  ]);
  assert.deepEqual([first.kind, second.kind], ['yes', 'yes']);
  assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, '17.0000000');
  await server.endOperation(first.id);
  const again = { reference: 'opn_again' };
  assert.equal((await server.fundWallet(wallet.id, '10.00', again)).kind, 'yes');
  assert.equal((await server.fundWallet(wallet.id, '10.00', again)).kind, 'yes', 'the same operation counts once');
  assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, '17.0000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a treasury that has too little says no, pays nothing, and still pays what it can', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: '20' });
  const rich = await server.user();
  const poor = await server.user();
  const [no, yes] = await Promise.all([server.fundWallet(rich.id, '20.01'), server.fundWallet(poor.id, '19.00')]);
  assert.equal(no.kind, 'no');
  assert.match('reason' in no ? no.reason : '', /too little/);
  assert.equal(yes.kind, 'yes');
  assert.equal(onLedger(environment.sandbox, rich.address)!.usdc, '0.0000000');
  assert.equal(onLedger(environment.sandbox, poor.address)!.usdc, '19.0000000');
  const { address, id } = (await server.treasury())!;
  await faucet(environment.urls.control, { address, asset: 'USDC', amount: '100' });
  await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: id });
  assert.equal((await server.fundWallet(rich.id, '20.01')).kind, 'yes');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

for (const script of FEW.scripts) {
  test(`payments and an activation in one transaction under ${nameOf(script)} happen once each`, async () => {
    assert.deepEqual(await payAndActivateUnder(impatient(), script), PAID_AND_ACTIVATED);
  });
}

for (const row of FEW.reads) {
  test(`activation and payment while ${row.operation} answers with ${row.fault} happen once each`, async () => {
    assert.equal(await payAndActivateWhile(impatient(), row), '5.0000000');
  });
}

test('what the treasury has locked for wallets does not count as its balance in health and metrics', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: '500' });
  await Promise.all(Array.from({ length: 4 }, async () => server.activate(await server.pendingUser())));
  const [before] = await server.payments.balances();
  const { address, id } = (await server.treasury())!;
  const held = fromUnits(BigInt(onLedger(environment.sandbox, address)!.xlm.replace('.', '')));
  assert.equal(before!.xlm, minus(held, amount('6')));
  const limits = { lowUsdc: amount('100'), lowXlm: minus(held, amount('5.99')), balances: server.payments.balances };
  assert.equal((await treasuryProbe(limits).check()).status, 'degraded');
  await faucet(environment.urls.control, { address, asset: 'XLM', amount: '0.01' });
  await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: id });
  assert.equal((await treasuryProbe(limits).check()).status, 'ok');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('health and metrics show when a treasury runs low or waits for its first money', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: null });
  const limits = { lowUsdc: amount('100'), lowXlm: amount('50'), balances: server.payments.balances };
  const probe = treasuryProbe(limits);
  const registry = new Registry();
  treasuryMetrics([registry], limits);
  assert.equal((await probe.check()).status, 'ok');
  const bare = await startProcess(t, environment, { fill: null, friendbot: false });
  await bare.activation.begin({ marketplaceId: MARKETPLACE, walletId: (await bare.pendingUser()).id });
  await until(async () => (await bare.treasury()) !== null, 'there is a treasury');
  const waiting = await probe.check();
  assert.deepEqual([waiting.status, /wait for their first XLM: 1 of 1/.test(waiting.detail)], ['degraded', true]);
  await server.user();
  const low = await probe.check();
  assert.deepEqual([low.status, low.detail], ['degraded', 'Treasuries with less than 100.00 USDC: 1. Fund them.']);
  assert.match(await registry.metrics(), /holdfast_treasuries_low\{asset="USDC"\} 1\n/);
  const { address, id } = (await server.treasury())!;
  await faucet(environment.urls.control, { address, asset: 'USDC', amount: '500' });
  await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: id });
  const rich = await probe.check();
  assert.deepEqual([rich.status, rich.detail.includes(address)], ['ok', false]);
  assert.match(await registry.metrics(), /holdfast_treasury_lowest\{asset="USDC"\} 500\n/);
});
