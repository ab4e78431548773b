// The header Dry-Run: which values it takes, which routes honour it, and that a route that cannot be previewed is never carried out.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { endpoint } from '@holdfast/contract/api/endpoint.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { NOT_PREVIEWED } from '@holdfast/contract/previews.ts';
import { PAYIN_DECISIONS, PAYOUT_DECISIONS } from '@holdfast/contract/sandbox.ts';
import fc from 'fast-check';
import Type from 'typebox';
import { requirePreviews } from '../../server/src/http/answer-preview.ts';
import { act, read } from '../../server/src/http/route.ts';
import { readOperations } from '../../tools/fuzz/document.ts';
import { fitting } from '../../tools/fuzz/values.ts';
import { ADDED, BUILT } from '../contract/inventory-table.ts';
import { codeOf, MASTER_KEY } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { compare, headOf, previewOnly, requireUnmoved } from './compare.ts';

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

const RECORD = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Puts the id of a record that does not exist where the campaign leaves an id open. */
const withIds = (text: string): string => text.replace(/@\{(\w+):\d+\}/g, `$1_${RECORD}`);

/** The patterns of the credentials are beyond the values of the campaign. */
const BODIES: Readonly<Record<string, object>> = {
  'PUT /marketplaces/:id/payment-provider': {
    apiKey: 'key-of-the-test',
    apiSecret: 'secret-of-the-test',
    webhookSecret: `whsec_${'A'.repeat(32)}`,
  },
};

const paramOf = (route: string, name: string): string => {
  if (name === 'decision') return route.includes('payins') ? PAYIN_DECISIONS[0] : PAYOUT_DECISIONS[0];
  return route.includes('/marketplaces/') ? DEFAULT_MARKETPLACE : `usr_${RECORD}`;
};

test('400 for every route of the list, with the reason; nothing is carried out', async (t) => {
  const app = await openApp(t, { sandbox: true });
  const operations = await readOperations(app.url);
  await app.aUser();
  const before = await headOf(app);
  // Tests of the same process may have left some.
  const faultIds = async (): Promise<string[]> =>
    (await app.call('GET /sandbox/faults')).body.data.faults.map(({ id }: { id: string }) => id);
  const armed = await faultIds();
  for (const [route, reason] of Object.entries(NOT_PREVIEWED)) {
    const named = operations.find(({ name }) => asListed(name.replace('/api/v1', '')) === route);
    assert.ok(named, route);
    // A body that the schema accepts, as the fuzz campaign makes them: the request gets as far as it can.
    const [made] = named.body ? fc.sample(fitting(named.body), { seed: 1, numRuns: 1 }) : [];
    const body = made === undefined ? {} : { body: BODIES[route] ?? JSON.parse(withIds(JSON.stringify(made))) };
    const request = route.replace(/:(\w+)/g, (_, name: string) => paramOf(route, name));
    const answer = await app.call(request, { key: MASTER_KEY, headers: DRY, ...body });
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', `${route} ${answer.text}`);
    assert.deepEqual(
      answer.body.error.details.validationErrors,
      [`This route has no preview, and nothing was changed: ${reason}`],
      `${route} ${answer.text}`,
    );
    assert.equal(answer.headers.get('dry-run'), 'true');
  }
  await requireUnmoved(app, { before, request: 'a route without a preview' });
  const { body } = await app.call('GET /payments/hold', { key: MASTER_KEY });
  assert.equal(body.data.held, false);
  assert.deepEqual(await faultIds(), armed);
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

test('on a quiet marketplace no preview moves the head of the trail or of the stream, and the request moves both', async (t) => {
  // Without outside systems no job makes wallets.
  const app = await openApp(t);
  const userId = await app.aUser({ available: '10.00' });
  const sellerId = await app.aUser();
  const before = await headOf(app);
  const order = { buyerId: userId, sellerId, amount: '5.00' };
  for (const [request, body, status] of [
    ['POST /users', { externalUserId: 'a new one' }, 200],
    [`POST /users/${userId}/balance/credit`, { amount: '5.00' }, 200],
    [`POST /users/${userId}/balance/debit`, { amount: '50.00' }, 422],
    [`POST /users/${userId}/suspend`, {}, 200],
    ['POST /orders', order, 200],
    ['POST /policies', { name: 'of a preview', rules: {} }, 200],
  ] as const) {
    const answer = await app.call(request, { body, headers: DRY });
    assert.equal(answer.status, status, `${request} ${answer.text}`);
    assert.deepEqual(await headOf(app), before, request);
  }
  assert.equal((await app.call('POST /orders', { body: order })).status, 201);
  const { audit_seq, audit_hash, event_position } = await headOf(app);
  for (const [moved, from] of [
    [audit_seq, before.audit_seq],
    [audit_hash, before.audit_hash],
    [event_position, before.event_position],
  ]) {
    assert.notEqual(moved, from);
  }
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
