// Differences at addresses of the ledger that are accepted by hand, and breaks that a stopped process left open.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { proveBooks } from '../../server/src/books/proof.ts';
import { createDepositReads } from '../../server/src/ledger/deposits/queries.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { type ApplyInput, applyCorrection } from '../../server/src/modules/corrections/apply-correction.ts';
import type { Kinds } from '../../server/src/modules/corrections/kind.ts';
import { closeBreak } from '../../server/src/modules/corrections/kinds/close-break.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import {
  type DepositFixture,
  MARKETPLACE,
  openDepositFixture,
  pollAll,
  spendBehindTheBooks,
  startProcess,
} from '../ledger/deposit-fixture.ts';
import type { Any } from './correct.ts';

const KIND = 'close-break';

/** Wallets on the ledger whose keys the test has, and the job that compares them with the books. */
const openWallets = async (t: TestContext) => {
  const fixture = await openDepositFixture(t);
  const owner = await fixture.user();
  await fixture.pay(owner.address, '10');
  await fixture.pollAll();
  let nowMs = 0;
  const job = reconcile({
    rounds: fixture.rounds(300),
    compare: fixture.compare,
    arePending: fixture.deposits.arePending,
    readTo: fixture.deposits.readTo,
    breaks: fixture.breaks,
    depositPatienceMs: 480_000,
    steadyMs: () => nowMs,
    onBreak: () => {},
  });
  const run = async (): Promise<void> => {
    nowMs += 600_000;
    await job.run();
  };
  const kind = closeBreak({
    breaks: fixture.breakReads,
    async observe(marketplaceId, { subject }) {
      const [wallet] = (await createDepositReads(fixture.pool).atAddresses([subject])).filter(
        (one) => one.marketplaceId === marketplaceId,
      );
      const observation = await fixture.balances.observeWallet(wallet!, 'USDC');
      return { observation, userId: wallet!.userId, asset: 'USDC', currency: 'USD' };
    },
    statusOf: async () => null,
  });
  const command = applyCorrection({ 'close-break': kind } as Kinds);
  const look = async (address: string): Promise<ApplyInput> => {
    const request = {
      kind: KIND,
      resourceId: `wallet-usdc:${address}`,
      reason: 'A clawback by the issuer.',
      amount: null,
    } as const;
    const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'test' } as const;
    return { request, seen: await kind.look(context, request), byName: 'test' };
  };
  const open = async () => {
    const page = await fixture.breakReads.list({ marketplaceId: MARKETPLACE, limit: 10, cursor: null, open: true });
    return page!.rows.map(({ kind: of, difference }) => [of, difference]);
  };
  return { fixture, owner, run, command, look, open };
};

test('a loss at an address is booked to the operator, both sides agree afterwards, and the user keeps the balance', async (t) => {
  const { fixture, owner, run, command, look, open } = await openWallets(t);
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '2.5' });
  await run();
  assert.deepEqual(await open(), [['wallet-usdc', '-2.5000000']]);
  // Two operators look at the same time: the second one decides on books that have changed since.
  const first = await look(owner.address);
  const second = await look(owner.address);
  const made = await fixture.run(command, first);
  assert.deepEqual([made.before.inBooks, made.before.onLedger], ['10.0000000', '7.5000000']);
  assert.deepEqual([made.after.inBooks, made.after.onLedger], ['7.5000000', '7.5000000']);
  assert.deepEqual(
    [made.before.adjustments, made.after.adjustments],
    [
      { USD: '0.0000000', USDC: '0.0000000' },
      { USD: '-2.5000000', USDC: '0.0000000' },
    ],
  );
  await assert.rejects(fixture.run(command, second));
  await run();
  assert.deepEqual(await open(), []);
  const { checks } = await proveBooks(fixture.pool, MARKETPLACE);
  assert.deepEqual(
    checks.filter(({ holds }) => !holds).map(({ name }) => name),
    [],
  );

  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '2.5' });
  await run();
  assert.deepEqual(await open(), [['wallet-usdc', '-2.5000000']], 'the same loss again is a new one');
});

