// The correction credit-late-topup: credits what the provider's record proves, once, and refuses everything else with the facts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, openSharedPayments, type PaymentFixture } from '../payments/payment-fixture.ts';
import { codeOf } from '../support/app.ts';

const REASON = 'The bank confirmed the payment by phone.';

const correct = ({ app }: Pick<PaymentFixture, 'app'>, resourceId: string, more: Any = {}) => {
  const { headers, key, ...body } = more;
  return app.call('POST /corrections', {
    body: { kind: 'credit-late-topup', resourceId, reason: REASON, ...body },
    ...(headers ? { headers } : {}),
    ...(key ? { key } : {}),
  });
};

const openLate = async (t: Parameters<typeof openSharedPayments>[0]) => {
  const fixture = await openSharedPayments(t);
  const made = await fixture.aTopup();
  await fixture.control(`POST /payins/${made.id}/cancel`);
  await fixture.control(`POST /payins/${made.id}/confirm-late`);
  return { ...fixture, fixture, ...made };
};

test('a late payment is credited once, with figures before and after, an event and an audit entry', async (t) => {
  const { fixture, app, id, userId, available, get } = await openLate(t);
  const preview = await correct(fixture, id, { headers: { 'dry-run': 'true' } });
  assert.equal(preview.status, 200, preview.text);
  assert.equal(preview.body.data.reply.after.status, 'TOPUP_SUCCEEDED');
  assert.deepEqual(preview.body.data.balances[0].after, { available: '25.50', reserved: '0.00' });
  assert.equal(await available(userId), '0.00');

  const made = await correct(fixture, id);
  assert.equal(made.status, 201, made.text);
  const { data } = made.body;
  assert.deepEqual([data.kind, data.resourceId, data.reason], ['credit-late-topup', id, REASON]);
  assert.deepEqual([data.amount, data.currency, data.orderId], ['25.50', 'USD', null]);
  assert.deepEqual([data.before.status, data.before.available], ['TOPUP_CANCELED', '0.00']);
  assert.deepEqual([data.after.status, data.after.available], ['TOPUP_SUCCEEDED', '25.50']);
  assert.deepEqual([await available(userId), (await get(id)).status], ['25.50', 'TOPUP_SUCCEEDED']);

  assert.deepEqual((await app.call(`GET /corrections/${data.id}`)).body.data, data);
  const listed = await app.call(`GET /corrections?kind=credit-late-topup&resourceId=${id}`);
  assert.deepEqual(listed.body.data.data, [data]);
  const events = await app.sql("select envelope from events where event_type = 'correction.applied'");
  assert.equal(JSON.parse(events[0].envelope).payload.correctionId, data.id);
  const [entry] = (await app.call('GET /audit/logs?action=CORRECTION_APPLIED')).body.data.data;
  assert.deepEqual([entry.resourceId, entry.payloadAfter.reason], [data.id, REASON]);

  const again = await correct(fixture, id);
  assert.equal(codeOf(again), '409 CORRECTION_REFUSED');
  assert.equal(again.body.error.details.facts.status, 'TOPUP_SUCCEEDED');
  await fixture.assertSettled();
});

test('two corrections at the same time credit the user once', async (t) => {
  const { fixture, id, userId, available } = await openLate(t);
  const answers = await Promise.all([1, 2, 3].map(() => correct(fixture, id)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  assert.equal(await available(userId), '25.50');
  await fixture.assertSettled();
});

test('a payment over another amount is credited only when the caller names what was paid', async (t) => {
  const fixture = await openSharedPayments(t);
  const { app, arm, control, available } = fixture;
  arm({ operation: 'payin', fault: 'wrong-amount' });
  const userId = await app.aUser();
  const { body } = await app.call('POST /topups', { body: { userId, amount: '25.50' } });
  const id = body.error.details.topupId;
  await control(`POST /payins/${id}/confirm-late`);
  const refused = await correct(fixture, id);
  assert.equal(codeOf(refused), '409 CORRECTION_REFUSED');
  assert.match(refused.body.error.message, /"amount": "26.50"/);
  assert.equal(codeOf(await correct(fixture, id, { amount: '25.50' })), '409 CORRECTION_REFUSED');
  assert.equal((await correct(fixture, id, { amount: '26.50' })).status, 201);
  assert.equal(await available(userId), '26.50');
  await fixture.assertSettled();
});

test('a top-up that was not paid, is open, was credited by hand or is unknown is refused with the facts', async (t) => {
  const fixture = await openSharedPayments(t);
  const { app, aTopup, control, arm, sandbox } = fixture;
  const { id, userId } = await aTopup();
  const open = await correct(fixture, id);
  assert.equal(codeOf(open), '409 CORRECTION_REFUSED');
  assert.match(open.body.error.message, /refresh/);
  await control(`POST /payins/${id}/cancel`);
  const unpaid = await correct(fixture, id);
  assert.equal(codeOf(unpaid), '409 CORRECTION_REFUSED');
  assert.equal(unpaid.body.error.details.facts.provider, 'unpaid');
  arm({ operation: 'payin-get', fault: 'refusal', count: 1_000, match: id });
  assert.equal(codeOf(await correct(fixture, id)), '504 PROVIDER_TIMEOUT');
  sandbox.faults.clear();
  await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '25.50', reference: id } });
  await control(`POST /payins/${id}/confirm-late`);
  assert.match((await correct(fixture, id)).body.error.message, /by hand/);
  assert.equal(codeOf(await correct(fixture, 'top_unknown')), '404 TOPUP_NOT_FOUND');
  assert.equal(codeOf(await correct(fixture, id, { reason: 'short' })), '400 VALIDATION_ERROR');
  assert.equal(codeOf(await correct(fixture, id, { reason: ' spaces          ' })), '400 VALIDATION_ERROR');
  const writer = await app.key(['read', 'write']);
  assert.equal(codeOf(await correct(fixture, id, { key: writer })), '403 INSUFFICIENT_SCOPE');
});

test('a correction waits for another actor where a rule says so, and is carried out once', async (t) => {
  const { fixture, app, id, userId, available } = await openLate(t);
  await app.call('PUT /approval-rules', { body: [{ action: 'correction' }] });
  const held = await correct(fixture, id);
  assert.equal(held.status, 202, held.text);
  assert.deepEqual([held.body.data.approval.action, held.body.data.approval.amount], ['correction', '25.50']);
  assert.equal(await available(userId), '0.00');
  const other = await app.key(['read', 'support']);
  const path = `POST /approvals/${held.body.data.approval.id}/approve`;
  const approved = await app.call(path, { key: other });
  assert.equal(approved.body.data.status, 'APPROVED', approved.text);
  assert.equal(approved.body.data.result.kind, 'credit-late-topup');
  assert.equal(await available(userId), '25.50');
  assert.equal(codeOf(await app.call(path, { key: other })), '409 INVALID_STATE');
  await app.call('PUT /approval-rules', { body: [] });
  await fixture.assertSettled();
});
