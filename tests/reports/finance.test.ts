// GET /reports/fees, /reports/payouts and /reports/open-items: ages, the limit of destinations, refusals and tenancy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInvalid, assertScope } from '../contract/report-fixture.ts';
import { openSharedWithdrawals } from '../payments/withdrawal-fixture.ts';
import { builderOf } from '../support/builder.ts';
import { openApp } from '../support/shared-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const ROUTES = ['/reports/fees', '/reports/payouts', '/reports/open-items'];

test('items are counted by their age at the time that is asked for, and later ones are left out', async (t) => {
  const { app } = await openSharedWithdrawals(t);
  const { aWithdrawal } = builderOf(app);
  const made = [];
  for (let number = 0; number < 6; number++) made.push(await aWithdrawal({ body: { amount: '1.00' } }));
  const ages = ['0 hours', '23 hours', '1 day', '10 days', '89 days', '90 days'];
  for (const [place, age] of ages.entries())
    await app.sql(`update withdrawals set created_at = now() - interval '${age}' where id = $1`, [made[place].id]);
  const read = async (query: string) => {
    const { body } = await app.call(`GET /reports/open-items${query}`);
    return body.data.kinds.find(({ kind }: Any) => kind === 'withdrawals');
  };
  const { count, currencies, oldest } = await read('?limit=2');
  assert.deepEqual([count, currencies[0].amount], [6, '6.00']);
  assert.deepEqual(
    currencies[0].ages.map((each: Any) => each.count),
    [2, 1, 1, 1, 1],
  );
  assert.deepEqual(
    oldest.map(({ id }: Any) => id),
    [made[5].id, made[4].id],
  );
  const earlier = await read(`?at=${new Date(Date.now() - 2 * 86_400_000).toISOString()}`);
  assert.deepEqual(
    earlier.currencies[0].ages.map((each: Any) => each.count),
    [0, 0, 1, 2, 0],
  );
});

test('more destinations than the limit are one line', async (t) => {
  const { app } = await openSharedWithdrawals(t);
  const { aWithdrawal, aPayee } = builderOf(app);
  const userId = await aPayee({ available: '100.00' });
  const { id } = await aWithdrawal({ userId, body: { amount: '1.00' } });
  await app.sql(
    `insert into withdrawals select (jsonb_populate_record(w, jsonb_build_object('id', 'wdr_of_rest_' || n,
    'email', 'user' || n || '@example.com', 'amount', 10000000 * n))).* from withdrawals w, generate_series(2, 60) n where w.id = $1`,
    [id],
  );
  const { groups } = (await app.call('GET /reports/payouts')).body.data;
  const [{ open, destinations, rest }] = groups;
  assert.deepEqual([open.count, open.amount], [60, '1830.00']);
  assert.equal(destinations.length, 50);
  assert.deepEqual([destinations[0].email, destinations[0].open.amount], ['user60@example.com', '60.00']);
  assert.deepEqual([rest.destinations, rest.open.count, rest.open.amount], [10, 10, '55.00']);
});

test('400 for a range or a time that is none, and another marketplace sees nothing', async (t) => {
  const { app } = await openSharedWithdrawals(t);
  await builderOf(app).aTopup();
  const ranges = [
    'from=2026-02-30',
    'from=2026-01-01T00:00:00Z',
    'to=2999-01-01',
    'from=2020-01-01',
    'from=2020-02-01&to=2020-02-01',
    'x=1',
  ];
  await assertInvalid(app, [
    ...ranges.flatMap((query) => ROUTES.slice(0, 2).map((route) => `GET ${route}?${query}`)),
    'GET /reports/fees?interval=year',
    'GET /reports/fees?format=pdf',
    ...['at=2999-01-01', 'at=now', 'limit=0', 'limit=101'].map((query) => `GET /reports/open-items?${query}`),
  ]);
  assert.equal((await app.call('GET /reports/fees?from=2020-01-01&to=2021-02-04')).status, 200);
  const key = await app.key(['read'], 'mkt_empty');
  const of = async (route: string) => (await app.call(`GET ${route}`, { key })).body.data;
  assert.deepEqual((await of('/reports/fees')).currencies, []);
  assert.deepEqual((await of('/reports/payouts')).groups, []);
  assert.ok((await of('/reports/open-items')).kinds.every(({ count }: Any) => count === 0));
});

test('401 and 403 without the scope to read', async (t) => {
  const app = await openApp(t);
  for (const route of ROUTES) await assertScope(app, `GET ${route}`, 'read');
});
