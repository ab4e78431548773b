// GET and PUT /marketplaces/{id}/limits, and what the limits do to manual credits and withdrawals of one day.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedPayments } from '../payments/payment-fixture.ts';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import { codeOf, MASTER_KEY, startApp, type TestApp } from '../support/app.ts';
import { openApp } from '../support/shared-app.ts';
import { assertNoTrace, readRefusal, refusalOf } from './refusals.ts';
import { walk } from './report-fixture.ts';

type Body = Readonly<Record<string, unknown>>;

const NO_LIMITS = {
  manualCreditPerUserDay: null,
  manualCreditPerDay: null,
  withdrawalPerUserDay: null,
  withdrawalPerDay: null,
};

const setLimits = (app: TestApp, body: Body, marketplaceId = app.marketplaceId) =>
  app.call(`PUT /marketplaces/${marketplaceId}/limits`, { key: MASTER_KEY, body });

const readLimits = (app: TestApp, marketplaceId = app.marketplaceId) =>
  app.call(`GET /marketplaces/${marketplaceId}/limits`, { key: MASTER_KEY });

const credit = (app: TestApp, userId: string, body: Body) => app.call(`POST /users/${userId}/balance/credit`, { body });

const withdraw = (app: TestApp, userId: string, amount: string) =>
  app.call('POST /withdrawals', { body: { userId, amount, currency: 'USD', destination: { type: 'bank' } } });

