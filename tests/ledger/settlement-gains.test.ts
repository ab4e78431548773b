// A settlement finds less in the books than its wallet has spent, because the list of payments lags behind. It books the rest as the operator's
// gain. The deposit behind that money is found later: its user is credited once, and the money comes out of the operator's gain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import { yes } from '../../server/src/base/answer.ts';
import { adjustments, walletHolding } from '../../server/src/books/accounts.ts';
import { type Amount, formatExact, fromUnits, minus, parseAmount, ZERO } from '../../server/src/books/money.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import { command } from '../../server/src/commit/command.ts';
import { adoptTransaction } from '../../server/src/ledger/adoption/adopt-transaction.ts';
import { recordDeposit } from '../../server/src/ledger/deposits/record-deposit.ts';
import type { LedgerAction } from '../../server/src/ledger/transactions/ledger-transaction.ts';
import { createOutcomeReader } from '../../server/src/ledger/transactions/outcome.ts';
import { createSettling } from '../../server/src/ledger/transactions/settle.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { createPlatformWallet } from '../../server/src/ledger/treasury/platform-wallets.ts';
import { syncBalance } from '../../server/src/modules/balances/sync-balance.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { type DepositFixture, followToEnd, MARKETPLACE, type Owner, type TestWallet } from './deposit-fixture.ts';
import { LAG_MS, lag, shareLaggingLedger } from './lagging-lists.ts';

const settleTransaction = createSettleTransaction(ACTION_OWNERS);

const { shared, openOwner } = shareLaggingLedger();

const units = (text: string): string => String(parseAmount(text)!);

/** Pays on the ledger and settles it, as the transaction sender does, while the lists of payments lag behind. */
const spend = async (
  fixture: DepositFixture,
  { by, to, amount }: { by: TestWallet; to: TestWallet; amount: string },
): Promise<void> => {
  const { ledger, sandbox, network, settlement, deposits, submit } = fixture;
  const { transaction, send } = await fixture.keep({
    by,
    operations: [Operation.payment({ destination: to.address, asset: ledger.usdc, amount })],
    actions: [
      { type: 'pay', to: to.address, asset: 'USDC', currency: 'USD', units: units(amount), paymentId: null } as const,
    ],
  });
  await send();
  const read = createOutcomeReader({ ledger: network, usdc: settlement, isNumberUsed: async () => false });
  const outcome = await read(transaction, MARKETPLACE);
  assert.ok(outcome.kind === 'yes' && outcome.value !== null);
  const settle = createSettling(settleTransaction, {
    submit,
    transactions: { isExpected: async () => false },
    adopt: async () => yes(null),
    applyDeposits: async ({ marketplaceId }) =>
      (await deposits.pollToSettle({ marketplaceId, walletId: by.id })).kind === 'yes',
  });
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  lag(fixture, 'payments');
  const settled = await settle({ context, transaction, ending: outcome.value, isLastTry: true });
  assert.equal(settled.state, 'SUCCEEDED');
  assert.equal(await followToEnd(fixture), 0, 'the list of the network lags too');
  sandbox.faults.clear();
};

const sync = async (fixture: DepositFixture, { userId }: Owner): Promise<void> => {
  const { sandbox } = fixture;
  lag(fixture, 'payments');
  const observation = await fixture.balances.observe({ marketplaceId: MARKETPLACE, userId, currency: 'USD' });
  await fixture.run(syncBalance, { userId, currency: 'USD', observation });
  sandbox.faults.clear();
};

/** Everything that the lists of payments show now, read twice. */
const findAll = async (fixture: DepositFixture): Promise<void> => {
  await followToEnd(fixture);
  await fixture.follower.check();
};

const available = ({ books }: DepositFixture, { userId }: Owner) => books(`${userId}:available:USD`);

const operatorHas = async ({ sql }: DepositFixture): Promise<Amount> => {
  const [row] = await sql(`select balance from accounts where id = 'operator:adjustments:USD'`);
  return fromUnits((row as { balance: bigint } | undefined)?.balance ?? 0n);
};

const movesAt = async ({ sql }: DepositFixture, { address }: TestWallet) => {
  const rows = await sql(
    `select move, sum(-amount)::text as units from postings where account_id = $1 group by 1 order by 1`,
    [`wallet:${address}:USD`],
  );
  return Object.fromEntries(rows.map(({ move, units: sum }) => [move, formatExact(fromUnits(BigInt(sum ?? 0)))]));
};

const partsOf = async ({ sql }: DepositFixture, { id }: TestWallet): Promise<(string | null)[]> => {
  const rows = await sql(
    `select payload_after::json ->> 'fromOperatorGain' as part from audit_entries
     where action = 'DEPOSIT_RECORDED' and resource_id = $1 order by seq`,
    [id],
  );
  return rows.map(({ part }) => part ?? null);
};

const assertBooksEqualLedger = async (fixture: DepositFixture): Promise<void> => {
  const { sandbox, sql } = fixture;
  assert.deepEqual(await compareBooksWithLedger({ sql, state: sandbox.describe(), isOwnLedger: true }), []);
  const { checks } = await proveBooks(fixture.pool, MARKETPLACE);
  assert.deepEqual(
    checks.filter(({ holds }) => !holds),
    [],
  );
};

