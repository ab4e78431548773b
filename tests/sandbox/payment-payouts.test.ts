// Payouts, people and the enterprise's balance over HTTP, as the server's adapter sees them.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { caller, controlOf, openSandbox, paymentOf, payoutBody } from './payment-client.ts';

async function open(t: TestContext, openingBalance = 100) {
  const sandbox = await openSandbox(t, { payment: { openingBalance } });
  return { sandbox, api: paymentOf(sandbox.url), control: controlOf(sandbox.url) };
}

test('a payout is created, committed with an empty 204, and completed', async (t) => {
  const { api, control } = await open(t);
  const { status, body: payout } = await api('POST /payouts', payoutBody('wdr_1'));
  assert.deepEqual([status, payout.status, payout.amount, payout.netAmount], [200, 'CREATED', 40, 40]);
  assert.deepEqual((await api('GET /me/balance')).body, { available: 100, pending: 0 });

  assert.deepEqual(await api(`POST /payouts/${payout.id}/commit`), { status: 204, body: '' });
  assert.deepEqual((await api('GET /me/balance')).body, { available: 60, pending: 40 });
  assert.equal((await api('GET /payouts/by-code/wdr_1')).body.status, 'COMMITTED');

  assert.equal((await control('POST /payouts/wdr_1/complete')).body.status, 'COMPLETED');
  assert.deepEqual((await api('GET /me/balance')).body, { available: 60, pending: 0 });
  assert.equal((await api('GET /payouts?status=COMPLETED')).body.items[0].id, payout.id);
  assert.deepEqual((await api('GET /payouts?status=CREATED')).body.items, []);
});

test('every change of status is an event of the payout', async (t) => {
  const { api, control } = await open(t);
  const { id } = (await api('POST /payouts', payoutBody('wdr_1', { commit: true }))).body;
  await control(`POST /payouts/${id}/require-action`);
  await control(`POST /payouts/${id}/pend`);
  await control(`POST /payouts/${id}/complete`);
  const { body } = await api(`GET /payouts/${id}/events`);
  const steps = body.map((event: { newStatus: string }) => event.newStatus);
  assert.deepEqual(steps, ['CREATED', 'COMMITTED', 'PENDING_USER_ACTION', 'PENDING', 'COMPLETED']);
  assert.deepEqual([body[1].previousStatus, body[1].availableBalance, body[1].pendingBalance], ['CREATED', 60, 40]);
});

test('a failed or cancelled payout gives the money back', async (t) => {
  const { api, control } = await open(t);
  await api('POST /payouts', payoutBody('wdr_1', { commit: true }));
  await api('POST /payouts', payoutBody('wdr_2', { commit: true }));
  assert.deepEqual((await api('GET /me/balance')).body, { available: 20, pending: 80 });
  const failed = await control('POST /payouts/wdr_1/fail', { reason: '415010' });
  assert.deepEqual([failed.body.status, failed.body.reasonCode], ['FAILED', '415010']);
  const cancelled = await control('POST /payouts/wdr_2/cancel', { reason: 'Asked by the user' });
  assert.deepEqual([cancelled.body.status, cancelled.body.reasonDescription], ['CANCELED', 'Asked by the user']);
  assert.deepEqual((await api('GET /me/balance')).body, { available: 100, pending: 0 });
});

test('deleting cancels a payout that is uncommitted or pending, and no other', async (t) => {
  const { api, control } = await open(t);
  const first = (await api('POST /payouts', payoutBody('wdr_1'))).body;
  assert.equal((await api(`DELETE /payouts/${first.id}`)).body.status, 'CANCELED');
  const second = (await api('POST /payouts', payoutBody('wdr_2', { commit: true }))).body;
  assert.deepEqual([(await api(`DELETE /payouts/${second.id}`)).body.code], ['415055']);
  await control('POST /payouts/wdr_2/pend');
  assert.equal((await api(`DELETE /payouts/${second.id}`)).body.status, 'CANCELED');
  assert.deepEqual((await api('GET /me/balance')).body, { available: 100, pending: 0 });
});

