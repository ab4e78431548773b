// The database goes away while two groups are in flight, or while the halves of a group are carried out again. The callers of both wait
// together for one period, and not one after the other.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { openLane } from '../../server/src/postgres/connection.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { type Fixture, openPlace, sharedDatabase, usd } from './fixture.ts';
import { interceptStatements, raise, socketOf } from './intercept.ts';

const CREDITS = 40;
/** A failure for which no further attempt helps, so the group is split. */
const DIVISION_BY_ZERO = '22012';

const refuseConnection = (): never => {
  throw Object.assign(new Error('no way in'), { code: 'ECONNREFUSED' });
};

/** Forty credits at once. Returns the outcome of each. */
const creditAtOnce = async ({ submit }: Pick<Fixture, 'submit'>, userId: string): Promise<string[]> => {
  const credit = { userId, currency: 'USD', amount: usd('1.00') } as const;
  const answers = await Promise.allSettled(Array.from({ length: CREDITS }, () => submit(creditBalance, credit)));
  return answers.map((answer) => {
    if (answer.status === 'fulfilled') return 'done';
    const { code, details } = answer.reason;
    return details?.outcome ?? code;
  });
};

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
        return refuseConnection();
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
  const outcomes = await creditAtOnce(fixture, userId);
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

test('when the database goes away at the first half of a group, the second half is answered without a wait of its own', async (t) => {
  const connection = await sharedDatabase();
  let isFailing = false;
  let isSplit = false;
  const did: string[] = [];
  const fixture = await openPlace(t, {
    connection,
    patienceMs: 100,
    async connect() {
      if (isSplit) {
        did.push('connect');
        return refuseConnection();
      }
      const client = await openLane(connection);
      interceptStatements(client, (label, send) => {
        if (isSplit) socketOf(client).destroy();
        return isFailing && label.includes('write-books') ? send(raise(DIVISION_BY_ZERO)) : send();
      });
      return client;
    },
    watch: {
      committed() {},
      refused() {},
      retried(reason) {
        if (reason === 'split') isSplit = true;
      },
    },
    onTrouble: (message) => {
      if (message === 'a group failed for good') did.push('answered');
    },
  });
  const userId = await fixture.user('1.00');
  isFailing = true;
  const outcomes = await creditAtOnce(fixture, userId);
  assert.deepEqual(outcomes, Array(CREDITS).fill('SERVICE_UNAVAILABLE'), 'nothing was sent, so nothing is unknown');
  assert.ok(did.indexOf('answered') > 0, 'the lane waited for the database');
  assert.deepEqual([...new Set(did.slice(did.indexOf('answered')))], ['answered'], 'no attempt after the first answer');
  assert.ok(did.filter((one) => one === 'answered').length >= 2, 'the halves are answered one by one');
  isSplit = false;
  isFailing = false;
  await inspectBooks(fixture.pool, fixture.marketplaceId);
});
