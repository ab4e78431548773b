// The routes of webhook endpoints, by status.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { codeOf, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { refusalOf } from './refusals.ts';

const PATH = '/webhook-endpoints';
const UNKNOWN = 'whe_01J9ZQ8H7K5M3N2P4R6S8T0V1W';
const BODY = { url: 'https://shop.example/hooks', events: ['order.*', 'user.created'] };

/** With its key, which is made by the first request. */
const openWithKey = async (t: TestContext): Promise<TestApp> => {
  const app = await openApp(t);
  await app.call('GET /auth/me');
  return app;
};

const create = (app: TestApp, body: object = BODY) => app.call(`POST ${PATH}`, { body });

const anEndpoint = async (app: TestApp, body?: object) => {
  const created = await create(app, body);
  assert.equal(created.status, 201, created.text);
  return created.body.data;
};

test('201 creates an endpoint and shows its secret, which no other answer shows', async (t) => {
  const app = await openWithKey(t);
  const { id, secret, createdAt, updatedAt, ...rest } = await anEndpoint(app, { ...BODY, description: 'Orders' });
  assert.match(id, /^whe_[0-9A-HJKMNP-TV-Z]{26}$/);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(createdAt, updatedAt);
  assert.deepEqual(rest, {
    ...BODY,
    description: 'Orders',
    enabled: true,
    status: 'ACTIVE',
    disabledReason: null,
    payload: 'full',
    signature: 'v1',
    publicKey: null,
    previousSecretExpiresAt: null,
  });
  const shown = { id, createdAt, updatedAt, ...rest };
  assert.deepEqual((await app.call(`GET ${PATH}`)).body.data.data, [shown]);
  const { health, ...one } = (await app.call(`GET ${PATH}/${id}`)).body.data;
  assert.deepEqual(one, shown);
  assert.deepEqual(health, {
    deliveries: 0,
    successRate: null,
    durationMs: { p50: null, p99: null },
    delayMs: { p50: null, p99: null },
    backlog: 0,
    pending: 0,
    failed: 0,
    missed: 0,
    failingSince: null,
    lastSuccessAt: null,
    lastFailureAt: null,
  });
});

test('a secret is sealed in the database, and stands in no row, event or audit entry', async (t) => {
  const app = await openWithKey(t);
  const { id, secret } = await anEndpoint(app);
  const rotated = (await app.call(`POST ${PATH}/${id}/rotate-secret`)).body.data.secret;
  const rows = [
    ...(await app.sql('select t::text as row from webhook_endpoints t')),
    ...(await app.sql('select t::text as row from audit_entries t')),
    ...(await app.sql('select t::text as row from idempotency_answers t')),
  ].map(({ row }) => row);
  for (const one of [secret, rotated]) {
    const raw = one.slice('whsec_'.length);
    assert.equal(
      rows.some((row) => row.includes(raw)),
      false,
    );
  }
  const [stored] = await app.sql('select sealed_secret, previous_sealed_secret from webhook_endpoints');
  assert.match(stored.sealed_secret, /^v1\.1\./);
  assert.match(stored.previous_sealed_secret, /^v1\.1\./);
});

test('a repeat with the same Idempotency-Key answers the same endpoint and the same secret', async (t) => {
  const app = await openWithKey(t);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await app.call(`POST ${PATH}`, { body: BODY, headers });
  const again = await app.call(`POST ${PATH}`, { body: BODY, headers });
  assert.equal(first.status, 201);
  assert.deepEqual(again.body.data, first.body.data);
  assert.equal((await app.sql('select 1 from webhook_endpoints')).length, 1);
});

test('201 with v1a shows the public key, and only that', async (t) => {
  const app = await openWithKey(t);
  const { id, secret, publicKey } = await anEndpoint(app, { ...BODY, signature: 'v1a' });
  assert.match(secret, /^whpk_[A-Za-z0-9+/]{43}=$/);
  assert.equal(publicKey, secret);
  assert.equal((await app.call(`GET ${PATH}/${id}`)).body.data.publicKey, secret);
});

test('400 for an address that cannot get events, with the reason', async (t) => {
  const app = await openWithKey(t);
  const cases: [string, RegExp][] = [
    ['http://shop.example/hooks', /begin with https/],
    ['ftp://shop.example/', /https address/],
    ['not an address', /https address/],
    ['https://me:secret@shop.example/', /user name or password/],
    ['https://shop.example/#part', /fragment/],
    ['https://localhost/hooks', /public internet/],
    ['https://printer/hooks', /public internet/],
    ['https://db.internal/hooks', /public internet/],
    ['https://127.0.0.1/hooks', /public internet/],
    ['https://10.1.2.3/hooks', /public internet/],
    ['https://169.254.169.254/latest', /public internet/],
    ['https://[::1]/hooks', /public internet/],
    ['https://[::ffff:10.0.0.1]/hooks', /public internet/],
    ['https://[fd00::1]/hooks', /public internet/],
    ['https://2130706433/hooks', /public internet/],
    ['https://0x7f.1/hooks', /public internet/],
    ['https://100.64.0.1/hooks', /public internet/],
  ];
  for (const [url, reason] of cases) {
    const { status, code, details } = await refusalOf(app, () => create(app, { ...BODY, url }));
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], url);
    assert.match(details.validationErrors.join(' '), reason, url);
  }
});

