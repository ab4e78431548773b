// Keys that the server does not know: their address is counted before they are looked up, so that invented keys cost no query.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { newId } from '../../server/src/base/ulid.ts';
import { createKeyLookups, TooManyLookups } from '../../server/src/http/key-lookups.ts';
import { formatKeyText, freshSecret } from '../../server/src/modules/api-keys/key-text.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { codeOf, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';

const MAX = 4;

/** In the form of a key, but of no key that exists. */
const inventedKey = (): string =>
  formatKeyText({ marketplaceId: 'mkt_default', keyId: newId('apiKey', Date.now()), secret: freshSecret().reveal() });

const visit = (app: TestApp, address: string, key: string) =>
  app.call('GET /auth/me', { key, headers: { 'x-forwarded-for': address } });

const makeKey = async (app: TestApp): Promise<string> =>
  (await app.call('POST /auth/api-keys', { key: MASTER_KEY, body: { name: 'k', scopes: ['read'], rateLimit: 1_000 } }))
    .body.data.key;

test('beyond its limit an address gets 429 without a query, and keys that are in use are served', async (t) => {
  const app = await startApp(t, { env: { RATE_LIMIT_MAX: String(MAX), TRUST_PROXY: '1' } });
  const used = await makeKey(app);
  const unused = await makeKey(app);
  assert.equal((await visit(app, '192.0.2.1', used)).status, 200);
  for (let n = 0; n < MAX; n++) assert.equal(codeOf(await visit(app, '192.0.2.1', inventedKey())), '401 UNAUTHORIZED');

  // While the table is locked, a request that is looked up cannot be answered.
  const locker = new pg.Client(app.connection);
  await locker.connect();
  afterwards(t, () => locker.end());
  await locker.query('begin; lock table api_keys in access exclusive mode');
  for (const key of [inventedKey(), unused]) {
    const answer = await visit(app, '192.0.2.1', key);
    assert.equal(codeOf(answer), '429 RATE_LIMITED');
    assert.equal(answer.body.error.details.limit, MAX);
    assert.equal(answer.headers.get('retry-after'), String(answer.body.error.details.retryAfter));
  }
  await locker.query('rollback');

  assert.equal((await visit(app, '192.0.2.1', used)).status, 200);
  assert.equal((await visit(app, '192.0.2.2', unused)).status, 200, 'another address is served');
  assert.equal((await visit(app, '192.0.2.1', unused)).status, 200, 'the key is known now');
});

const lookupsOf = (max: number, poolMax = 10) => createKeyLookups({ max, poolMax, windowMs: 60_000, now: () => 0 });
const nothing = async (): Promise<string | null> => null;

test('a valid key and a failed search do not count, however many arrive together', async () => {
  const lookups = lookupsOf(2);
  const found = await Promise.all(Array.from({ length: 20 }, (_, n) => lookups.for('a')(async () => `key ${n}`)));
  assert.equal(found.length, 20);
  const failing = async (): Promise<string | null> => {
    throw new Error('the database is unreachable');
  };
  for (let n = 0; n < 5; n++) await assert.rejects(lookups.for('a')(failing), /unreachable/);
  for (let n = 0; n < 2; n++) assert.equal(await lookups.for('a')(nothing), null);
  await assert.rejects(lookups.for('a')(nothing), TooManyLookups);
  assert.equal(await lookups.for('b')(nothing), null);
});

/** Lookups that end only when the test says so. */
const heldSearches = () => {
  const held: (() => void)[] = [];
  return {
    search: () => new Promise<string | null>((resolve) => held.push(() => resolve(null))),
    get running() {
      return held.length;
    },
    /** Also ends the lookups that begin afterwards. */
    async endAll(all: Promise<unknown>) {
      let isOver = false;
      const ended = all.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        for (const end of held.splice(0)) end();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await ended;
    },
  };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('unknown keys that arrive together have the same limit, and only a few are looked up at once', async () => {
  const lookups = lookupsOf(5);
  let running = 0;
  let most = 0;
  let searches = 0;
  const search = async (): Promise<string | null> => {
    searches++;
    most = Math.max(most, ++running);
    await turn();
    running--;
    return null;
  };
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => lookups.for('a')(search)));
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
  assert.deepEqual([searches, most], [5, 2]);
});

for (const [poolMax, most] of [
  [2, 1],
  [3, 2],
  [10, 3],
] as const) {
  test(`with ${poolMax} connections, unknown keys use ${most} of them at once`, async () => {
    const lookups = lookupsOf(1_000, poolMax);
    const searching = heldSearches();
    const all = Promise.all(Array.from({ length: 20 }, (_, n) => lookups.for(`address ${n}`)(searching.search)));
    await turn();
    assert.equal(searching.running, most);
    await searching.endAll(all);
  });
}

test('an address that floods cannot take all places: another one is looked up beside it, and its flood is refused', async () => {
  const lookups = lookupsOf(10_000);
  const flood = heldSearches();
  const all = Promise.allSettled(Array.from({ length: 2_000 }, () => lookups.for('a')(flood.search)));
  await turn();
  assert.equal(await lookups.for('b')(nothing), null, 'while no lookup of the flood has ended');
  await flood.endAll(all);
  const refused = (await all).flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  assert.deepEqual(new Set(refused), new Set(['SERVICE_UNAVAILABLE']));
  assert.equal(refused.length, 2_000 - 202);
});
