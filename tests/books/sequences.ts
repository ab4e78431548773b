// Random sequences of balance commands, compared with plain arithmetic.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inspectBooks } from '../../tools/load/check-books.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { openFixture, steppingClock } from '../commit/fixture.ts';
import { expectOf, type Model, type Step } from './model.ts';
import { addUsers, bundles, modelBalances, nonZero, outcomeOf, submitStep } from './steps.ts';

/** Returns the sizes of the groups in which the commands were committed. */
export const runSequences = async (t: Hooks, { runs }: { runs: number }): Promise<readonly number[]> => {
  const fixture = await openFixture(t, { clock: steppingClock(), groupMax: 7 });
  let made = 0;
  const holds = async (sequence: Step[][]): Promise<void> => {
    const marketplaceId = `mkt_${++made}`;
    const userIds = await addUsers(fixture, marketplaceId);
    const model: Model = new Map();
    for (const bundle of sequence) {
      const settled = await Promise.allSettled(
        bundle.map((step) => submitStep(fixture, step, { marketplaceId, userIds })),
      );
      const expected = bundle.map((step) => expectOf(model, step));
      assert.deepEqual(settled.map(outcomeOf), expected);
      const balances = await inspectBooks(fixture.pool, marketplaceId);
      assert.deepEqual(nonZero(balances), nonZero(modelBalances(model, userIds)));
    }
  };
  await fc.assert(fc.asyncProperty(bundles, holds), { seed: 20_260, numRuns: runs });
  return fixture.seen.groups;
};

const jumps = fc.array(fc.constantFrom(-1_000_000, -1, 0, 0, 1, 1_000), { minLength: 1, maxLength: 20 });

/** Lets the clock stand still and go back. Returns the number of events. */
export const runWithClockJumps = async (t: Hooks, { runs }: { runs: number }): Promise<number> => {
  let micros = Date.UTC(2030, 0) * 1_000;
  const fixture = await openFixture(t, { clock: () => micros });
  let made = 0;
  const holds = async (sequence: number[]): Promise<void> => {
    const marketplaceId = `mkt_clock_${++made}`;
    const userIds = await addUsers(fixture, marketplaceId);
    for (const jump of sequence) {
      micros += jump;
      const steps = [1, 2].map((cents) => ({ do: 'credit', user: 0, currency: 'USD', cents }) as const);
      await Promise.all(steps.map((step) => submitStep(fixture, step, { marketplaceId, userIds })));
    }
    await inspectBooks(fixture.pool, marketplaceId);
  };
  await fc.assert(fc.asyncProperty(jumps, holds), { seed: 20_261, numRuns: runs });
  return (await fixture.pool.query('select from events')).rows.length;
};
