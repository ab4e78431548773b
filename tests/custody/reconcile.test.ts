// Reconciliation: where books and outside systems differ is found, ages, and is resolved when it is gone; money never
// moves, and what is merely on its way is no break.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { Registry } from 'prom-client';
import { syncBalance } from '../../server/src/commands/sync-balance.ts';
import { type Amount, fromUnits } from '../../server/src/domain/money.ts';
import { reconcile } from '../../server/src/jobs/reconcile.ts';
import { breakMetrics, breaksProbe } from '../../server/src/observe/breaks-probe.ts';
import type { SeenBreak } from '../../server/src/store/breaks.ts';
import { proveBooks } from '../../server/src/store/reads/proof.ts';
import { type DepositStand, MARKETPLACE, type Owner, openDepositStand, spendBehindTheBooks } from './deposit-stand.ts';

type Float = NonNullable<Parameters<typeof reconcile>[0]['float']>;

const openReconciled = async (t: TestContext, float?: Float) => {
  const stand = await openDepositStand(t);
  const owner = await stand.user();
  await stand.pay(owner.address, '10');
  await stand.lookAtAll();
  const told: SeenBreak[] = [];
  const job = reconcile({
    wallets: stand.reads.followed,
    compare: stand.balances.compare,
    arePending: stand.deposits.arePending,
    breaks: stand.breaks,
    ...(float ? { float } : {}),
    onBreak: (seen) => void told.push(seen),
  });
  return { stand, owner, told, run: () => job.run() };
};

const listOf = async ({ breakReads }: DepositStand, marketplaceId = MARKETPLACE) =>
  (await breakReads.list({ marketplaceId, limit: 100, cursor: null }))!.rows;

const moneyOf = ({ sql }: DepositStand) => sql('select account_id, seq, amount from postings order by account_id, seq');

const openNames = async ({ pool }: DepositStand) =>
  (await proveBooks(pool, MARKETPLACE)).checks.filter(({ holds }) => !holds).map(({ name }) => name);

const syncFor = async (stand: DepositStand, { userId }: Owner): Promise<void> => {
  const ask = { marketplaceId: MARKETPLACE, userId, currency: 'USD' } as const;
  const observation = await stand.balances.observe(ask);
  await stand.run(syncBalance, { userId, currency: 'USD', observation });
};

test('nothing is found where books and ledger agree, fees and reserves included', async (t) => {
  const { stand, told, run } = await openReconciled(t);
  await run();
  assert.deepEqual([await listOf(stand), told], [[], []]);
  assert.deepEqual(await openNames(stand), []);
});

test('a break is found, ages while it is there, and is resolved when it is gone; no money moves by it', async (t) => {
  const { stand, owner, told, run } = await openReconciled(t);
  await spendBehindTheBooks(stand.ledger, { from: owner, amount: '2.5' });
  const money = await moneyOf(stand);
  await run();
  assert.deepEqual(await moneyOf(stand), money);
  const [found, ...others] = await listOf(stand);
  assert.deepEqual(others, []);
  const { firstSeenAt, lastSeenAt, ageSeconds, ...what } = found!;
  assert.deepEqual(what, {
    kind: 'wallet-usdc',
    subject: owner.address,
    expected: '10.0000000',
    actual: '7.5000000',
    difference: '-2.5000000',
    resolvedAt: null,
  });
  assert.deepEqual([firstSeenAt === lastSeenAt, ageSeconds, told.length], [true, 0, 1]);
  assert.deepEqual(await openNames(stand), ['no-open-breaks']);

  await stand.sql(`update breaks set first_seen_at = first_seen_at - interval '2 hours'`);
  await run();
  const [older] = await listOf(stand);
  assert.ok(older!.ageSeconds >= 7_200 && older!.lastSeenAt > lastSeenAt);

  await syncFor(stand, owner);
  await run();
  const [resolved] = await listOf(stand);
  assert.notEqual(resolved!.resolvedAt, null);
  assert.deepEqual(await openNames(stand), []);

  await spendBehindTheBooks(stand.ledger, { from: owner, amount: '1' });
  await run();
  const [again] = await listOf(stand);
  assert.deepEqual([again!.resolvedAt, again!.difference], [null, '-1.0000000']);
  assert.ok(again!.ageSeconds < 7_200, 'a break that came back is a new one');
});