test('400 for events that do not exist, and for fields that do not fit', async (t) => {
  const app = await openWithKey(t);
  const bodies = [
    { ...BODY, events: ['order.unheard_of'] },
    { ...BODY, events: ['orders.*'] },
    { ...BODY, events: ['order*'] },
    { ...BODY, events: [] },
    { ...BODY, events: ['order.*', 'order.*'] },
    { ...BODY, payload: 'huge' },
    { ...BODY, signature: 'v2' },
    { ...BODY, url: `https://shop.example/${'a'.repeat(2_000)}` },
    { ...BODY, secret: 'whsec_mine' },
    { events: ['*'] },
  ];
  for (const body of bodies) {
    const { status, code } = await refusalOf(app, () => create(app, body));
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], JSON.stringify(body).slice(0, 100));
  }
});

test('409 WEBHOOK_ENDPOINT_LIMIT for one more than a marketplace may have; a deleted one makes room', async (t) => {
  const app = await openWithKey(t);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) ids.push((await anEndpoint(app)).id);
  const { status, code, details } = await refusalOf(app, () => create(app));
  assert.deepEqual({ status, code, details }, { status: 409, code: 'WEBHOOK_ENDPOINT_LIMIT', details: { limit: 20 } });
  assert.equal((await app.call(`DELETE ${PATH}/${ids[0]}`)).status, 200);
  assert.equal((await create(app)).status, 201);
});

test('200 PATCH changes only what is sent, and says who changed it', async (t) => {
  const app = await openWithKey(t);
  const { id, secret, ...before } = await anEndpoint(app, { ...BODY, description: 'Orders' });
  const patch = (body: object) => app.call(`PATCH ${PATH}/${id}`, { body });
  const off = (await patch({ enabled: false })).body.data;
  assert.deepEqual(
    { ...off, updatedAt: before.updatedAt },
    { id, ...before, enabled: false, status: 'DISABLED', disabledReason: 'REQUESTED' },
  );
  const on = (await patch({ enabled: true, description: null, url: 'https://other.example/', events: ['*'] })).body
    .data;
  assert.deepEqual(
    [on.enabled, on.status, on.disabledReason, on.description, on.url, on.events],
    [true, 'ACTIVE', null, null, 'https://other.example/', ['*']],
  );
  assert.equal(codeOf(await patch({ url: 'https://10.0.0.1/' })), '400 VALIDATION_ERROR');
  assert.equal(codeOf(await patch({ signature: 'v1a' })), '400 VALIDATION_ERROR');
  const actions = await app.sql(
    `select action, actor_type from audit_entries where resource_id = '${id}' order by seq`,
  );
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['WEBHOOK_ENDPOINT_CREATED', 'WEBHOOK_ENDPOINT_CHANGED', 'WEBHOOK_ENDPOINT_CHANGED'],
  );
});

test('200 DELETE ends the endpoint, and every route then answers 404', async (t) => {
  const app = await openWithKey(t);
  const { id } = await anEndpoint(app);
  assert.equal((await app.call(`DELETE ${PATH}/${id}`)).body.data.status, 'DISABLED');
  assert.deepEqual((await app.call(`GET ${PATH}`)).body.data.data, []);
  for (const gone of [id, UNKNOWN, 'nonsense']) {
    const requests: [string, object?][] = [
      [`GET ${PATH}/${gone}`],
      [`PATCH ${PATH}/${gone}`, { enabled: true }],
      [`DELETE ${PATH}/${gone}`],
      [`POST ${PATH}/${gone}/rotate-secret`],
      [`POST ${PATH}/${gone}/test`],
      [`POST ${PATH}/${gone}/replay`, { since: '2026-11-15T09:30:00Z' }],
      [`POST ${PATH}/${gone}/retry-failed`, { since: '2026-11-15T09:30:00Z' }],
    ];
    for (const [request, body] of requests) {
      const answer = await app.call(request, body ? { body } : {});
      assert.equal(codeOf(answer), '404 WEBHOOK_ENDPOINT_NOT_FOUND', request);
    }
  }
});

test('another marketplace sees and changes nothing of it', async (t) => {
  const app = await openWithKey(t);
  const { id } = await anEndpoint(app);
  const key = await app.key(['*'], 'mkt_elsewhere');
  assert.deepEqual((await app.call(`GET ${PATH}`, { key })).body.data.data, []);
  assert.equal(codeOf(await app.call(`GET ${PATH}/${id}`, { key })), '404 WEBHOOK_ENDPOINT_NOT_FOUND');
  assert.equal(codeOf(await app.call(`DELETE ${PATH}/${id}`, { key })), '404 WEBHOOK_ENDPOINT_NOT_FOUND');
});

test('409 INVALID_STATE for a test, a replay and retries while the endpoint is disabled', async (t) => {
  const app = await openWithKey(t);
  const { id } = await anEndpoint(app, { ...BODY, enabled: false });
  const since = { body: { since: '2026-11-15T09:30:00Z' } };
  for (const [action, ask] of [
    ['test', {}],
    ['replay', since],
    ['retry-failed', since],
  ] as const) {
    const { status, code, details } = await refusalOf(app, () => app.call(`POST ${PATH}/${id}/${action}`, ask));
    assert.deepEqual([status, code, details.currentState], [409, 'INVALID_STATE', 'DISABLED'], action);
  }
});

test('400 for a replay from something that is neither a time nor an event', async (t) => {
  const app = await openWithKey(t);
  const { id } = await anEndpoint(app);
  for (const since of ['yesterday', '2026-13-01T00:00:00Z', 'evt_01J9ZQ8H7K5M3N2P4R6S8T0V1W', '', 'ord_1']) {
    const { status, code } = await refusalOf(app, () => app.call(`POST ${PATH}/${id}/replay`, { body: { since } }));
    assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], since);
  }
});
