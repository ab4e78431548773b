// A marketplace with its own account at the payment provider: its payments use its credentials, its money is at its account, and no
// other marketplace's payments, secrets or money are touched.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import { accountOf, openOwnAccount, ownWebhook } from './own-account-fixture.ts';
import { SECRET } from './payment-fixture.ts';

const open = (t: TestContext) => openOwnAccount(t);

test('top-ups and payouts of the marketplace go through its own account, and the shared account is untouched', async (t) => {
  const fixture = await open(t);
  const { app, pay, aTopup, sharedBalance, enterprise, aWithdrawal, move, untilStatus } = fixture;
  const before = sharedBalance();
  const topup = await aTopup({ body: { amount: '40.00' } });
  await pay(topup.id, 'confirm');
  assert.equal(await fixture.topupStatus(topup.id), 'TOPUP_SUCCEEDED');
  assert.deepEqual(enterprise(), { available: '540.00', pending: '0.00' });
  const withdrawal = await aWithdrawal({ body: { amount: '15.00', commit: true } });
  await fixture.untilPayout(withdrawal.id, 'COMMITTED');
  await move(withdrawal.id, 'complete');
  await untilStatus(withdrawal.id, 'WITHDRAWAL_COMPLETED');
  assert.deepEqual(enterprise(), { available: '525.00', pending: '0.00' });
  assert.deepEqual(sharedBalance(), before);
  const rows = await app.sql(
    'select distinct provider_account from topups union select distinct provider_account from withdrawals',
  );
  assert.deepEqual(rows, [{ provider_account: await accountOf(fixture) }]);
});

test('the proof holds while a withdrawal at the own account is open: it promises nothing from the shared float', async (t) => {
  const { app, aWithdrawal } = await open(t);
  await aWithdrawal({ body: { amount: '15.00' } });
  const { checks } = (await app.call('GET /audit/proof')).body.data;
  assert.deepEqual(
    checks.filter(({ holds }: { holds: boolean }) => !holds),
    [],
  );
});

test('a payment that began with the shared account is finished there after the marketplace got its own', async (t) => {
  const fixture = await openOwnAccount(t, { isSet: false });
  const topup = await fixture.aTopup({ body: { amount: '10.00' } });
  await fixture.setOwn();
  await fixture.pay(topup.id, 'confirm');
  assert.equal(await fixture.topupStatus(topup.id), 'TOPUP_SUCCEEDED');
  assert.deepEqual(fixture.enterprise(), { available: '500.00', pending: '0.00' });
});

test('after the own account is removed new payments use the shared one, and open ones are finished at the own one', async (t) => {
  const fixture = await open(t);
  const earlier = await fixture.aTopup({ body: { amount: '10.00' } });
  const removed = await fixture.master('DELETE');
  assert.deepEqual([removed.status, removed.body.data.account], [200, 'shared']);
  assert.deepEqual(
    removed.body.data.former.map((one: { openPayments: number }) => one.openPayments),
    [1],
  );
  const later = await fixture.aTopup({ body: { amount: '20.00' } });
  await fixture.pay(earlier.id, 'confirm');
  await fixture.pay(later.id, 'confirm');
  assert.equal(await fixture.topupStatus(earlier.id), 'TOPUP_SUCCEEDED');
  assert.equal(await fixture.topupStatus(later.id), 'TOPUP_SUCCEEDED');
  assert.deepEqual(fixture.enterprise(), { available: '510.00', pending: '0.00' });
  assert.equal((await fixture.master('DELETE')).status, 200, 'a second removal changes nothing');
});

test('after a rotation open payments are finished, also when the old key is revoked at the provider', async (t) => {
  const fixture = await open(t);
  const topup = await fixture.aTopup({ body: { amount: '10.00' } });
  await fixture.rotateOwn();
  await fixture.revokeFirstKey();
  fixture.sandbox.setWebhook(null);
  await fixture.pay(topup.id, 'confirm');
  const refreshed = await fixture.app.call(`POST /topups/${topup.id}/refresh`);
  assert.equal(refreshed.body.data.status, 'TOPUP_SUCCEEDED', refreshed.text);
  const rows = await fixture.app.sql('select distinct provider_account from provider_credentials');
  assert.equal(rows.length, 1, 'the same account');
});

