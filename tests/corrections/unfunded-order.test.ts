// The correction cancel-unfunded-order: an order whose buyer will not fund it is cancelled when no money of it is in a contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { corrections } from './correct.ts';

const KIND = 'cancel-unfunded-order';

test('an order with an empty contract is canceled, and the buyer has the money back', async (t) => {
  const { app, parties, anOrder, get, balance, eventsOf, assertSound, expect } = await openSharedWebhooks(t);
  const { make, refuse } = corrections(app);
  const who = await parties();
  const { id } = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  assert.equal(codeOf(await app.call(`POST /orders/${id}/cancel`)), '400 INVALID_STATE', 'no other route leaves it');
  const made = await make({ kind: KIND, resourceId: id });
  assert.deepEqual([made.orderId, made.amount, made.currency], [id, '100.00', 'USD']);
  const unfunded = { orderStatus: 'ESCROW_FUNDING', finalStatus: null, escrowStatus: 'CREATED' };
  assert.deepEqual(made.before, { ...unfunded, buyerAvailable: '900.00', buyerReserved: '100.00' });
  const canceled = { orderStatus: 'CLOSED', finalStatus: 'CANCELED', escrowStatus: null };
  assert.deepEqual(made.after, { ...canceled, buyerAvailable: '1000.00', buyerReserved: '0.00' });
  const { status, finalStatus } = await get(id);
  assert.deepEqual([status, finalStatus], ['CLOSED', 'CANCELED']);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  assert.deepEqual((await eventsOf(id)).slice(-4), [
    'balance.released',
    'order.canceled',
    'order.closed',
    'correction.applied',
  ]);
  const { entries } = await expect(`GET /orders/${id}/timeline`, { status: 200 });
  assert.ok(
    entries.some(
      ({ title, details }: { title: string; details: { reason?: string } }) =>
        title === 'correction.applied' && details.reason,
    ),
  );
  await refuse({ kind: KIND, resourceId: id }, /closed/);
  await assertSound();
});

test('two corrections and a funding at the same time have one effect', async (t) => {
  const { app, parties, anOrder, get, balance, atRest, assertSound } = await openSharedWebhooks(t);
  const { send } = corrections(app);
  for (let round = 0; round < 4; round++) {
    const who = await parties();
    const { id } = await anOrder({ at: 'ESCROW_FUNDING', between: who });
    const answers = await Promise.all([
      send({ kind: KIND, resourceId: id }),
      app.call(`POST /orders/${id}/escrow/fund`),
      send({ kind: KIND, resourceId: id }),
    ]);
    const [first, fund, second] = answers.map(({ status }) => status);
    await atRest();
    const { status } = await get(id);
    const isCanceled = [first, second].includes(201);
    assert.equal([first, second].filter((one) => one === 201).length, isCanceled ? 1 : 0);
    assert.deepEqual([status, fund === 201], isCanceled ? ['CLOSED', false] : ['IN_PROGRESS', true]);
    const money = isCanceled ? { available: '1000.00', reserved: '0.00' } : { available: '900.00', reserved: '0.00' };
    assert.deepEqual(await balance(who.buyer), money);
  }
  await assertSound();
});

test('a contract with the whole amount is not canceled: the funding is confirmed instead', async (t) => {
  const { app, anOrder, payIn, get, openEars } = await openSharedWebhooks(t);
  const { refuse } = corrections(app);
  const order = await anOrder({ at: 'ESCROW_FUNDING' });
  await payIn(order);
  const facts = await refuse({ kind: KIND, resourceId: order.id }, /adopt-contract-state/);
  assert.deepEqual(facts.inContracts, { [order.escrow.providerContractId]: '100.0000000' });
  await openEars().lookAt(order);
  assert.equal((await get(order.id)).status, 'IN_PROGRESS');
  await refuse({ kind: KIND, resourceId: order.id }, /resolution\/refund/);
});

test('an order that can be canceled otherwise, or does not exist, is refused with the next step', async (t) => {
  const { app, anOrder } = await openSharedWebhooks(t);
  const { send, refuse } = corrections(app);
  const { id } = await anOrder();
  await refuse({ kind: KIND, resourceId: id }, /\/cancel/);
  assert.equal(codeOf(await send({ kind: KIND, resourceId: 'ord_unknown' })), '404 ORDER_NOT_FOUND');
});
