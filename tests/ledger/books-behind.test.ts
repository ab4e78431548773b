// An address spent more on the ledger than the books explain. Deposits are booked first, transactions in flight are awaited, and
// the rest is booked as unexplained. No wallet stays locked.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { yes } from '../../server/src/base/answer.ts';
import { adjustments, walletHolding } from '../../server/src/books/accounts.ts';
import { type Amount, fromUnits } from '../../server/src/books/money.ts';
import { command } from '../../server/src/commit/command.ts';
import type { Wallet } from '../../server/src/ledger/keys/wallet.ts';
import { createSettling } from '../../server/src/ledger/transactions/settle.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { until } from '../../tools/until.ts';
import { openEscrowFixture } from './escrow-fixture.ts';
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

type Forgotten = { readonly address: string; readonly currency: 'USD' | 'XLM'; readonly amount: Amount };

/** Removes money from the books that is still at the address. */
const forget = command<Forgotten, void>({
  name: 'test-forget',
  needs: ({ address, currency }) => ({ accounts: [walletHolding(address, currency), adjustments(currency)] }),
  decide({ address, currency, amount: units }, work) {
    const from = adjustments(currency);
    const to = walletHolding(address, currency);
    work.post({ from, to, amount: units, move: 'sync_write_off' });
    work.audit({ action: 'BALANCE_SYNCED', resourceType: 'Wallet', resourceId: address });
  },
});

const fixture = async (t: TestContext) => {
  const environment = await openEnvironment(t);
  const server = await startProcess(t, environment, { timeoutMs: 1_000 });
  const ann = await server.richUser('100');
  const bob = await server.user();
  return { environment, server, ann, bob };
};

const unexplainedIn = async ({ pool }: Process) => {
  const { rows } = await pool.query<{ account: string; sum: string }>(
    `select account_id as account, sum(-amount)::text as sum from postings
     where move = 'unexplained' and amount < 0 group by 1 order by 1`,
  );
  return rows.map(({ account, sum }) => `${account} ${sum}`);
};

/** A process that crashes when the ledger has its transaction, so that the books do not. */
const startCrashing = (t: TestContext, environment: Environment) =>
  startProcess(t, environment, {
    timeoutMs: 1_000,
    onStep(step) {
      if (step === 'submitted') throw new Error('crashed');
    },
  });

