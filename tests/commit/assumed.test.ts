// A committer assumes that what is new does not exist, and checks it in the same transaction. A wrong assumption is never answered: the
// commands are decided again on the rows that exist.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DomainError } from '../../server/src/base/domain-error.ts';
import { adjustments, available } from '../../server/src/books/accounts.ts';
import { ZERO } from '../../server/src/books/money.ts';
import { command, type Outcome } from '../../server/src/commit/command.ts';
import type { LedgerTransaction } from '../../server/src/ledger/transactions/ledger-transaction.ts';
import { createRecordTransaction, TransactionOpen } from '../../server/src/ledger/transactions/record-transaction.ts';
import { createSettleTransaction, type Ending } from '../../server/src/ledger/transactions/settle-transaction.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { type Fixture, openAnotherCommitter, openPlace, replyOf, usd } from './fixture.ts';

const recordTransaction = createRecordTransaction(ACTION_OWNERS);
const settleTransaction = createSettleTransaction(ACTION_OWNERS);
const SUCCEEDED = { kind: 'succeeded', paid: [], fee: ZERO, feeAccount: 'G_SOURCE', ledger: 1 } as const;
const REJECTED: Ending = { kind: 'rejected', reason: 'refused' };

type Numbered = { readonly sequence: number; readonly id?: string };

const record = async (
  fixture: Fixture,
  { sequence, id = `hash_${sequence}` }: Numbered,
): Promise<LedgerTransaction> => {
  const validUntil = '2030-01-01T00:00:00.000000Z';
  const input = {
    id,
    source: 'G_SOURCE',
    sequence: String(sequence),
    purpose: 'test',
    envelope: 'e',
    validUntil,
    actions: [],
  };
  return replyOf(await fixture.submit(recordTransaction, input));
};

const settle = (fixture: Fixture, transaction: LedgerTransaction, ending: Ending = SUCCEEDED) =>
  fixture.submit(settleTransaction, { transaction, ending });

/** A committer that has cached whatever a transaction of the wallet needs, except the transactions that were recorded before it started. */
const openWarm = async (t: TestContext, one: Fixture, sequence: number): Promise<Fixture> => {
  const other = await openAnotherCommitter(t, one);
  await settle(other, await record(other, { sequence }));
  return other;
};

test('new transactions of a wallet are recorded and settled without a query', async (t) => {
  const fixture = await openPlace(t);
  await settle(fixture, await record(fixture, { sequence: 1 }));
  const { database } = fixture.seen.commands;
  for (let sequence = 2; sequence < 6; sequence++) await settle(fixture, await record(fixture, { sequence }));
  assert.equal(fixture.seen.commands.database, database);
  assert.deepEqual(fixture.seen.retries, []);
});

test('a number that was used before the committer started is refused, and the other commands of the group succeed', async (t) => {
  const one = await openPlace(t);
  const userId = await one.user('1.00');
  await settle(one, await record(one, { sequence: 7 }));
  const other = await openWarm(t, one, 8);
  await other.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });
  const refused = assert.rejects(record(other, { sequence: 7, id: 'hash_again' }), TransactionOpen);
  const credited = other.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });
  await Promise.all([refused, credited]);
  assert.ok(other.seen.retries.includes('serialization'));
  assert.equal(await one.available(userId), '3.00');
  await inspectBooks(one.pool, one.marketplaceId);
});

test('a number whose transactions were all rejected can be used again, also after the assumption was wrong', async (t) => {
  const one = await openPlace(t);
  const first = await record(one, { sequence: 7 });
  await settle(one, first, REJECTED);
  const other = await openWarm(t, one, 8);
  const again = await record(other, { sequence: 7 });
  assert.equal(again.createdAt, first.createdAt, 'the row that existed was changed');
  assert.equal(again.state, 'SIGNED');
  assert.deepEqual(other.seen.retries, ['serialization']);
});

type OfUser = { readonly userId: string };

/** Expects an account without postings, and returns the balance that it found there. */
const useNewAccount = command<OfUser & { readonly pays: boolean }, string>({
  name: 'use-new-account',
  needs: ({ userId }) => ({ accounts: [{ ...available(userId, 'USD'), isNew: true }, adjustments('USD')] }),
  decide({ userId, pays }, work) {
    const to = available(userId, 'USD');
    const found = work.balance(to);
    if (pays) {
      work.post({ from: adjustments('USD'), to, amount: usd('2.00'), move: 'credit' });
      work.audit({ action: 'BALANCE_CREDITED', resourceType: 'User', resourceId: userId });
    }
    return String(found);
  },
});

