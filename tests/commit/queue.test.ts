// The queue of the committer: groups, order, limits, repeats, and closing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DomainError, isDomainError } from '../../server/src/base/domain-error.ts';
import type { Balance } from '../../server/src/books/accounts.ts';
import type { ReplayGuard } from '../../server/src/commit/command.ts';
import { creditBalance, debitBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { releaseBalance } from '../../server/src/modules/balances/release-reserved.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { type Fixture, openAnotherCommitter, openPlace, usd } from './fixture.ts';

const credit = (fixture: Fixture, userId: string, guard?: ReplayGuard<Balance>) =>
  fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') }, guard ? { guard } : {});

const guardOf = (key: number, print = 0): ReplayGuard<Balance> => ({
  keyHash: Buffer.alloc(32, key),
  fingerprint: Buffer.alloc(32, print),
  retentionHours: 24,
  render: (result) => ({
    status: 'error' in result ? result.error.status : 200,
    body: 'reply' in result ? 'yes' : 'no',
  }),
});

test('a full queue refuses at once, and loses no accepted command', async (t) => {
  const fixture = await openPlace(t, { queueMax: 10 });
  const userId = await fixture.user();
  const settled = await Promise.allSettled(Array.from({ length: 30 }, () => credit(fixture, userId)));
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as DomainError] : []));
  assert.equal(refused.length, 20);
  for (const fault of refused) {
    assert.ok(isDomainError(fault));
    assert.equal(fault.code, 'SERVICE_UNAVAILABLE');
    assert.equal(fault.details.retryAfter, 1);
  }
  assert.equal(fixture.committer.queued, 0);
  assert.equal(await fixture.available(userId), '10.00');
  await credit(fixture, userId);
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('closing finishes accepted commands, and accepts no new ones', async (t) => {
  const fixture = await openPlace(t, { groupMax: 7 });
  const userId = await fixture.user();
  const taken = Array.from({ length: 50 }, () => credit(fixture, userId));
  const closed = fixture.committer.close();
  await assert.rejects(credit(fixture, userId), { code: 'SERVICE_UNAVAILABLE' });
  await Promise.all(taken);
  await closed;
  assert.equal(await fixture.available(userId), '50.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('commands that arrive together share a commit, and no group is larger than its cap', async (t) => {
  const fixture = await openPlace(t, { groupMax: 8 });
  const userId = await fixture.user();
  fixture.seen.groups.length = 0;
  await Promise.all(Array.from({ length: 64 }, () => credit(fixture, userId)));
  assert.ok(Math.max(...fixture.seen.groups) <= 8);
  assert.ok(fixture.seen.groups.length < 64);
  assert.equal(
    fixture.seen.groups.reduce((sum, size) => sum + size, 0),
    64,
  );
});

test('commands of one marketplace take effect in the order they were submitted', async (t) => {
  const fixture = await openPlace(t, { groupMax: 5 });
  const userId = await fixture.user();
  const step = { userId, currency: 'USD', amount: usd('1.00') } as const;
  // Each debit needs exactly the money of the credit before it.
  const all = Array.from({ length: 100 }, (_, i) => fixture.submit(i % 2 === 0 ? creditBalance : debitBalance, step));
  await Promise.all(all);
  assert.equal(await fixture.available(userId), '0.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('a release without an order sees that the release before it emptied the reservation without an order', async (t) => {
  for (const known of [true, false]) {
    const fixture = await openPlace(t);
    const userId = await fixture.user('30.00');
    const held = { userId, currency: 'USD', amount: usd('10.00') } as const;
    await fixture.submit(reserveBalance, { ...held, orderId: null });
    await fixture.submit(reserveBalance, { ...held, orderId: 'older' });
    await fixture.submit(reserveBalance, { ...held, orderId: 'newer' });
    const other = known ? fixture : await openAnotherCommitter(t, fixture);
    const releases = ['8.00', '8.00', '8.00', '8.00'].map((wire) =>
      other.submit(releaseBalance, { ...held, orderId: null, amount: usd(wire) }),
    );
    const settled = await Promise.allSettled(releases);
    assert.deepEqual(
      settled.map((one) => (one.status === 'rejected' ? (one.reason as DomainError).code : 'done')),
      ['done', 'done', 'done', 'RESERVATION_EXCEEDED'],
    );
    const { rows } = await fixture.pool.query(
      'select order_ref as order, remaining from reservations where marketplace_id = $1 order by opened_at',
      [fixture.marketplaceId],
    );
    assert.deepEqual(rows, [
      { order: '', remaining: 0n },
      { order: 'older', remaining: 0n },
      { order: 'newer', remaining: usd('6.00') },
    ]);
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  }
});

test('the same request twice in one group is one effect and one replay', async (t) => {
  for (const known of [true, false]) {
    const fixture = await openPlace(t);
    const userId = await fixture.user('1.00');
    const other = known ? fixture : await openAnotherCommitter(t, fixture);
    const outcomes = await Promise.all([1, 1, 2, 1, 2].map((key) => credit(other, userId, guardOf(key))));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['reply', 'replay', 'reply', 'replay', 'replay'],
    );
    for (const outcome of outcomes) assert.deepEqual(outcome.answer, { status: 200, body: 'yes' });
    assert.equal(await fixture.available(userId), '3.00');
    await assert.rejects(credit(other, userId, guardOf(1, 9)), { code: 'IDEMPOTENCY_KEY_REUSED' });
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  }
});

test('a repeat is recognised by a committer that has never seen the first request', async (t) => {
  const fixture = await openPlace(t);
  const userId = await fixture.user('1.00');
  const others = await Promise.all([1, 2, 3].map(() => openAnotherCommitter(t, fixture)));
  await credit(fixture, userId, guardOf(1));
  for (const other of others) {
    // All rows that the command needs are cached now, so it could decide without a query.
    await credit(other, userId);
    const outcome = await credit(other, userId, guardOf(1));
    assert.equal(outcome.kind, 'replay');
  }
  assert.equal(await fixture.available(userId), '5.00');
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});

test('the same request at several committers at once takes effect once', async (t) => {
  const fixtures = [await openPlace(t)];
  for (let i = 0; i < 3; i++) fixtures.push(await openAnotherCommitter(t, fixtures[0]!));
  const userId = await fixtures[0]!.user('1.00');
  for (let key = 1; key <= 20; key++) {
    const outcomes = await Promise.all(fixtures.map((fixture) => credit(fixture, userId, guardOf(key))));
    assert.equal(outcomes.filter(({ kind }) => kind === 'reply').length, 1);
  }
  assert.equal(await fixtures[0]!.available(userId), '21.00');
  await inspectBooks(fixtures[0]!.pool, fixtures[0]!.marketplaceId);
});

test('a refusal is repeated as the same refusal, though it would now succeed', async (t) => {
  const fixture = await openPlace(t);
  const userId = await fixture.user('1.00');
  const debit = () =>
    fixture.submit(debitBalance, { userId, currency: 'USD', amount: usd('5.00') }, { guard: guardOf(1) });
  await assert.rejects(debit(), { code: 'INSUFFICIENT_FUNDS' });
  await fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('10.00') });
  const again = await debit();
  assert.deepEqual([again.kind, again.answer], ['replay', { status: 422, body: 'no' }]);
  assert.equal(await fixture.available(userId), '11.00');
});
