// The header Dry-Run: which values it takes, which routes honour it, and that a route that cannot be previewed is never carried out.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { endpoint } from '@holdfast/contract/api/endpoint.ts';
import { NOT_PREVIEWED } from '@holdfast/contract/previews.ts';
import Type from 'typebox';
import { requirePreviews } from '../../server/src/http/answer-preview.ts';
import { act, read } from '../../server/src/http/route.ts';
import { ADDED, BUILT } from '../contract/inventory-table.ts';
import { codeOf, MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { compare, previewOnly } from './compare.ts';

const DRY = { 'dry-run': 'true' };

const isChanging = (route: string): boolean => !route.startsWith('GET ');
const asListed = (route: string): string => route.replace(/\{(\w+)\}/g, ':$1');

test('every route of the list exists, so that no reason stays behind when its route goes', () => {
  const routes = [...BUILT, ...ADDED].filter(isChanging).map(asListed);
  assert.deepEqual(
    Object.keys(NOT_PREVIEWED).filter((route) => !routes.includes(route)),
    [],
  );
});

test('a changing route without a preview and without a reason stops the start', () => {
  const row = { tag: 'T', summary: 'S', access: 'write', status: 200, wrapping: 'plain', errors: [] } as const;
  const data = Type.Object({});
  const changing = act(endpoint({ ...row, method: 'POST', path: '/things', data }), async () => ({}));
  assert.throws(() => requirePreviews([changing]), /POST \/things has neither a preview nor a reason/);
  requirePreviews([
    read(endpoint({ ...row, method: 'GET', path: '/things', data }), () => ({})),
    act(endpoint({ ...row, method: 'POST', path: '/payments/hold', data }), async () => ({})),
    act(endpoint({ ...row, method: 'POST', path: '/things', data }), {
      answer: async () => ({}),
      preview: async () => ({}),
    }),
  ]);
});

test('400 for every route of the list, with the reason; nothing is carried out', async (t) => {
  const app = await openApp(t, { sandbox: true });
  for (const [route, reason] of Object.entries(NOT_PREVIEWED)) {
    // Only routes whose parameters and body need no valid value reach the check without being refused before.
    if (!/^POST \/(payments\/hold|wallet-keys\/rotate)$|^DELETE \/sandbox\/faults$/.test(route)) continue;
    const body = route.includes('hold') ? { reason: 'to see' } : route.includes('rotate') ? {} : undefined;
    const answer = await app.call(route, { key: MASTER_KEY, headers: DRY, ...(body ? { body } : {}) });
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', `${route} ${answer.text}`);
    assert.ok(answer.body.error.details.validationErrors[0].endsWith(reason), answer.text);
    assert.equal(answer.headers.get('dry-run'), 'true');
  }
  const { body } = await app.call('GET /payments/hold', { key: MASTER_KEY });
  assert.equal(body.data.held, false);
});

test('400 for any other value of the header, and a GET ignores it', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '10.00' });
  for (const value of ['false', 'TRUE', '1', '', 'true, true']) {
    const ask = { body: { amount: '1.00' }, headers: { 'dry-run': value } };
    const answer = await app.call(`POST /users/${userId}/balance/credit`, ask);
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', value);
    assert.match(answer.body.error.details.validationErrors[0], /Dry-Run must be true/);
    const got = await app.call(`GET /users/${userId}/balance`, { headers: { 'dry-run': value } });
    assert.deepEqual([got.status, got.body.data.available, got.headers.get('dry-run')], [200, '10.00', null]);
  }
});

test('the checks of key, scope, body and size come first, and their refusals carry the header', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const reader = await app.key(['read']);
  const request = `POST /users/${userId}/balance/credit`;
  const refusals = [
    [{ key: null, body: { amount: '1.00' } }, '401 UNAUTHORIZED'],
    [{ key: reader, body: { amount: '1.00' } }, '403 INSUFFICIENT_SCOPE'],
    [{ body: {} }, '400 VALIDATION_ERROR'],
    [{ body: { amount: '0.00' } }, '400 INVALID_AMOUNT'],
  ] as const;
  for (const [ask, code] of refusals) {
    const answer = await app.call(request, { ...ask, headers: DRY });
    assert.equal(codeOf(answer), code);
    assert.equal(answer.headers.get('dry-run'), 'true');
  }
});

test('an Idempotency-Key is neither read nor used up', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '10.00' });
  const request = `POST /users/${userId}/balance/debit`;
  const once = { body: { amount: '4.00' }, headers: { 'idempotency-key': randomUUID() } };
  const { real } = await compare(app, request, once);
  assert.equal(real.body.data.available, '6.00');
  // The key has an answer now. The preview shows what a new request would do.
  const again = await previewOnly(app, request, once);
  assert.equal(again.headers.get('idempotency-replay'), null);
  assert.deepEqual(again.body.data.balances[0].after, { available: '2.00', reserved: '0.00' });
});

test('the envelope of a preview, field by field', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '10.00' });
  const { body } = await previewOnly(app, `POST /users/${userId}/balance/credit`, { body: { amount: '5.00' } });
  assert.deepEqual(Object.keys(body), ['data', 'meta']);
  const { reply, events, ...rest } = body.data;
  assert.deepEqual(rest, {
    status: 200,
    postings: [
      { from: 'operator:adjustments', to: `${userId}:available`, amount: '5.00', currency: 'USD', move: 'credit' },
    ],
    balances: [
      {
        userId,
        currency: 'USD',
        before: { available: '10.00', reserved: '0.00' },
        after: { available: '15.00', reserved: '0.00' },
      },
    ],
    calls: [],
  });
  assert.deepEqual([reply.available, reply.userId], ['15.00', userId]);
  assert.deepEqual(
    events.map(({ type, aggregateId }: { type: string; aggregateId: string }) => [type, aggregateId]),
    [['balance.credited', userId]],
  );
});
