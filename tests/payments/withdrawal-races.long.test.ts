// The races of withdrawal-races.test.ts with more rounds and copies, and on two servers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openWithdrawals } from './withdrawal-fixture.ts';
import {
  assertArrivesOnce,
  assertCommittedOrExpired,
  assertFirstEventCounts,
  paidByCopies,
} from './withdrawal-race-checks.ts';

test('a hundred copies of one completion during refreshes and commits pay once', async (t) => {
  assert.equal(await paidByCopies(t, 100), 1);
});

test('ten completions, ten failures and ten cancellations at once: the first event counts, and the money moves once', async (t) => {
  await assertFirstEventCounts(t, { rounds: 4, copies: 10 });
});

test('many commits and refreshes of one ledger withdrawal at once on two servers: it arrives once', async (t) => {
  const fixture = await openWithdrawals(t, { ledger: true });
  const other = await startApp(t, { env: fixture.env, connection: fixture.app.connection });
  await assertArrivesOnce(fixture, [other]);
});

test('committing and expiring at once, six times, ends in one of the two each time', async (t) => {
  await assertCommittedOrExpired(t, 6);
});
