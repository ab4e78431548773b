// The fees of the network: bids follow what the network reports, a transaction that is not included is bumped by the treasury, and above
// the limit transactions wait. In each case the books equal the ledger to the last unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDepositReads } from '../../server/src/ledger/deposits/queries.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { copyDatabase } from '../../tools/test-database/database.ts';
import { until } from '../../tools/until.ts';
import {
  assertBooksEqualLedger,
  type Environment,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  type Process,
  startProcess,
} from './ledger-fixture.ts';

type Shown = {
  hash: string;
  max_fee: string;
  fee_charged: string;
  fee_account: string;
  fee_bump_transaction?: unknown;
};

const shownAt = async ({ urls }: Environment, hash: string): Promise<Shown> =>
  (await (await fetch(`${urls.ledger}/transactions/${hash}`)).json()) as Shown;

const bumpsOf = async ({ pool }: Process, hash: string): Promise<{ id: string; bid: bigint }[]> =>
  (await pool.query('select id, bid from ledger_bumps where transaction_id = $1', [hash])).rows;

const open = async (t: Parameters<typeof openEnvironment>[0], choice: Parameters<typeof startProcess>[2] = {}) => {
  const environment = await openEnvironment(t);
  // The bid is that of a quiet network.
  const server = await startProcess(t, environment, { statsReadEveryMs: 600_000, ...choice });
  const from = await server.richUser('100');
  const to = await server.user();
  // Its fees are funded before the network becomes expensive.
  const funded = await server.fundWallet(from.id, '1.00');
  assert.equal(funded.kind, 'yes');
  return { environment, server, from, to, faults: environment.sandbox.faults };
};

/** The payment arrived once, and the receiver's deposits do not count it again. */
const assertPaidOnce = async ({ environment, server, to }: Awaited<ReturnType<typeof open>>): Promise<void> => {
  assert.equal(onLedger(environment.sandbox, to.address)?.usdc, '7.0000000');
  assert.equal((await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: to.id })).kind, 'yes');
  const { rows } = await server.pool.query('select from deposits where wallet_id = $1', [to.id]);
  assert.equal(rows.length, 0);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
};

test('a bid follows the fees that the network reports, and the books have what was charged', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  environment.sandbox.faults.arm({ operation: 'fees', fault: 'fee-surge', count: 1_000 });
  const wallet = await server.user();
  const { rows } = await server.pool.query(
    `select id, jsonb_array_length(actions) as actions from ledger_transactions`,
  );
  assert.ok(rows.length >= 2);
  for (const { id } of rows) {
    const { max_fee: most, fee_charged: charged } = await shownAt(environment, id);
    assert.ok(BigInt(most) >= BigInt(charged) && BigInt(charged) >= 2_000n, `${most} ${charged}`);
  }
  assert.equal((await server.pool.query('select from ledger_bumps')).rows.length, 0);
  assert.notEqual(onLedger(environment.sandbox, wallet.address), null);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a payment that is refused for its fee is bumped by the treasury under its own hash, and paid and booked once', async (t) => {
  const scene = await open(t);
  const { environment, server, from, to, faults } = scene;
  faults.arm({ operation: 'fees', fault: 'fee-surge', count: 1_000 });
  const sent = await server.pay(from, to, '7');
  assert.ok(sent.kind === 'yes', sent.kind);
  faults.clear();
  const bumps = await bumpsOf(server, sent.hash);
  assert.equal(bumps.length, 1);
  const shown = await shownAt(environment, sent.hash);
  assert.deepEqual([shown.hash, shown.fee_account], [sent.hash, (await server.treasury())!.address]);
  assert.equal((await shownAt(environment, bumps[0]!.id)).hash, bumps[0]!.id);
  assert.equal(server.feeState().bumps, 1);
  await assertPaidOnce(scene);
});

test('a database that has forgotten a bump learns its hash with the outcome, so the payment is no deposit and no break', async (t) => {
  const { environment, server, from, to, faults } = await open(t);
  const copy = await copyDatabase(environment.connection);
  afterwards(t, () => copy.drop());
  faults.arm({ operation: 'fees', fault: 'fee-surge', count: 1_000 });
  const sent = await server.pay(from, to, '7');
  faults.clear();
  const [bump] = await bumpsOf(server, sent.hash!);
  // The transaction was signed before the backup, and bumped after it.
  const { rows } = await server.pool.query('select * from ledger_transactions where id = $1', [sent.hash]);
  const restored = await startProcess(t, { ...environment, connection: copy.connection });
  const signed = { ...rows[0], state: 'SIGNED' };
  await restored.pool.query(
    'insert into ledger_transactions select * from jsonb_populate_record(null::ledger_transactions, $1)',
    [JSON.stringify(signed)],
  );
  await restored.sender.resumeAll();
  const payment = { id: 'an-operation', transactionHash: bump!.id, from: from.address, address: to.address };
  const origins = await createDepositReads(restored.pool).origins(MARKETPLACE, [payment]);
  assert.equal(origins.get('an-operation'), 'own');
  await assertBooksEqualLedger(restored.pool, environment.sandbox);
});

test('a payment that waits for a ledger is bumped with ten times its bid', async (t) => {
  const scene = await open(t, { bumpAfterMs: 0 });
  const { server, from, to, faults } = scene;
  faults.arm({ operation: 'fees', fault: 'fee-stuck', count: 1_000 });
  const sent = await server.pay(from, to, '7');
  assert.ok(sent.kind === 'yes', sent.kind);
  faults.clear();
  assert.deepEqual(
    (await bumpsOf(server, sent.hash)).map(({ bid }) => bid),
    [10_000n],
  );
  await assertPaidOnce(scene);
});

test('above the limit a payment waits, neither failed nor sent, and is paid when the price has fallen', async (t) => {
  const scene = await open(t, { feeMax: 50_000n as never });
  const { server, from, to, faults } = scene;
  faults.arm({ operation: 'fees', fault: 'fee-spike', count: 1_000 });
  // The bid of the last ledger may still be used: the network refuses it, and nothing is bumped beyond the limit.
  const first = await server.pay(from, to, '7');
  assert.equal(first.kind, 'unknown');
  const next = await server.pay(from, to, '7');
  assert.equal(next.kind, 'unknown');
  assert.equal(server.feeState().isAboveLimit, true);
  assert.ok(server.feeState().waits > 0);
  assert.deepEqual((await server.pool.query('select from ledger_bumps')).rows, []);
  faults.clear();
  await until(async () => {
    await server.sender.resumeAll();
    const { rows } = await server.pool.query(`select state from ledger_transactions where purpose = 'test'`);
    return rows.length === 1 && rows[0].state === 'SUCCEEDED';
  }, 'the payment that was signed before is paid');
  await assertPaidOnce(scene);
});

test('a new transaction is not even signed above the limit', async (t) => {
  const scene = await open(t, { feeMax: 50_000n as never });
  const { server, faults } = scene;
  const newcomer = await server.pendingUser();
  faults.arm({ operation: 'fees', fault: 'fee-spike', count: 1_000 });
  const before = (await server.pool.query('select from ledger_transactions')).rows.length;
  // Reads the fees, as every attempt does while transactions wait.
  await server.sender.consumeSequence({ marketplaceId: MARKETPLACE, wallet: (await server.treasury())! });
  assert.ok((await server.pool.query('select from ledger_transactions')).rows.length <= before + 1);
  faults.clear();
  await server.sender.resumeAll();
  await server.activate(newcomer);
  await assertBooksEqualLedger(server.pool, scene.environment.sandbox);
});
