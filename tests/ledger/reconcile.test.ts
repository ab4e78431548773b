// Reconciliation: a difference between books and outside systems is found, ages, and is resolved when it is gone. Money never
// moves, and a transaction in flight is not a break.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { Registry } from 'prom-client';
import { type Account, adjustments } from '../../server/src/books/accounts.ts';
import { type Amount, fromUnits } from '../../server/src/books/money.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import { command } from '../../server/src/commit/command.ts';
import { syncBalance } from '../../server/src/modules/balances/sync-balance.ts';
import { createFloatBalance } from '../../server/src/modules/float/float-balance.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import type { SeenBreak } from '../../server/src/modules/reconciliation/breaks.ts';
import { compareBalances } from '../../server/src/modules/reconciliation/compare-balances.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { breakMetrics, breaksProbe } from '../../server/src/observability/outside-probes.ts';
import { createPaymentProvider } from '../../server/src/providers/payment/payment-provider.ts';
import {
  type DepositFixture,
  MARKETPLACE,
  type Owner,
  openDepositFixture,
  spendBehindTheBooks,
} from './deposit-fixture.ts';

const FLOAT: Account = { id: 'payment-float:USD', side: 'holding', currency: 'USD', userId: null, open: false };

const openReconciled = async (t: TestContext) => {
  const fixture = await openDepositFixture(t);
  const { payment: baseUrl, payer: payerUrl } = fixture.sandbox.urls;
  const login = { key: 'sandbox-key', secret: 'sandbox-secret' };
  const provider = createPaymentProvider({ ...login, baseUrl, payerUrl, timeoutMs: 2_000 });
  const owner = await fixture.user();
  await fixture.pay(owner.address, '10');
  await fixture.pollAll();
  const reported: SeenBreak[] = [];
  let nowMs = 0;
  const job = reconcile({
    rounds: fixture.rounds(300),
    compare: fixture.compare,
    arePending: fixture.deposits.arePending,
    readTo: fixture.deposits.readTo,
    breaks: fixture.breaks,
    depositPatienceMs: 480_000,
    steadyMs: () => nowMs,
    compareFloat: createFloatBalance({ payment: provider, reads: createFloatReads(fixture.pool) }),
    onBreak: (seen) => void reported.push(seen),
  });
  const run = async ({ afterMs = 600_000 } = {}): Promise<void> => {
    nowMs += afterMs;
    await job.run();
  };
  return { fixture, owner, reported, run };
};

const listOf = async ({ breakReads }: DepositFixture, marketplaceId = MARKETPLACE) =>
  (await breakReads.list({ marketplaceId, limit: 100, cursor: null }))!.rows;

const moneyOf = ({ sql }: DepositFixture) =>
  sql('select account_id, seq, amount from postings order by account_id, seq');

const openNames = async ({ pool }: DepositFixture) =>
  (await proveBooks(pool, MARKETPLACE)).checks.filter(({ holds }) => !holds).map(({ name }) => name);

const syncFor = async (fixture: DepositFixture, { userId }: Owner): Promise<void> => {
  const ask = { marketplaceId: MARKETPLACE, userId, currency: 'USD' } as const;
  const observation = await fixture.balances.observe(ask);
  await fixture.run(syncBalance, { userId, currency: 'USD', observation });
};

test('no break is found where books and ledger agree, fees and reserves included', async (t) => {
  const { fixture, reported, run } = await openReconciled(t);
  await run();
  assert.deepEqual([await listOf(fixture), reported], [[], []]);
  assert.deepEqual(await openNames(fixture), []);
});

