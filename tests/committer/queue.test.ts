// The queue in front of the commit: groups, order, bounds, repeats, and the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DomainError, isDomainError } from '../../server/src/base/domain-error.ts';
import type { Balance } from '../../server/src/books/accounts.ts';
import type { ReplayGuard } from '../../server/src/commit/command.ts';
import { creditBalance, debitBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { releaseBalance } from '../../server/src/modules/balances/take-reserved.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { openBeside, openPlace, type Stand, usd } from './stand.ts';

const credit = (stand: Stand, userId: string, guard?: ReplayGuard<Balance>) =>
  stand.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') }, guard ? { guard } : {});

const guardOf = (key: number, print = 0): ReplayGuard<Balance> => ({
  keyHash: Buffer.alloc(32, key),
  fingerprint: Buffer.alloc(32, print),
  retentionHours: 24,
  render: (result) => ({
    status: 'error' in result ? result.error.status : 200,
    body: 'reply' in result ? 'yes' : 'no',
  }),
});

test('beyond its bound the queue refuses at once, and loses nothing that it took', async (t) => {
  const stand = await openPlace(t, { queueMax: 10 });
  const userId = await stand.user();
  const settled = await Promise.allSettled(Array.from({ length: 30 }, () => credit(stand, userId)));
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as DomainError] : []));
  assert.equal(refused.length, 20);
  for (const fault of refused) {
    assert.ok(isDomainError(fault));
    assert.equal(fault.code, 'SERVICE_UNAVAILABLE');
    assert.equal(fault.details.retryAfter, 1);
  }
  assert.equal(stand.committer.queued, 0);
  assert.equal(await stand.available(userId), '10.00');
  await credit(stand, userId);
  await inspectBooks(stand.pool, stand.marketplaceId);
});

test('closing finishes what was taken, and takes nothing more', async (t) => {
  const stand = await openPlace(t, { groupMax: 7 });
  const userId = await stand.user();
  const taken = Array.from({ length: 50 }, () => credit(stand, userId));
  const closed = stand.committer.close();
  await assert.rejects(credit(stand, userId), { code: 'SERVICE_UNAVAILABLE' });
  await Promise.all(taken);
  await closed;
  assert.equal(await stand.available(userId), '50.00');
  await inspectBooks(stand.pool, stand.marketplaceId);
});

test('commands that arrive together share a commit, and no group is larger than its cap', async (t) => {
  const stand = await openPlace(t, { groupMax: 8 });
  const userId = await stand.user();
  stand.seen.groups.length = 0;
  await Promise.all(Array.from({ length: 64 }, () => credit(stand, userId)));
  assert.ok(Math.max(...stand.seen.groups) <= 8);
  assert.ok(stand.seen.groups.length < 64);
  assert.equal(
    stand.seen.groups.reduce((sum, size) => sum + size, 0),
    64,
  );
});

test('commands of one marketplace take effect in the order they were submitted', async (t) => {
  const stand = await openPlace(t, { groupMax: 5 });
  const userId = await stand.user();
  const step = { userId, currency: 'USD', amount: usd('1.00') } as const;
  // Each debit has just the money of the credit before it.
  const all = Array.from({ length: 100 }, (_, i) => stand.submit(i % 2 === 0 ? creditBalance : debitBalance, step));
  await Promise.all(all);
  assert.equal(await stand.available(userId), '0.00');
  await inspectBooks(stand.pool, stand.marketplaceId);
});

test('a release without an order sees that the one before it drained the reservation without an order', async (t) => {
  for (const known of [true, false]) {
    const stand = await openPlace(t);
    const userId = await stand.user('30.00');
    const held = { userId, currency: 'USD', amount: usd('10.00') } as const;
    await stand.submit(reserveBalance, { ...held, orderId: null });
    await stand.submit(reserveBalance, { ...held, orderId: 'older' });
    await stand.submit(reserveBalance, { ...held, orderId: 'newer' });
    const beside = known ? stand : await openBeside(t, stand);
    const releases = ['8.00', '8.00', '8.00', '8.00'].map((wire) =>
      beside.submit(releaseBalance, { ...held, orderId: null, amount: usd(wire) }),
    );
    const settled = await Promise.allSettled(releases);
    assert.deepEqual(
      settled.map((one) => (one.status === 'rejected' ? (one.reason as DomainError).code : 'done')),
      ['done', 'done', 'done', 'RESERVATION_EXCEEDED'],
    );
    const { rows } = await stand.pool.query(
      'select order_ref as order, remaining from reservations where marketplace_id = $1 order by opened_at',
      [stand.marketplaceId],
    );
    assert.deepEqual(rows, [
      { order: '', remaining: 0n },
      { order: 'older', remaining: 0n },
      { order: 'newer', remaining: usd('6.00') },
    ]);
    await inspectBooks(stand.pool, stand.marketplaceId);
  }
});

test('the same request twice in one group is one effect and one replay', async (t) => {
  for (const known of [true, false]) {
    const stand = await openPlace(t);
    const userId = await stand.user('1.00');
    const beside = known ? stand : await openBeside(t, stand);
    const outcomes = await Promise.all([1, 1, 2, 1, 2].map((key) => credit(beside, userId, guardOf(key))));
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['reply', 'replay', 'reply', 'replay', 'replay'],
    );
    for (const outcome of outcomes) assert.deepEqual(outcome.answer, { status: 200, body: 'yes' });
    assert.equal(await stand.available(userId), '3.00');
    await assert.rejects(credit(beside, userId, guardOf(1, 9)), { code: 'IDEMPOTENCY_KEY_REUSED' });
    await inspectBooks(stand.pool, stand.marketplaceId);
  }
});

test('a repeat is recognised by a committer that has never seen the first', async (t) => {
  const stand = await openPlace(t);
  const userId = await stand.user('1.00');
  const others = await Promise.all([1, 2, 3].map(() => openBeside(t, stand)));
  await credit(stand, userId, guardOf(1));
  for (const other of others) {
    // Now it knows all that the command needs, and could decide without a look into the database.
    await credit(other, userId);
    const outcome = await credit(other, userId, guardOf(1));
    assert.equal(outcome.kind, 'replay');
  }
  assert.equal(await stand.available(userId), '5.00');
  await inspectBooks(stand.pool, stand.marketplaceId);
});

test('the same request at several committers at once is one effect', async (t) => {
  const stands = [await openPlace(t)];
  for (let i = 0; i < 3; i++) stands.push(await openBeside(t, stands[0]!));
  const userId = await stands[0]!.user('1.00');
  for (let key = 1; key <= 20; key++) {
    const outcomes = await Promise.all(stands.map((stand) => credit(stand, userId, guardOf(key))));
    assert.equal(outcomes.filter(({ kind }) => kind === 'reply').length, 1);
  }
  assert.equal(await stands[0]!.available(userId), '21.00');
  await inspectBooks(stands[0]!.pool, stands[0]!.marketplaceId);
});

test('a refusal is repeated as the same refusal, though it would now succeed', async (t) => {
  const stand = await openPlace(t);
  const userId = await stand.user('1.00');
  const debit = () =>
    stand.submit(debitBalance, { userId, currency: 'USD', amount: usd('5.00') }, { guard: guardOf(1) });
  await assert.rejects(debit(), { code: 'INSUFFICIENT_FUNDS' });
  await stand.submit(creditBalance, { userId, currency: 'USD', amount: usd('10.00') });
  const again = await debit();
  assert.deepEqual([again.kind, again.answer], ['replay', { status: 422, body: 'no' }]);
  assert.equal(await stand.available(userId), '11.00');
});
