// The scopes of money that is made or leaves: `treasury` and `payout`. `write` contains them unless WRITE_INCLUDES says otherwise.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { PAYOUT, TREASURY } from './inventory-table.ts';
import { assertNoTrace, readRefusal } from './refusals.ts';

/** Without a body, and about records that do not exist: a key that may do it gets 400 or 404. */
const ask = (app: TestApp, route: string, key: string) => app.call(route.replace(/\{[^}]+\}/g, 'some-id'), { key });

const assertAllowed = async (app: TestApp, routes: readonly string[], key: string): Promise<void> => {
  for (const route of routes) {
    const { status, text } = await ask(app, route, key);
    assert.ok([400, 404].includes(status), `${route}: ${status} ${text}`);
  }
};

type Refused = { readonly routes: readonly string[]; readonly key: string; readonly requiredScope: string };

const assertRefused = (app: TestApp, { routes, key, requiredScope }: Refused): Promise<void> =>
  assertNoTrace(app, async () => {
    for (const route of routes) {
      const { status, code, details } = readRefusal(await ask(app, route, key));
      assert.deepEqual([status, code, details.requiredScope], [403, 'INSUFFICIENT_SCOPE', requiredScope], route);
    }
  });

const OTHERS = [
  'POST /users',
  'POST /orders',
  'POST /users/{userId}/balance/reserve',
  'POST /withdrawals/{id}/refresh',
];

test('a key with treasury or payout alone may do just that, and move real money with it', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const treasury = await app.key(['treasury']);
  const payout = await app.key(['payout']);
  await assertAllowed(app, TREASURY, treasury);
  await assertAllowed(app, PAYOUT, payout);
  await assertRefused(app, { routes: [...PAYOUT, ...OTHERS], key: treasury, requiredScope: 'write' });
  await assertRefused(app, { routes: [...TREASURY, ...OTHERS], key: payout, requiredScope: 'write' });
  await assertRefused(app, { routes: ['GET /users/{userId}/balance'], key: treasury, requiredScope: 'read' });
  const credited = await app.call(`POST /users/${userId}/balance/credit`, { key: treasury, body: { amount: '5.00' } });
  assert.deepEqual([credited.status, credited.body.data.available], [200, '5.00']);
});

test('write contains both by default, also in a token', async (t) => {
  const app = await openApp(t);
  const write = await app.key(['write']);
  await assertAllowed(app, [...TREASURY, ...PAYOUT, ...OTHERS], write);
  const { apiKeyId } = (await app.call('GET /auth/me', { key: write })).body.data;
  const tokenOf = async (scopes: readonly string[]) =>
    (await app.call(`POST /auth/api-keys/${apiKeyId}/token`, { key: write, body: { scopes } })).body.data;
  const narrow = await tokenOf(['treasury']);
  assert.deepEqual(narrow.scopes, ['treasury']);
  await assertAllowed(app, TREASURY, narrow.token);
  await assertRefused(app, { routes: [...PAYOUT, ...OTHERS], key: narrow.token, requiredScope: 'write' });
  await assertAllowed(app, PAYOUT, (await tokenOf(['write'])).token);
});

test('WRITE_INCLUDES takes from write what it does not name', async (t) => {
  const app = await startApp(t, { env: { WRITE_INCLUDES: 'payout' } });
  const write = await app.key(['read', 'write']);
  await assertAllowed(app, [...PAYOUT, ...OTHERS], write);
  await assertRefused(app, { routes: TREASURY, key: write, requiredScope: 'treasury' });
  await assertAllowed(app, TREASURY, await app.key(['treasury']));
  assert.deepEqual((await app.call('GET /config')).body.data.writeIncludes, ['payout']);
});

test('WRITE_INCLUDES=none separates both, and a token cannot bring them back', async (t) => {
  const app = await startApp(t, { env: { WRITE_INCLUDES: 'none' } });
  const write = await app.key(['write']);
  await assertRefused(app, { routes: TREASURY, key: write, requiredScope: 'treasury' });
  await assertRefused(app, { routes: PAYOUT, key: write, requiredScope: 'payout' });
  await assertAllowed(app, OTHERS, write);
  for (const key of [await app.key(['*']), MASTER_KEY, await app.key(['write', 'treasury', 'payout'])]) {
    await assertAllowed(app, [...TREASURY, ...PAYOUT, ...OTHERS], key);
  }
  const { apiKeyId } = (await app.call('GET /auth/me', { key: write })).body.data;
  const path = `POST /auth/api-keys/${apiKeyId}/token`;
  assert.equal(codeOf(await app.call(path, { key: write, body: { scopes: ['payout'] } })), '403 INSUFFICIENT_SCOPE');
  const { token } = (await app.call(path, { key: write, body: { scopes: ['write'] } })).body.data;
  await assertRefused(app, { routes: PAYOUT, key: token, requiredScope: 'payout' });
});