test('a break is found, ages while it is there, and is resolved when it is gone; no money moves (defect 23)', async (t) => {
  const { fixture, owner, reported, run } = await openReconciled(t);
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '2.5' });
  const money = await moneyOf(fixture);
  await run();
  assert.deepEqual(await moneyOf(fixture), money);
  const [found, ...others] = await listOf(fixture);
  assert.deepEqual(others, []);
  const { firstSeenAt, lastSeenAt, ageSeconds, ...what } = found!;
  assert.deepEqual(what, {
    id: `wallet-usdc:${owner.address}`,
    kind: 'wallet-usdc',
    subject: owner.address,
    expected: '10.0000000',
    actual: '7.5000000',
    difference: '-2.5000000',
    reason: null,
    owner: 'user',
    userId: owner.userId,
    orderId: null,
    resolvedAt: null,
  });
  assert.deepEqual([firstSeenAt === lastSeenAt, ageSeconds, reported.length], [true, 0, 1]);
  assert.deepEqual(await openNames(fixture), ['no-open-breaks']);

  await fixture.sql(`update breaks set first_seen_at = first_seen_at - interval '2 hours'`);
  await run();
  const [older] = await listOf(fixture);
  assert.ok(older!.ageSeconds >= 7_200 && older!.lastSeenAt > lastSeenAt);

  await syncFor(fixture, owner);
  await run();
  const [resolved] = await listOf(fixture);
  assert.notEqual(resolved!.resolvedAt, null);
  assert.deepEqual(await openNames(fixture), []);

  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  await run();
  const [again] = await listOf(fixture);
  assert.deepEqual([again!.resolvedAt, again!.difference], [null, '-1.0000000']);
  assert.ok(again!.ageSeconds < 7_200, 'a break that came back is a new one');
});

test('health and metrics show what is open, without an address or an amount', async (t) => {
  const { fixture, owner, run } = await openReconciled(t);
  const registry = new Registry();
  breakMetrics([registry]).watch(fixture.breaks.summary);
  const probe = breaksProbe(fixture.breaks.summary);
  assert.equal((await probe.check()).status, 'ok');
  assert.doesNotMatch(await registry.metrics(), /^holdfast_\w+(\{.*\})? \d/m);

  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '2.5' });
  await run();
  const { status, detail } = await probe.check();
  assert.equal(status, 'degraded');
  assert.match(detail, /^Open breaks: 1 wallet-usdc; the oldest for 0 hours\./);
  const text = await registry.metrics();
  assert.match(text, /^holdfast_open_breaks\{kind="wallet-usdc"\} 1$/m);
  assert.match(text, /^holdfast_oldest_break_timestamp_seconds \d/m);
  assert.equal(text.includes(owner.address), false);
});

test('a transaction in flight, an unbooked deposit, and one wrong answer are no breaks', async (t) => {
  const { fixture, owner, reported, run } = await openReconciled(t);
  const { address } = owner;
  const { treasury, ledger } = fixture;

  await fixture.pay(address, '3');
  await run();
  assert.deepEqual(reported, [], 'a deposit that the watcher has not seen yet');
  await fixture.pollAll();

  fixture.sandbox.faults.arm({ operation: 'account', fault: 'wrong-amount', match: address });
  await run();
  assert.deepEqual([reported, fixture.sandbox.faults.list()], [[], []], 'one wrong answer');

  await fixture.pay(treasury.address, '100');
  await fixture.pollAll();
  const { send, settle } = await fixture.keep({
    by: treasury,
    operations: [Operation.payment({ destination: address, asset: ledger.usdc, amount: '40' })],
    actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units: '400000000', paymentId: null }],
  });
  await send();
  await run();
  assert.deepEqual(reported, [], 'on the ledger and not settled');
  await settle();
  await run();
  assert.deepEqual([reported, await listOf(fixture)], [[], []]);
});

test('what moved while the ledger was asked is not compared, settled or not', async (t) => {
  const { fixture, owner } = await openReconciled(t);
  const { treasury, ledger, network, reads } = fixture;
  const { address } = owner;
  await fixture.pay(treasury.address, '100');
  await fixture.pollAll();
  const payOwner = () =>
    fixture.keep({
      by: treasury,
      operations: [Operation.payment({ destination: address, asset: ledger.usdc, amount: '1' })],
      actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units: '10000000', paymentId: null }],
    });
  const compareDuring = async (movement: () => Promise<void>) => {
    const account = async (of: string) => {
      await movement();
      return network.account(of);
    };
    const wallet = await reads.ofUser(MARKETPLACE, owner.userId);
    return (await compareBalances({ ...fixture, network: { account } }, wallet!)).kind;
  };
  const whole = async () => {
    const { send, settle } = await payOwner();
    await send();
    await settle();
  };
  assert.equal(await compareDuring(whole), 'busy');
  assert.equal(await compareDuring(async () => (await payOwner()).send()), 'busy');
});

test('a ledger that is away finds nothing and resolves nothing', async (t) => {
  const { fixture, owner, run } = await openReconciled(t);
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  await run();
  const before = await listOf(fixture);
  fixture.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 1_000 });
  await run();
  const shown = ({ ageSeconds: _, ...rest }: (typeof before)[number]) => rest;
  assert.deepEqual((await listOf(fixture)).map(shown), before.map(shown));
});