test('a loss over two currencies names none, and one in a single currency names that one', async (t) => {
  const { fixture, owner, run, command, look } = await openWallets(t);
  // The same wallet after the operator has changed the currency of deposits.
  const { ledger, connection } = fixture;
  const later = await startProcess(t, { ledger, connection, depositCurrency: 'USDC' });
  await fixture.pay(owner.address, '5');
  await pollAll(later);
  const adjustments = { USD: '0.0000000', USDC: '0.0000000' };
  await spendBehindTheBooks(ledger, { from: owner, amount: '12' });
  await run();
  const both = await fixture.run(command, await look(owner.address));
  assert.deepEqual(both.before.adjustments, adjustments);
  assert.deepEqual(both.after.adjustments, { USD: '-10.0000000', USDC: '-2.0000000' });
  assert.deepEqual([both.amount, both.currency], [120_000_000n, null]);
  await spendBehindTheBooks(ledger, { from: owner, amount: '1' });
  await run();
  const one = await fixture.run(command, await look(owner.address));
  assert.deepEqual([one.amount, one.currency], [10_000_000n, 'USDC']);
});

/** From now on the lists of payments come from a server that is behind, and the balances do not. */
const lagLists = async ({ sandbox }: DepositFixture): Promise<void> => {
  await sandbox.clock.advance(120_000);
  sandbox.faults.arm({ operation: 'node', fault: 'lagging', count: 10_000, delayMs: 60_000, match: 'payments' });
};

test("a gain at a user's address is not booked to the operator: it is the user's", async (t) => {
  const { fixture, owner, run, look, open } = await openWallets(t);
  await lagLists(fixture);
  await fixture.pay(owner.address, '5');
  await run();
  await run();
  assert.deepEqual(await open(), [['wallet-usdc', '5.0000000']]);
  await assert.rejects(look(owner.address), /POST \/users\/usr_\w+\/balance\/sync/);
});

for (const from of ['outside', 'a wallet of our own'] as const) {
  test(`a gain at the operator's address is one with the payment from ${from} that is found later`, async (t) => {
    const { fixture, owner, run, command, look } = await openWallets(t);
    const { treasury, ledger, sandbox } = fixture;
    await lagLists(fixture);
    const operation = Operation.payment({ destination: treasury.address, asset: ledger.usdc, amount: '5' });
    const pay = { type: 'pay', to: treasury.address, asset: 'USDC', currency: 'USD', units: '50000000' } as const;
    const actions = [{ ...pay, paymentId: null }];
    const { transaction, send, settle } = await fixture.keep({ by: owner, operations: [operation], actions });
    // A node that lagged made the transaction look expired.
    await fixture.run(createSettleTransaction(ACTION_OWNERS), { transaction, ending: { kind: 'expired' } });
    if (from === 'outside') await fixture.pay(treasury.address, '5');
    else await send();
    await run();
    await run();
    const made = await fixture.run(command, await look(treasury.address));
    assert.deepEqual([made.before.inBooks, made.after.inBooks], ['0.0000000', '5.0000000']);

    sandbox.faults.clear();
    if (from === 'outside') await fixture.pollAll();
    else await settle();
    assert.equal(await fixture.books(`wallet:${treasury.address}:USD`), '5.0000000');
    const gained = from === 'outside' ? '5.0000000' : '0.0000000';
    assert.equal(await fixture.books('operator:adjustments:USD'), gained);
  });
}

test('a break that a stopped process left open is resolved by the next reconciliation', async (t) => {
  const { fixture, run, open } = await openWallets(t);
  const seen = { marketplaceId: MARKETPLACE, kind: 'deposit', subject: '4711', expected: 0n, actual: 5n } as Any;
  await fixture.breaks.see(seen);
  assert.equal((await open()).length, 1);
  const kind = closeBreak({
    breaks: fixture.breakReads,
    observe: async () => assert.fail(),
    statusOf: async () => null,
  });
  const request = { kind: KIND, resourceId: 'deposit:4711', reason: 'Sent back by hand.', amount: null } as const;
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'test' } as const;
  const input = { request, seen: await kind.look(context, request), byName: 'test' };
  await fixture.run(applyCorrection({ 'close-break': kind } as Kinds), input);
  assert.equal((await open()).length, 1, 'no process has resolved it');
  await run();
  assert.deepEqual(await open(), []);
  await fixture.breaks.see(seen);
  assert.deepEqual(await open(), [], 'the same figures were accepted');
  await fixture.breaks.see({ ...seen, actual: 6n });
  assert.deepEqual(await open(), [['deposit', '0.0000006']]);
});
