// Every call of an escrow contract is made once, by its own signer, and what it moved is in the books to the last unit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReactions } from '../../server/src/commit/reactions.ts';
import { openTestOrder, shareEscrowFixtures } from './escrow-fixture.ts';
import {
  assertBooksEqualLedger,
  MARKETPLACE,
  onLedger,
  openEnvironment,
  type Process,
  startProcess,
} from './ledger-fixture.ts';

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

const fixture = shareEscrowFixtures();

const CONTRACT_MOVES = ['contract_funding', 'contract_payment', 'protocol_fee', 'contract_gain'];

test('a whole release in one payment is booked as the ledger paid it: seller, platform and protocol', async () => {
  const { environment, server, order } = await fixture();
  const moved = await watchMoves(server, CONTRACT_MOVES);
  const atPlatform = (): bigint => BigInt(onLedger(environment.sandbox, order.platform.address)!.usdc.replace('.', ''));
  const before = atPlatform();
  const deployed = await order.make('deploy');
  const contractId = deployed.contractId!;
  assert.match(contractId, /^C[A-Z2-7]{55}$/);
  assert.deepEqual((await order.escrow()).calls, [{ call: 'deploy', milestone: null, contractId }]);
  await order.keep({ status: 'CREATED', providerContractId: contractId });
  await order.begin('fund-escrow');
  const funded = await order.make('fund');
  assert.deepEqual([funded.paid, funded.contractId], [[300_000_000n], null]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  await order.begin('release');
  for (const call of ['change-status', 'approve', 'release'] as const) {
    assert.deepEqual((await order.make(call)).paid, [null]);
    await assertBooksEqualLedger(server.pool, environment.sandbox);
  }
  assert.deepEqual(await order.calls(), ['deploy', 'fund', 'change-status:0', 'approve:0', 'release']);
  assert.equal((await order.escrow()).transactionId, null);
  assert.equal(onLedger(environment.sandbox, order.seller.address)!.usdc, '28.4100000');
  assert.equal(atPlatform() - before, 15_000_000n);
  assert.equal(onLedger(environment.sandbox, order.buyer.address)!.usdc, '0.0000000');
  assert.deepEqual(await moved(), {
    'contract_funding USD': '300000000',
    'contract_payment USD': '299100000',
    'protocol_fee USD': '900000',
  });
  const { rows } = await server.pool.query(
    `select purpose, source, state from ledger_transactions
     where purpose like 'escrow:%' and source = any($1) order by created_at`,
    [[order.buyer.address, order.seller.address]],
  );
  const { buyer, seller } = order;
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

test('a refund goes back to the buyer, less the fees of contract and platform, and the platform signs it', async () => {
  const { environment, server, order } = await fixture();
  await order.funded();
  await order.make('dispute');
  await order.make('resolve', { shares: { seller: '0', buyer: '30' } });
  assert.equal(onLedger(environment.sandbox, order.buyer.address)!.usdc, '28.4100000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('the payment of a release is not a deposit, and its receiver has nothing in flight once it is settled', async () => {
  const { environment, server, order } = await fixture();
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  const { address, id: walletId } = order.seller;
  const inFlight = async () => (await server.depositReads.position({ marketplaceId: MARKETPLACE, address })).inFlight;
  assert.equal(await inFlight(), false);
  // The transaction is on the ledger, and the server does not know it yet.
  environment.sandbox.faults.arm({ operation: 'transaction-get', fault: 'outage', count: 1 });
  assert.equal((await order.send('release')).kind, 'unknown');
  assert.equal(onLedger(environment.sandbox, address)!.usdc, '28.4100000');
  const polled = await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  assert.deepEqual(polled, { kind: 'yes', value: { recorded: 0 } });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  assert.equal(await inFlight(), false);
  assert.deepEqual(await server.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId }), polled);
  const { rows } = await server.pool.query('select count(*)::int as n from deposits where wallet_id = $1', [walletId]);
  assert.deepEqual(rows, [{ n: 0 }]);
});

test('a receiver is in flight while a release that may pay it is signed', async () => {
  const { environment, server, order } = await fixture();
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  environment.sandbox.faults.arm({ operation: 'send-transaction', fault: 'outage', count: 1_000 });
  assert.equal((await order.send('release')).kind, 'unknown');
  for (const { address } of [order.buyer, order.seller, order.platform]) {
    assert.equal((await server.depositReads.position({ marketplaceId: MARKETPLACE, address })).inFlight, true, address);
  }
  const { address } = (await server.treasury())!;
  assert.equal((await server.depositReads.position({ marketplaceId: MARKETPLACE, address })).inFlight, false);
  environment.sandbox.faults.clear();
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a settled call of an escrow contract is announced to the operation that made it', async (t) => {
  const environment = await openEnvironment(t);
  const notified: string[] = [];
  const reactions = createReactions((message) => assert.fail(message));
  reactions.on('escrow-call-settled', ({ operationId }, { marketplaceId }) => {
    notified.push(`${marketplaceId} ${operationId}`);
  });
  const server = await startProcess(t, environment, { reactions });
  const order = await openTestOrder(server, environment);
  const creating = order.operationId();
  await order.deploy();
  const funding = await order.begin('fund-escrow');
  await order.make('fund');
  assert.deepEqual(notified, [`${MARKETPLACE} ${creating}`, `${MARKETPLACE} ${funding}`]);
});
