// GET /orders/{id}/outlook: what happens when, if no one acts. Each step is a preview on what the steps before it left, and what then
// really happens is the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import { openOrders } from '../support/order-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const RULES = { cancelUnfundedAfter: 'P2D', autoReleaseAfter: 'P7D', remindBefore: ['P1D'] };

test('an order without a policy has no outlook; an unknown order is 404', async (t) => {
  const { app, anOrder, expect } = await openOrders(t);
  const { id } = await anOrder();
  assert.deepEqual(await expect(`GET /orders/${id}/outlook`, { status: 200 }), { orderId: id, steps: [], more: false });
  assert.equal(codeOf(await app.call('GET /orders/ord_01ARZ3NDEKTSV4RRFFQ69G5FAV/outlook')), '404 ORDER_NOT_FOUND');
});

test('each step shows its deadline, what it does and its preview; held ones do not run; then it happens so', async (t) => {
  const { app, parties, expect, done, simulator, get, balance } = await openOrders(t);
  await expect('POST /policies', { body: { name: 'shop', rules: RULES }, status: 201 });
  const { buyer, seller } = await parties();
  const body = { buyerId: buyer, sellerId: seller, amount: '100.00', policy: 'shop' };
  const { id } = await expect('POST /orders', { body, status: 201 });
  await expect(`POST /orders/${id}/reserve`, { status: 201 });

  const unfunded: Any[] = (await done(`GET /orders/${id}/outlook`)).steps;
  assert.deepEqual(
    unfunded.map(({ kind, does, preview }) => [kind, does, preview.reply.status]),
    [
      ['reminder', 'REMIND', 'FUNDS_RESERVED'],
      ['cancel_unfunded', 'CANCEL', 'CLOSED'],
    ],
  );
  assert.deepEqual(unfunded[1].preview.balances[0].after, { available: '1000.00', reserved: '0.00' });

  await done(`POST /orders/${id}/escrow`);
  await done(`POST /orders/${id}/escrow/fund`);
  const held = await done(`POST /orders/${id}/deadlines/auto_release/hold`, { body: { reason: 'to see' } });
  assert.equal(held.deadlines.find(({ kind }: Any) => kind === 'auto_release').status, 'HELD');
  const waiting: Any[] = (await done(`GET /orders/${id}/outlook`)).steps;
  const shown = waiting.find(({ kind }) => kind === 'auto_release');
  assert.deepEqual([shown.status, shown.does, shown.preview], ['HELD', null, null]);
  await done(`POST /orders/${id}/deadlines/auto_release/resume`, { body: {} });

  const before = await app.sql('select audit_seq from marketplaces where marketplace_id = $1', [app.marketplaceId]);
  const steps: Any[] = (await done(`GET /orders/${id}/outlook`)).steps;
  const after = await app.sql('select audit_seq from marketplaces where marketplace_id = $1', [app.marketplaceId]);
  assert.deepEqual(after, before);
  assert.deepEqual(
    steps.map(({ kind, does }) => [kind, does]),
    [
      ['reminder', 'REMIND'],
      ['auto_release', 'RELEASE'],
    ],
  );
  const { preview } = steps[1];
  assert.deepEqual([preview.reply.status, preview.reply.finalStatus], ['CLOSED', 'RELEASED']);
  assert.deepEqual(
    preview.calls.map(({ operation }: Any) => operation),
    ['change-status', 'approve', 'release'],
  );
  await simulator('POST /clock/advance', { seconds: 8 * 86_400 });
  await until(async () => (await get(id)).status === 'CLOSED', 'the release by its deadline');
  const paid = preview.balances.find(({ userId }: Any) => userId === seller);
  assert.deepEqual(await balance(seller), paid.after);
});
