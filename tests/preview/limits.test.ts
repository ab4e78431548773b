// Refusals that the routes of top-ups and withdrawals make outside their command: the preview makes each of them too, and a preview counts
// for no limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ask, MASTER_KEY } from '../support/app.ts';
import { openOrders } from '../support/order-fixture.ts';
import { compare, previewOnly } from './compare.ts';

const RATES = { TOPUP_RATE_PER_MINUTE: '2', WITHDRAWAL_RATE_PER_MINUTE: '2' };
const LEAST = { TOPUP_AMOUNT_MIN: '1.00', WITHDRAWAL_AMOUNT_MIN: '1.00' };
const UNKNOWN = 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV';

const topup = (userId: string, more: object = {}): Ask => ({ body: { userId, amount: '10.00', ...more } });

const withdrawal = (userId: string, more: object = {}): Ask => ({
  body: {
    userId,
    amount: '10.00',
    currency: 'USD',
    destination: { type: 'bank', email: 'payee@shop.example' },
    ...more,
  },
});

test('each refusal outside the command is the same in both', async (t) => {
  const { app } = await openOrders(t, { env: LEAST });
  const user = await app.aUser({ available: '100.00' });
  const crypto = (address: string) => ({ destination: { type: 'crypto', address } });
  const refusals: readonly (readonly [string, Ask])[] = [
    ['POST /topups', topup(user, { amount: '0.01' })],
    ['POST /topups', topup(user, { amount: '99999999.00' })],
    ['POST /topups', topup(user, { returnUrl: 'https://name@shop.example/' })],
    ['POST /topups', topup(user, { currency: 'XLM' })],
    ['POST /topups', topup(UNKNOWN)],
    ['POST /withdrawals', withdrawal(user, { amount: '0.01' })],
    ['POST /withdrawals', withdrawal(user, { amount: '99999999.00' })],
    ['POST /withdrawals', withdrawal(user, { amount: '100.01' })],
    ['POST /withdrawals', withdrawal(UNKNOWN)],
    ['POST /withdrawals', withdrawal(user, { currency: 'XLM' })],
    ['POST /withdrawals', withdrawal(user, crypto('GA'))],
    ['POST /withdrawals', withdrawal(user, { destination: { type: 'crypto', email: 'a@shop.example' } })],
  ];
  for (const [request, ask] of refusals) {
    const { real } = await compare(app, request, ask);
    assert.ok(real.status >= 400 && real.status < 500, `${request} ${JSON.stringify(ask.body)}: ${real.text}`);
  }
});

for (const [request, ask] of [
  ['POST /topups', topup],
  ['POST /withdrawals', withdrawal],
] as const) {
  test(`${request}: the rate of a user is checked by a preview and counted by real requests only`, async (t) => {
    const { app } = await openOrders(t, { env: RATES });
    const user = await app.aUser({ available: '100.00' });
    for (let round = 0; round < 5; round++) {
      assert.notEqual((await previewOnly(app, request, ask(user))).status, 429, 'a preview counts for no limit');
    }
    for (let round = 0; round < 2; round++) assert.notEqual((await app.call(request, ask(user))).status, 429);
    const preview = await previewOnly(app, request, ask(user));
    const real = await app.call(request, ask(user));
    assert.deepEqual([preview.status, preview.body.error.code], [429, 'RATE_LIMITED'], preview.text);
    assert.deepEqual([real.status, real.body.error.code], [429, 'RATE_LIMITED'], real.text);
    assert.equal(preview.body.error.details.limit, real.body.error.details.limit);
    const other = await app.aUser({ available: '100.00' });
    assert.notEqual((await previewOnly(app, request, ask(other))).status, 429);
  });
}

test('the limits of a day, of a user and of the marketplace, refuse a preview as they refuse the request', async (t) => {
  const { app } = await openOrders(t);
  const user = await app.aUser({ available: '100.00' });
  const other = await app.aUser({ available: '100.00' });
  const limits = { currency: 'USD', withdrawalPerUserDay: '15.00', withdrawalPerDay: '25.00' };
  const set = await app.call(`PUT /marketplaces/${app.marketplaceId}/limits`, { key: MASTER_KEY, body: limits });
  assert.equal(set.status, 200, set.text);
  assert.ok((await compare(app, 'POST /withdrawals', withdrawal(user))).real.status < 300);
  assert.ok((await compare(app, 'POST /withdrawals', withdrawal(user))).real.status >= 400);
  assert.ok((await compare(app, 'POST /withdrawals', withdrawal(other))).real.status < 300);
  assert.ok((await compare(app, 'POST /withdrawals', withdrawal(other, { amount: '5.01' }))).real.status >= 400);
});

test('a preview makes no request to the escrow provider or the payment provider, and sends nothing to the ledger', async (t) => {
  const { app, anOrder } = await openOrders(t);
  const user = await app.aUser({ available: '100.00' });
  const order = await anOrder({ at: 'IN_PROGRESS' });
  const reserved = await anOrder({ at: 'FUNDS_RESERVED' });
  const requests = async (): Promise<string[]> => {
    const text = await (await fetch(new URL('/metrics', app.url))).text();
    const lines = text.split('\n').filter((line) => line.startsWith('holdfast_provider_requests_total{'));
    // Jobs read all the time. What a request asks for besides reads changes something.
    return lines
      .filter(
        (line) =>
          !/operation="(get|find|list|read|balance|account|payments?|ledger|fee|transaction|latest|health)/.test(line),
      )
      .sort();
  };
  const before = await requests();
  for (const [request, ask] of [
    [`POST /orders/${order.id}/resolution/release`, {}],
    [`POST /orders/${order.id}/resolution/refund`, { body: { reason: 'agreed' } }],
    [`POST /orders/${reserved.id}/escrow`, {}],
    ['POST /topups', topup(user)],
    ['POST /withdrawals', withdrawal(user, { commit: true })],
  ] as const) {
    const { status, body, text } = await previewOnly(app, request, ask);
    assert.equal(status, 200, text);
    assert.ok(body.data.calls.length > 0, `${request} would call: ${text}`);
  }
  assert.deepEqual(await requests(), before);
  await app.call(`POST /orders/${order.id}/resolution/release`);
  assert.notDeepEqual(await requests(), before, 'the request itself is counted');
});
