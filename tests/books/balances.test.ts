// Any sequence of balance commands, in any grouping, gives what a child's arithmetic gives, and leaves books in which
// every promise holds. A failure prints the shortest sequence that still fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { creditBalance } from '../../server/src/commands/adjust-balance.ts';
import { reserveBalance } from '../../server/src/commands/reserve-balance.ts';
import { releaseBalance } from '../../server/src/commands/take-reserved.ts';
import { MARKETPLACE, openStand, steppingClock, usd } from '../committer/stand.ts';
import { inspectBooks } from './inspect.ts';
import { expectOf, type Model, type Step } from './model.ts';
import { addUsers, bundles, modelBalances, nonZero, outcomeOf, submitStep } from './steps.ts';

test('any sequence of balance commands gives what plain arithmetic gives, and every promise of the books holds', async (t) => {
  const stand = await openStand(t, { clock: steppingClock(), groupMax: 7 });
  let runs = 0;
  const holds = async (sequence: Step[][]): Promise<void> => {
    const marketplaceId = `mkt_${++runs}`;
    const userIds = await addUsers(stand, marketplaceId);
    const model: Model = new Map();
    for (const bundle of sequence) {
      const settled = await Promise.allSettled(
        bundle.map((step) => submitStep(stand, step, { marketplaceId, userIds })),
      );
      const expected = bundle.map((step) => expectOf(model, step));
      assert.deepEqual(settled.map(outcomeOf), expected);
      const balances = await inspectBooks(stand.pool, marketplaceId);
      assert.deepEqual(nonZero(balances), nonZero(modelBalances(model, userIds)));
    }
  };
  await fc.assert(fc.asyncProperty(bundles, holds), { seed: 20_260, numRuns: 150 });
  assert.ok(
    stand.seen.groups.some((size) => size > 1),
    'some commands shared a group',
  );
});

test('events keep their order and never share a time, though the clock stands still or goes back', async (t) => {
  let micros = Date.UTC(2030, 0) * 1_000;
  const jumps = fc.array(fc.constantFrom(-1_000_000, -1, 0, 0, 1, 1_000), { minLength: 1, maxLength: 20 });
  const stand = await openStand(t, { clock: () => micros });
  let runs = 0;
  const holds = async (sequence: number[]): Promise<void> => {
    const marketplaceId = `mkt_clock_${++runs}`;
    const userIds = await addUsers(stand, marketplaceId);
    for (const jump of sequence) {
      micros += jump;
      const steps = [1, 2].map((cents) => ({ do: 'credit', user: 0, currency: 'USD', cents }) as const);
      await Promise.all(steps.map((step) => submitStep(stand, step, { marketplaceId, userIds })));
    }
    await inspectBooks(stand.pool, marketplaceId);
  };
  await fc.assert(fc.asyncProperty(jumps, holds), { seed: 20_261, numRuns: 30 });
});

test('a reservation can be filled and emptied for ever, with the largest amounts', async (t) => {
  const stand = await openStand(t);
  const largest = usd('99999999999.99');
  const userId = await stand.user('99999999999.99');
  const held = { userId, currency: 'USD', amount: largest, orderId: 'o1' } as const;
  for (let round = 0; round < 12; round++) {
    await stand.submit(reserveBalance, held);
    await stand.submit(releaseBalance, held);
  }
  assert.deepEqual(await inspectBooks(stand.pool, MARKETPLACE), {
    [`${userId}/USD`]: { available: largest, reserved: 0n },
  });
});

test('an account that would grow beyond what it can hold refuses, and stays as it was', async (t) => {
  const stand = await openStand(t);
  const userId = await stand.user();
  const credit = () => stand.submit(creditBalance, { userId, currency: 'USD', amount: usd('99999999999.99') });
  for (let round = 0; round < 5; round++) await credit();
  await assert.rejects(credit(), { code: 'INVALID_AMOUNT' });
  assert.deepEqual(await inspectBooks(stand.pool, MARKETPLACE), {
    [`${userId}/USD`]: { available: 5n * usd('99999999999.99'), reserved: 0n },
  });
});
