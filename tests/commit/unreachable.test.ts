// The database goes away while two groups are in flight. Their callers wait together for one period, and not one after the other.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { openLane } from '../../server/src/postgres/connection.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { openPlace, sharedDatabase, usd } from './fixture.ts';
import { interceptStatements, socketOf } from './intercept.ts';

const CREDITS = 40;

type Away = { readonly patienceMs: number; hasEnded?(): boolean };

/** Forty credits whose connection breaks at the second commit, and no new connection after it. Returns what the lane did then. */
const loseDatabase = async (t: TestContext, options: Away) => {
  const connection = await sharedDatabase();
  let isAway = false;
  let commits = 0;
  const did: string[] = [];
  const fixture = await openPlace(t, {
    ...options,
    connection,
    async connect() {
      if (isAway) {
        did.push('connect');
        throw Object.assign(new Error('no way in'), { code: 'ECONNREFUSED' });
      }
      const client = await openLane(connection);
      interceptStatements(client, (label, send) => {
        if (label !== 'commit' || commits === 0) return send();
        if (--commits === 0) {
          isAway = true;
          socketOf(client).destroy();
        }
        // Neither commit gets an answer, because the connection closes when the second one is sent.
        return new Promise((_, reject) =>
          socketOf(client).once('close', () => reject(new Error('Connection terminated'))),
        );
      });
      return client;
    },
    onTrouble: (message) => {
      if (message === 'a group failed for good') did.push('answered');
    },
  });
  const userId = await fixture.user('1.00');
  commits = 2;
  const credit = { userId, currency: 'USD', amount: usd('1.00') } as const;
  const answers = await Promise.allSettled(
    Array.from({ length: CREDITS }, () => fixture.submit(creditBalance, credit)),
  );
  const outcomes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.details?.outcome : 'done'));
  isAway = false;
  await inspectBooks(fixture.pool, fixture.marketplaceId);
  return { did, outcomes };
};

test('the callers of both groups are answered after one period, and their outcome is unknown', async (t) => {
  const { did, outcomes } = await loseDatabase(t, { patienceMs: 100 });
  assert.deepEqual(outcomes, Array(CREDITS).fill('unknown'));
  assert.deepEqual(did.slice(did.indexOf('answered')), ['answered', 'answered'], 'no attempt after the first answer');
  assert.ok(did.filter((one) => one === 'connect').length > 1, 'the lane waited for the database');
});

test('a lane does not wait for a database that has ended for good', async (t) => {
  const { did, outcomes } = await loseDatabase(t, { patienceMs: 600_000, hasEnded: () => true });
  assert.deepEqual(outcomes, Array(CREDITS).fill('unknown'));
  assert.deepEqual(did, ['connect', 'answered', 'answered']);
});
