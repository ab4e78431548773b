// One arrival on the ledger is credited once, whether a sync sees its balance first, a settlement sees it spent first, or the lists of payments
// show it first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from '@stellar/stellar-sdk';
import fc from 'fast-check';
import { formatExact, fromUnits, ZERO } from '../../server/src/books/money.ts';
import { adoptTransaction } from '../../server/src/ledger/adoption/adopt-transaction.ts';
import { recordDeposit } from '../../server/src/ledger/deposits/record-deposit.ts';
import { createSettleTransaction } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { syncBalance } from '../../server/src/modules/balances/sync-balance.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { write } from '../../tools/simulation/ledger-accounts.ts';
import { type DepositFixture, followToEnd, MARKETPLACE, type Owner, startProcess } from './deposit-fixture.ts';
import { LAG_MS, lag, shareLaggingLedger } from './lagging-lists.ts';

const settleTransaction = createSettleTransaction(ACTION_OWNERS);

const { shared, openOwner } = shareLaggingLedger();

const sync = async (fixture: DepositFixture, { userId }: Owner): Promise<void> => {
  const ask = { marketplaceId: MARKETPLACE, userId, currency: 'USD' } as const;
  const observation = await fixture.balances.observe(ask);
  await fixture.run(syncBalance, { userId, currency: 'USD', observation });
};

const available = ({ books }: DepositFixture, { userId }: Owner) => books(`${userId}:available:USD`);

test('a deposit that the lists of payments show only after a sync has credited it is not credited again', async () => {
  const { fixture, owner } = await openOwner();
  await fixture.pay(owner.address, '3');
  lag(fixture, 'payments');
  assert.equal(await followToEnd(fixture), 0, 'the page of the network lacks it');
  await sync(fixture, owner);
  assert.equal(await available(fixture, owner), '3.0000000', 'the balance of the account shows it');
  fixture.sandbox.faults.clear();
  await followToEnd(fixture);
  await fixture.follower.check();
  await sync(fixture, owner);
  assert.equal(await available(fixture, owner), '3.0000000');
  assert.equal(await fixture.books(`wallet:${owner.address}:USD`), '3.0000000');

  await fixture.sandbox.clock.advance(LAG_MS);
  await fixture.pay(owner.address, '4');
  await followToEnd(fixture);
  assert.equal(await available(fixture, owner), '7.0000000', 'a later deposit is other money');
  const entries = await fixture.sql(
    `select payload_after::json ->> 'creditedBySync' as part from audit_entries
     where action = 'DEPOSIT_RECORDED' and user_id = $1 order by seq`,
    [owner.userId],
  );
  assert.deepEqual(
    entries.map(({ part }) => part),
    ['3.0000000', null],
  );
});

test('a deposit that was set aside and that a sync has credited is closed without a second credit', async () => {
  const { fixture, owner } = await openOwner();
  const { sandbox, follower } = fixture;
  await fixture.pay(owner.address, '3');
  sandbox.faults.arm({ operation: 'payments-get', fault: 'wrong-amount', count: 10_000 });
  while ((await follower.readPage()).kind !== 'yes');
  while ((await fixture.cursor.read())!.checked !== (await fixture.cursor.read())!.cursor) await follower.check();
  sandbox.faults.clear();
  await sync(fixture, owner);
  assert.equal(await available(fixture, owner), '3.0000000');
  await follower.recheck();
  assert.equal(await available(fixture, owner), '3.0000000');
  const open = await fixture.sql(`select 1 from breaks where kind = 'deposit' and resolved_at is null`);
  assert.deepEqual(open, []);
});

test('a server that knows less of the ledger than the books takes nothing from the user', async (t) => {
  const { fixture, owner } = await openOwner();
  const { ledger, connection } = fixture;
  await fixture.pay(owner.address, '3');
  assert.equal(await followToEnd(fixture), 1);
  lag(fixture, 'accounts');
  // Another process, which has not seen how far the ledger is.
  const other = await startProcess(t, { ledger, connection });
  const ask = { marketplaceId: MARKETPLACE, userId: owner.userId, currency: 'USD' } as const;
  await assert.rejects(other.balances.observe(ask), { code: 'PROVIDER_TIMEOUT' });
  const wallet = (await other.reads.ofUser(MARKETPLACE, owner.userId))!;
  assert.equal((await other.compare(wallet)).kind, 'unknown', 'and is no break');
  fixture.sandbox.faults.clear();
  await sync(fixture, owner);
  assert.equal(await available(fixture, owner), '3.0000000');
});

