// GET /audit/proof: the full proof holds, and it reports a row of the books that was changed in the database. The proof from a checkpoint
// is in tests/books/checkpoints.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../support/app.ts';
import { shareTamperedServer } from './tampered-server.ts';

type Check = { name: string; holds: boolean; detail: string };

const openMarketplace = shareTamperedServer();

const CHECKS = [
  'postings-sum-to-zero',
  'accounts-equal-postings',
  'claims-equal-holdings-plus-adjustments',
  'reserved-equals-reservations',
  'float-promises-equal-open-withdrawals',
  'no-open-breaks',
  'checkpoint-is-intact',
  'checkpoint-equals-postings',
];

const prove = async (app: TestApp, key?: string) => {
  const answer = await app.call('GET /audit/proof?full=true', key === undefined ? {} : { key });
  assert.equal(answer.status, 200);
  return answer.body.data;
};

const broken = async (app: TestApp): Promise<string[]> => {
  const { holds, checks } = await prove(app);
  const names = checks.filter((check: Check) => !check.holds).map((check: Check) => check.name);
  assert.equal(holds, names.length === 0);
  return names;
};

/** Ten dollars in, four reserved for an order, one of them consumed. */
const startBusy = async () => {
  const app = await openMarketplace();
  const userId = await app.aUser({ available: '10.00' });
  await app.call(`POST /users/${userId}/balance/reserve`, { body: { amount: '4.00', orderId: 'o1' } });
  await app.call(`POST /users/${userId}/balance/deduct-reserved`, { body: { amount: '1.00', orderId: 'o1' } });
  await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '2.50', currency: 'XLM' } });
  return { app, userId };
};

test('200 the books of an empty marketplace hold', async () => {
  const app = await openMarketplace();
  const proof = await prove(app);
  assert.deepEqual([proof.holds, proof.currencies], [true, []]);
  assert.deepEqual(
    proof.checks.map((check: Check) => [check.name, check.holds]),
    CHECKS.map((name) => [name, true]),
  );
});

test('200 names claims, holdings and adjustments of each currency to the seventh place', async () => {
  const { app } = await startBusy();
  const proof = await prove(app);
  assert.equal(proof.holds, true);
  assert.ok(Math.abs(Date.parse(proof.checkedAt) - Date.now()) < 60_000);
  const row = (currency: string, amount: string) => ({
    currency,
    claims: amount,
    holdings: '0.0000000',
    adjustments: amount,
    openingBalances: '0.0000000',
    difference: '0.0000000',
  });
  assert.deepEqual(proof.currencies, [row('USD', '9.0000000'), row('XLM', '2.5000000')]);
});

test('200 a balance that was raised behind the books breaks two checks, and says by how much', async () => {
  const { app, userId } = await startBusy();
  await app.sql('update accounts set balance = balance + 1 where id = $1', [`${userId}:available:USD`]);
  assert.deepEqual(await broken(app), ['accounts-equal-postings', 'claims-equal-holdings-plus-adjustments']);
  const { currencies, checks } = await prove(app);
  assert.equal(currencies[0].difference, '0.0000001');
  assert.equal(checks[1].detail, '1 of 5 accounts differ from their postings.');
  assert.equal(checks[2].detail, 'USD differs by 0.0000001.');
});

test('200 money moved between two accounts without a posting breaks the check of the postings', async () => {
  const { app, userId } = await startBusy();
  const other = await app.aUser({ available: '1.00' });
  await app.sql('update accounts set balance = balance - 5 where id = $1', [`${userId}:available:USD`]);
  await app.sql('update accounts set balance = balance + 5 where id = $1', [`${other}:available:USD`]);
  assert.deepEqual(await broken(app), ['accounts-equal-postings']);
});

test('200 an account row that is gone breaks the check of the postings', async () => {
  const { app, userId } = await startBusy();
  await app.sql('delete from accounts where id = $1', [`${userId}:available:XLM`]);
  assert.ok((await broken(app)).includes('accounts-equal-postings'));
});

test('200 a posting that was put in alone breaks the sum', async () => {
  const { app, userId } = await startBusy();
  await app.sql(
    `insert into postings (marketplace_id, account_id, seq, amount, balance_after, counter_account_id, move, command_id, audit_seq, posted_at)
     values ($2, $1, 99, 7, 7, 'nowhere', 'credit', 'x', 1, now())`,
    [`${userId}:available:USD`, app.marketplaceId],
  );
  const names = await broken(app);
  assert.deepEqual(names.slice(0, 2), ['postings-sum-to-zero', 'accounts-equal-postings']);
});

test('200 a reservation that was changed behind the books breaks its own check', async () => {
  const { app, userId } = await startBusy();
  await app.sql("update reservations set remaining = remaining - 1 where user_id = $1 and order_ref = 'o1'", [userId]);
  assert.deepEqual(await broken(app), ['reserved-equals-reservations']);
});

test("200 shows the caller's marketplace and no other", async () => {
  const { app, userId } = await startBusy();
  const other = await app.key(['*'], 'mkt_other');
  await app.aUser({ key: other, available: '3.00' });
  const proof = await prove(app, other);
  assert.deepEqual(
    proof.currencies.map((row: { currency: string; claims: string }) => [row.currency, row.claims]),
    [['USD', '3.0000000']],
  );
  assert.equal(proof.checks[1].detail, '0 of 2 accounts differ from their postings.');
  await app.sql('update accounts set balance = balance + 1 where id = $1', [`${userId}:available:USD`]);
  assert.equal((await prove(app, other)).holds, true);
  assert.equal((await prove(app)).holds, false);
});
