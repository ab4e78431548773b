// Every call of an escrow contract is made once, by its own signer, and what it moved is in the books to the last unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReactions } from '../../server/src/commit/reactions.ts';
import {
  assertBooksEqualLedger,
  MARKETPLACE,
  onLedger,
  openWorld,
  type Process,
  startProcess,
} from './custody-fixture.ts';
import { openDeal, payInto, shareScenes } from './escrow-fixture.ts';

const MOVED = `select move || ' ' || split_part(account_id, ':', 3) as move, sum(amount)::text as sum from postings
  where move = any($1) and amount > 0 group by 1 order by 1`;

/** The sums of the moves with these names in the books from now on. */
const watchMoves = async ({ pool }: Process, names: readonly string[]) => {
  const read = async (): Promise<Map<string, bigint>> => {
    const { rows } = await pool.query<{ move: string; sum: string }>(MOVED, [names]);
    return new Map(rows.map(({ move, sum }) => [move, BigInt(sum)]));
  };
  const before = await read();
  return async (): Promise<Record<string, string>> => {
    const moved = [...(await read())].map(([move, sum]) => [move, sum - (before.get(move) ?? 0n)] as const);
    return Object.fromEntries(moved.filter(([, sum]) => sum !== 0n).map(([move, sum]) => [move, String(sum)]));
  };
};

const scene = shareScenes();

const CONTRACT_MOVES = ['contract_funding', 'contract_payment', 'protocol_fee', 'contract_gain'];

test('a whole release in one payment is booked as the ledger paid it: seller, platform and protocol', async () => {
  const { world, server, deal } = await scene();
  const moved = await watchMoves(server, CONTRACT_MOVES);
  const atPlatform = (): bigint => BigInt(onLedger(world.sandbox, deal.platform.address)!.usdc.replace('.', ''));
  const before = atPlatform();
  const deployed = await deal.make('deploy');
  const contractId = deployed.contractId!;
  assert.match(contractId, /^C[A-Z2-7]{55}$/);
  assert.deepEqual((await deal.escrow()).calls, [{ call: 'deploy', milestone: null, contractId }]);
  await deal.keep({ status: 'CREATED', providerContractId: contractId });
  await deal.begin('fund-escrow');
  const funded = await deal.make('fund');
  assert.deepEqual([funded.paid, funded.contractId], [[300_000_000n], null]);
  await assertBooksEqualLedger(server.pool, world.sandbox);
  await deal.begin('release');
  for (const call of ['change-status', 'approve', 'release'] as const) {
    assert.deepEqual((await deal.make(call)).paid, [null]);
    await assertBooksEqualLedger(server.pool, world.sandbox);
  }
  assert.deepEqual(await deal.calls(), ['deploy', 'fund', 'change-status:0', 'approve:0', 'release']);
  assert.equal((await deal.escrow()).transactionId, null);
  assert.equal(onLedger(world.sandbox, deal.seller.address)!.usdc, '28.4100000');
  assert.equal(atPlatform() - before, 15_000_000n);
  assert.equal(onLedger(world.sandbox, deal.buyer.address)!.usdc, '0.0000000');
  assert.deepEqual(await moved(), {
    'contract_funding USD': '300000000',
    'contract_payment USD': '299100000',
    'protocol_fee USD': '900000',
  });
  const { rows } = await server.pool.query(
    `select purpose, source, state from ledger_transactions
     where purpose like 'escrow:%' and source = any($1) order by created_at`,
    [[deal.buyer.address, deal.seller.address]],
  );
  const { buyer, seller } = deal;
  assert.deepEqual(
    rows,
    (
      [
        ['escrow:deploy', buyer],
        ['escrow:fund', buyer],
        ['escrow:change-status', seller],
        ['escrow:approve', buyer],
        ['escrow:release', buyer],
      ] as const
    ).map(([purpose, { address: source }]) => ({ purpose, source, state: 'SUCCEEDED' })),
  );
});