/** Pays six from one wallet to the other on the ledger. The books do not have it before the result is called. */
const payUnseen = async (
  fixture: DepositFixture,
  { by, to, state }: { by: Owner; to: Owner; state: 'rejected' | 'expired' | 'unknown' },
): Promise<() => Promise<void>> => {
  const { ledger } = fixture;
  const operations = [Operation.payment({ destination: to.address, asset: ledger.usdc, amount: '6' })];
  const pay = { type: 'pay', to: to.address, asset: 'USDC', currency: 'USD', units: '60000000' } as const;
  const actions = [{ ...pay, paymentId: null }];
  if (state !== 'unknown') {
    const { transaction, send, settle } = await fixture.keep({ by, operations, actions });
    const ending =
      state === 'rejected' ? ({ kind: state, reason: 'tx_bad_auth' } as const) : ({ kind: state } as const);
    await fixture.run(settleTransaction, { transaction, ending });
    await send();
    return settle;
  }
  const written = await write(ledger, { by: by.key, operations, signers: [by.key], fee: '100' });
  await ledger.horizon.submitTransaction(written, { skipMemoRequiredCheck: true });
  return async () => {
    const id = Buffer.from(written.hash()).toString('hex');
    const { sequence } = written;
    const found = await fixture.network.transaction(id);
    assert.ok(found.kind === 'yes' && found.value.state !== 'missing');
    const known = {
      id,
      source: by.address,
      sequence,
      envelope: '',
      validUntil: '2030-01-01T00:00:00.000000Z',
      actions,
    };
    const transaction = await fixture.run(adoptTransaction, known);
    const { feeCharged: fee, feeAccount, ledger: number } = found.value;
    const ending = { kind: 'succeeded', paid: [fromUnits(60_000_000n)], fee, feeAccount, ledger: number } as const;
    await fixture.run(settleTransaction, { transaction, ending });
  };
};

const NEWEST = `select reason from breaks where kind = 'deposit' and resolved_at is null order by first_seen_at desc limit 1`;

const STATES = [
  ['rejected', /in a transaction that the ledger had rejected\./],
  ['expired', /in a transaction that the books have as expired\./],
  ['unknown', /in a transaction that the books do not know\./],
] as const;

for (const [state, sentence] of STATES) {
  test(`a sync refuses while the ledger shows a payment of our own that is ${state} in the books`, async () => {
    const { fixture, owner: payer } = await openOwner();
    const owner = await fixture.user();
    await fixture.pay(payer.address, '10');
    await followToEnd(fixture);
    const settle = await payUnseen(fixture, { by: payer, to: owner, state });
    await assert.rejects(sync(fixture, owner), { code: 'INVALID_STATE' });
    // The pages of the network are read beyond the payment, twice.
    await followToEnd(fixture);
    await fixture.follower.check();
    await assert.rejects(sync(fixture, owner), { code: 'INVALID_STATE' });
    assert.equal(await available(fixture, owner), '0.0000000');
    const [shown] = await fixture.sql(NEWEST);
    assert.match(String(shown!.reason), sentence);

    await settle();
    await sync(fixture, owner);
    assert.equal(await available(fixture, owner), '0.0000000', 'the money belongs to no user yet');
    assert.equal(await fixture.books(`wallet:${owner.address}:USD`), '6.0000000');
    await fixture.follower.recheck();
    const open = await fixture.sql(`select 1 from breaks where kind = 'deposit' and resolved_at is null`);
    assert.deepEqual(open, []);
  });
}

test('a sync refuses while a rejected transaction of the wallet may still be on the ledger, also when no list shows it', async () => {
  const { fixture, owner: payer } = await openOwner();
  const owner = await fixture.user();
  await fixture.pay(payer.address, '10');
  await followToEnd(fixture);
  const settle = await payUnseen(fixture, { by: payer, to: owner, state: 'rejected' });
  lag(fixture, 'payments');
  for (const one of [owner, payer]) await assert.rejects(sync(fixture, one), { code: 'INVALID_STATE' });
  fixture.sandbox.faults.clear();
  await settle();
  for (const one of [owner, payer]) await sync(fixture, one);
  assert.deepEqual(
    [await available(fixture, owner), await available(fixture, payer)],
    ['0.0000000', '10.0000000'],
    'nothing was given or taken',
  );
});

test('a sync of one wallet does not wait for the payment of our own to another', async () => {
  const { fixture, owner: payer } = await openOwner();
  const owner = await fixture.user();
  const other = await fixture.user();
  await fixture.pay(payer.address, '10');
  await followToEnd(fixture);
  const settle = await payUnseen(fixture, { by: payer, to: other, state: 'unknown' });
  await followToEnd(fixture);
  await fixture.follower.check();
  await fixture.pay(owner.address, '3');
  lag(fixture, 'payments');
  await sync(fixture, owner);
  fixture.sandbox.faults.clear();
  assert.equal(await available(fixture, owner), '3.0000000');
  await settle();
});

/**
 * An arrival of the next ledger, from outside or from another wallet of ours, a sync of the balance at the newest ledger, a settled payment in
 * it by a settlement that has found no deposit, or the record of the arrival at this place.
 */
type Step =
  | { readonly kind: 'arrive' | 'arrive-own' | 'spend'; readonly units: number }
  | { readonly kind: 'sync' }
  | { kind: 'record'; at: number };

