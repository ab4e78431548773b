// A top-up that is paid after it had failed or been cancelled: booked for the operator and shown as an alert, or credited once with
// LATE_TOPUPS=credit. It is found with and without its webhook.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { builderOf } from '../support/builder.ts';
import { type Any, openSharedPayments, type PaymentFixture, type SharedOptions } from './payment-fixture.ts';
import { openProcess } from './withdrawal-process.ts';

const LATE = 'GET /reconciliation/breaks?kind=late-topup';

const CREDIT = { LATE_TOPUPS: 'credit' };

const openAlerts = ({ app }: Pick<PaymentFixture, 'app'>): Promise<Any[]> =>
  builderOf(app).expect(`${LATE}&open=true`, { status: 200 });

/** What the books have for the operator, and what users were credited, in units. */
const booked = async ({ app }: Pick<PaymentFixture, 'app'>): Promise<Any> => {
  const [row] = await app.sql(
    `select coalesce(sum(balance), 0)::text as held from accounts where id = 'operator:late-topups:USD'`,
  );
  return row.held;
};

/** An ended top-up, and the job of another process. */
const openEnded = async (t: TestContext, { end = 'cancel', ...options }: SharedOptions & { end?: string } = {}) => {
  const fixture = await openSharedPayments(t, options);
  const made = await fixture.aTopup();
  await fixture.control(`POST /payins/${made.id}/${end}`);
  const { refreshTopUps } = await openProcess(t, fixture);
  const makeDue = (): Promise<unknown> =>
    fixture.app.sql(`update topups set next_look_at = now() - interval '1 second'`);
  return { ...fixture, ...made, fixture, refreshTopUps, makeDue };
};

const watch = async ({ app, id }: Any): Promise<string> =>
  (await app.sql('select next_look_at::text as at from topups where id = $1', [id]))[0].at;

for (const end of ['fail', 'cancel'] as const) {
  test(`a late success after ${end} is skipped, the operator has the money, and an alert shows it`, async (t) => {
    const fixture = await openSharedPayments(t);
    const { aTopup, control, deliver, get, available, audited } = fixture;
    const { id, userId, providerPayinId } = await aTopup();
    await control(`POST /payins/${id}/${end}`);
    const { status, updatedAt } = await get(id);
    await control(`POST /payins/${id}/confirm-late`);
    const event = { type: 'payin.confirmed', data: { id: providerPayinId, code: id, amount: 25.5 } };
    await deliver({ ...event, eventId: `again-after-${end}` });
    const now = await get(id);
    assert.deepEqual([now.status, now.updatedAt, await available(userId)], [status, updatedAt, '0.00']);
    const [alert] = await openAlerts(fixture);
    assert.deepEqual([alert.subject, alert.actual], [id, '25.5000000']);
    assert.equal(await booked(fixture), '255000000');
    const actions = (await audited(id)).map(({ action }) => action);
    assert.equal(actions.filter((action) => action === 'TOPUP_PAID_LATE').length, 1);
    await fixture.assertSettled();
  });

  test(`a late success after ${end} is credited once with LATE_TOPUPS=credit`, async (t) => {
    const fixture = await openSharedPayments(t, { env: CREDIT });
    const { aTopup, control, deliver, get, available } = fixture;
    const { id, userId, providerPayinId } = await aTopup();
    await control(`POST /payins/${id}/${end}`);
    const event = { type: 'payin.confirmed', data: { id: providerPayinId, code: id, amount: 25.5 } };
    await deliver({ ...event, eventId: 'false-report' });
    assert.equal(await available(userId), '0.00', 'the record does not confirm it');
    await control(`POST /payins/${id}/confirm-late`);
    await deliver({ ...event, eventId: 'again' });
    assert.deepEqual([(await get(id)).status, await available(userId)], ['TOPUP_SUCCEEDED', '25.50']);
    assert.deepEqual([await openAlerts(fixture), await booked(fixture)], [[], '0']);
    await fixture.assertSettled();
  });
}

test('a payment that was skipped is credited once from the operator, when LATE_TOPUPS becomes credit', async (t) => {
  const { fixture, id, userId, control, get, available, app, env, refreshTopUps } = await openEnded(t);
  await control(`POST /payins/${id}/confirm-late`);
  await refreshTopUps();
  assert.equal(await booked(fixture), '255000000', 'it is not booked again');
  const later = await openProcess(t, { app, env: { ...env, ...CREDIT } });
  await Promise.all([later.refreshTopUps(), later.refreshTopUps()]);
  assert.deepEqual([(await get(id)).status, await available(userId)], ['TOPUP_SUCCEEDED', '25.50']);
  assert.deepEqual([await openAlerts(fixture), await booked(fixture)], [[], '0']);
  const { lines } = await builderOf(app).expect(`GET /users/${userId}/statement`, { status: 200 });
  assert.deepEqual(
    lines.map((line: Any) => [line.move, line.counterparty]),
    [['late_topup_credit', 'payment_provider']],
  );
  await fixture.assertSettled();
});

