// Contract calls in the native asset, by milestones, with a shortage, with money of third parties, and for two orders at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestOrder, payInto, shareEscrowFixtures } from './escrow-fixture.ts';
import { assertBooksEqualLedger, type Process } from './ledger-fixture.ts';

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

test('milestones are released and resolved one by one, each side as decided', async () => {
  const { environment, server, order } = await fixture({ type: 'multi-release' });
  await order.funded();
  for (const call of ['change-status', 'approve', 'release'] as const) await order.make(call, { milestone: 0 });
  await order.begin('resolve-dispute');
  await order.make('dispute', { milestone: 1 });
  await order.make('resolve', { milestone: 1, shares: { seller: '5.01', buyer: '14.99' } });
  const { calls } = await order.escrow();
  assert.deepEqual(calls.at(-1), {
    call: 'resolve',
    milestone: 1,
    sellerUnits: '50100000',
    buyerUnits: '149900000',
  });
  assert.deepEqual(await order.calls(), [
    'deploy',
    'fund',
    'change-status:0',
    'approve:0',
    'release:0',
    'dispute:1',
    'resolve:1',
  ]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an order in the native asset is booked in it, separate from the network fees in the same asset', async () => {
  const { environment, server, order } = await fixture({ currency: 'XLM' });
  const moved = await watchMoves(server, CONTRACT_MOVES);
  await order.funded();
  for (const call of ['change-status', 'approve', 'release'] as const) await order.make(call);
  assert.deepEqual(await moved(), {
    'contract_funding XLM': '300000000',
    'contract_payment XLM': '299100000',
    'protocol_fee XLM': '900000',
  });
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a shortage in the currency of the order is covered from the other book currency, through the operator', async () => {
  const { environment, server, order } = await fixture({ currency: 'USDC' });
  const moved = await watchMoves(server, ['contract_funding', 'exchange_out', 'exchange_in']);
  await order.funded();
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  assert.deepEqual(await moved(), {
    'contract_funding USDC': '300000000',
    'exchange_in USDC': '300000000',
    'exchange_out USD': '300000000',
  });
  for (const call of ['change-status', 'approve', 'release'] as const) await order.make(call);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test("a third party's money in the contract becomes the operator's when the contract pays it out", async () => {
  const { environment, server, order } = await fixture();
  const moved = await watchMoves(server, CONTRACT_MOVES);
  const contractId = await order.funded();
  await payInto({ environment, server }, { type: 'single-release', contractId, sum: '2.5' });
  await order.make('dispute');
  await order.make('resolve', { shares: { seller: '0', buyer: '32.5' } });
  assert.equal((await moved())['contract_gain USD'], '25000000');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('two orders at once keep their contracts apart', async () => {
  const { environment, server, order } = await fixture();
  const other = await openTestOrder(server, environment, { type: 'multi-release' });
  await Promise.all([order.funded(), other.funded()]);
  await Promise.all([order.make('change-status'), other.make('change-status', { milestone: 1 })]);
  await Promise.all([order.make('approve'), other.make('approve', { milestone: 1 })]);
  await Promise.all([order.make('release'), other.make('release', { milestone: 1 })]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
