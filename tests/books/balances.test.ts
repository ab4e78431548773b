// Any sequence of balance commands, in any grouping, has the result of plain arithmetic, and every rule of the books holds. A
// failure prints the shortest sequence that still fails. balances.long.test.ts has more sequences.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { releaseBalance } from '../../server/src/modules/balances/release-reserved.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { openPlace, usd } from '../commit/fixture.ts';
import { runSequences, runWithClockJumps } from './sequences.ts';

test('any sequence of balance commands has the result of plain arithmetic, and every rule of the books holds', async (t) => {
  const groups = await runSequences(t, { runs: 15 });
  assert.ok(
    groups.some((size) => size > 1),
    'some commands shared a group',
  );
});

test('events keep their order and never share a time, even when the clock stands still or goes back', async (t) => {
  assert.ok((await runWithClockJumps(t, { runs: 5 })) > 0);
});

test('a reservation can be filled and emptied for ever, with the largest amounts', async (t) => {
  const fixture = await openPlace(t);
  const largest = usd('99999999999.99');
  const userId = await fixture.user('99999999999.99');
  const held = { userId, currency: 'USD', amount: largest, orderId: 'o1' } as const;
  for (let round = 0; round < 12; round++) {
    await fixture.submit(reserveBalance, held);
    await fixture.submit(releaseBalance, held);
  }
  assert.deepEqual(await inspectBooks(fixture.pool, fixture.marketplaceId), {
    [`${userId}/USD`]: { available: largest, reserved: 0n },
  });
});

test('a credit beyond the maximum of an account is refused, and the account is unchanged', async (t) => {
  const fixture = await openPlace(t);
  const userId = await fixture.user();
  const credit = () => fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('99999999999.99') });
  for (let round = 0; round < 5; round++) await credit();
  await assert.rejects(credit(), { code: 'INVALID_AMOUNT' });
  assert.deepEqual(await inspectBooks(fixture.pool, fixture.marketplaceId), {
    [`${userId}/USD`]: { available: 5n * usd('99999999999.99'), reserved: 0n },
  });
});
