// POST /users/{id}/payment-account/link, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { refusalOf } from './refusals.ts';

const link = (app: TestApp, id: string, body: object) => app.call(`POST /users/${id}/payment-account/link`, { body });

const counts = (app: TestApp) =>
  app.sql('select (select count(*)::int from events) as events, (select count(*)::int from audit_entries) as entries');

test('200 links by e-mail or by the id at the provider, in either spelling', async (t) => {
  const app = await openApp(t);
  for (const body of [
    { email: 'ada@example.com' },
    { paymentAccountUserId: 'acct-7' },
    { payment_account_user_id: 'acct-8' },
  ]) {
    const id = await app.aUser({ available: '3.00' });
    const answer = await link(app, id, body);
    assert.equal(answer.status, 200);
    const { paymentAccountUserId, paymentAccountLinkedAt, updatedAt, balance } = answer.body.data;
    assert.equal(paymentAccountUserId, Object.values(body)[0]);
    assert.equal(paymentAccountLinkedAt, updatedAt);
    assert.equal(balance.available, '3.00');
    assert.deepEqual((await app.call(`GET /users/${id}`)).body.data, answer.body.data);
  }
});

test('200 for the same account again is the same answer and leaves no second event or entry', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const first = await link(app, id, { email: 'ada@example.com' });
  const before = await counts(app);
  const again = await link(app, id, { email: 'ada@example.com' });
  assert.equal(again.status, 200);
  assert.deepEqual(again.body.data, first.body.data);
  assert.deepEqual(await counts(app), before);
});

test('200 for another account replaces the first', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  await link(app, id, { email: 'ada@example.com' });
  const { data } = (await link(app, id, { paymentAccountUserId: 'acct-7' })).body;
  assert.equal(data.paymentAccountUserId, 'acct-7');
  const events = await app.sql(
    "select envelope from events where event_type = 'user.payment_account_linked' order by position",
  );
  assert.deepEqual(
    events.map((row) => JSON.parse(row.envelope).payload.paymentAccountUserId),
    ['ada@example.com', 'acct-7'],
  );
});

test('a link is one event with its exact payload, and one audit entry with the e-mail masked', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const answer = await link(app, id, { email: 'ada@example.com' });
  const [row] = await app.sql("select envelope from events where event_type = 'user.payment_account_linked'");
  const { aggregateType, aggregateId, payload } = JSON.parse(row.envelope);
  assert.deepEqual([aggregateType, aggregateId], ['User', id]);
  assert.deepEqual(payload, {
    userId: id,
    paymentAccountUserId: 'ada@example.com',
    linkedAt: answer.body.data.paymentAccountLinkedAt,
  });
  const [entry] = (await app.call('GET /audit/logs?action=USER_PAYMENT_ACCOUNT_LINKED')).body.data.data;
  assert.deepEqual([entry.resourceType, entry.resourceId], ['User', id]);
  assert.deepEqual(entry.payloadBefore, { paymentAccountUserId: null });
  assert.deepEqual(entry.payloadAfter, { paymentAccountUserId: 'a***@example.com' });
});

test('400 VALIDATION_ERROR with neither field, and with a bad or unknown one', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const cases: [object, string][] = [
    [{}, 'send email, paymentAccountUserId or both'],
    [{ email: 'nope' }, 'email must be an e-mail address'],
    [{ paymentAccountUserId: '' }, 'paymentAccountUserId must not be empty'],
    [{ email: 'ada@example.com', colour: 'red' }, 'colour is not a known field'],
  ];
  for (const [body, sentence] of cases) {
    assert.deepEqual(await refusalOf(app, () => link(app, id, body)), {
      status: 400,
      code: 'VALIDATION_ERROR',
      details: { validationErrors: [sentence] },
    });
  }
});

test('404 USER_NOT_FOUND for unknown ids and for users of another marketplace', async (t) => {
  const app = await openApp(t);
  const id = await app.aUser();
  const elsewhere = await app.key(['*'], 'mkt_other');
  const refused = (key: string, userId = id) =>
    refusalOf(app, () =>
      app.call(`POST /users/${userId}/payment-account/link`, { key, body: { email: 'ada@example.com' } }),
    );
  for (const missing of [await refused(elsewhere), await refused(await app.key(['write']), 'usr_unknown')]) {
    assert.deepEqual(missing, { status: 404, code: 'USER_NOT_FOUND', details: {} });
  }
});
