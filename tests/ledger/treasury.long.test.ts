// Every fault of the ledger that payments and activations in one transaction can meet, and the treasury in several processes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromUnits } from '../../server/src/books/money.ts';
import { until } from '../../tools/until.ts';
import { EVERY, nameOf, PAID_AND_ACTIVATED, payAndActivateUnder, payAndActivateWhile } from './batch-faults.ts';
import {
  amount,
  assertBooksEqualLedger,
  faucet,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  shareServer,
  startProcess,
  transactionsOf,
} from './ledger-fixture.ts';

const shared = shareServer();
const impatient = shareServer({ timeoutMs: 1_000 });

for (const script of EVERY.scripts) {
  test(`payments and an activation in one transaction under ${nameOf(script)} happen once each`, async () => {
    assert.deepEqual(await payAndActivateUnder(impatient(), script), PAID_AND_ACTIVATED);
  });
}

for (const row of EVERY.reads) {
  test(`activation and payment while ${row.operation} answers with ${row.fault} happen once each`, async () => {
    assert.equal(await payAndActivateWhile(impatient(), row), '5.0000000');
  });
}

test('what another process has promised to an operation is not counted here', async (t) => {
  const environment = await openEnvironment(t);
  const here = await startProcess(t, environment);
  const there = await startProcess(t, environment);
  const wallet = await here.richUser('10');
  assert.equal((await here.fundWallet(wallet.id, '10.00')).kind, 'yes');
  assert.equal((await there.fundWallet(wallet.id, '4.00')).kind, 'yes');
  assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, '14.0000000');
  assert.equal(
    (await there.fundWallet(wallet.id, '2.00', { currency: 'XLM' })).kind,
    'yes',
    'another asset is counted alone',
  );
  assert.deepEqual(onLedger(environment.sandbox, wallet.address), { usdc: '14.0000000', xlm: '5.0000000' });
  await assertBooksEqualLedger(here.pool, environment.sandbox);
});

test('fees alone are funded, whatever is promised', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { feesXlm: amount('1.6') });
  const wallet = await server.user();
  const generous = await startProcess(t, environment, { feesXlm: amount('5'), fill: null });
  await server.fundWallet(wallet.id, '5.00');
  const ask = { marketplaceId: MARKETPLACE, walletId: wallet.id, currency: 'USD', reference: 'opn_fees' } as const;
  assert.deepEqual(await generous.fundAsIs({ ...ask, amount: fromUnits(0n) }), { kind: 'yes', value: null });
  assert.deepEqual(onLedger(environment.sandbox, wallet.address), { usdc: '5.0000000', xlm: '5.0000000' });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('many orders at once share few transactions', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { batchMax: 20 });
  const pending = await Promise.all(Array.from({ length: 30 }, () => server.pendingUser()));
  const wallets = await Promise.all(pending.map(async (wallet) => server.payFees(await server.activate(wallet))));
  const { address } = (await server.treasury())!;
  const before = transactionsOf(environment.sandbox, address).length;
  const covered = await Promise.all(wallets.map((wallet, index) => server.fundWallet(wallet.id, `${index + 1}.00`)));
  assert.ok(covered.every(({ kind }) => kind === 'yes'));
  const sent = transactionsOf(environment.sandbox, address).length - before;
  assert.ok(sent >= 2 && sent <= 6, `${sent} transactions`);
  for (const [index, wallet] of wallets.entries()) {
    assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, `${index + 1}.0000000`);
  }
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an order in another book currency than the treasury holds is paid through the operator', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const wallet = await server.user();
  assert.equal((await server.fundWallet(wallet.id, '8.00', { currency: 'USDC' })).kind, 'yes');
  const { rows } = await server.pool.query(
    `select move, sum(abs(amount))::text as sum, count(*)::int as count from postings
     where move like 'exchange%' group by 1 order by 1`,
  );
  assert.deepEqual(rows, [
    { move: 'exchange_in', sum: '160000000', count: 2 },
    { move: 'exchange_out', sum: '160000000', count: 2 },
  ]);
  const held = await server.pool.query(
    `select currency, balance from accounts where id like $1 and currency <> 'XLM'`,
    [`wallet:${wallet.address}:%`],
  );
  assert.deepEqual(held.rows, [{ currency: 'USDC', balance: -80_000_000n }]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a wallet that has used up its fees gets new ones before it has to pay', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { feesXlm: amount('1.6') });
  const wallet = await server.user();
  assert.equal(onLedger(environment.sandbox, wallet.address)!.xlm, '1.6000000');
  const generous = await startProcess(t, environment, { feesXlm: amount('5') });
  assert.equal((await generous.fundWallet(wallet.id, '5.00')).kind, 'yes');
  assert.deepEqual(onLedger(environment.sandbox, wallet.address), { usdc: '5.0000000', xlm: '5.0000000' });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an expired batch is replaced exactly once', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fundWaitMs: 30 });
  const ann = await server.user();
  const { address } = (await server.treasury())!;
  const before = transactionsOf(environment.sandbox, address).length;
  environment.sandbox.faults.arm({ operation: 'payment', fault: 'outage', count: 1_000 });
  // On a busy machine the time may be over before the payment is asked for.
  await until(async () => {
    assert.equal((await server.fundWallet(ann.id, '5.00', { reference: 'opn_1' })).kind, 'unknown');
    return (await server.payments.find(MARKETPLACE, await lastPayment()))?.state === 'SENT';
  }, 'it is sent');
  await environment.sandbox.clock.advance(120_000);
  environment.sandbox.faults.clear();
  await Promise.all([server.sender.resumeAll(), server.sender.resumeAll()]);
  await until(
    async () => (await server.payments.find(MARKETPLACE, await lastPayment()))?.state === 'DONE',
    'it is paid',
  );
  assert.equal(onLedger(environment.sandbox, ann.address)!.usdc, '5.0000000');
  assert.equal(transactionsOf(environment.sandbox, address).length - before, 1);
  const { rows } = await server.pool.query(
    `select state, count(*)::int as count from ledger_transactions where purpose = 'treasury' group by 1 order by 1`,
  );
  assert.deepEqual(rows, [
    { state: 'FAILED', count: 1 },
    { state: 'SUCCEEDED', count: 3 },
  ]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);

  async function lastPayment(): Promise<string> {
    return (await server.pool.query('select id from treasury_payments order by id desc limit 1')).rows[0].id;
  }
});

