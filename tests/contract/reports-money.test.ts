// GET /reports/money, by status: figures are compared with the accounts themselves and with the proof.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactUnits } from '../../tools/decimals.ts';
import type { TestApp } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { assertScope } from './report-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const report = async (app: TestApp, key?: string): Promise<Any> => {
  const answer = await app.call('GET /reports/money', key === undefined ? {} : { key });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

const at = (currency: Any, place: string): string =>
  [...currency.claims, ...currency.holdings].find((one: Any) => one.place === place).amount;

const inUsd = (data: Any): Any => data.currencies.find(({ currency }: Any) => currency === 'USD');

const sumOf = (parts: Any[]): bigint => parts.reduce((sum, { amount }) => sum + exactUnits(amount), 0n);

const assertAddsUp = (data: Any): void => {
  for (const { currency, claims, holdings, claimsTotal, holdingsTotal, difference } of data.currencies) {
    assert.equal(sumOf(claims), exactUnits(claimsTotal), currency);
    assert.equal(sumOf(holdings), exactUnits(holdingsTotal), currency);
    assert.deepEqual([claimsTotal, difference], [holdingsTotal, '0.00'], currency);
  }
};

test('200 shows an order in escrow and after its release just where the books have it', async (t) => {
  const fixture = await openSharedOrders(t);
  const who = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.expect(`POST /users/${who.buyer}/balance/reserve`, { body: { amount: '50.00' }, status: 200 });
  await fixture.atRest();
  const during = await report(fixture.app);
  assertAddsUp(during);
  const usd = inUsd(during);
  assert.deepEqual(
    ['user_available', 'user_reserved', 'in_escrow', 'platform_fees', 'contracts'].map((place) => at(usd, place)),
    ['850.00', '50.00', '100.00', '0.00', '100.00'],
  );

  await fixture.completeAll(order);
  await fixture.expect(`POST /orders/${order.id}/resolution/release`, { body: {}, status: 200 });
  await fixture.atRest();
  const after = await report(fixture.app);
  assertAddsUp(after);
  assert.deepEqual(
    ['user_available', 'user_reserved', 'in_escrow', 'platform_fees', 'contracts'].map((place) =>
      at(inUsd(after), place),
    ),
    ['945.00', '50.00', '0.00', '5.00', '0.00'],
  );
  const wallets = await fixture.app.sql(
    `select w.owner, (-sum(a.balance))::text as units from accounts a
     join wallets w on a.id = 'wallet:' || w.address || ':USD' group by 1`,
  );
  const names: Record<string, string> = {
    user: 'user_wallets',
    treasury: 'treasury_wallet',
    platform: 'platform_wallet',
  };
  for (const { owner, units: there } of wallets)
    assert.equal(exactUnits(at(inUsd(after), names[owner]!)), BigInt(there), owner);

  const proof = await fixture.app.call('GET /audit/proof');
  for (const { currency, claims, adjustments, openingBalances } of proof.body.data.currencies) {
    const shown = after.currencies.find((one: Any) => one.currency === currency);
    const byHand = exactUnits(adjustments) + exactUnits(openingBalances);
    assert.equal(exactUnits(shown.claimsTotal), exactUnits(claims) - byHand, currency);
  }
});

test('200 shows a credit by hand as a claim that the operator stands for', async (t) => {
  const app = await openApp(t);
  await app.aUser({ available: '12.34' });
  const data = await report(app);
  assert.match(data.asOf, /^\d{4}-\d\d-\d\dT/);
  assertAddsUp(data);
  assert.deepEqual(
    ['user_available', 'operator_adjustments'].map((place) => at(inUsd(data), place)),
    ['12.34', '-12.34'],
  );
});

test('200 shows opening balances apart from manual adjustments, and the proof does the same', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser({ available: '2.00' });
  const body = { amount: '12.34', reference: 'old-1', counterAccount: 'opening_balances' };
  assert.equal((await app.call(`POST /users/${userId}/balance/credit`, { body })).status, 200);
  const data = await report(app);
  assertAddsUp(data);
  assert.deepEqual(
    ['user_available', 'operator_adjustments', 'opening_balances'].map((place) => at(inUsd(data), place)),
    ['14.34', '-2.00', '-12.34'],
  );
  const proof = (await app.call('GET /audit/proof?full=true')).body.data;
  const { claims, adjustments, openingBalances, difference } = proof.currencies[0];
  assert.deepEqual(
    [proof.holds, claims, adjustments, openingBalances, difference],
    [true, '14.3400000', '2.0000000', '12.3400000', '0.0000000'],
  );
  const { text } = await app.call('GET /exports/journal?format=hledger');
  assert.match(text, /equity:opening-balances +-?12\.3400000 USD/);
});

test("200 is empty where nothing was booked, and never counts another marketplace's money", async (t) => {
  const app = await openApp(t);
  await app.aUser({ available: '12.34' });
  const key = await app.key(['*'], 'mkt_other');
  assert.deepEqual((await report(app, key)).currencies, []);
  await app.aUser({ key, available: '1.00' });
  assert.equal(at(inUsd(await report(app, key)), 'user_available'), '1.00');
  assert.equal(at(inUsd(await report(app)), 'user_available'), '12.34');
});

test('401 and 403 without the scope to read', async (t) => {
  await assertScope(await openApp(t), 'GET /reports/money', 'read');
});
