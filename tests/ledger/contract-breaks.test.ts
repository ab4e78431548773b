// What the escrow contracts hold is compared with the books: a difference is a break when it was seen twice with no call in
// flight, and it is resolved when the two agree again.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { createContractBalances } from '../../server/src/modules/reconciliation/contract-balances.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { openEscrowFixture, openTestOrder, payInto, type Wanted } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE, openEnvironment, startProcess } from './ledger-fixture.ts';

const reconciled = async (t: TestContext, wanted: Wanted = {}) => {
  const fixture = await openEscrowFixture(t, wanted);
  const { server } = fixture;
  const breaks = createBreaks(server.pool);
  const reads = createBreakReads(server.pool);
  const asked: number[] = [];
  const escrow = {
    balances(ids: readonly string[]) {
      asked.push(ids.length);
      return server.provider.balances(ids);
    },
  };
  const job = reconcile({
    wallets: async () => [],
    compare: async () => ({ kind: 'busy' }),
    arePending: async () => ({ kind: 'unknown' }),
    depositPatienceMs: 0,
    contracts: { list: reads.contracts, compare: createContractBalances({ escrow, reads }) },
    breaks,
    onBreak() {},
  });
  return {
    ...fixture,
    asked,
    run: () => job.run(),
    async open() {
      const page = await reads.list({ marketplaceId: MARKETPLACE, limit: 100, cursor: null, open: true });
      return page!.rows.map(({ kind, subject, difference }) => [kind, subject, difference]);
    },
  };
};

test('nothing is found while contracts and books agree, from the deployment to the last payment', async (t) => {
  const { environment, server, order, run, open } = await reconciled(t);
  await order.funded();
  await run();
  for (const call of ['change-status', 'approve', 'release'] as const) await order.make(call);
  await run();
  await order.keep({ status: 'RELEASED' });
  await run();
  assert.deepEqual(await open(), []);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test("a third party's money in a contract is a break until the contract pays it out", async (t) => {
  const { environment, server, order, run, open } = await reconciled(t);
  const contractId = await order.funded();
  await payInto({ environment, server }, { type: 'single-release', contractId, sum: '2.5' });
  await run();
  assert.deepEqual(await open(), [['contract', contractId, '2.5000000']]);
  await order.make('dispute');
  await order.make('resolve', { shares: { seller: '0', buyer: '32.5' } });
  await order.keep({ status: 'REFUNDED' });
  await run();
  assert.deepEqual(await open(), []);
});

test('one wrong answer, a silent provider, and a call in flight are no breaks', async (t) => {
  const { environment, server, order, run, open } = await reconciled(t);
  await order.deployed();
  await order.make('fund');
  const { faults } = environment.sandbox;
  faults.arm({ operation: 'get-escrow', fault: 'wrong-amount' });
  await run();
  assert.deepEqual([await open(), faults.list()], [[], []], 'one wrong answer');
  faults.arm({ operation: 'get-escrow', fault: 'outage', count: 100 });
  await run();
  assert.deepEqual(await open(), [], 'no answer');
  faults.clear();

  await order.begin('release');
  for (const call of ['change-status', 'approve'] as const) await order.make(call);
  // On the ledger, and not settled.
  const crashing = await startProcess(t, environment, {
    onStep(step) {
      if (step === 'submitted') throw new Error('crashed');
    },
  });
  await assert.rejects(order.send('release', { by: crashing }), /crashed/);
  await crashing.close();
  await run();
  assert.deepEqual(await open(), [], 'a call in flight');
  await server.sender.resumeAll();
  await run();
  assert.deepEqual(await open(), []);
});

test('a contract that the provider does not know is empty, and hides none of the others', async (t) => {
  const { environment, server, order, run, open } = await reconciled(t);
  const contractId = await order.funded();
  await payInto({ environment, server }, { type: 'single-release', contractId, sum: '1' });
  const other = await openTestOrder(server, environment);
  const unknown = await other.deployed();
  const nowhere = `${unknown.slice(0, -4)}AAAA`;
  await other.keep({ providerContractId: nowhere });
  await run();
  assert.deepEqual(await open(), [['contract', contractId, '1.0000000']]);
});

test('contracts are read twenty at a time', async (t) => {
  const { server, order, asked, run } = await reconciled(t);
  await order.deployed();
  const { providerContractId } = await order.escrow();
  await server.pool.query(
    `insert into escrows select e.marketplace_id, e.id || n, e.version, e.order_id || n, e.status, e.amount, e.currency,
       e.contract_type, 'C' || lpad(n::text, 55, 'A'), e.buyer, e.seller, e.platform, e.platform_fee_bps, e.terms, e.calls,
       e.transaction_id, e.set_aside, e.funded_at, e.released_at, e.refunded_at, e.created_at, e.updated_at
     from escrows e, generate_series(1, 44) n where e.provider_contract_id = $1`,
    [providerContractId],
  );
  await run();
  assert.deepEqual(
    asked.filter((count) => count > 1),
    [20, 20, 5],
  );
});

test('a contract of a marketplace is compared with the books of that marketplace alone', async (t) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment);
  const order = await openTestOrder(server, environment);
  const contractId = await order.funded();
  const reads = createBreakReads(server.pool);
  const places = [MARKETPLACE, 'mkt_other'].map((marketplaceId) => ({ marketplaceId, contractId }));
  const positions = await reads.contractPositions(places);
  assert.deepEqual(
    positions.map(({ marketplaceId, expected }) => [marketplaceId, expected]),
    [
      [MARKETPLACE, 300_000_000n],
      ['mkt_other', 0n],
    ],
  );
});
