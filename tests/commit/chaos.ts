// Runs random sequences of balance commands with random database faults. The outcome must be the same as without faults.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type pg from 'pg';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { aside } from '../../tools/test-database/aside.ts';
import { expectOf, type Model, type Step } from '../books/model.ts';
import { addUsers, bundles, modelBalances, nonZero, outcomeOf, submitStep } from '../books/steps.ts';
import { newDatabase, openFixture, steppingClock } from './fixture.ts';
import { backendOf, finished, interceptStatements, raise, socketOf } from './intercept.ts';

type Trouble = 'serialization' | 'deadlock' | 'cut' | 'terminated' | 'answer lost';
type Trap = { after: number; trouble: Trouble };

const traps = fc.array(
  fc.record({
    after: fc.nat(12),
    trouble: fc.constantFrom<Trouble>('serialization', 'deadlock', 'cut', 'terminated', 'answer lost'),
  }),
  { maxLength: 4 },
);

/** Each fault happens `after` statements after the previous one. `begin` does not fail in practice, so it is left out. */
const armFaults = (client: pg.Client, of: { t: TestContext; connection: Connection; traps: Trap[] }): void => {
  const { t, connection } = of;
  const strike: Record<Trouble, (send: (other?: string) => Promise<unknown>, first: First) => Promise<unknown>> = {
    serialization: (send) => send(raise('40001')),
    deadlock: (send) => send(raise('40P01')),
    cut(send) {
      socketOf(client).destroy();
      return send();
    },
    async terminated(send, first) {
      await first(() => aside(connection, 'select pg_terminate_backend($1::int)', [backendOf(client)]));
      return send();
    },
    'answer lost'(send) {
      socketOf(client).pause();
      const answer = send();
      const cut = finished(connection, backendOf(client)).then(() => socketOf(client).destroy());
      afterwards(t, () => cut);
      return answer;
    },
  };
  interceptStatements(client, (label, send, first) => {
    const next = of.traps[0];
    if (!next || label === 'begin' || next.after-- > 0) return send();
    // Only the answer to `commit` is lost: the commit is done, and the server does not know it.
    if (next.trouble === 'answer lost' && label !== 'commit') {
      next.after = 0;
      return send();
    }
    if ((next.trouble === 'serialization' || next.trouble === 'deadlock') && label === 'commit') {
      next.after = 0;
      return send();
    }
    of.traps.shift();
    return strike[next.trouble](send, first);
  });
};

type First = (work: () => Promise<unknown>) => Promise<void>;

/** Returns the number of faults that happened. */
export const runUnderTroubles = async (
  t: TestContext,
  { seed, runs }: { seed: number; runs: number },
): Promise<number> => {
  const connection = await newDatabase(t);
  let armed: Trap[] = [];
  let struck = 0;
  const fixture = await openFixture(t, {
    connection,
    clock: steppingClock(),
    groupMax: 7,
    intercept: (client) =>
      armFaults(client, {
        t,
        connection,
        get traps() {
          return armed;
        },
      }),
  });
  let made = 0;
  const holds = async (sequence: Step[][], plan: Trap[]): Promise<void> => {
    const marketplaceId = `mkt_${++made}`;
    const userIds = await addUsers(fixture, marketplaceId);
    const model: Model = new Map();
    armed = plan.map((trap) => ({ ...trap }));
    for (const bundle of sequence) {
      const settled = await Promise.allSettled(
        bundle.map((step) => submitStep(fixture, step, { marketplaceId, userIds })),
      );
      assert.deepEqual(
        settled.map(outcomeOf),
        bundle.map((step) => expectOf(model, step)),
      );
    }
    struck += plan.length - armed.length;
    armed = [];
    assert.deepEqual(nonZero(await inspectBooks(fixture.pool, marketplaceId)), nonZero(modelBalances(model, userIds)));
  };
  await fc.assert(fc.asyncProperty(bundles, traps, holds), { seed, numRuns: runs });
  return struck;
};
