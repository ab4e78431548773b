// GET /balances and GET /balances/transactions: their fields, their order, and who may read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Any, openSharedPeople, refused } from './people-fixture.ts';

test('200 lists USD, XLM and USDC, also for a person who never had money', async (t) => {
  const { aPerson, call } = await openSharedPeople(t);
  const { token } = await aPerson();
  const answer = await call('GET /balances', { token });
  assert.equal(answer.body.message, 'Balances retrieved successfully');
  const none = (currency: string) => ({ currency, available: 0, held: 0 });
  assert.deepEqual(answer.body.data, { balances: ['USD', 'XLM', 'USDC'].map(none) });
});

test('amounts are numbers truncated to two places, also very large and very small amounts', async (t) => {
  const { app, aPerson, credit, call } = await openSharedPeople(t);
  const { id, token } = await aPerson();
  await credit(id, '99999999999.99', 'USD');
  await credit(id, '0.07', 'USDC');
  await credit(id, '1234567.10', 'XLM');
  const answer = await call('GET /balances', { token });
  assert.match(answer.text, /"available":99999999999\.99[,}]/);
  assert.match(answer.text, /"available":0\.07[,}]/);
  assert.match(answer.text, /"available":1234567\.1[,}]/);
  assert.equal((await app.call(`GET /users/${id}/balance`)).body.data.available, '99999999999.99');
});

test('held is the sum of reserved and escrowed money, and no other person has it', async (t) => {
  const { app, aPerson, aFundedEscrow, balance } = await openSharedPeople(t, { sandbox: true });
  const { buyer, seller } = await aFundedEscrow({ amount: 100.25 }, await aPerson());
  assert.deepEqual(await balance(buyer), [899.75, 100.25]);
  await app.call(`POST /users/${buyer.id}/balance/reserve`, { body: { amount: '50.00' } });
  assert.deepEqual(await balance(buyer), [849.75, 150.25]);
  assert.deepEqual(await balance(seller), [0, 0]);
});

const moves = async (fixture: Awaited<ReturnType<typeof openSharedPeople>>) => {
  const { app, aPerson, credit } = fixture;
  const ada = await aPerson();
  await credit(ada.id, '10.00');
  await credit(ada.id, '5.00', 'XLM');
  await credit(ada.id, '2.50', 'USDC');
  const post = (verb: string, body: object) => app.call(`POST /users/${ada.id}/balance/${verb}`, { body });
  await post('debit', { amount: '1.00', description: 'Monthly fee' });
  await post('reserve', { amount: '4.00', orderId: 'order-1' });
  await post('cancel-reservation', { orderId: 'order-1' });
  return ada;
};

test('200 lists every change of the available balance, newest first, with a description and a stable id', async (t) => {
  const fixture = await openSharedPeople(t);
  const { token } = await moves(fixture);
  const { transactions, pagination } = await fixture.done('GET /balances/transactions', { token });
  assert.deepEqual(
    transactions.map(({ type, amount, currency, description }: Any) => [type, amount, currency, description]),
    [
      ['credit', 4, 'USD', 'No longer reserved for order-1'],
      ['debit', 4, 'USD', 'Reserved for order-1'],
      ['debit', 1, 'USD', 'Monthly fee'],
      ['credit', 2.5, 'USDC', 'Credit'],
      ['credit', 5, 'XLM', 'Credit'],
      ['credit', 10, 'USD', 'Credit'],
    ],
  );
  assert.deepEqual(pagination, { page: 1, limit: 20, total: 6, pages: 1 });
  for (const { id, created_at } of transactions) {
    assert.match(id, /^txn_[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  }
  assert.equal(new Set(transactions.map(({ id }: Any) => id)).size, 6);
  assert.deepEqual((await fixture.done('GET /balances/transactions', { token })).transactions, transactions);
});

test('pages have each change once, for all currencies or for one, and the page after the last is empty', async (t) => {
  const fixture = await openSharedPeople(t);
  const { token } = await moves(fixture);
  const read = (query: string) => fixture.done(`GET /balances/transactions?${query}`, { token });
  const all = (await read('')).transactions;
  const pages = [await read('limit=4'), await read('limit=4&page=2'), await read('limit=4&page=3')];
  assert.deepEqual(
    pages.flatMap(({ transactions }) => transactions),
    all,
  );
  assert.deepEqual(
    pages.map(({ pagination }) => pagination),
    [1, 2, 3].map((page) => ({ page, limit: 4, total: 6, pages: 2 })),
  );
  const usd = await read('currency=USD&limit=3&page=2');
  assert.deepEqual(usd.transactions, all.filter(({ currency }: Any) => currency === 'USD').slice(3));
  assert.deepEqual(usd.pagination, { page: 2, limit: 3, total: 4, pages: 2 });
  assert.deepEqual((await read('currency=XLM')).pagination.total, 1);
  const far = await read('page=1000000000&limit=100');
  assert.deepEqual([far.transactions, far.pagination.total], [[], 6]);
});

test('422 for an invalid page, limit or currency', async (t) => {
  const { anyPerson, call } = await openSharedPeople(t);
  const { token } = await anyPerson();
  const whole = 'Limit must be a whole number from 1 to 100';
  const cases: [string, string][] = [
    ['limit=0', whole],
    ['limit=101', whole],
    ['limit=ten', whole],
    ['limit=1.5', whole],
    ['page=0', 'Page must be a whole number from 1 to 1000000000'],
    ['page=-1', 'Page must be a whole number from 1 to 1000000000'],
    ['currency=EUR', 'Currency must be one of USD, USDC, XLM'],
    ['currency=usd', 'Currency must be one of USD, USDC, XLM'],
    ['size=5', 'size is not a known parameter'],
  ];
  for (const [query, error] of cases) {
    const answer = await call(`GET /balances/transactions?${query}`, { token });
    assert.deepEqual(refused(answer), { status: 422, message: 'Validation failed', errors: [error] }, query);
  }
});

test('a person sees only their own balances and changes, whatever the request contains', async (t) => {
  const { aPerson, done, call, balance } = await openSharedPeople(t);
  const rich = await aPerson('700.00');
  const poor = await aPerson();
  assert.deepEqual(await balance(poor), [0, 0]);
  assert.deepEqual((await done('GET /balances/transactions', { token: poor.token })).transactions, []);
  const asked = await call(`GET /balances?userId=${rich.id}`, { token: poor.token });
  assert.ok(!asked.text.includes('700'));
  assert.equal(refused(await call(`GET /balances/transactions?user_id=${rich.id}`, { token: poor.token })).status, 422);
});