test('an unexplained amount is booked as such and audited, and the wallet is free', async (t) => {
  const { environment, server, ann, bob } = await fixture(t);
  await server.run(forget, { address: ann.address, currency: 'USD', amount: amount('40') });
  const sent = await server.pay(ann, bob, '75.00');
  assert.equal(sent.kind, 'yes', 'reason' in sent ? sent.reason : '');
  assert.deepEqual(await unexplainedIn(server), [`wallet:${ann.address}:USD 150000000`]);
  const { rows } = await server.pool.query(
    `select payload_after::jsonb -> 'unexplained' as unexplained from audit_entries
     where action = 'LEDGER_TRANSACTION_SETTLED' and resource_id = $1`,
    [sent.hash],
  );
  assert.deepEqual(rows, [{ unexplained: [{ address: ann.address, currency: 'USD', amount: '15.0000000' }] }]);
  assert.equal((await server.pay(ann, bob, '25.00')).kind, 'yes');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('an unexplained fee is booked too', async (t) => {
  const { environment, server, ann, bob } = await fixture(t);
  await server.run(forget, { address: ann.address, currency: 'XLM', amount: amount('3') });
  assert.equal((await server.pay(ann, bob, '1.00')).kind, 'yes');
  assert.deepEqual(await unexplainedIn(server), [`wallet:${ann.address}:XLM 100`]);
  const { rows } = await server.pool.query(`select 1 from ledger_transactions where state = 'SIGNED'`);
  assert.deepEqual(rows, []);
  assert.equal(onLedger(environment.sandbox, ann.address)!.xlm, '2.9999900');
});

test('an unexplained funding of an escrow is booked, and its call counts as made', async (t) => {
  const { environment, server, order } = await openEscrowFixture(t);
  await order.deployed();
  await server.run(forget, { address: order.buyer.address, currency: 'USD', amount: amount('12.5') });
  await order.make('fund');
  assert.deepEqual(await unexplainedIn(server), [`wallet:${order.buyer.address}:USD 125000000`]);
  assert.deepEqual(await order.calls(), ['deploy', 'fund']);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('a deposit that could not be read is awaited, and not booked as unexplained', async (t) => {
  const { environment, server, ann, bob } = await fixture(t);
  await faucet(environment.urls.control, { address: ann.address, asset: 'USDC', amount: '50' });
  // From the settlement on, the payment list of the wallet cannot be read.
  let reads = 0;
  const { faults } = environment.sandbox;
  const blind = await startProcess(t, environment, {
    timeoutMs: 1_000,
    onStep(step) {
      if (step === 'looked-up' && reads++ === 0) {
        faults.arm({ operation: 'account', fault: 'outage', match: ann.address, count: 3 });
      }
    },
  });
  const sent = await blind.pay(ann, bob, '149.99');
  assert.equal(sent.kind, 'unknown');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  assert.deepEqual(
    [await unexplainedIn(server), onLedger(environment.sandbox, bob.address)!.usdc],
    [[], '149.9900000'],
  );
});

test('money from another own transaction that is not settled yet is awaited', async (t) => {
  const { environment, server, ann, bob } = await fixture(t);
  const crashing = await startCrashing(t, environment);
  await assert.rejects(crashing.pay(ann, bob, '60.00'), /crashed/);
  await crashing.close();
  assert.equal(onLedger(environment.sandbox, bob.address)!.usdc, '60.0000000');
  const early = await server.pay(bob, ann, '59.00');
  assert.equal(early.kind, 'unknown', 'it is on the ledger, and not in the books');
  await server.sender.resume({ marketplaceId: MARKETPLACE, source: ann.address });
  await until(async () => {
    const { rows } = await server.pool.query(`select 1 from ledger_transactions where state = 'SIGNED'`);
    return rows.length === 0;
  }, 'both are settled');
  assert.deepEqual(await unexplainedIn(server), []);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

type Waiting = { readonly hash: string | null; readonly by: Wallet; readonly paid: string };

/** Settles a payment that waits for another open transaction of ours: first it waits, then it does not wait any longer. */
const settleAtLast = async (server: Process, { hash, by, paid }: Waiting): Promise<void> => {
  const transaction = (await server.transactions.find(MARKETPLACE, hash!))!;
  const found = await server.ledger.transaction(hash!);
  assert.ok(found.kind === 'yes' && found.value.state !== 'missing');
  const charge = { fee: fromUnits(100n), feeAccount: by.address, ledger: found.value.ledger };
  const ending = { kind: 'succeeded', paid: [amount(paid)], ...charge } as const;
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  const settle = createSettling(createSettleTransaction(ACTION_OWNERS), {
    ...server,
    applyDeposits: async () => true,
    adopt: async () => yes(null),
  });
  await assert.rejects(settle({ context, transaction, ending, isLastTry: false }), /is open and not in the books yet/);
  assert.equal((await settle({ context, transaction, ending, isLastTry: true })).state, 'SUCCEEDED');
};

/** What the transaction that was settled last explains of earlier ones, by its audit entry. */
const explainedLast = async ({ pool }: Process) => {
  const { rows } = await pool.query(
    `select payload_after::jsonb -> 'explained' as explained from audit_entries
     where action = 'LEDGER_TRANSACTION_SETTLED' order by seq desc limit 1`,
  );
  return rows[0].explained;
};

test('two transactions that each wait for money from the other do not wait for ever', async (t) => {
  const { environment, server, ann, bob } = await fixture(t);
  const crashing = await startCrashing(t, environment);
  await assert.rejects(crashing.pay(ann, bob, '60.00'), /crashed/);
  await crashing.close();
  const { hash } = await server.pay(bob, ann, '59.00');
  await settleAtLast(server, { hash, by: bob, paid: '59' });
  assert.deepEqual(await unexplainedIn(server), [`wallet:${bob.address}:USD 590000000`]);

  // The money that could not be explained was that of the other transaction.
  await server.sender.resume({ marketplaceId: MARKETPLACE, source: ann.address });
  assert.deepEqual(await explainedLast(server), [{ address: bob.address, currency: 'USD', amount: '59.0000000' }]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});

test('what a contract paid to a wallet explains what the wallet has spent of it before', async (t) => {
  const { environment, server, order } = await openEscrowFixture(t);
  const { buyer, seller } = order;
  await order.funded();
  await order.make('change-status');
  await order.make('approve');
  const crashing = await startCrashing(t, environment);
  await assert.rejects(order.send('release', { by: crashing }), /crashed/);
  await crashing.close();
  const received = onLedger(environment.sandbox, seller.address)!.usdc;
  const { hash } = await server.pay(seller, buyer, '20.00');
  await settleAtLast(server, { hash, by: seller, paid: '20' });
  assert.deepEqual(await unexplainedIn(server), [`wallet:${seller.address}:USD 200000000`]);
  assert.equal(received, '28.4100000');

  await server.sender.resume({ marketplaceId: MARKETPLACE, source: buyer.address });
  assert.deepEqual(await explainedLast(server), [{ address: seller.address, currency: 'USD', amount: '20.0000000' }]);
  await assertBooksEqualLedger(server.pool, environment.sandbox);
});