/** A request that was decided at once, on the day that its answer shows. */
const tomorrowOf = (answer: { readonly headers: Headers }): string => {
  const day = new Date(`${new Date(answer.headers.get('date')!).toISOString().slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().replace('.000Z', '.000000Z');
};

test('200 sets the limits of one currency and shows them; a limit that is left out is none', async (t) => {
  const app = await openApp(t);
  await app.aUser();
  assert.deepEqual((await readLimits(app)).body.data, { limits: [] });
  const set = await setLimits(app, { currency: 'USD', manual_credit_per_day: '100', withdrawalPerUserDay: '0.00' });
  const { updatedAt, usedToday, ...rest } = set.body.data;
  assert.equal(set.status, 200, set.text);
  const shown = { ...NO_LIMITS, manualCreditPerDay: '100.00', withdrawalPerUserDay: '0.00' };
  assert.deepEqual(rest, { marketplaceId: app.marketplaceId, currency: 'USD', ...shown });
  assert.match(updatedAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual(usedToday, { manualCredit: '0.00', withdrawal: '0.00', resetsAt: tomorrowOf(set) });

  await setLimits(app, { currency: 'XLM', withdrawalPerDay: null });
  await setLimits(app, { currency: 'USD', withdrawalPerDay: '7.5' });
  const { limits } = (await readLimits(app)).body.data;
  assert.deepEqual(
    limits.map(({ currency, withdrawalPerDay, manualCreditPerDay }: Body) => [
      currency,
      withdrawalPerDay,
      manualCreditPerDay,
    ]),
    [
      ['USD', '7.50', null],
      ['XLM', null, null],
    ],
  );
  const audited = await app.sql(
    `select actor_type, resource_id, payload_before, payload_after from audit_entries
      where action = 'MARKETPLACE_LIMITS_SET' and marketplace_id = $1 order by seq`,
    [app.marketplaceId],
  );
  assert.deepEqual(
    audited.map(({ actor_type, resource_id }) => [actor_type, resource_id]),
    Array(3).fill(['master', app.marketplaceId]),
  );
  assert.deepEqual(JSON.parse(audited[2].payload_before), { currency: 'USD', ...shown });
});

test('200 of GET /marketplaces shows the limits of each marketplace as its own route does', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const beside = await app.call('GET /auth/me', { key: await app.key(['read'], 'mkt_beside') });
  const other: string = beside.body.data.marketplaceId;
  await setLimits(app, { currency: 'XLM', withdrawalPerDay: '7.00' });
  await setLimits(app, { currency: 'USD', manualCreditPerDay: '100.00' });
  await credit(app, userId, { amount: '12.50', currency: 'USD' });
  const { limits } = (await readLimits(app)).body.data;
  assert.equal(limits[0].usedToday.manualCredit, '12.50');
  const all = await walk(app, '/marketplaces', { limit: 100, key: MASTER_KEY });
  const limitsOf = (id: string) => all.find((each: Body) => each.id === id).limits;
  assert.deepEqual([limitsOf(app.marketplaceId), limitsOf(other)], [limits, []]);
  const one = await app.call(`GET /marketplaces/${app.marketplaceId}`, { key: MASTER_KEY });
  assert.deepEqual(one.body.data.limits, limits);
});

test('400 for a limit that is no amount, 404 for a marketplace that does not exist, 403 for any key but the master', async (t) => {
  const app = await openApp(t);
  await app.aUser();
  const bad: Body[] = [
    {},
    { currency: 'EUR' },
    { currency: 'USD', withdrawalPerDay: '-1' },
    { currency: 'USD', withdrawalPerDay: '1.005' },
    { currency: 'USD', withdrawalPerDay: 5 },
    { currency: 'USD', manualCreditPerUserDay: 'much' },
    { currency: 'USD', perDay: '1.00' },
  ];
  await assertNoTrace(app, async () => {
    for (const body of bad)
      assert.equal(codeOf(await setLimits(app, body)), '400 VALIDATION_ERROR', JSON.stringify(body));
    for (const id of ['mkt_unknown', 'nonsense', 'mkt_%20']) {
      assert.equal(codeOf(await setLimits(app, { currency: 'USD' }, id)), '404 MARKETPLACE_NOT_FOUND');
      assert.equal(codeOf(await readLimits(app, id)), '404 MARKETPLACE_NOT_FOUND');
    }
    const path = `/marketplaces/${app.marketplaceId}/limits`;
    for (const answer of [
      await app.call(`GET ${path}`),
      await app.call(`PUT ${path}`, { body: { currency: 'USD' } }),
    ]) {
      assert.equal(codeOf(answer), '403 INSUFFICIENT_SCOPE');
    }
  });
});

test('422 DAILY_LIMIT_EXCEEDED for a manual credit beyond the limit of its user or of the marketplace, with the figures', async (t) => {
  const app = await openApp(t);
  const ada = await app.aUser();
  const ben = await app.aUser();
  await setLimits(app, { currency: 'USD', manualCreditPerUserDay: '10.00', manualCreditPerDay: '15.00' });
  assert.equal((await credit(app, ada, { amount: '8.00' })).status, 200);
  const ofUser = await credit(app, ada, { amount: '2.01' });
  const figures = {
    limitAmount: '10.00',
    used: '8.00',
    requested: '2.01',
    currency: 'USD',
    resetsAt: tomorrowOf(ofUser),
  };
  assert.deepEqual(readRefusal(ofUser), {
    status: 422,
    code: 'DAILY_LIMIT_EXCEEDED',
    details: { limitName: 'manualCreditPerUserDay', ...figures },
  });
  assert.match(ofUser.body.error.message, /2\.00/, 'the sentence says how much is left');
  assert.equal((await credit(app, ada, { amount: '2.00' })).status, 200, 'exactly the limit');

  const { details } = await refusalOf(app, () => credit(app, ben, { amount: '5.01' }));
  assert.deepEqual([details.limitName, details.used, details.limitAmount], ['manualCreditPerDay', '10.00', '15.00']);
  assert.equal((await credit(app, ben, { amount: '5.00' })).status, 200);
  const [limits] = (await readLimits(app)).body.data.limits;
  assert.equal(limits.usedToday.manualCredit, '15.00');

  assert.equal((await credit(app, ben, { amount: '50.00', currency: 'XLM' })).status, 200, 'another currency');
  assert.equal((await app.call(`POST /users/${ada}/balance/debit`, { body: { amount: '1.00' } })).status, 200);
  assert.equal(
    codeOf(await credit(app, ada, { amount: '1.00' })),
    '422 DAILY_LIMIT_EXCEEDED',
    'a debit gives nothing back',
  );
  await setLimits(app, { currency: 'USD' });
  assert.equal((await credit(app, ada, { amount: '500.00' })).status, 200, 'no limit any more');
});

test('422 DAILY_LIMIT_EXCEEDED for a withdrawal beyond a limit, which reserves nothing', async (t) => {
  const { app } = await openSharedPayments(t);
  const payee = () => app.aUser({ available: '100.00', hasEmail: true });
  const ada = await payee();
  const ben = await payee();
  await setLimits(app, { currency: 'USD', withdrawalPerUserDay: '30.00', withdrawalPerDay: '40.00' });
  assert.equal((await withdraw(app, ada, '30.00')).status, 201);
  const ofUser = readRefusal(await withdraw(app, ada, '0.01'));
  assert.deepEqual(
    [ofUser.status, ofUser.details.limitName, ofUser.details.used],
    [422, 'withdrawalPerUserDay', '30.00'],
  );
  const ofAll = readRefusal(await withdraw(app, ben, '10.01'));
  assert.deepEqual([ofAll.details.limitName, ofAll.details.limitAmount], ['withdrawalPerDay', '40.00']);
  assert.equal((await withdraw(app, ben, '10.00')).status, 201);
  const { available, reserved } = (await app.call(`GET /users/${ben}/balance`)).body.data;
  assert.deepEqual([available, reserved], ['90.00', '10.00']);
  assert.equal(codeOf(await withdraw(app, ada, '1000.00')), '422 INSUFFICIENT_FUNDS', 'the balance is checked first');
});

test('a withdrawal whose money returned on the same day no longer counts', async (t) => {
  const { app, aPayee, aWithdrawal, commit, move, untilStatus } = await openSharedWithdrawals(t);
  const userId = await aPayee();
  const early = await aWithdrawal({ userId, body: { amount: '20.00' } });
  await setLimits(app, { currency: 'USD', withdrawalPerUserDay: '30.00' });
  const counted = await aWithdrawal({ userId, body: { amount: '30.00' } });
  assert.equal(codeOf(await withdraw(app, userId, '0.01')), '422 DAILY_LIMIT_EXCEEDED');
  const fail = async (id: string) => {
    await commit(id);
    await move(id, 'fail', 'no such account');
    await untilStatus(id, 'WITHDRAWAL_FAILED');
  };
  await fail(early.id);
  assert.equal(codeOf(await withdraw(app, userId, '0.01')), '422 DAILY_LIMIT_EXCEEDED', 'it was never counted');
  await fail(counted.id);
  assert.equal((await withdraw(app, userId, '30.00')).status, 201);
  assert.equal(codeOf(await withdraw(app, userId, '0.01')), '422 DAILY_LIMIT_EXCEEDED');
});

test('the limits of one marketplace do not count what another one does', async (t) => {
  const app = await openApp(t);
  const other = await app.key(['*'], 'mkt_of-another');
  await setLimits(app, { currency: 'USD', manualCreditPerDay: '1.00' });
  const userId = await app.aUser({ key: other });
  const answer = await app.call(`POST /users/${userId}/balance/credit`, { key: other, body: { amount: '5.00' } });
  assert.equal(answer.status, 200);
  assert.equal((await credit(app, await app.aUser(), { amount: '1.00' })).status, 200);
});

test('the count begins anew with the next day of UTC', async (t) => {
  const app = await startApp(t);
  const userId = await app.aUser();
  await setLimits(app, { currency: 'USD', manualCreditPerUserDay: '10.00' });
  assert.equal((await credit(app, userId, { amount: '10.00' })).status, 200);
  assert.equal(codeOf(await credit(app, userId, { amount: '0.01' })), '422 DAILY_LIMIT_EXCEEDED');
  await app.sql(`update day_counts set day = to_char(now() at time zone 'utc' - interval '1 day', 'YYYY-MM-DD')`);
  // The first server remembers the row; one that starts now reads it.
  const later = await startApp(t, { connection: app.connection });
  assert.equal((await credit(later, userId, { amount: '10.00' })).status, 200);
  assert.equal(codeOf(await credit(later, userId, { amount: '0.01' })), '422 DAILY_LIMIT_EXCEEDED');
});
