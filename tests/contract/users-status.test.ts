// POST /users/{id}/suspend and /reactivate, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { refusalOf } from './refusals.ts';

const change = (app: TestApp, request: string, body?: object) =>
  app.call(`POST /users/${request}`, body === undefined ? {} : { body });

test('200 suspends and lets come back, and the money stays where it was', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser({ available: '5.00' });
  const suspended = await change(app, `${id}/suspend`, { reason: 'chargeback' });
  assert.equal(suspended.status, 200);
  assert.deepEqual([suspended.body.data.status, suspended.body.data.balance.available], ['SUSPENDED', '5.00']);
  assert.deepEqual((await app.call(`GET /users/${id}`)).body.data, suspended.body.data);
  const back = await change(app, `${id}/reactivate`);
  assert.deepEqual([back.status, back.body.data.status], [200, 'ACTIVE']);
  assert.ok(back.body.data.updatedAt > suspended.body.data.updatedAt);
});

test('200 without a body, with an empty one and with a reason', async (t) => {
  const app = await openApp(t);
  for (const body of [undefined, {}, { reason: 'chargeback' }]) {
    const id = await app.aUser();
    assert.equal((await change(app, `${id}/suspend`, body)).status, 200);
    assert.equal((await change(app, `${id}/reactivate`, body)).status, 200);
  }
});

test('each change is one audit entry with its reason', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  await change(app, `${id}/suspend`, { reason: 'chargeback' });
  await change(app, `${id}/reactivate`);
  const entries = (await app.call(`GET /audit/logs?resourceId=${id}`)).body.data.data.slice(0, 2);
  assert.deepEqual(
    // biome-ignore lint/suspicious/noExplicitAny: an entry is read like JavaScript would
    entries.map((entry: any) => [entry.action, entry.payloadBefore, entry.payloadAfter]),
    [
      ['USER_REACTIVATED', { status: 'SUSPENDED' }, { status: 'ACTIVE', reason: null }],
      ['USER_SUSPENDED', { status: 'ACTIVE' }, { status: 'SUSPENDED', reason: 'chargeback' }],
    ],
  );
});

test('409 INVALID_STATE says the state and what can be done, and leaves no trace', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  assert.deepEqual(await refusalOf(app, () => change(app, `${id}/reactivate`)), {
    status: 409,
    code: 'INVALID_STATE',
    details: { currentState: 'ACTIVE', allowedActions: ['suspend'] },
  });
  await change(app, `${id}/suspend`);
  assert.deepEqual(await refusalOf(app, () => change(app, `${id}/suspend`)), {
    status: 409,
    code: 'INVALID_STATE',
    details: { currentState: 'SUSPENDED', allowedActions: ['reactivate'] },
  });
});

test('twenty suspends at once are one change and nineteen refusals', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const answers = await Promise.all(Array.from({ length: 20 }, () => change(app, `${id}/suspend`)));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(19).fill(409)]);
  const entries = await app.sql("select count(*)::int as count from audit_entries where action = 'USER_SUSPENDED'");
  assert.equal(entries[0].count, 1);
});

test('404 for a user of another marketplace, 400 for a bad reason or an unknown field', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const elsewhere = await app.key(['*'], 'mkt_other');
  for (const verb of ['suspend', 'reactivate']) {
    const asked = (ask: object) => refusalOf(app, () => app.call(`POST /users/${id}/${verb}`, ask));
    assert.deepEqual(await asked({ key: elsewhere }), { status: 404, code: 'USER_NOT_FOUND', details: {} });
    for (const body of [{ reason: '' }, { reason: 'x'.repeat(501) }, { reason: 7 }, { why: 'x' }]) {
      const { status, code, details } = await asked({ body });
      assert.deepEqual([status, code, details.validationErrors.length], [400, 'VALIDATION_ERROR', 1]);
    }
  }
});
