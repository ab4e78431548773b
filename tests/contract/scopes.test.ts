// Which key each route of Surface A needs, asked of every route: 401 and 403 before anything else is looked at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { ADDED, ADMIN, ANY_KEY, BUILT, EVERY_SCOPE, MASTER, PUBLIC, SUPPORT } from './inventory-table.ts';
import { assertNoTrace, readRefusal } from './refusals.ts';

const SCOPES = ['read', 'write', 'support'] as const;

const ROUTES = [...BUILT, ...ADDED].filter((route) => !PUBLIC.includes(route));
const SCOPED = ROUTES.filter((route) => ![...MASTER, ...ADMIN, ...ANY_KEY, ...EVERY_SCOPE].includes(route));

const scopeOf = (route: string): (typeof SCOPES)[number] => {
  if (SUPPORT.includes(route)) return 'support';
  return route.startsWith('GET ') ? 'read' : 'write';
};

/** Without a body, and about records that do not exist: a key that may do it gets 400 or 404. */
const ask = (app: TestApp, route: string, key: string | null) =>
  app.call(route.replace(/\{[^}]+\}/g, 'some-id'), { key });

test('401 UNAUTHORIZED on every route without a key and with one that does not exist', async (t) => {
  const app = await openApp(t, { sandbox: true });
  await assertNoTrace(app, async () => {
    for (const route of ROUTES) {
      for (const key of [null, 'unknown']) {
        const refusal = readRefusal(await ask(app, route, key));
        assert.deepEqual(refusal, { status: 401, code: 'UNAUTHORIZED', details: {} }, route);
      }
    }
  });
});

test('403 INSUFFICIENT_SCOPE with every scope but the one that a route needs, which the answer names', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const others = Object.fromEntries(SCOPES.map((scope) => [scope, SCOPES.filter((other) => other !== scope)]));
  const keys = new Map<string, string>();
  for (const scope of SCOPES) keys.set(scope, await app.key(others[scope]!));
  await assertNoTrace(app, async () => {
    for (const route of SCOPED) {
      const scope = scopeOf(route);
      const refusal = readRefusal(await ask(app, route, keys.get(scope)!));
      const details = { requiredScope: scope, scopes: others[scope] };
      assert.deepEqual(refusal, { status: 403, code: 'INSUFFICIENT_SCOPE', details }, route);
    }
  });
});

test('403 INSUFFICIENT_SCOPE with every scope on what only the master key may do', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const key = await app.key(['*']);
  for (const route of [...MASTER, ...ADMIN]) {
    const { status, code, details } = readRefusal(await ask(app, route, key));
    const needed = ADMIN.includes(route) ? 'admin' : 'master';
    assert.deepEqual([status, code, details.requiredScope], [403, 'INSUFFICIENT_SCOPE', needed], route);
  }
});

test('403 INSUFFICIENT_SCOPE with all scopes but `*` on what needs every scope', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const key = await app.key(['read', 'write', 'support', 'treasury', 'payout']);
  const all = await app.key(['*']);
  for (const route of EVERY_SCOPE) {
    const { status, details } = readRefusal(await ask(app, route, key));
    assert.deepEqual([status, details.requiredScope], [403, '*'], route);
    assert.equal((await ask(app, route, all)).status, 400, route);
  }
});

test('a key with no scope but the one that a route needs is not refused by its scope', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const keys = new Map<string, string>();
  for (const scope of SCOPES) keys.set(scope, await app.key([scope]));
  for (const route of SCOPED) {
    const { status, text } = await ask(app, route, keys.get(scopeOf(route))!);
    assert.ok([200, 400, 404].includes(status), `${route}: ${status} ${text}`);
  }
});