const CASES = [
  { name: 'as large as the gain', arrive: ['10'], spent: '10', credited: '10.0000000', parts: ['10.0000000'] },
  { name: 'larger than the gain', arrive: ['10'], spent: '4', credited: '10.0000000', parts: ['4.0000000'] },
  {
    name: 'smaller than the gain',
    arrive: ['3', '6'],
    spent: '7',
    credited: '9.0000000',
    parts: ['3.0000000', '4.0000000'],
  },
] as const;

for (const { name, arrive, spent, credited, parts } of CASES) {
  test(`a deposit ${name}, which is found after the settlement, is credited once and paid from the gain`, async () => {
    const { fixture, owner } = await openOwner();
    const before = await operatorHas(fixture);
    for (const amount of arrive) await fixture.pay(owner.address, amount);
    await spend(fixture, { by: owner, to: fixture.treasury, amount: spent });
    assert.equal(formatExact(minus(await operatorHas(fixture), before)), formatExact(parseAmount(spent)!));
    assert.equal(await available(fixture, owner), '0.0000000');

    await findAll(fixture);
    assert.equal(await available(fixture, owner), credited);
    assert.equal(await operatorHas(fixture), before, 'the gain is gone');
    assert.deepEqual(await partsOf(fixture, owner), parts);
    const events = await fixture.sql(
      `select envelope::json -> 'payload' ->> 'amount' as amount from events
       where event_type = 'balance.credited' and aggregate_id = $1 order by position`,
      [owner.userId],
    );
    assert.deepEqual(
      events.map(({ amount }) => amount),
      arrive.map((amount) => `${amount}.00`),
      'each deposit is one event over its whole amount',
    );
    await assertBooksEqualLedger(fixture);
    await fixture.pollAll();
    assert.equal(await available(fixture, owner), credited, 'once');
  });
}

test('a deposit of the treasury that is found after the settlement books nothing again', async () => {
  const { fixture, owner } = await openOwner();
  const { treasury } = fixture;
  // What other tests have paid to the treasury.
  const held = Number(await fixture.books(`wallet:${treasury.address}:USD`));
  const before = await operatorHas(fixture);
  await fixture.pay(treasury.address, '50');
  await spend(fixture, { by: treasury, to: owner, amount: String(held + 50) });
  await findAll(fixture);
  assert.equal(formatExact(minus(await operatorHas(fixture), before)), '50.0000000', 'the operator paid it in');
  assert.equal((await movesAt(fixture, treasury)).house_deposit, undefined);
  assert.equal((await partsOf(fixture, treasury)).at(-1), '50.0000000');
  await assertBooksEqualLedger(fixture);
});

/** Removes money from the books that is still at the address. */
const forget = command<{ readonly address: string; readonly amount: Amount }, void>({
  name: 'test-forget',
  needs: ({ address }) => ({ accounts: [walletHolding(address, 'USD'), adjustments('USD')] }),
  decide({ address, amount }, work) {
    work.move('sync_write_off', { address, currency: 'USD', amount });
    work.audit({ action: 'BALANCE_SYNCED', resourceType: 'Wallet', resourceId: address });
  },
});

test('a deposit of a later ledger than the settlement is new money', async () => {
  const { fixture, owner } = await openOwner();
  await fixture.pay(owner.address, '10');
  await findAll(fixture);
  await fixture.run(forget, { address: owner.address, amount: parseAmount('4')! });
  await spend(fixture, { by: owner, to: fixture.treasury, amount: '10' });
  const before = await operatorHas(fixture);
  await fixture.sandbox.clock.advance(LAG_MS);
  await fixture.pay(owner.address, '6');
  await findAll(fixture);
  assert.equal(await available(fixture, owner), '16.0000000');
  assert.equal(await operatorHas(fixture), before);
  assert.deepEqual(await partsOf(fixture, owner), [null, null]);
  await assertBooksEqualLedger(fixture);
});

test('gains of a sync and of an earlier settlement together are explained by the deposits behind them', async () => {
  const { fixture, owner } = await openOwner();
  const before = await operatorHas(fixture);
  await fixture.pay(owner.address, '5');
  await spend(fixture, { by: owner, to: fixture.treasury, amount: '5' });
  await fixture.sandbox.clock.advance(LAG_MS / 4);
  await fixture.pay(owner.address, '7');
  await sync(fixture, owner);
  assert.equal(await available(fixture, owner), '7.0000000', 'the sync has credited the second one');
  await findAll(fixture);
  assert.equal(await available(fixture, owner), '12.0000000');
  assert.equal(await operatorHas(fixture), before);
  assert.deepEqual(await partsOf(fixture, owner), ['5.0000000', null]);
  await assertBooksEqualLedger(fixture);
});

