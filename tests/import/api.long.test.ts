// An import from a second Holdfast server, which has the same wire as the nearest comparable system.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builderOf } from '../support/builder.ts';
import { openApp } from '../support/shared-app.ts';
import { type Any, countsOf, openImport } from './fixture.ts';

test('from a Holdfast server: users, balances and open orders arrive, and the escrow stays', {
  timeout: 120_000,
}, async (t) => {
  const old = await openApp(t, { sandbox: true });
  const { anOrder, done } = builderOf(old);
  const reserved = await anOrder({
    at: 'FUNDS_RESERVED',
    amount: '40.00',
    milestones: 2,
    metadata: { platformFee: '7' },
  });
  await anOrder({ at: 'ORDER_CREATED', amount: '11.00', clientOrderRef: 'cart-7' });
  const running = await anOrder({ at: 'IN_PROGRESS', amount: '30.00' });
  const closed = await anOrder({ at: 'IN_PROGRESS', amount: '20.00', title: 'Again' });
  await done(`POST /orders/${closed.id}/resolution/refund`, { body: { reason: 'moving' } });
  await done(`POST /users/${reserved.buyerId}/balance/reserve`, { body: { amount: '3.00', currency: 'USD' } });

  const { run, apply, done: ask, assertProof } = await openImport(t, await openApp(t));
  const source = ['--source-url', old.url, '--source-key', await old.key(['read'])];
  const applied = await apply([...source, '--reopen', closed.id]);
  assert.equal(applied.code, 0, applied.err + applied.out);
  assert.deepEqual(countsOf(applied), {
    users: [8, 8, 0, 0, 0],
    'opening balances': [4, 4, 0, 0, 0],
    orders: [4, 3, 0, 1, 0],
  });
  assert.deepEqual(
    applied.json.left.map(({ orderId, reason }: Any) => [orderId, /escrow contract of the old system/.test(reason)]),
    [[running.id, true]],
  );
  const [order] = await ask(`GET /orders?clientOrderRef=${reserved.id}`);
  assert.deepEqual(
    [order.status, order.platformFee, order.milestones.length, order.metadata.importedFrom],
    ['FUNDS_RESERVED', '7.00', 2, reserved.id],
  );
  assert.equal((await ask(`GET /orders?clientOrderRef=cart-7`))[0].status, 'ORDER_CREATED');
  const [again] = await ask(`GET /orders?clientOrderRef=${closed.id}`);
  assert.deepEqual([again.status, again.title], ['FUNDS_RESERVED', 'Again']);
  const { available, reserved: held } = await ask(`GET /users/${order.buyerId}/balance`);
  assert.deepEqual([available, held], ['957.00', '43.00'], 'as in the source, with the reservation without an order');
  assert.deepEqual(
    applied.json.sums.map(({ currency, difference }: Any) => [currency, difference]),
    [['USD', '0.00']],
  );
  await assertProof();

  const canceled = await anOrder({ at: 'ORDER_CREATED' });
  await done(`POST /orders/${canceled.id}/cancel`);
  const wrong = await run([...source, '--reopen', canceled.id, '--reopen', 'ord_unknown']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.json.problems.join(), new RegExp(`order ${canceled.id}: it was not refunded`));
  assert.match(wrong.json.problems.join(), /--reopen ord_unknown: the source has no such order/);
});