for (const pays of [true, false]) {
  test(`an account that has money is not taken for a new one by a command that ${pays ? 'pays' : 'only reads'}`, async (t) => {
    const one = await openPlace(t);
    const userId = await one.user('5.00');
    const other = await openAnotherCommitter(t, one);
    const another = await other.user('1.00');
    assert.equal(replyOf(await other.submit(useNewAccount, { userId, pays })), String(usd('5.00')));
    assert.equal(other.seen.retries.length, 1);
    assert.equal(replyOf(await other.submit(useNewAccount, { userId: another, pays })), String(usd('1.00')));
    assert.equal(await one.available(userId), pays ? '7.00' : '5.00');
  });
}

/** Also needs a row that only the database has, so the fast path leaves it out after it has assumed the account. */
const useBoth = command<OfUser & { readonly known: string }, string>({
  name: 'use-both',
  needs: ({ userId, known }) => ({
    rows: [{ table: 'users', id: known }],
    accounts: [{ ...available(userId, 'USD'), isNew: true }],
  }),
  decide: ({ userId }, work) => String(work.balance(available(userId, 'USD'))),
});

test('what a command assumed is forgotten when its group leaves it out', async (t) => {
  const one = await openPlace(t);
  const userId = await one.user('5.00');
  const known = await one.user();
  const other = await openAnotherCommitter(t, one);
  await other.user('1.00');
  assert.equal(replyOf(await other.submit(useBoth, { userId, known })), String(usd('5.00')));
  assert.deepEqual(other.seen.retries, []);
});

/** Expects that no user has the id `absent`, and pays another user when that is so. */
const payIfAbsent = command<{ absent: string; payee: string; isRefused: boolean }, boolean>({
  name: 'pay-if-absent',
  needs: ({ absent, payee }) => ({
    rows: [{ table: 'users', id: absent, isNew: true }],
    accounts: [available(payee, 'USD'), adjustments('USD')],
  }),
  decide({ absent, payee, isRefused }, work) {
    if (isRefused) throw new DomainError('INVALID_STATE', { details: { currentState: 'TEST', allowedActions: [] } });
    const isAbsent = work.find('users', absent) === undefined;
    if (isAbsent) {
      const amount = usd('2.00');
      work.post({ from: adjustments('USD'), to: available(payee, 'USD'), amount, move: 'credit' });
    }
    work.audit({ action: 'BALANCE_CREDITED', resourceType: 'User', resourceId: payee });
    return isAbsent;
  },
});

test('what a refused command assumed is not taken for known by the group behind it', async (t) => {
  const one = await openPlace(t);
  const absent = await one.user('5.00');
  const other = await openAnotherCommitter(t, one);
  const payee = await other.user('1.00');
  // Two groups of one command, both decided before the first one is answered.
  const [refused, paid] = await Promise.allSettled(
    [true, false].map((isRefused) => other.submit(payIfAbsent, { absent, payee, isRefused })),
  );
  assert.deepEqual([refused!.status, paid!.status], ['rejected', 'fulfilled']);
  assert.equal(replyOf((paid as PromiseFulfilledResult<Outcome<boolean>>).value), false);
  assert.equal(await one.available(payee), '1.00');
  await inspectBooks(one.pool, one.marketplaceId);
});

test('the first reservation of an order needs no query, and a second one from another committer is added to it', async (t) => {
  const one = await openPlace(t);
  const userId = await one.user('5.00');
  const reserve = async (fixture: Fixture, orderId: string) =>
    replyOf(await fixture.submit(reserveBalance, { userId, currency: 'USD', amount: usd('1.00'), orderId }));
  const { database } = one.seen.commands;
  await reserve(one, 'first');
  await reserve(one, 'second');
  assert.equal(one.seen.commands.database, database);
  const other = await openAnotherCommitter(t, one);
  await reserve(other, 'third');
  const { reserved } = await reserve(other, 'first');
  assert.deepEqual(other.seen.retries, ['serialization']);
  assert.equal(reserved, usd('4.00'));
  const { rows } = await one.pool.query<{ remaining: bigint }>(
    'select remaining from reservations where marketplace_id = $1 and order_ref = $2',
    [one.marketplaceId, 'first'],
  );
  assert.equal(rows[0]!.remaining, usd('2.00'));
  await inspectBooks(one.pool, one.marketplaceId);
});

test('two committers that record the same numbers of a wallet record each of them once', async (t) => {
  const one = await openPlace(t);
  const both = [one, await openAnotherCommitter(t, one)];
  for (let sequence = 1; sequence < 12; sequence++) {
    const results = await Promise.allSettled(both.map((each, n) => record(each, { sequence, id: `${sequence}_${n}` })));
    const recorded = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(recorded.length, 1, `number ${sequence}`);
    await settle(both[sequence % 2]!, recorded[0]!);
  }
  const { rows } = await one.pool.query<{ count: bigint }>(
    'select count(*) from ledger_transactions where marketplace_id = $1',
    [one.marketplaceId],
  );
  assert.equal(Number(rows[0]!.count), 11);
});