test('health and metrics show what is open, without an address or an amount', async (t) => {
  const { stand, owner, run } = await openReconciled(t);
  const registry = new Registry();
  breakMetrics([registry]).watch(stand.breaks.summary);
  const probe = breaksProbe(stand.breaks.summary);
  assert.equal((await probe.look()).status, 'ok');
  assert.doesNotMatch(await registry.metrics(), /^holdfast_\w+(\{.*\})? \d/m);

  await spendBehindTheBooks(stand.ledger, { from: owner, amount: '2.5' });
  await run();
  const { status, detail } = await probe.look();
  assert.equal(status, 'degraded');
  assert.match(detail, /^Open breaks: 1 wallet-usdc; the oldest for 0 hours\./);
  const text = await registry.metrics();
  assert.match(text, /^holdfast_open_breaks\{kind="wallet-usdc"\} 1$/m);
  assert.match(text, /^holdfast_oldest_break_timestamp_seconds \d/m);
  assert.equal(text.includes(owner.address), false);
});

test('a transaction on its way, a deposit not taken in, and one wrong answer are no breaks', async (t) => {
  const { stand, owner, told, run } = await openReconciled(t);
  const { address } = owner;
  const { treasury, ledger } = stand;

  await stand.pay(address, '3');
  await run();
  assert.deepEqual(told, [], 'a deposit that the watcher has not seen yet');
  await stand.lookAtAll();

  stand.sandbox.faults.arm({ operation: 'account', fault: 'wrong-amount', match: address });
  await run();
  assert.deepEqual([told, stand.sandbox.faults.list()], [[], []], 'one wrong answer');

  await stand.pay(treasury.address, '100');
  await stand.lookAtAll();
  const { send, settle } = await stand.keep({
    by: treasury,
    operations: [Operation.payment({ destination: address, asset: ledger.usdc, amount: '40' })],
    actions: [{ type: 'pay', to: address, asset: 'USDC', currency: 'USD', units: '400000000', paymentId: null }],
  });
  await send();
  await run();
  assert.deepEqual(told, [], 'on the ledger and not settled');
  await settle();
  await run();
  assert.deepEqual([told, await listOf(stand)], [[], []]);
});

test('a ledger that is away finds nothing and resolves nothing', async (t) => {
  const { stand, owner, run } = await openReconciled(t);
  await spendBehindTheBooks(stand.ledger, { from: owner, amount: '1' });
  await run();
  const before = await listOf(stand);
  stand.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 1_000 });
  await run();
  const shown = ({ ageSeconds: _, ...rest }: (typeof before)[number]) => rest;
  assert.deepEqual((await listOf(stand)).map(shown), before.map(shown));
});

test('what the payment provider holds is compared once the books have something there, and belongs to one marketplace or none', async (t) => {
  const floats: { marketplaceId: string; amount: Amount }[] = [];
  let actual: Amount | null = fromUnits(1_000_000_000n);
  const { stand, run } = await openReconciled(t, { expected: async () => floats, actual: async () => actual });
  await run();
  assert.deepEqual(await listOf(stand), [], 'nothing in the books yet');

  floats.push({ marketplaceId: MARKETPLACE, amount: fromUnits(990_000_000n) });
  await run();
  const [found] = await listOf(stand);
  assert.deepEqual(
    [found!.kind, found!.subject, found!.difference],
    ['payment-float', 'payment-provider', '1.0000000'],
  );

  actual = null;
  await run();
  assert.equal((await listOf(stand))[0]!.resolvedAt, null, 'not asked, so not resolved');

  actual = fromUnits(990_000_000n);
  await run();
  assert.notEqual((await listOf(stand))[0]!.resolvedAt, null);

  floats.push({ marketplaceId: 'mkt_other', amount: fromUnits(10n) });
  await run();
  assert.equal((await listOf(stand))[0]!.resolvedAt === null, false);
  assert.deepEqual(await listOf(stand, 'mkt_other'), [], 'no marketplace sees the balance of another');
  assert.deepEqual((await stand.breaks.summary()).open, [{ kind: 'payment-float', count: 1 }]);
});