test('the gain of a sync comes first when the settlement was later', async () => {
  const { fixture, owner } = await openOwner();
  const before = await operatorHas(fixture);
  await fixture.pay(owner.address, '5');
  await sync(fixture, owner);
  await fixture.sandbox.clock.advance(LAG_MS / 4);
  await fixture.pay(owner.address, '3');
  await spend(fixture, { by: owner, to: fixture.treasury, amount: '8' });
  await findAll(fixture);
  assert.equal(await available(fixture, owner), '8.0000000');
  assert.equal(await operatorHas(fixture), before);
  assert.deepEqual(await partsOf(fixture, owner), [null, '3.0000000']);
  await assertBooksEqualLedger(fixture);
});

test('a fee that the books could not explain is a gain too, also of a transaction that failed', async () => {
  const fixture = shared();
  const { wallet: payer } = await fixture.run(createPlatformWallet, {
    owner: 'platform',
    wallet: { id: 'wal_of_fees', address: 'G_OF_FEES', sealedSecret: 'sealed elsewhere' },
  });
  const { transaction } = await fixture.keep({ by: fixture.treasury, operations: [], actions: [] });
  const failed = { kind: 'failed', reason: 'tx_failed', fee: fromUnits(100n), feeAccount: payer.address } as const;
  const ending = { ...failed, ledger: 7 };
  await fixture.run(settleTransaction, { transaction, ending, depositsApplied: true });
  const of = { transactionHash: 'f'.repeat(64), fromAddress: 'G_X', occurredAt: new Date().toISOString() };
  const payment = {
    ...of,
    id: String((7n << 32n) + 1n),
    asset: 'XLM',
    currency: 'XLM',
    amount: fromUnits(250n),
  } as const;
  await fixture.run(recordDeposit, { wallet: payer, read: null, payments: [payment] });
  assert.equal(await fixture.books(`wallet:${payer.address}:XLM`), formatExact(fromUnits(150n)));
});

type Known = {
  readonly source: string;
  readonly action: LedgerAction;
  readonly ledger: number;
  readonly feeAccount?: string;
  readonly fee?: Amount;
};

let known = 0;

/** A transaction of this ledger that only the commands know. No deposit explains what it has spent. */
const settleIn = async (fixture: DepositFixture, of: Known): Promise<void> => {
  const { source, action, ledger, feeAccount = source, fee = ZERO } = of;
  const number = String(++known);
  const base = { id: `known-${number}`, source, sequence: number, envelope: '' };
  const transaction = await fixture.run(adoptTransaction, {
    ...base,
    validUntil: '2030-01-01T00:00:00.000000Z',
    actions: [action],
  });
  const paid = ['units' in action ? fromUnits(BigInt(action.units ?? 0)) : null];
  const ending = { kind: 'succeeded', paid, fee, feeAccount, ledger } as const;
  await fixture.run(settleTransaction, { transaction, ending, depositsApplied: true });
};

const payment = (to: string, amount: string, more: { currency?: 'USDC' | 'XLM'; outside?: boolean } = {}) => {
  const { currency = 'USD', outside = false } = more;
  const asset = currency === 'XLM' ? 'XLM' : 'USDC';
  return { type: 'pay', to, asset, currency, units: units(amount), paymentId: null, outside } as const;
};

const OUTSIDE = 'G_OUTSIDE';

test('a payment of our own explains a gain up to its ledger, once, in any currency of its asset', async () => {
  const fixture = shared();
  const { address } = await fixture.pendingUser();
  const at = (currency: string) => fixture.books(`wallet:${address}:${currency}`);
  const source = 'G_PAYER';
  await settleIn(fixture, { source: address, action: payment(OUTSIDE, '5', { outside: true }), ledger: 10 });
  await settleIn(fixture, { source, action: payment(address, '3'), ledger: 11 });
  assert.equal(await at('USD'), '3.0000000', 'a later ledger: other money');
  await settleIn(fixture, { source, action: payment(address, '4'), ledger: 10 });
  assert.equal(await at('USD'), '3.0000000', 'four of the five are explained');
  await settleIn(fixture, { source, action: payment(address, '4', { currency: 'USDC' }), ledger: 9 });
  assert.equal(await at('USDC'), '3.0000000', 'one was left to explain');
  await settleIn(fixture, { source, action: payment(address, '2'), ledger: 8 });
  assert.equal(await at('USD'), '5.0000000', 'nothing is left to explain');
});

test('the amount of an activation explains a gain too', async () => {
  const fixture = shared();
  const { id: walletId, address } = await fixture.pendingUser();
  const spent = payment(OUTSIDE, '1', { currency: 'XLM', outside: true });
  await settleIn(fixture, { source: address, action: spent, ledger: 10 });
  const action = { type: 'activate', walletId, address, units: units('5'), paymentId: null } as const;
  await settleIn(fixture, { source: 'G_PAYER', action, ledger: 10 });
  assert.equal(await fixture.books(`wallet:${address}:XLM`), '4.0000000');
});

test('what a transaction has paid does not explain the fee that it took from the receiver before', async () => {
  const fixture = shared();
  const { address } = await fixture.pendingUser();
  const action = payment(address, '10', { currency: 'XLM' });
  await settleIn(fixture, { source: 'G_PAYER', action, ledger: 10, feeAccount: address, fee: fromUnits(100n) });
  assert.equal(await fixture.books(`wallet:${address}:XLM`), '10.0000000');
});
