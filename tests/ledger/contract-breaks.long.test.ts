// What the escrow contracts hold is compared with the books: a difference is a break when it was seen twice with no call in
// flight, and it is resolved when the two agree again.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { tokenOf } from '../../server/src/ledger/format/contract-values.ts';
import { createBreaks } from '../../server/src/modules/reconciliation/breaks.ts';
import { createContractBalances } from '../../server/src/modules/reconciliation/contract-balances.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';
import { createLedgerNetwork } from '../../server/src/providers/network/ledger-network.ts';
import { PASSPHRASE } from '../../tools/simulation/ledger-accounts.ts';
import { NO_WALLETS } from '../support/no-wallets.ts';
import { openEscrowFixture, openTestOrder, payInto, type Wanted } from './escrow-fixture.ts';
import { assertBooksEqualLedger, MARKETPLACE, openEnvironment, startProcess } from './ledger-fixture.ts';

const reconciled = async (t: TestContext, { hasRpc = true, ...wanted }: Wanted & { hasRpc?: boolean } = {}) => {
  const fixture = await openEscrowFixture(t, wanted);
  const { server, environment } = fixture;
  const breaks = createBreaks(server.pool);
  const reads = createBreakReads(server.pool);
  const asked: number[] = [];
  const alerts: string[] = [];
  const escrow = {
    balances(ids: readonly string[]) {
      asked.push(ids.length);
      return server.provider.balances(ids);
    },
  };
  const { ledger } = environment.urls;
  const network = createLedgerNetwork({
    baseUrl: ledger,
    rpcUrl: hasRpc ? `${ledger}/rpc` : null,
    passphrase: PASSPHRASE,
    timeoutMs: 10_000,
    attemptsMax: 1,
    breaker: { failuresMax: 1_000, pauseMs: 10 },
  });
  const token = tokenOf({ code: 'USDC', issuer: environment.issuer }, PASSPHRASE);
  const onLedger = ({ contractId }: { contractId: string }) => network.contractBalance({ contractId, token });
  const job = reconcile({
    ...NO_WALLETS,
    contracts: { list: reads.contracts, ...createContractBalances({ escrow, reads, onLedger }) },
    breaks,
    onBreak: ({ kind }) => void alerts.push(kind),
  });
  return {
    ...fixture,
    asked,
    run: () => job.run(),
    async open() {
      const page = await reads.list({ marketplaceId: MARKETPLACE, limit: 100, cursor: null, open: true });
      return page!.rows.map(({ kind, subject, difference }) => [kind, subject, difference]);
    },
    async surpluses() {
      const page = await reads.surpluses({ marketplaceId: MARKETPLACE, limit: 100, cursor: null, open: true });
      return page!.rows.map(({ subject, difference }) => [subject, difference]);
    },
    alerts,
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

test("a third party's money in a contract is a surplus and no break, until the contract pays it out", async (t) => {
  const { environment, server, order, run, open, surpluses, alerts } = await reconciled(t);
  const contractId = await order.funded();
  await payInto({ environment, server }, { type: 'single-release', contractId, sum: '2.5' });
  await run();
  assert.deepEqual([await open(), await surpluses(), alerts], [[], [[contractId, '2.5000000']], []]);
  assert.deepEqual((await createBreaks(server.pool).summary()).open, []);
  await order.make('dispute');
  await order.make('resolve', { shares: { seller: '0', buyer: '32.5' } });
  await order.keep({ status: 'REFUNDED' });
  await run();
  assert.deepEqual([await open(), await surpluses(), alerts], [[], [], []]);
});

test('money that a settled contract did not pay out is a break, also beside a surplus', async (t) => {
  const { environment, server, order, run, open, surpluses } = await reconciled(t);
  const contractId = await order.funded();
  for (const call of ['change-status', 'approve'] as const) await order.make(call);
  environment.sandbox.faults.arm({ operation: 'release', fault: 'wrong-amount' });
  await order.make('release');
  await order.keep({ status: 'RELEASED' });
  await payInto({ environment, server }, { type: 'single-release', contractId, sum: '1' });
  await run();
  assert.deepEqual([await open(), await surpluses()], [[['contract', contractId, '16.0000000']], []]);
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

test('a provider that is wrong again and again opens no break while the ledger has what the books say', async (t) => {
  const { environment, order, run, open, surpluses, alerts } = await reconciled(t);
  await order.funded();
  const { faults } = environment.sandbox;
  faults.arm({ operation: 'get-escrow', fault: 'wrong-amount', count: 100 });
  for (let round = 0; round < 2; round++) await run();
  faults.arm({ operation: 'contract-get', fault: 'outage', count: 100 });
  await run();
  assert.deepEqual([await open(), await surpluses(), alerts], [[], [], []]);
});

test('a break that is on the ledger is found with the figures of the ledger, whatever the provider reports', async (t) => {
  const { environment, order, run, open } = await reconciled(t);
  const contractId = await order.funded();
  for (const call of ['change-status', 'approve'] as const) await order.make(call);
  environment.sandbox.faults.arm({ operation: 'release', fault: 'wrong-amount' });
  await order.make('release');
  await order.keep({ status: 'RELEASED' });
  environment.sandbox.faults.arm({ operation: 'get-escrow', fault: 'wrong-amount', count: 2 });
  await run();
  assert.deepEqual(await open(), [['contract', contractId, '15.0000000']]);
});

test('without an RPC server of the ledger the provider has to report the same difference twice', async (t) => {
  const { environment, server, order, run, open } = await reconciled(t, { hasRpc: false });
  const contractId = await order.funded();
  environment.sandbox.faults.arm({ operation: 'get-escrow', fault: 'wrong-amount', count: 1 });
  await run();
  assert.deepEqual(await open(), []);
  await server.pool.query(`update escrows set status = 'RELEASED' where provider_contract_id = $1`, [contractId]);
  await run();
  assert.deepEqual(await open(), [['contract', contractId, '30.0000000']]);
});

test('a contract that the provider does not know is empty, and hides none of the others', async (t) => {
  const { environment, server, order, run, open, surpluses } = await reconciled(t);
  const contractId = await order.funded();
  await payInto({ environment, server }, { type: 'single-release', contractId, sum: '1' });
  const other = await openTestOrder(server, environment);
  const unknown = await other.deployed();
  const nowhere = `${unknown.slice(0, -4)}AAAA`;
  await other.keep({ providerContractId: nowhere });
  await run();
  assert.deepEqual([await open(), await surpluses()], [[], [[contractId, '1.0000000']]]);
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