test('milestones are released and resolved one by one, each side as decided', async () => {
  const { world, server, deal } = await scene({ type: 'multi-release' });
  await deal.funded();
  for (const call of ['change-status', 'approve', 'release'] as const) await deal.make(call, { milestone: 0 });
  await deal.begin('resolve-dispute');
  await deal.make('dispute', { milestone: 1 });
  await deal.make('resolve', { milestone: 1, shares: { seller: '5.01', buyer: '14.99' } });
  const { calls } = await deal.escrow();
  assert.deepEqual(calls.at(-1), {
    call: 'resolve',
    milestone: 1,
    sellerUnits: '50100000',
    buyerUnits: '149900000',
  });
  assert.deepEqual(await deal.calls(), [
    'deploy',
    'fund',
    'change-status:0',
    'approve:0',
    'release:0',
    'dispute:1',
    'resolve:1',
  ]);
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a refund goes back to the buyer, less the fees of contract and platform, and the platform signs it', async () => {
  const { world, server, deal } = await scene();
  await deal.funded();
  await deal.make('dispute');
  await deal.make('resolve', { shares: { seller: '0', buyer: '30' } });
  assert.equal(onLedger(world.sandbox, deal.buyer.address)!.usdc, '28.4100000');
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('an order in the native asset is booked in it, separate from the network fees in the same asset', async () => {
  const { world, server, deal } = await scene({ currency: 'XLM' });
  const moved = await watchMoves(server, CONTRACT_MOVES);
  await deal.funded();
  for (const call of ['change-status', 'approve', 'release'] as const) await deal.make(call);
  assert.deepEqual(await moved(), {
    'contract_funding XLM': '300000000',
    'contract_payment XLM': '299100000',
    'protocol_fee XLM': '900000',
  });
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a shortage in the currency of the order is covered from the other book currency, through the operator', async () => {
  const { world, server, deal } = await scene({ currency: 'USDC' });
  const moved = await watchMoves(server, ['contract_funding', 'exchange_out', 'exchange_in']);
  await deal.funded();
  await assertBooksEqualLedger(server.pool, world.sandbox);
  assert.deepEqual(await moved(), {
    'contract_funding USDC': '300000000',
    'exchange_in USDC': '300000000',
    'exchange_out USD': '300000000',
  });
  for (const call of ['change-status', 'approve', 'release'] as const) await deal.make(call);
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test("a third party's money in the contract becomes the operator's when the contract pays it out", async () => {
  const { world, server, deal } = await scene();
  const moved = await watchMoves(server, CONTRACT_MOVES);
  const contractId = await deal.funded();
  await payInto({ world, server }, { type: 'single-release', contractId, sum: '2.5' });
  await deal.make('dispute');
  await deal.make('resolve', { shares: { seller: '0', buyer: '32.5' } });
  assert.equal((await moved())['contract_gain USD'], '25000000');
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('the payment of a release is not a deposit, and its receiver has nothing in flight once it is settled', async () => {
  const { world, server, deal } = await scene();
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  const { address, id: walletId } = deal.seller;
  const inFlight = async () => (await server.depositReads.position({ marketplaceId: MARKETPLACE, address })).inFlight;
  assert.equal(await inFlight(), false);
  // The transaction is on the ledger, and the server does not know it yet.
  world.sandbox.faults.arm({ operation: 'transaction-get', fault: 'outage', count: 1 });
  assert.equal((await deal.send('release')).kind, 'unknown');
  assert.equal(onLedger(world.sandbox, address)!.usdc, '28.4100000');
  const looked = await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  assert.deepEqual(looked, { kind: 'yes', value: { recorded: 0 } });
  await assertBooksEqualLedger(server.pool, world.sandbox);
  assert.equal(await inFlight(), false);
  assert.deepEqual(await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId }), looked);
  const { rows } = await server.pool.query('select count(*)::int as n from deposits where wallet_id = $1', [walletId]);
  assert.deepEqual(rows, [{ n: 0 }]);
});

test('a receiver is in flight while a release that may pay it is signed', async () => {
  const { world, server, deal } = await scene();
  await deal.funded();
  await deal.make('change-status');
  await deal.make('approve');
  world.sandbox.faults.arm({ operation: 'send-transaction', fault: 'outage', count: 1_000 });
  assert.equal((await deal.send('release')).kind, 'unknown');
  for (const { address } of [deal.buyer, deal.seller, deal.platform]) {
    assert.equal((await server.depositReads.position({ marketplaceId: MARKETPLACE, address })).inFlight, true, address);
  }
  const { address } = (await server.treasury())!;
  assert.equal((await server.depositReads.position({ marketplaceId: MARKETPLACE, address })).inFlight, false);
  world.sandbox.faults.clear();
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('two orders at once keep their contracts apart', async () => {
  const { world, server, deal } = await scene();
  const other = await openDeal(server, world, { type: 'multi-release' });
  await Promise.all([deal.funded(), other.funded()]);
  await Promise.all([deal.make('change-status'), other.make('change-status', { milestone: 1 })]);
  await Promise.all([deal.make('approve'), other.make('approve', { milestone: 1 })]);
  await Promise.all([deal.make('release'), other.make('release', { milestone: 1 })]);
  await assertBooksEqualLedger(server.pool, world.sandbox);
});

test('a settled call of an escrow contract is announced to the operation that made it', async (t) => {
  const world = await openWorld(t);
  const told: string[] = [];
  const reactions = createReactions((message) => assert.fail(message));
  reactions.on('escrow-call-settled', ({ operationId }, { marketplaceId }) => {
    told.push(`${marketplaceId} ${operationId}`);
  });
  const server = await startProcess(t, world, { reactions });
  const deal = await openDeal(server, world);
  const creating = deal.operationId();
  await deal.deploy();
  const funding = await deal.begin('fund-escrow');
  await deal.make('fund');
  assert.deepEqual(told, [`${MARKETPLACE} ${creating}`, `${MARKETPLACE} ${funding}`]);
});
