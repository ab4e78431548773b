// POST /orders, by status: what is refused, and leaves nothing behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTrade } from './order-fixture.ts';

test('404 USER_NOT_FOUND for a buyer or a seller that the marketplace does not have', async (t) => {
  const { app, buyerId, sellerId, refused } = await openTrade(t);
  const stranger = await app.aUser({ key: await app.key(['*'], 'mkt_other') });
  for (const [id, field] of [
    [stranger, 'buyerId'],
    [stranger, 'sellerId'],
    ['nonsense', 'sellerId'],
  ] as const) {
    const body = { buyerId, sellerId, amount: '5.00', [field]: id };
    const { status, code } = await refused('POST /orders', { body });
    assert.deepEqual([status, code], [404, 'USER_NOT_FOUND'], field);
  }
});

test('400 INVALID_STATE for a suspended buyer or seller', async (t) => {
  const { app, buyerId, sellerId, refused } = await openTrade(t);
  for (const id of [buyerId, sellerId]) {
    assert.equal((await app.call(`POST /users/${id}/suspend`)).status, 200);
    const { status, code, details } = await refused('POST /orders', { body: { buyerId, sellerId, amount: '5.00' } });
    assert.deepEqual([status, code, details.currentState], [400, 'INVALID_STATE', 'SUSPENDED']);
    assert.equal((await app.call(`POST /users/${id}/reactivate`)).status, 200);
  }
});

test('400 INVALID_AMOUNT when a milestone has none, or when they do not add up, with both sums', async (t) => {
  const { buyerId, sellerId, refused } = await openTrade(t);
  const body = { buyerId, sellerId, amount: '100.00' };
  for (const amount of ['0', '-1', '1.001', 'x']) {
    const milestones = [{ ref: 'a', title: 'A', amount }];
    const { status, code, details } = await refused('POST /orders', { body: { ...body, milestones } });
    assert.deepEqual([status, code, details.amount], [400, 'INVALID_AMOUNT', amount]);
  }
  for (const [amount, milestonesTotal] of [
    ['99.99', '99.99'],
    ['100.01', '100.01'],
  ]) {
    const milestones = [{ ref: 'a', title: 'A', amount }];
    const refusal = await refused('POST /orders', { body: { ...body, milestones } });
    const details = { milestonesTotal, amount: '100.00' };
    assert.deepEqual(refusal, { status: 400, code: 'INVALID_AMOUNT', details });
  }
});

test('400 VALIDATION_ERROR with a sentence for each field that is wrong', async (t) => {
  const { buyerId, sellerId, refused, allRefused } = await openTrade(t);
  const good = { buyerId, sellerId, amount: '10.00' };
  const milestone = { ref: 'a', title: 'A', amount: '1.00' };
  const many = Array.from({ length: 11 }, (_, i) => ({ ...milestone, ref: `m${i}` }));
  const cases: [object, RegExp][] = [
    [{ sellerId, amount: '10.00' }, /^buyerId is required$/],
    [{ buyerId, amount: '10.00' }, /^sellerId is required$/],
    [{ buyerId, sellerId }, /^amount is required$/],
    [{ ...good, amount: 10 }, /^amount must be a string$/],
    [{ ...good, buyerId: '' }, /^buyerId must not be empty$/],
    [{ ...good, buyerId: 'x'.repeat(65) }, /^buyerId must be at most 64 characters long$/],
    [{ ...good, sellerId: buyerId }, /^buyerId and sellerId must be two different users$/],
    [{ ...good, currency: 'EUR' }, /^currency must be one of USD, USDC, XLM$/],
    [{ ...good, title: 'x'.repeat(201) }, /^title must be at most 200 characters long$/],
    [{ ...good, title: null }, /^title must be a string$/],
    [{ ...good, description: 'x'.repeat(2_001) }, /^description must be at most 2000 characters long$/],
    [{ ...good, clientOrderRef: '' }, /^clientOrderRef must not be empty$/],
    [{ ...good, clientOrderRef: 'x'.repeat(201) }, /^clientOrderRef must be at most 200/],
    [{ ...good, clientOrderRef: 'a', client_order_ref: 'a' }, /^clientOrderRef and client_order_ref are the same/],
    [{ ...good, metadata: [] }, /^metadata must be an object$/],
    [{ ...good, metadata: { text: 'x'.repeat(8_200) } }, /^metadata must be at most 8192 bytes/],
    [{ ...good, milestones: [] }, /^milestones must have at least 1 item$/],
    [{ ...good, milestones: many }, /^milestones must have at most 10 items$/],
    [{ ...good, milestones: {} }, /^milestones must be a list$/],
    [{ ...good, milestones: [milestone, { ...milestone, title: 'B' }] }, /^milestones must not repeat the ref a$/],
    [{ ...good, milestones: [{ ...milestone, ref: '' }] }, /^milestones\[0\]\.ref must not be empty$/],
    [{ ...good, milestones: [{ ...milestone, ref: '..' }] }, /^milestones\[0\]\.ref must look like m1$/],
    [{ ...good, milestones: [{ ...milestone, ref: 'x'.repeat(121) }] }, /^milestones\[0\]\.ref must be at most 120/],
    [{ ...good, milestones: [{ ...milestone, title: '' }] }, /^milestones\[0\]\.title must not be empty$/],
    [{ ...good, milestones: [{ ref: 'a', title: 'A' }] }, /^milestones\[0\]\.amount is required$/],
    [
      { ...good, milestones: [{ ...milestone, status: 'COMPLETED' }] },
      /^milestones\[0\]\.status is not a known field$/,
    ],
    [{ ...good, status: 'CLOSED' }, /^status is not a known field$/],
  ];
  for (const platformFee of [-1, 99.01, 100, 1.005, '1.005', '5%', '', null, true, [5], '1e1', 1e-7]) {
    cases.push([{ ...good, metadata: { platformFee } }, /^metadata\.platformFee must be a percentage from 0 to 99/]);
  }
  await allRefused(async (ask) => {
    for (const [body, sentence] of cases) {
      const refusal = await ask('POST /orders', { body });
      const about = JSON.stringify(body).slice(0, 200);
      assert.deepEqual([refusal.status, refusal.code], [400, 'VALIDATION_ERROR'], about);
      assert.equal(refusal.details.validationErrors.length, 1, about);
      assert.match(refusal.details.validationErrors[0], sentence, about);
    }
  });
  const all = { ...good, sellerId: buyerId, metadata: { platformFee: 100 }, milestones: [milestone, milestone] };
  const { details } = await refused('POST /orders', { body: all });
  assert.equal(details.validationErrors.length, 3);
});
