// A commit was sent and its answer was lost. Whether it took place or not, the effect is there exactly once and the caller gets
// a success.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { type Connection, openLane } from '../../server/src/postgres/connection.ts';
import { inspectBooks } from '../../tools/load/check-books.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { aside } from '../../tools/test-database/aside.ts';
import { type Fixture, openPlace, sharedDatabase, usd } from './fixture.ts';
import { backendOf, finished, interceptStatements, raise, socketOf } from './intercept.ts';

type Cut = (of: {
  t: TestContext;
  client: pg.Client;
  connection: Connection;
  send: (other?: string) => Promise<unknown>;
  first: (work: () => Promise<unknown>) => Promise<void>;
}) => Promise<unknown>;

/** Holds the answer back until the database has committed, and then drops it. */
const after =
  (trouble?: Error): Cut =>
  ({ t, client, connection, send }) => {
    socketOf(client).pause();
    const answer = send();
    const cut = finished(connection, backendOf(client)).then(() => socketOf(client).destroy(trouble));
    // Of two commits on one connection, the check of the second one still runs after the first one was cut, so the test waits.
    afterwards(t, () => cut);
    return answer;
  };

/** The answer to the commit is an error, as a coordinator gives it when it lost the machine that was to commit. */
const answeredWithError =
  (label: 'commit' | 'rollback'): Cut =>
  async ({ send }) => {
    await send(label);
    return send(raise('XX000'));
  };

const CUTS: Record<string, Cut> = {
  'after it happened, with an error as its answer,': answeredWithError('commit'),
  'before it happened, with an error as its answer,': answeredWithError('rollback'),
  'after it happened': after(),
  'after it happened, with an error without a code,': after(new Error('decryption failed or bad record mac')),
  'before it happened': async ({ client, connection, send, first }) => {
    await first(() => aside(connection, 'select pg_terminate_backend($1::int)', [backendOf(client)]));
    return send();
  },
};

/** A fixture whose next commit, once armed, loses its answer. */
const openCut = async (t: TestContext, cut: Cut, options: Parameters<typeof openPlace>[1] = {}) => {
  const connection = await sharedDatabase();
  let armed = 0;
  const fixture = await openPlace(t, {
    connection,
    intercept: (client) =>
      interceptStatements(client, (label, send, first) => {
        if (label !== 'commit' || armed === 0) return send();
        armed--;
        return cut({ t, client, connection, send, first });
      }),
    ...options,
  });
  return {
    ...fixture,
    arm: (times = 1) => {
      armed = times;
    },
    left: () => armed,
  };
};

const credits = (fixture: Fixture, userId: string, count: number) =>
  Array.from({ length: count }, () => fixture.submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') }));

for (const [when, cut] of Object.entries(CUTS)) {
  test(`a commit whose connection broke ${when} takes effect once, and its callers get a success`, async (t) => {
    const fixture = await openCut(t, cut);
    const userId = await fixture.user('1.00');
    for (let round = 1; round <= 5; round++) {
      fixture.arm();
      await Promise.all(credits(fixture, userId, 4));
      assert.equal(fixture.left(), 0, 'a commit was cut');
      assert.equal(await fixture.available(userId), `${1 + 4 * round}.00`);
    }
    assert.ok(fixture.seen.retries.includes('connection'));
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });

  test(`two commits in flight whose connection broke ${when} take effect once each`, async (t) => {
    const fixture = await openCut(t, cut);
    const userId = await fixture.user('1.00');
    fixture.arm(2);
    await Promise.all(credits(fixture, userId, 40));
    fixture.arm(0);
    assert.equal(await fixture.available(userId), '41.00');
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });

  test(`the very first commit of a marketplace that broke ${when} takes effect once`, async (t) => {
    const fixture = await openCut(t, cut);
    fixture.arm();
    await fixture.user();
    assert.equal(fixture.left(), 0);
    const { rows } = await fixture.pool.query('select count(*)::int as users from users where marketplace_id = $1', [
      fixture.marketplaceId,
    ]);
    assert.deepEqual(rows, [{ users: 1 }]);
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });

  test(`a commit that broke ${when} is not decided again while its outcome cannot be read`, async (t) => {
    let refusals = 0;
    const trying: string[] = [];
    const connection = await sharedDatabase();
    let armed = false;
    const fixture = await openPlace(t, {
      patienceMs: 30,
      async connect() {
        if (refusals-- > 0) throw Object.assign(new Error('no way in'), { code: 'ECONNREFUSED' });
        const client = await openLane(connection);
        interceptStatements(client, (label, send, first) => {
          if (label !== 'commit' || !armed) return send();
          armed = false;
          refusals = 6;
          trying.push(label);
          return cut({ t, client, connection, send, first });
        });
        return client;
      },
      connection,
    });
    const userId = await fixture.user('1.00');
    armed = true;
    const settled = await Promise.allSettled(credits(fixture, userId, 3));
    const done = settled.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(trying.length, 1);
    const there = Number(await fixture.available(userId)) - 1;
    assert.ok(done <= there && there <= 3, `${done} callers got a success and ${there} credits are there`);
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });
}

for (const times of [1, 100]) {
  test(`a lost commit is not decided again when reading its outcome fails ${times} times`, async (t) => {
    const connection = await sharedDatabase();
    let armed = false;
    let failures = 0;
    const fixture = await openPlace(t, {
      connection,
      intercept: (client) =>
        interceptStatements(client, (label, send, first) => {
          if (label === 'commit' && armed) {
            armed = false;
            failures = times;
            return CUTS['after it happened']!({ t, client, connection, send, first });
          }
          // An error with a code, but of the outcome query and not of the commit.
          if (failures === 0 || !label.includes('select hash from audit_entries')) return send();
          failures--;
          return send(raise('55P03'));
        }),
    });
    const userId = await fixture.user('1.00');
    armed = true;
    const settled = await Promise.allSettled(credits(fixture, userId, 4));
    assert.ok(failures < times, 'the outcome query was sent and failed');
    failures = 0;
    const codes = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    assert.ok(codes.every((code) => code === 'SERVICE_UNAVAILABLE') && (times > 1 || codes.length === 0), `${codes}`);
    const there = Number(await fixture.available(userId)) - 1;
    assert.ok(there >= settled.length - codes.length && there <= settled.length, `${there} credits are there`);
    await inspectBooks(fixture.pool, fixture.marketplaceId);
  });
}
