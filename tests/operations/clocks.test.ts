// Clocks that disagree: a timestamp is compared with the clock that wrote it, also when the database clock is hours off. When
// the clock is set back, neither a job nor a rate limit waits until the old time comes again. `npm run drill -- clock` does the
// same to a whole server under load.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fromUnits } from '../../server/src/books/money.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { createOperationReads } from '../../server/src/modules/operations/queries.ts';
import { openFixture } from '../commit/fixture.ts';
import { openOperation } from '../ledger/operation-rows.ts';
import { openWithdrawals } from '../payments/withdrawal-fixture.ts';
import { openProcess } from '../payments/withdrawal-process.ts';

const HOUR_MS = 3_600_000;

const leapTo = (t: TestContext, hours: number): void => {
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * HOUR_MS });
};

const OPERATION = {
  id: 'opn_of-two-clocks',
  kind: 'create-escrow',
  orderId: 'ord_1',
  escrowId: 'esc_1',
  walletId: 'wal_1',
  currency: 'USD',
  amount: fromUnits(1n),
} as const;

for (const hours of [5, -5]) {
  test(`an operation is due by the clock that wrote it, ${hours} hours from the database's`, async (t) => {
    const { pool, submit } = await openFixture(t);
    const { listDue } = createOperationReads(pool);
    leapTo(t, hours);
    await submit(openOperation, OPERATION);
    assert.equal((await listDue(10)).length, 1);
    await pool.query(`update operations set next_attempt_at = next_attempt_at + interval '5 minutes'`);
    assert.deepEqual(await listDue(10), [], 'the operation is postponed');
  });
}

test('an operation that was written before the clock was set back is due at once', async (t) => {
  const { pool, submit } = await openFixture(t);
  const { listDue } = createOperationReads(pool);
  leapTo(t, 5);
  await submit(openOperation, OPERATION);
  leapTo(t, 0);
  assert.equal((await listDue(10)).length, 1);
});

test('a withdrawal whose times are hours ahead of the clock is still polled', async (t) => {
  const fixture = await openWithdrawals(t, { webhooks: false });
  const { pollTimes } = await openProcess(t, fixture);
  const { id } = await fixture.aWithdrawal();
  await fixture.commit(id);
  await fixture.app.close();
  const due = `next_look_at = now() - interval '1 minute'`;
  await fixture.app.sql(`update withdrawals set ${due}, updated_at = now()`);
  assert.deepEqual(await pollTimes.claimDue(10), [], 'the withdrawal has just changed');
  await fixture.app.sql(`update withdrawals set ${due}, updated_at = now() + interval '5 hours'`);
  assert.equal((await pollTimes.claimDue(10)).length, 1);
});

test('a client that had reached its rate limit before the clock was set back gets a new window', () => {
  let nowMs = 5 * HOUR_MS;
  const limiter = memoryLimiter({ windowMs: 60_000, now: () => nowMs });
  limiter.take('key:a', 1);
  assert.equal(limiter.take('key:a', 1).allowed, false);
  nowMs = 0;
  assert.equal(limiter.take('key:a', 1).allowed, true);
  assert.equal(limiter.take('key:a', 1).allowed, false);
});