const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('arrive', 'arrive-own', 'spend'), units: fc.integer({ min: 1, max: 50 }) }),
    fc.constant({ kind: 'sync' as const }),
    fc.record({ kind: fc.constant('record' as const), at: fc.nat({ max: 9 }) }),
  ),
  { minLength: 6, maxLength: 14 },
);

let played = 0;
let sent = 0;

type Own = { readonly source: string; readonly to: string; readonly units: bigint; readonly ledger: number };

/** A wallet whose arrivals and payments only the commands know. */
const openStage = async ({ fixture, owner }: { fixture: DepositFixture; owner: Owner }) => {
  const { userId, id: walletId, address } = owner;
  const wallet = (await fixture.reads.find({ marketplaceId: MARKETPLACE, id: walletId }))!;
  const game = ++played;
  const arrived: { readonly id: string; readonly units: bigint; readonly isOwn: boolean }[] = [];
  const settled = new Set<number>();
  let spent = 0n;
  const sum = (of = arrived) => of.reduce((total, { units }) => total + units, 0n);
  // Numbers that no other ledger of this file has.
  const ledgerOf = (place: number) => 1_000_000 * game + place;
  const newest = () => ledgerOf(arrived.length - 1);

  const settle = async ({ source, to, units, ledger }: Own): Promise<void> => {
    const number = ++sent;
    const pay = { type: 'pay', to, asset: 'USDC', currency: 'USD', outside: to !== address } as const;
    const transaction = await fixture.run(adoptTransaction, {
      id: `own-${number}`,
      source,
      sequence: String(number),
      envelope: '',
      validUntil: '2030-01-01T00:00:00.000000Z',
      actions: [{ ...pay, units: String(units), paymentId: null }],
    });
    const ending = { kind: 'succeeded', paid: [fromUnits(units)], fee: ZERO, feeAccount: source, ledger } as const;
    await fixture.run(settleTransaction, { transaction, ending, depositsApplied: true });
  };

  const record = async (at: number): Promise<void> => {
    const arrival = arrived[at];
    if (arrival === undefined || settled.has(at)) return;
    const { id, units, isOwn } = arrival;
    if (isOwn) {
      settled.add(at);
      await settle({ source: `G_PAYER_${game}`, to: address, units, ledger: ledgerOf(at) });
      return;
    }
    const of = { id, transactionHash: 'f'.repeat(64), fromAddress: address, occurredAt: new Date().toISOString() };
    const payment = { ...of, asset: 'USDC', currency: 'USD', amount: fromUnits(units) } as const;
    await fixture.run(recordDeposit, { wallet, read: null, payments: [payment] });
  };

  const spend = async (most: bigint): Promise<void> => {
    const left = sum() - spent;
    const units = most < left ? most : left;
    if (units === 0n) return;
    spent += units;
    await settle({ source: address, to: 'G_OUTSIDE', units, ledger: newest() });
  };

  const sync = async (): Promise<void> => {
    // A sync refuses while a payment of ours is not in the books.
    if (arrived.some(({ isOwn }, at) => isOwn && !settled.has(at))) return;
    const { holdings } = await fixture.reads.position({ marketplaceId: MARKETPLACE, address });
    const inUsdc = holdings.filter(({ currency }) => currency !== 'XLM');
    const actual = fromUnits(sum() - spent);
    const observation = { walletId, address, actual, ledger: newest(), holdings: inUsdc };
    await fixture.run(syncBalance, { userId, currency: 'USD', observation });
  };

  return {
    record,
    spend,
    sync,
    arrive: (units: bigint, isOwn: boolean): void => {
      arrived.push({ id: String((BigInt(ledgerOf(arrived.length)) << 32n) + 4097n), units, isOwn });
    },
    async recordAll() {
      for (const at of arrived.keys()) await record(at);
    },
    deposited: () => formatExact(fromUnits(sum(arrived.filter(({ isOwn }) => !isOwn)))),
    left: () => formatExact(fromUnits(sum() - spent)),
  };
};

test('arrivals, payments, syncs and records in any order count each arrival once (seed 19)', async () => {
  const fixture = shared();
  fixture.sandbox.faults.clear();
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const owner = await fixture.pendingUser();
      const stage = await openStage({ fixture, owner });
      for (const step of steps as Step[]) {
        if (step.kind === 'record') await stage.record(step.at);
        if (step.kind === 'arrive') stage.arrive(BigInt(step.units), false);
        if (step.kind === 'arrive-own') stage.arrive(BigInt(step.units), true);
        if (step.kind === 'spend') await stage.spend(BigInt(step.units));
        if (step.kind === 'sync') await stage.sync();
      }
      await stage.recordAll();
      assert.equal(await available(fixture, owner), stage.deposited());
      assert.equal(await fixture.books(`wallet:${owner.address}:USD`), stage.left());
    }),
    { seed: 19, numRuns: 100 },
  );
});