test('a repeated code, a second commit and an empty balance are refused with the provider’s codes', async (t) => {
  const { api } = await open(t);
  const { id } = (await api('POST /payouts', payoutBody('wdr_1', { commit: true }))).body;
  assert.equal((await api('POST /payouts', payoutBody('wdr_1'))).body.code, '415056');
  assert.equal((await api(`POST /payouts/${id}/commit`)).body.code, '415027');
  const dear = (await api('POST /payouts', payoutBody('wdr_2', { amount: 60.01 }))).body;
  assert.equal((await api(`POST /payouts/${dear.id}/commit`)).body.code, '415016');
  assert.equal((await api(`GET /payouts/${dear.id}`)).body.status, 'CREATED');
  assert.equal((await api('POST /payouts', payoutBody('wdr_3', { amount: 60.01, commit: true }))).body.code, '415016');
  assert.equal((await api('GET /payouts/by-code/wdr_3')).body.code, '415005');
});

test('the enterprise’s own fee is kept back from the amount', async (t) => {
  const { api } = await open(t);
  const { body } = await api('POST /payouts', payoutBody('wdr_1', { enterpriseFee: 0.5, commit: true }));
  assert.deepEqual([body.grossAmount, body.amount, body.enterpriseFee], [40, 39.5, 0.5]);
  assert.deepEqual((await api('GET /me/balance')).body, { available: 60.5, pending: 39.5 });
  assert.equal((await api('POST /payouts', payoutBody('wdr_2', { enterpriseFee: 40 }))).status, 400);
});

test('everybody is an active user, unless the address or control says otherwise', async (t) => {
  const { api, control } = await open(t);
  const maria = (await api('GET /users/maria%40example.com')).body;
  assert.deepEqual([maria.status, maria.isVerified, maria.primaryEmail], ['active', true, true]);
  assert.equal((await api('GET /users/inactive.ivan@example.com')).body.status, 'inactive');
  assert.equal((await api('GET /users/unverified@example.com')).body.isVerified, false);
  assert.equal((await api('GET /users/unknown@example.com')).body.code, '415059');
  assert.equal((await api('GET /users/no%20address')).status, 400);
  const byId = async (id: string) => (await api(`GET /users/${id}`)).body;
  assert.deepEqual([(await byId(maria.id)).email, (await byId('acct-7')).id], ['maria@example.com', 'acct-7']);
  assert.deepEqual([(await byId('inactive-7')).status, (await byId('unknown-7')).code], ['inactive', '415059']);

  await control('POST /users', { email: 'Maria@example.com', status: 'inactive', country: 'ARG' });
  const moved = (await api('GET /users/maria@example.com')).body;
  assert.deepEqual([moved.id, moved.status, moved.country], [maria.id, 'inactive', 'ARG']);
  await control('POST /users', { email: 'unknown@example.com' });
  assert.equal((await api('GET /users/unknown@example.com')).body.status, 'active');
});

test('a payout waits for a recipient who has something to do, and an inactive one is refused', async (t) => {
  const { api } = await open(t);
  const stranger = payoutBody('wdr_1', { airtmUserEmail: 'unknown@example.com', amount: 1, commit: true });
  const pending = (await api('POST /payouts', stranger)).body;
  assert.deepEqual([pending.status, pending.reasonCode], ['PENDING', '415912']);
  const unverified = { airtmUserEmail: 'unverified@example.com', requireIdVerified: true, amount: 1, commit: true };
  assert.equal((await api('POST /payouts', payoutBody('wdr_2', unverified))).body.status, 'PENDING_USER_ACTION');
  const inactive = payoutBody('wdr_3', { airtmUserEmail: 'inactive@example.com' });
  assert.equal((await api('POST /payouts', inactive)).body.code, '415009');
});

test('the API takes HTTP Basic only, and says who the enterprise is', async (t) => {
  const { sandbox, api } = await open(t);
  const stranger = await caller(sandbox.urls.payment)('GET /me');
  assert.deepEqual([stranger.status, stranger.body.code], [401, '415904']);
  const wrong = caller(sandbox.urls.payment, { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` });
  assert.equal((await wrong('POST /payins', {})).status, 401);
  assert.match((await api('GET /me')).body.id, /^[0-9a-f-]{36}$/);
  assert.deepEqual((await api('GET /nothing')).body.code, '415902');
});

test('the eleventh request within a second is 429 when the rate limit is on', async (t) => {
  const sandbox = await openSandbox(t, { payment: { rateLimit: true } });
  const api = paymentOf(sandbox.url);
  // Moving the clock opens a fresh window, however slow this machine is.
  await sandbox.clock.advance(2000);
  const answers = await Promise.all(Array.from({ length: 40 }, () => api('GET /me')));
  const [taken, refused] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length);
  assert.ok(taken! >= 10 && refused! > 0 && taken! + refused! === 40, `${taken} taken, ${refused} refused`);
  await sandbox.clock.advance(1000);
  assert.equal((await api('GET /me')).status, 200);
});