test('a late payment that an operator credited by hand, with the top-up as reference, is not credited again', async (t) => {
  const { fixture, id, userId, control, get, available, audited, app, env, refreshTopUps } = await openEnded(t);
  const other = await fixture.aTopup();
  await control(`POST /payins/${other.id}/cancel`);
  const credit = (of: string, reference: string) =>
    builderOf(app).expect(`POST /users/${of}/balance/credit`, { status: 200, body: { amount: '25.50', reference } });
  // Before the service knows of the payment, and after it has shown the alert.
  await credit(userId, id);
  for (const one of [id, other.id]) await control(`POST /payins/${one}/confirm-late`);
  assert.deepEqual(
    (await openAlerts(fixture)).map(({ subject }) => subject),
    [other.id],
  );
  // A credit of another user, or for another purpose, is no correction.
  await credit(userId, other.id);
  await credit(other.userId, 'top_0000000000');
  await refreshTopUps();
  assert.equal((await openAlerts(fixture)).length, 1);
  await credit(other.userId, other.id);
  const later = await openProcess(t, { app, env: { ...env, ...CREDIT } });
  await later.refreshTopUps();
  assert.deepEqual([(await get(id)).status, (await get(other.id)).status], ['TOPUP_CANCELED', 'TOPUP_CANCELED']);
  assert.deepEqual([await available(userId), await available(other.userId)], ['51.00', '51.00']);
  assert.deepEqual([await openAlerts(fixture), await booked(fixture)], [[], '510000000']);
  assert.ok((await audited(id)).some(({ action }: Any) => action === 'TOPUP_CORRECTED'));
  await fixture.assertSettled();
});

test('a late success without a webhook is found by the job', async (t) => {
  const { fixture, id, control, makeDue, refreshTopUps } = await openEnded(t, { webhooks: false, end: 'cancel' });
  // Nothing has told the server of the cancellation either.
  await makeDue();
  await refreshTopUps();
  assert.equal((await fixture.get(id)).status, 'TOPUP_CANCELED');
  await control(`POST /payins/${id}/confirm-late`);
  await makeDue();
  await refreshTopUps();
  assert.equal(await booked(fixture), '255000000');
  assert.equal((await openAlerts(fixture)).length, 1);
  await fixture.assertSettled();
});

test('a late success whose webhook came while the provider was away is read again by the next run', async (t) => {
  const { fixture, id, control, arm, sandbox, app, refreshTopUps } = await openEnded(t);
  await app.sql(`update topups set next_look_at = 'infinity'`);
  arm({ operation: 'payin-get', fault: 'refusal', count: 1_000, match: id });
  await control(`POST /payins/${id}/confirm-late`);
  await refreshTopUps();
  assert.deepEqual([await booked(fixture), await openAlerts(fixture)], ['0', []]);
  sandbox.faults.clear();
  await app.sql(`update topups set next_look_at = now() where next_look_at < now() + interval '1 year'`);
  await refreshTopUps();
  assert.equal(await booked(fixture), '255000000');
  await fixture.assertSettled();
});

test('an ended top-up is read for LATE_TOPUP_WATCH_DAYS and not longer', async (t) => {
  const ended = await openEnded(t);
  const { id, app, arm, sandbox, makeDue, refreshTopUps } = ended;
  await makeDue();
  await refreshTopUps();
  const [{ wait }] = await app.sql(
    'select round(extract(epoch from next_look_at - now()) / 60)::int as wait from topups where id = $1',
    [id],
  );
  assert.equal(wait, 10);
  await app.sql(`update topups set updated_at = now() - interval '8 days'`);
  arm({ operation: 'payin-get', fault: 'refusal', count: 1, match: id });
  await makeDue();
  await refreshTopUps();
  assert.notEqual(await watch(ended), 'infinity', 'the last read was not answered');
  sandbox.faults.clear();
  await makeDue();
  await refreshTopUps();
  assert.equal(await watch(ended), 'infinity');
});

test('a late payment over another amount is booked as it was paid and never credited by itself', async (t) => {
  const fixture = await openSharedPayments(t, { env: CREDIT });
  const { app, arm, control, available } = fixture;
  arm({ operation: 'payin', fault: 'wrong-amount' });
  const userId = await app.aUser();
  const { body } = await app.call('POST /topups', { body: { userId, amount: '25.50' } });
  const id = body.error.details.topupId;
  await control(`POST /payins/${id}/confirm-late`);
  assert.deepEqual([await booked(fixture), await available(userId)], ['265000000', '0.00']);
  const [alert] = await openAlerts(fixture);
  assert.deepEqual([alert.subject, alert.actual], [id, '26.5000000']);
  await fixture.assertSettled();
});

test('one read that shows another amount books nothing', async (t) => {
  const { fixture, id, control, arm, sandbox, makeDue, refreshTopUps } = await openEnded(t);
  arm({ operation: 'payin-get', fault: 'wrong-amount', count: 2, match: id });
  await control(`POST /payins/${id}/confirm-late`);
  assert.equal(await booked(fixture), '0');
  sandbox.faults.clear();
  await makeDue();
  await refreshTopUps();
  assert.equal(await booked(fixture), '255000000');
  await fixture.assertSettled();
});

test('an alert that a crash lost is shown by the next run of the job', async (t) => {
  const { fixture, id, control, app, refreshTopUps } = await openEnded(t);
  await control(`POST /payins/${id}/confirm-late`);
  await app.sql('delete from breaks where subject = $1', [id]);
  await refreshTopUps();
  const [alert] = await openAlerts(fixture);
  assert.deepEqual([alert.subject, alert.actual], [id, '25.5000000']);
});
