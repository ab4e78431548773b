// What reaches an outside system, asked for when there is nothing to be done there yet: refused by the order's state, by
// the body or at the door, before anybody outside hears of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedOrders } from '../support/order-fixture.ts';
import { INVALID_STATE, openTrade, tradeIn, UNKNOWN } from './order-fixture.ts';

const DISPUTE = { orderId: 'any', openedBy: 'BUYER', reason: 'NOT_DELIVERED' };

/** Every route, with a body that it takes. */
const WAYS: readonly [path: string, body?: object][] = [
  ['escrow'],
  ['escrow/fund'],
  ['resolution/release'],
  ['resolution/refund', { reason: 'not needed any more' }],
  ['resolution/dispute', DISPUTE],
];

const asking = (body: object | undefined) => (body === undefined ? {} : { body });

test('400 INVALID_STATE on all of them for an order that is new or closed', async (t) => {
  const { anOrder, done, refused } = await openTrade(t);
  const { id } = await anOrder();
  for (const [path, body] of WAYS) {
    const refusal = await refused(`POST /orders/${id}/${path}`, asking(body));
    assert.deepEqual(refusal, INVALID_STATE('ORDER_CREATED', ['reserve', 'cancel']), path);
  }
  await done(`POST /orders/${id}/cancel`);
  for (const [path, body] of WAYS) {
    const refusal = await refused(`POST /orders/${id}/${path}`, asking(body));
    assert.deepEqual(refusal, INVALID_STATE('CLOSED', []), path);
  }
});

test('400 INVALID_STATE for all but the escrow while the funds are only reserved', async (t) => {
  const { anOrder, done, refused, figures } = await openTrade(t);
  const { id } = await anOrder();
  await done(`POST /orders/${id}/reserve`);
  for (const [path, body] of WAYS.slice(1)) {
    const { status, code, details } = await refused(`POST /orders/${id}/${path}`, asking(body));
    assert.deepEqual([status, code, details.currentState], [400, 'INVALID_STATE', 'FUNDS_RESERVED'], path);
  }
  assert.deepEqual(await figures(), ['400.00', '100.00']);
});

test('400 INVALID_STATE for all but the funding while the escrow waits for it', async (t) => {
  const { anOrder, app, get } = await openSharedOrders(t);
  const order = await anOrder({ at: 'ESCROW_FUNDING' });
  for (const [path, body] of WAYS) {
    if (path === 'escrow/fund') continue;
    const answer = await app.call(`POST /orders/${order.id}/${path}`, asking(body));
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_STATE'], path);
    assert.equal(answer.body.error.details.currentState, 'ESCROW_FUNDING', path);
  }
  assert.deepEqual(await get(order.id), order);
});

test('404 ORDER_NOT_FOUND on all these routes for unknown ids and for orders of another marketplace', async (t) => {
  const { app, anOrder } = await openTrade(t);
  const { id } = await anOrder();
  const other = await tradeIn(app, { key: await app.key(['*'], 'mkt_other') });
  await other.allRefused(async (refused) => {
    for (const each of [id, UNKNOWN.order, 'nonsense']) {
      for (const [path, body] of WAYS) {
        const { status, code } = await refused(`POST /orders/${each}/${path}`, asking(body));
        assert.deepEqual([status, code], [404, 'ORDER_NOT_FOUND'], path);
      }
    }
  });
});

test('400 VALIDATION_ERROR comes before the state: each body with a sentence for what is wrong', async (t) => {
  const { anOrder, allRefused } = await openTrade(t);
  const { id } = await anOrder();
  const cases: [path: string, body: unknown, sentence: RegExp][] = [
    ['release', { reason: 7 }, /^reason must be a string$/],
    ['release', { reason: '' }, /^reason must not be empty$/],
    ['release', { reason: 'x'.repeat(501) }, /^reason must be at most 500/],
    ['release', { amount: '5.00' }, /^amount is not a known field$/],
    ['release', '{ not json', /not valid JSON/],
    ['refund', undefined, /^The body is required/],
    ['refund', '{', /not valid JSON/],
    ['refund', {}, /^reason is required$/],
    ['refund', { reason: '' }, /^reason must not be empty$/],
    ['refund', { reason: null }, /^reason must be a string$/],
    ['refund', { reason: 'x', amount: '5.00' }, /^amount is not a known field$/],
    ['dispute', undefined, /^The body is required/],
    ['dispute', { ...DISPUTE, orderId: undefined }, /^orderId is required$/],
    ['dispute', { ...DISPUTE, orderId: '' }, /^orderId must not be empty$/],
    ['dispute', { ...DISPUTE, openedBy: 'ADMIN' }, /^openedBy must be one of BUYER, SELLER$/],
    [
      'dispute',
      { ...DISPUTE, reason: 'I want my money' },
      /^reason must be one of NOT_DELIVERED, QUALITY_ISSUE, OTHER$/,
    ],
    ['dispute', { ...DISPUTE, evidence: 'https://a.example' }, /^evidence must be a list$/],
    ['dispute', { ...DISPUTE, evidence: [''] }, /^evidence\[0\] must not be empty$/],
    ['dispute', { ...DISPUTE, evidence: [7] }, /^evidence\[0\] must be a string$/],
    ['dispute', { ...DISPUTE, evidence: ['x'.repeat(2_001)] }, /^evidence\[0\] must be at most 2000/],
    ['dispute', { ...DISPUTE, evidence: Array(21).fill('x') }, /^evidence must have at most 20 items$/],
    ['dispute', { ...DISPUTE, note: 'x' }, /^note is not a known field$/],
  ];
  await allRefused(async (refused) => {
    for (const [path, body, sentence] of cases) {
      const ask = body === undefined ? {} : { body };
      const { status, code, details } = await refused(`POST /orders/${id}/resolution/${path}`, ask);
      const about = `${path} ${JSON.stringify(body)}`.slice(0, 200);
      assert.deepEqual([status, code], [400, 'VALIDATION_ERROR'], about);
      assert.equal(details.validationErrors.length, 1, about);
      assert.match(details.validationErrors[0], sentence, about);
    }
  });
});
