// What is adopted from the ledger about wallets and known escrows when the database has forgotten it. adoption.test.ts has one case of
// each kind of transaction.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releasePayments } from '../../server/src/ledger/holds/payment-hold.ts';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { adoptFrom, assertAdoptedCalls, openOlder } from './adoption-fixture.ts';
import { openEscrowFixture } from './escrow-fixture.ts';
import {
  assertBooksEqualLedger,
  faucet,
  MARKETPLACE,
  openEnvironment,
  type Process,
  startProcess,
} from './ledger-fixture.ts';

/** The amounts of all payments that an operator is shown of a held wallet. */
const heldUnits = async ({ pool }: Process, walletId: string): Promise<string[]> => {
  const { rows } = await pool.query('select transactions from payment_holds where held and id = $1', [walletId]);
  const held: { payments: { units: string }[] }[] = rows[0]?.transactions ?? [];
  return held.flatMap(({ payments }) => payments.map(({ units }) => units));
};

test('a funding that the database has forgotten is adopted into the escrow that it knows', async (t) => {
  const fixture = await openEscrowFixture(t);
  const { order } = fixture;
  await order.deployed();
  const older = await openOlder(t, fixture.environment);
  await order.make('fund');
  await assertAdoptedCalls(t, { fixture, older });
});

test('what the contract of an order paid that the database has forgotten is a deposit, once its calls are adopted', async (t) => {
  const { environment, order } = await openEscrowFixture(t);
  const older = await openOlder(t, environment);
  await order.funded();
  for (const call of ['change-status', 'approve', 'release'] as const) await order.make(call);

  const restored = await startProcess(t, older);
  await restored.pool.query('delete from escrows');
  const { buyer, seller, platform } = order;
  const poll = async () => {
    for (const { id: walletId } of [seller, platform]) {
      await restored.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
    }
    const { rows } = await restored.pool.query<{ amount: bigint }>(
      'select amount from deposits where wallet_id = any($1) order by amount',
      [[seller.id, platform.id]],
    );
    return rows.map(({ amount }) => amount);
  };
  assert.deepEqual(await poll(), [], 'the calls of our own wallets are not known yet');
  // A later deposit that is recorded must not hide the earlier payments.
  for (const { address } of [seller, platform]) {
    await faucet(environment.urls.control, { address, asset: 'USDC', amount: '0.1' });
  }
  assert.deepEqual(await poll(), [1_000_000n, 1_000_000n]);
  await restored.sender.adoption.adopt({ marketplaceId: MARKETPLACE, source: buyer.address });
  await restored.run(releasePayments, { id: buyer.id });
  for (const { address } of [buyer, seller, platform]) await adoptFrom(restored, address);
  assert.deepEqual(
    await poll(),
    [1_000_000n, 1_000_000n, 15_000_000n, 284_100_000n],
    'the fee of the platform, and the seller',
  );
  const sql = async (text: string, values: unknown[]) => (await restored.pool.query(text, values)).rows;
  assert.deepEqual(await compareBooksWithLedger({ sql, state: environment.sandbox.describe() }), []);
});

test('payments between the wallets of two users that the database has forgotten hold the payer, and are then deposits', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const from = await server.richUser('100');
  const to = await server.user();
  await server.fundWallet(from.id, '1.00');
  const older = await openOlder(t, environment);
  for (const amount of ['7', '2']) assert.equal((await server.pay(from, to, amount)).kind, 'yes');

  const restored = await startProcess(t, older);
  const place = { marketplaceId: MARKETPLACE, source: from.address };
  assert.equal((await restored.sender.adoption.adopt(place)).kind, 'unknown', 'only a withdrawal makes such a payment');
  assert.deepEqual(
    await heldUnits(restored, from.id),
    ['70000000', '20000000'],
    'both are shown before one is accepted',
  );
  await restored.run(releasePayments, { id: from.id });
  await adoptFrom(restored, from.address);
  await restored.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: to.id });
  const { rows } = await restored.pool.query('select amount from deposits where wallet_id = $1 order by 1', [to.id]);
  assert.deepEqual(rows, [{ amount: 20_000_000n }, { amount: 70_000_000n }]);
  await assertBooksEqualLedger(restored.pool, environment.sandbox);
});

test('a held wallet does not show the funding of an escrow that its next transactions explain', async (t) => {
  const { environment, server, order } = await openEscrowFixture(t);
  await server.pool.query(
    `insert into orders select marketplace_id, order_id, 1, 'usr_buyer', 'usr_seller', amount, currency, 'title', null, null, '{}',
       platform_fee_bps, 'ESCROW_CREATING', null, id, null, null, created_at, updated_at from escrows`,
  );
  const to = await server.user();
  const older = await openOlder(t, environment);
  assert.equal((await server.pay(order.buyer, to, '2')).kind, 'yes');
  await faucet(environment.urls.control, { address: order.buyer.address, asset: 'USDC', amount: '2' });
  await order.funded();

  const restored = await startProcess(t, older);
  const { buyer } = order;
  await restored.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: buyer.id });
  const place = { marketplaceId: MARKETPLACE, source: buyer.address };
  assert.equal((await restored.sender.adoption.adopt(place)).kind, 'unknown');
  assert.deepEqual(await heldUnits(restored, buyer.id), ['20000000']);
  await restored.run(releasePayments, { id: buyer.id });
  assert.equal((await adoptFrom(restored, buyer.address)).at(-1)?.state, 'SUCCEEDED');
  await restored.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId: to.id });
  await assertBooksEqualLedger(restored.pool, environment.sandbox);
});