test('two processes that serve the same treasury pay nothing twice', async (t) => {
  const environment = await openEnvironment(t);
  const processes = [
    await startProcess(t, environment, { fill: null }),
    await startProcess(t, environment, { fill: null }),
  ];
  const one = processes[0]!;
  const two = processes[1]!;
  const wallets = await Promise.all(Array.from({ length: 12 }, () => one.pendingUser()));
  await Promise.all(wallets.flatMap((wallet) => processes.map((each) => each.activate(wallet))));
  const { address, id } = (await one.treasury())!;
  await faucet(environment.urls.control, { address, asset: 'USDC', amount: '1000' });
  await one.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: id });
  const covered = await Promise.all(
    wallets.flatMap(({ id: walletId }) => [
      one.fundWallet(walletId, '3.00', { reference: `opn_${walletId}` }),
      two.fundWallet(walletId, '3.00', { reference: `opn_${walletId}` }),
    ]),
  );
  assert.ok(covered.every(({ kind }) => kind === 'yes'));
  for (const wallet of wallets) {
    assert.deepEqual(onLedger(environment.sandbox, wallet.address), { usdc: '3.0000000', xlm: '3.0000000' });
  }
  await assertBooksEqualLedger(one.pool, environment.sandbox);
});

test('an operation is funded although a transaction of its wallet is on the ledger and not in the books yet', async () => {
  const { environment, server } = shared();
  const { sandbox } = environment;
  const payer = await server.richUser('10');
  const other = await server.user();
  const before = transactionsOf(sandbox, payer.address).length;
  sandbox.faults.arm({ operation: 'transaction-get', fault: 'slow', delayMs: 500 });
  const paying = server.pay(payer, other, '3.00');
  await until(() => transactionsOf(sandbox, payer.address).length > before, 'it is on the ledger');
  const funded = await server.fundWallet(payer.id, '20.00');
  assert.deepEqual([funded.kind, (await paying).kind], ['yes', 'yes']);
  assert.equal(onLedger(sandbox, payer.address)!.usdc, '20.0000000');
  await assertBooksEqualLedger(server.pool, sandbox);
});

test('an operation that the treasury cannot pay for does not take the money of one that came first', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { fill: '5' });
  const wallet = await server.richUser('10');
  const later = await server.fundWallet(wallet.id, '1000.00', { reference: 'opn_b' });
  assert.equal(later.kind, 'no');
  assert.equal(
    (await server.fundWallet(wallet.id, '10.00', { reference: 'opn_a' })).kind,
    'yes',
    'there is enough for it',
  );
  assert.equal(
    (await server.fundWallet(wallet.id, '10.00', { reference: 'opn_c' })).kind,
    'no',
    'and not for one more',
  );
  assert.equal(onLedger(environment.sandbox, wallet.address)!.usdc, '10.0000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an order in the native asset leaves the reserve and the fees of the wallet alone', async () => {
  const { environment, server } = shared();
  const wallet = await server.user();
  assert.equal((await server.fundWallet(wallet.id, '40.00', { currency: 'XLM' })).kind, 'yes');
  assert.equal(onLedger(environment.sandbox, wallet.address)!.xlm, '43.0000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('one payment that the ledger refuses fails alone, and the others of its batch are paid', async () => {
  const { environment, server } = shared();
  const wallets = [await server.user(), await server.user(), await server.user()];
  const bad = wallets[1]!;
  environment.sandbox.faults.arm({ operation: 'payment', fault: 'refusal', match: bad.address, count: 5 });
  const covered = await Promise.all(wallets.map(({ id }) => server.fundWallet(id, '6.00')));
  assert.deepEqual(
    covered.map(({ kind }) => kind),
    ['yes', 'no', 'yes'],
  );
  const there = wallets.map(({ address }) => onLedger(environment.sandbox, address)!.usdc);
  assert.deepEqual(there, ['6.0000000', '0.0000000', '6.0000000']);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