/** Says that so much lies at the payment provider, as a top-up would. */
const addFloat = command<Amount, null>({
  name: 'add-float',
  needs: () => ({ accounts: [FLOAT, adjustments('USD')] }),
  decide(amount, work) {
    work.post({ from: FLOAT, to: adjustments('USD'), amount, move: 'house_deposit' });
    work.audit({ action: 'DEPOSIT_RECORDED', resourceType: 'Wallet', resourceId: 'payment-float' });
    return null;
  },
});

test('the float is compared once the books have one, and a break of several marketplaces is shown in the default marketplace', async (t) => {
  const { fixture, run } = await openReconciled(t);
  const add = (units: bigint, marketplaceId: string) =>
    fixture.submit({
      command: addFloat,
      input: fromUnits(units),
      context: { marketplaceId, actor: { type: 'system', id: 'test' }, requestId: 'float' },
    });
  await run();
  assert.deepEqual(await listOf(fixture), [], 'nothing in the books yet');

  await add(9_999_999_990_000_000n, MARKETPLACE);
  await run();
  const [found] = await listOf(fixture);
  const { kind, subject, expected, actual, difference } = found!;
  assert.deepEqual([kind, subject], ['payment-float', 'payment-provider']);
  assert.deepEqual([expected, actual, difference], ['999999999.0000000', '1000000000.0000000', '1.0000000']);

  await add(10_000_000n, MARKETPLACE);
  await run();
  assert.notEqual((await listOf(fixture))[0]!.resolvedAt, null);

  await add(5n, MARKETPLACE);
  await run();
  assert.equal((await listOf(fixture))[0]!.difference, '-0.0000005');
  await add(5n, 'mkt_other');
  await run();
  const [shared] = await listOf(fixture);
  assert.deepEqual([shared!.difference, shared!.resolvedAt], ['-0.0000010', null], 'it is shown to the operator');
  assert.deepEqual(await listOf(fixture, 'mkt_other'), [], 'no other marketplace sees the balance of all');
  assert.deepEqual((await fixture.breaks.summary()).open, [{ kind: 'payment-float', count: 1 }]);
});

test('a deposit that is still not in the books a whole round later is a break, until it is booked', async (t) => {
  const { fixture, owner, run } = await openReconciled(t);
  await fixture.pay(owner.address, '3');
  await run();
  assert.deepEqual(await listOf(fixture), []);
  await run();
  const found = await listOf(fixture);
  assert.deepEqual(
    found.map(({ kind, subject, difference }) => [kind, subject, difference]),
    [['wallet-usdc', owner.address, '3.0000000']],
  );
  await fixture.pollAll();
  await run();
  assert.ok((await listOf(fixture)).every(({ resolvedAt }) => resolvedAt !== null));
});

test('comparisons in quick succession do not make a break of a deposit, also at a wallet that never had one', async (t) => {
  const { fixture, owner, reported, run } = await openReconciled(t);
  const newcomer = await fixture.user();
  await fixture.pay(newcomer.address, '2');
  await fixture.pay(owner.address, '3');
  for (let round = 0; round < 8; round++) await run({ afterMs: 1_000 });
  await fixture.pollAll();
  await run({ afterMs: 1_000 });
  // This deposit is new: it was not pending in the earlier comparisons.
  await fixture.pay(owner.address, '4');
  await run({ afterMs: 24 * 3_600_000 });
  assert.deepEqual([reported, await listOf(fixture)], [[], []]);
});

test('a wallet that always has a new deposit is still compared once an hour', async (t) => {
  const { fixture, owner, reported, run } = await openReconciled(t);
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  for (let round = 0; round < 7; round++) {
    assert.deepEqual(reported, [], `round ${round}`);
    await fixture.pay(owner.address, '3');
    await run();
    await fixture.pollAll();
  }
  assert.deepEqual(
    reported.map(({ kind }) => kind),
    ['wallet-usdc'],
  );
});

test('a wallet that gets a new deposit before every comparison is not a break', async (t) => {
  const { fixture, owner, reported, run } = await openReconciled(t);
  for (let round = 0; round < 3; round++) {
    await fixture.pay(owner.address, '3');
    await run();
    await fixture.pollAll();
  }
  assert.deepEqual([reported, await listOf(fixture)], [[], []]);
});
