// The correction settle-short-funding: a funding that arrived in part, in a contract that neither takes the rest nor pays it back, is ended.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../tools/until.ts';
import { openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { corrections, openBreaks } from './correct.ts';

const KIND = 'settle-short-funding';

/** The contract takes half of each payment and refuses to pay anything back. */
const openShort = async (t: TestContext) => {
  const fixture = await openWebhooks(t);
  const { app, parties, anOrder, fault } = fixture;
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fault('fund', 'short', { match: order.id, count: 3 });
  await fault('dispute', 'refusal', { match: order.id, count: 1_000 });
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '504 PROVIDER_TIMEOUT');
  return { ...fixture, ...corrections(app), who, order };
};

test('the order goes on with a new contract, and the part of the operator stays in the old one and in the books', async (t) => {
  const { app, who, order, refuse, make, get, balance, simulator, expect, contractOf, assertSound } =
    await openShort(t);
  const { id } = order;
  assert.equal(codeOf(await app.call(`POST /orders/${id}/cancel`)), '400 INVALID_STATE');
  const facts = await refuse({ kind: KIND, resourceId: id }, /"amount": "87.50"/);
  assert.deepEqual([facts.paidIn, facts.inContract], ['87.5000000', '87.5000000']);
  await until(async () => (await openBreaks(app)).includes(`short-funding:${id}`), 'a break about the order');
  await refuse({ kind: 'cancel-unfunded-order', resourceId: id }, /fund-escrow runs/);
  const made = await make({ kind: KIND, resourceId: id, amount: '87.50' });
  const money = { buyerAvailable: '900.00', buyerReserved: '100.00', inContract: '87.5000000' };
  const stuck = { orderStatus: 'ESCROW_FUNDING', escrowStatus: 'FUNDING', operation: 'fund-escrow' };
  assert.deepEqual(made.before, { ...stuck, ...money });
  assert.deepEqual(made.after, { orderStatus: 'FUNDS_RESERVED', escrowStatus: null, operation: null, ...money });
  assert.equal((await contractOf(order)).balance, 87.5);
  assert.deepEqual(await openBreaks(app), []);
  await assertSound();
  await refuse({ kind: KIND, resourceId: id, amount: '87.50' }, /No funding runs/);

  await simulator('DELETE /faults');
  await expect(`POST /orders/${id}/escrow`, { status: 201 });
  await expect(`POST /orders/${id}/escrow/fund`, { status: 201 });
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.equal((await get(id)).finalStatus, 'RELEASED');
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await assertSound();
});

test('the order can also be canceled, with the amount that stays in the contract', async (t) => {
  const { who, order, make, refuse, balance, assertSound } = await openShort(t);
  await make({ kind: KIND, resourceId: order.id, amount: '87.50' });
  await refuse({ kind: 'cancel-unfunded-order', resourceId: order.id }, /"amount": "87.50"/);
  await make({ kind: 'cancel-unfunded-order', resourceId: order.id, amount: '87.50' });
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  await assertSound();
});

test('a contract that an outsider has filled is set aside only by a caller who knows that', async (t) => {
  const { order, make, refuse, payIn, expect, assertSound } = await openShort(t);
  await payIn(order, '12.50');
  const wanted = { kind: KIND, resourceId: order.id, amount: '87.50' };
  const facts = await refuse(wanted, /the whole amount: .*retry-operation .*"amount": "100.00"/);
  assert.deepEqual([facts.paidIn, facts.inContract], ['87.5000000', '100.0000000']);
  const made = await make({ ...wanted, amount: '100.00' });
  assert.deepEqual([made.amount, made.after.orderStatus], ['87.50', 'FUNDS_RESERVED']);
  await expect(`POST /orders/${order.id}/escrow`, { status: 201 });
  await assertSound();
});

test('corrections at the same time, and an operation that pays back, have one effect', async (t) => {
  const { who, order, send, simulator, balance, untilStatus, assertSound } = await openShort(t);
  const wanted = { kind: KIND, resourceId: order.id, amount: '87.50' };
  // The contract pays back again: the operation and the corrections race.
  await simulator('DELETE /faults');
  const answers = await Promise.all([send(wanted), send(wanted), send(wanted)]);
  assert.ok(answers.filter(({ status }) => status === 201).length <= 1);
  for (const { status } of answers) assert.ok([201, 409, 504].includes(status), String(status));
  await untilStatus(order.id, 'FUNDS_RESERVED');
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '100.00' });
  await assertSound();
});

test('an order without a funding that is stuck is refused with the next step', async (t) => {
  const { app, anOrder, assertSound } = await openWebhooks(t);
  const { refuse, send } = corrections(app);
  for (const at of ['FUNDS_RESERVED', 'ESCROW_FUNDING', 'IN_PROGRESS'] as const) {
    const { id } = await anOrder({ at });
    await refuse({ kind: KIND, resourceId: id, amount: '1.00' }, /adopt-contract-state/);
  }
  assert.equal(codeOf(await send({ kind: KIND, resourceId: 'ord_unknown' })), '404 ORDER_NOT_FOUND');
  await assertSound();
});
