// One arrival on the ledger is credited once, whether a sync sees its balance first or the lists of payments show it first.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { formatExact, fromUnits } from '../../server/src/books/money.ts';
import { recordDeposit } from '../../server/src/ledger/deposits/record-deposit.ts';
import { syncBalance } from '../../server/src/modules/balances/sync-balance.ts';
import { shareInFile } from '../support/share-in-file.ts';
import {
  beginAtNewest,
  type DepositFixture,
  followToEnd,
  MARKETPLACE,
  type Owner,
  openDepositFixture,
  startProcess,
} from './deposit-fixture.ts';

const LAG_MS = 60_000;

const shared = shareInFile(async (t) => {
  const fixture = await openDepositFixture(t as TestContext);
  await beginAtNewest(fixture);
  return fixture;
});

/** The accounts are older than the lag: a lagging server knows them, and no payment from now on. */
const openOwner = async () => {
  const fixture = shared();
  fixture.sandbox.faults.clear();
  const owner = await fixture.user();
  await followToEnd(fixture);
  await fixture.follower.check();
  await fixture.sandbox.clock.advance(2 * LAG_MS);
  return { fixture, owner };
};

const lag = ({ sandbox }: DepositFixture, match: string): void => {
  sandbox.faults.arm({ operation: 'node', fault: 'lagging', count: 10_000, delayMs: LAG_MS, match });
};

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
  assert.equal((await other.balances.compare(wallet)).kind, 'unknown', 'and is no break');
  fixture.sandbox.faults.clear();
  await sync(fixture, owner);
  assert.equal(await available(fixture, owner), '3.0000000');
});

/** An arrival of the next ledger, a sync of the balance at the newest one, or the record of the arrival at this place. */
type Step =
  | { readonly kind: 'arrive'; readonly units: number }
  | { readonly kind: 'sync' }
  | { kind: 'record'; at: number };

const STEPS = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('arrive' as const), units: fc.integer({ min: 1, max: 50 }) }),
    fc.constant({ kind: 'sync' as const }),
    fc.record({ kind: fc.constant('record' as const), at: fc.nat({ max: 9 }) }),
  ),
  { minLength: 4, maxLength: 12 },
);

/** Plays the steps with the commands; returns what arrived and what the user has. */
const play = async ({ fixture, owner }: { fixture: DepositFixture; owner: Owner }, steps: readonly Step[]) => {
  const { userId, id: walletId, address } = owner;
  const wallet = (await fixture.reads.find({ marketplaceId: MARKETPLACE, id: walletId }))!;
  const arrived: { readonly id: string; readonly units: bigint }[] = [];
  const sum = () => arrived.reduce((total, { units }) => total + units, 0n);
  const record = async (at: number): Promise<void> => {
    const arrival = arrived[at];
    if (arrival === undefined) return;
    const { id, units } = arrival;
    const of = { id, transactionHash: 'f'.repeat(64), fromAddress: address, occurredAt: new Date().toISOString() };
    const payment = { ...of, asset: 'USDC', currency: 'USD', amount: fromUnits(units) } as const;
    await fixture.run(recordDeposit, { wallet, read: null, payments: [payment] });
  };
  // Numbers that no other ledger of this file has.
  const ledgerOf = (place: number) => 1_000_000 * (played + 1) + place;
  for (const step of steps) {
    if (step.kind === 'record') await record(step.at);
    if (step.kind === 'arrive') {
      const id = String((BigInt(ledgerOf(arrived.length)) << 32n) + 4097n);
      arrived.push({ id, units: BigInt(step.units) });
    }
    if (step.kind === 'sync') {
      const { holdings } = await fixture.reads.position({ marketplaceId: MARKETPLACE, address });
      const inUsdc = holdings.filter(({ currency }) => currency !== 'XLM');
      const ledger = ledgerOf(arrived.length - 1);
      const observation = { walletId, address, actual: fromUnits(sum()), ledger, holdings: inUsdc };
      await fixture.run(syncBalance, { userId, currency: 'USD', observation });
    }
  }
  for (const at of arrived.keys()) await record(at);
  played++;
  return { arrived: formatExact(fromUnits(sum())), available: await available(fixture, owner) };
};

let played = 0;

test('arrivals, syncs and records in any order credit each arrival once (seed 19)', async () => {
  const fixture = shared();
  fixture.sandbox.faults.clear();
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const owner = await fixture.pendingUser();
      const ended = await play({ fixture, owner }, steps);
      assert.equal(ended.available, ended.arrived);
    }),
    { seed: 19, numRuns: 15 },
  );
});
