// Reconciliation compares a limited number of wallets in each run: those with a break and those that the ledger has shown first, then the
// next ones of a round through all wallets. The number of requests does not depend on the number of wallets.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk';
import { initialAccounts } from '../../sandbox/src/ledger-network/initial-accounts.ts';
import { syncBalance } from '../../server/src/modules/balances/sync-balance.ts';
import { reconcile } from '../../server/src/modules/reconciliation/jobs.ts';
import { explainByOperations } from '../../server/src/modules/reconciliation/ledger-balances.ts';
import { codesOf, PASSPHRASE, perform, settle } from '../../tools/simulation/ledger-accounts.ts';
import { shareInFile } from '../support/share-in-file.ts';
import {
  beginAtNewest,
  type DepositFixture,
  followToEnd,
  MARKETPLACE,
  openDepositFixture,
  spendBehindTheBooks,
} from './deposit-fixture.ts';

const WALLETS_MAX = 8;
const MANY = 24;

const ADD = `insert into wallets (marketplace_id, id, version, owner, user_id, address, type, sealed_secret, status, is_primary,
    payments_cursor, created_at, updated_at)
  select 'mkt_many', 'wal_' || a, 1, 'user', 'usr_' || a, a, 'INVISIBLE', 'sealed', 'ACTIVE', true, '0', now(), now()
  from unnest($1::text[]) a`;

const shared = shareInFile(async (t) => {
  const fixture = await openDepositFixture(t as TestContext);
  await beginAtNewest(fixture);
  const owner = await fixture.user();
  await fixture.pay(owner.address, '10');
  await followToEnd(fixture);
  const addresses = Array.from({ length: MANY }, () => Keypair.random().publicKey());
  await fixture.sql(ADD, [addresses]);
  return { fixture, owner, addresses };
});

/** A job that notes which wallets it compares. */
const jobOf = (fixture: DepositFixture) => {
  const compared: string[] = [];
  const job = reconcile({
    rounds: fixture.rounds(WALLETS_MAX),
    compare(wallet) {
      compared.push(wallet.address);
      return fixture.compare(wallet);
    },
    arePending: fixture.deposits.arePending,
    readTo: fixture.deposits.readTo,
    explain: explainByOperations(fixture.network),
    breaks: fixture.breaks,
    depositPatienceMs: 480_000,
    onBreak() {},
  });
  return async (): Promise<string[]> => {
    compared.length = 0;
    await job.run();
    return [...compared];
  };
};

const openBreaks = async ({ sql }: DepositFixture) =>
  (await sql(`select subject from breaks where kind = 'wallet-usdc' and resolved_at is null`)).map(
    ({ subject }) => subject,
  );

const untilNothingMoved = async (fixture: DepositFixture, run: () => Promise<unknown>): Promise<void> => {
  while ((await fixture.moved.list(1)).length > 0) await run();
};

test('a run compares at most so many wallets, and every wallet is compared within a round', async () => {
  const { fixture, owner, addresses } = shared();
  const run = jobOf(fixture);
  await untilNothingMoved(fixture, run);
  const seen = new Set<string>();
  for (let runs = 0; runs < Math.ceil((MANY + 3) / WALLETS_MAX) + 1; runs++) {
    fixture.calls.length = 0;
    const compared = await run();
    assert.ok(compared.length <= WALLETS_MAX, `${compared.length} wallets`);
    assert.ok(fixture.calls.length <= WALLETS_MAX, fixture.calls.join());
    for (const address of compared) seen.add(address);
  }
  for (const address of [owner.address, ...addresses]) assert.ok(seen.has(address), address);
});

test('a wallet that pays behind the books is found in the next run, wherever the round is, and is compared until it agrees', async () => {
  const { fixture, owner } = shared();
  const run = jobOf(fixture);
  await untilNothingMoved(fixture, run);
  for (let theft = 0; theft < 2; theft++) {
    await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
    await followToEnd(fixture);
    assert.ok((await run()).includes(owner.address));
    assert.deepEqual(await openBreaks(fixture), [owner.address]);
    assert.ok((await run()).includes(owner.address), 'its break is open');
    const ask = { marketplaceId: MARKETPLACE, userId: owner.userId, currency: 'USD' } as const;
    const observation = await fixture.balances.observe(ask);
    await fixture.run(syncBalance, { userId: owner.userId, currency: 'USD', observation });
    await run();
    assert.deepEqual(await openBreaks(fixture), []);
    await untilNothingMoved(fixture, run);
  }
});

test('a wallet that the ledger does not show is compared in the next run again', async () => {
  const { fixture, owner } = shared();
  const run = jobOf(fixture);
  await untilNothingMoved(fixture, run);
  await spendBehindTheBooks(fixture.ledger, { from: owner, amount: '1' });
  await followToEnd(fixture);
  fixture.sandbox.faults.arm({ operation: 'account', fault: 'outage', count: 1_000, match: owner.address });
  await run();
  assert.deepEqual(await openBreaks(fixture), []);
  fixture.sandbox.faults.clear();
  await run();
  assert.deepEqual(await openBreaks(fixture), [owner.address]);
});

test('a clawback, which no list of payments shows, is a break of the wallet that names it', async () => {
  const { fixture } = shared();
  const { ledger } = fixture;
  const run = jobOf(fixture);
  const robbed = await fixture.user();
  await fixture.pay(robbed.address, '5');
  await followToEnd(fixture);
  await untilNothingMoved(fixture, run);
  const operations = [Operation.clawback({ asset: ledger.usdc, from: robbed.address, amount: '2' })];
  const stranger = await settle(ledger);
  assert.deepEqual((await codesOf(perform(ledger, { by: stranger, operations }))).operations, ['op_malformed']);
  await perform(ledger, { by: initialAccounts(PASSPHRASE).issuer, operations });
  assert.equal(await followToEnd(fixture), 0);
  assert.deepEqual(await fixture.moved.list(1), [], 'the payments do not show it');
  const found = () =>
    fixture.sql(`select difference, reason from breaks where subject = $1 and resolved_at is null`, [robbed.address]);
  for (let runs = 0; runs <= Math.ceil((MANY + 5) / (WALLETS_MAX / 4)) && (await found()).length === 0; runs++)
    await run();
  const [one, ...others] = await found();
  assert.deepEqual([one?.difference, others], ['-2.0000000', []]);
  assert.match(String(one!.reason), /no payments, the newest first: clawback \(operation \d+\)\.$/);
});
