// A reader with a `read` key who sends many heavy reads at once: they are queued and refused in its own marketplace, and the other
// marketplaces are answered as if the reader were not there. A lock on a table that only one report reads makes heavy reads last as long as
// a test needs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { isDomainError } from '../../server/src/base/domain-error.ts';
import { openHeavyPool } from '../../server/src/postgres/connection.ts';
import { openHeavyReads } from '../../server/src/postgres/heavy-reads.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { until } from '../../tools/until.ts';
import { type Answer, codeOf, startApp, type TestApp } from '../support/app.ts';

const SLOW_READ = 'GET /reports/open-work';
const HEAVY = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = 'holdfast heavy reads' and state = 'active'`;

const LIMITS = { HEAVY_READS_MAX: '2', HEAVY_READS_PER_MARKETPLACE_MAX: '1', HEAVY_READS_WAITING_MAX: '3' };
const PLACES = 4;

type Fixture = {
  readonly app: TestApp;
  /** The key of the hostile reader. */
  readonly reader: string;
  heavyStatements(): Promise<number>;
  /** Reports wait for this lock until `unlock`. */
  lock(): Promise<void>;
  unlock(): Promise<void>;
};

const openFixture = async (t: TestContext, env: Record<string, string> = {}): Promise<Fixture> => {
  const app = await startApp(t, { env: { ...LIMITS, ...env } });
  const locker = new pg.Client(app.connection);
  await locker.connect();
  let isOpen = true;
  const unlock = async (): Promise<void> => {
    if (isOpen) await locker.end();
    isOpen = false;
  };
  afterwards(t, unlock);
  return {
    app,
    reader: await app.key(['read'], 'mkt_hostile'),
    async heavyStatements() {
      const [row] = await app.sql(HEAVY);
      return row.count;
    },
    async lock() {
      await locker.query('begin');
      await locker.query('lock table disputes in access exclusive mode');
    },
    unlock,
  };
};

const routesOf = (userId: string): string[] => [
  'GET /audit/logs',
  'GET /audit/logs?action=USER_CREATED',
  'GET /audit/verify',
  'GET /audit/proof',
  'GET /reports/money',
  'GET /reports/activity',
  'GET /reports/open-work',
  `GET /users/${userId}/statement`,
  `GET /users/${userId}/statement?format=csv`,
];

/** Sends many slow reads at once, and waits until all but those that have a place are answered. */
const flood = async ({ app, reader, heavyStatements }: Fixture, count: number) => {
  const answers: Answer[] = [];
  const all = Array.from({ length: count }, async () => {
    const answer = await app.call(SLOW_READ, { key: reader });
    answers.push(answer);
    return answer;
  });
  await until(async () => answers.length >= count - PLACES && (await heavyStatements()) > 0, 'the flood has arrived');
  return { answers, all: Promise.all(all) };
};

test('a flood of heavy reads is queued and refused in its own marketplace, and every other request is answered', async (t) => {
  const fixture = await openFixture(t);
  const { app, reader } = fixture;
  const quiet = await app.key(['*'], 'mkt_quiet');
  const userId = await app.aUser({ key: quiet, available: '10.00' });
  await fixture.lock();
  const { answers, all } = await flood(fixture, 40);

  assert.equal(await fixture.heavyStatements(), 1);
  for (const route of routesOf(userId).filter((one) => one !== SLOW_READ)) {
    assert.equal((await app.call(route, { key: quiet })).status, 200, route);
  }
  for (const amount of ['1.00', '2.00', '3.00']) {
    const credited = await app.call(`POST /users/${userId}/balance/credit`, { key: quiet, body: { amount } });
    assert.equal(credited.status, 200, credited.text);
  }
  assert.equal((await app.call(`GET /users/${userId}/balance`, { key: quiet })).body.data.available, '16.00');
  assert.equal((await app.call('GET /users', { key: quiet })).status, 200);
  // The reader's own simple reads are answered too.
  assert.equal((await app.call('GET /users', { key: reader })).status, 200);
  assert.equal(await fixture.heavyStatements(), 1);
  assert.deepEqual(new Set(answers.map(codeOf)), new Set(['429 TOO_MANY_HEAVY_READS']));

  await fixture.unlock();
  const statuses = (await all).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, PLACES);
  assert.equal(statuses.filter((status) => status === 429).length, 40 - PLACES);
});

test('429 on every heavy route when the queue of the marketplace is full, with the figures and what to do', async (t) => {
  const fixture = await openFixture(t);
  const { app, reader } = fixture;
  const userId = await app.aUser({ key: await app.key(['*'], 'mkt_hostile') });
  await fixture.lock();
  const { all } = await flood(fixture, PLACES);
  // The places are taken in the order of arrival, so the first refusal says that all are taken.
  await until(async () => (await app.call(SLOW_READ, { key: reader })).status === 429, 'the queue is full');
  for (const route of routesOf(userId)) {
    const refused = await app.call(route, { key: reader });
    assert.equal(codeOf(refused), '429 TOO_MANY_HEAVY_READS', route);
    const { message, details } = refused.body.error;
    assert.match(message, /1 heavy read at once in each process of the server, and 3 more may wait/);
    assert.deepEqual([details.limit, details.waitingMax, details.retryAfter], [1, 3, 1], route);
    assert.equal('windowSeconds' in details, false);
    assert.equal(refused.headers.get('retry-after'), '1');
  }
  await fixture.unlock();
  await all;
  for (const route of routesOf(userId)) assert.equal((await app.call(route, { key: reader })).status, 200, route);
});

test('the heavy statements of all marketplaces together never exceed the limit of the process', async (t) => {
  const fixture = await openFixture(t);
  const { app } = fixture;
  const keys = await Promise.all(Array.from({ length: 5 }, (_, n) => app.key(['read'], `mkt_reader-${n}`)));
  await fixture.lock();
  const all = Promise.all(keys.map((key) => app.call(SLOW_READ, { key })));
  await until(async () => (await fixture.heavyStatements()) === 2, 'both connections are busy');
  // A request that is answered afterwards shows that the other three had the time to begin.
  assert.equal((await app.call('GET /users')).status, 200);
  assert.equal(await fixture.heavyStatements(), 2);
  await fixture.unlock();
  assert.deepEqual(new Set((await all).map(({ status }) => status)), new Set([200]));
});

test('503 names the time limit and the next step when a statement takes too long, and the place is free again', async (t) => {
  const fixture = await openFixture(t, { HEAVY_READ_TIMEOUT_MS: '2000' });
  const { app, reader } = fixture;
  await fixture.lock();
  const refused = await app.call(SLOW_READ, { key: reader });
  assert.equal(codeOf(refused), '503 SERVICE_UNAVAILABLE');
  const { message, details } = refused.body.error;
  assert.match(message, /2000 ms.*Narrow/);
  assert.deepEqual([details.timeoutMs, details.outcome], [2_000, undefined]);
  assert.equal((await app.call('GET /audit/verify', { key: reader })).status, 200);
  await fixture.unlock();
  assert.equal((await app.call(SLOW_READ, { key: reader })).status, 200);
});

test('the connections of heavy reads cannot write, and a statement uses one processor of the database', async (t) => {
  const { app } = await openFixture(t);
  const pool = openHeavyPool(app.connection, { max: 1, timeoutMs: 12_345, onError: () => {} });
  afterwards(t, () => pool.end());
  const setting = async (name: string): Promise<string> =>
    (await pool.query(`select current_setting('${name}') as value`)).rows[0].value;
  assert.deepEqual(
    [await setting('statement_timeout'), await setting('max_parallel_workers_per_gather')],
    ['12345ms', '0'],
  );
  await assert.rejects(pool.query('delete from wallets'), { code: '25006' });
});

test('a read that waits longer for a connection of the process than it may is 503 with the figure', async (t) => {
  const { app } = await openFixture(t);
  const limits = { max: 1, perMarketplaceMax: 1, waitingMax: 1, timeoutMs: 100 };
  const heavyReads = openHeavyReads(app.connection, { ...limits, onError: () => {} });
  afterwards(t, () => heavyReads.close());
  const busy = await heavyReads.pool.connect();
  const read = () => heavyReads.run({ key: 'mkt_late' }, () => heavyReads.pool.query('select 1'));
  await assert.rejects(read(), (error) => {
    assert.ok(isDomainError(error));
    assert.deepEqual([error.code, error.details.limit, error.details.retryAfter], ['SERVICE_UNAVAILABLE', 1, 1]);
    assert.match(error.message, /This process of the server runs 1 heavy read at once, and this one waited too long/);
    return true;
  });
  busy.release();
  assert.equal((await read()).rowCount, 1);
});

test('a read whose client has left while it waited gives its place to the next one', async (t) => {
  const fixture = await openFixture(t, { HEAVY_READS_WAITING_MAX: '1' });
  const { app, reader } = fixture;
  await fixture.lock();
  const first = app.call(SLOW_READ, { key: reader });
  await until(async () => (await fixture.heavyStatements()) === 1, 'the first read runs');

  // One of two takes the place in the queue, and the other is refused.
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${reader}` };
  const leave = async (): Promise<number | null> => {
    const { url } = app;
    const asked = await fetch(`${url}/api/v1/reports/open-work`, { headers, signal: leaving.signal }).catch(() => null);
    return asked?.status ?? null;
  };
  const two = [leave(), leave()];
  assert.equal(await Promise.race(two), 429);
  leaving.abort();
  assert.deepEqual((await Promise.all(two)).toSorted(), [429, null]);

  let next: Promise<Answer>[] = [];
  await until(async () => {
    let answered = 0;
    next = [1, 2].map(() =>
      app.call(SLOW_READ, { key: reader }).finally(() => {
        answered++;
      }),
    );
    await Promise.race(next);
    // A refusal would have come before the answers to these.
    for (let asked = 0; asked < 5; asked++) await app.call('GET /users', { key: reader });
    return answered === 1;
  }, 'one of two has the place');
  await fixture.unlock();
  assert.deepEqual((await Promise.all(next)).map(({ status }) => status).toSorted(), [200, 429]);
  assert.equal((await first).status, 200);
});