test('a webhook counts only with the secret of the account that the payment began with', async (t) => {
  const fixture = await openOwnAccount(t, { webhooks: false });
  const { app, sendWebhook } = fixture;
  const topup = await fixture.aTopup({ body: { amount: '10.00' } });
  const forged = ownWebhook(topup, SECRET);
  assert.equal(codeOf(await sendWebhook(forged.body, forged.headers)), '401 WEBHOOK_SIGNATURE_INVALID');
  assert.equal(await fixture.topupStatus(topup.id), 'TOPUP_AWAITING_USER_CONFIRMATION');
  const genuine = ownWebhook(topup, fixture.own.webhookSecret);
  assert.deepEqual((await sendWebhook(genuine.body, genuine.headers)).body, { status: 'ok', processed: true });

  // The secret of this marketplace proves nothing about a payment of another one.
  const key = await app.key(['*'], 'mkt_other');
  const other = await fixture.aTopup({ key, body: { amount: '10.00' } });
  const stolen = ownWebhook(other, fixture.own.webhookSecret);
  assert.equal(codeOf(await sendWebhook(stolen.body, stolen.headers)), '401 WEBHOOK_SIGNATURE_INVALID');
  const unknown = ownWebhook({ id: 'top_01ARZ3NDEKTSV4RRFFQ69G5FAV', amount: '10.00' }, fixture.own.webhookSecret);
  assert.equal(codeOf(await sendWebhook(unknown.body, unknown.headers)), '401 WEBHOOK_SIGNATURE_INVALID');
});

test('during a rotation both webhook secrets count, and after the overlap only the new one', async (t) => {
  const fixture = await openOwnAccount(t, { webhooks: false });
  const { app, sendWebhook } = fixture;
  const first = await fixture.aTopup({ body: { amount: '10.00' } });
  await fixture.rotateOwn();
  const second = await fixture.aTopup({ body: { amount: '10.00' } });
  for (const [topup, secret] of [
    [first, fixture.rotated.webhookSecret],
    [second, fixture.own.webhookSecret],
  ] as const) {
    const { body, headers } = ownWebhook(topup, secret);
    assert.equal((await sendWebhook(body, headers)).status, 200);
  }
  const third = await fixture.aTopup({ body: { amount: '10.00' } });
  await app.sql(`update public.provider_credentials set replaced_at = (replaced_at at time zone 'UTC' - interval '25 hours') at time zone 'UTC'
    where replaced_at is not null and marketplace_id = '${app.marketplaceId}'`);
  const late = ownWebhook(third, fixture.own.webhookSecret);
  assert.equal(codeOf(await sendWebhook(late.body, late.headers)), '401 WEBHOOK_SIGNATURE_INVALID');
  const good = ownWebhook(third, fixture.rotated.webhookSecret);
  assert.equal((await sendWebhook(good.body, good.headers)).status, 200);
});

test('a change in one process counts at once in another process on the same database', async (t) => {
  const fixture = await openOwnAccount(t, { isSet: false });
  const second = await fixture.secondServer();
  const warm = await fixture.aTopup({ on: second, body: { amount: '5.00' } });
  await fixture.setOwn();
  const topup = await fixture.aTopup({ on: second, body: { amount: '6.00' } });
  const rows = await fixture.app.sql('select id, provider_account from topups order by id');
  const account = await accountOf(fixture);
  assert.deepEqual(rows, [
    { id: warm.id, provider_account: null },
    { id: topup.id, provider_account: account },
  ]);
  await fixture.pay(topup.id, 'confirm');
  await until(async () => (await fixture.topupStatus(topup.id)) === 'TOPUP_SUCCEEDED', 'the webhook is taken');
});
