// Corrections of milestones: a false refund, and a contract that refunded instead.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openSharedWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { type Any, corrections } from './correct.ts';

const KIND = 'adopt-contract-state';

/** An order of two milestones, 40.00 and 60.00, in progress. */
const openTwo = async (t: TestContext) => {
  const fixture = await openSharedWebhooks(t);
  const { app, parties, anOrder, expect, deliver, balance, contractOf } = fixture;
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['40.00', '60.00'] });
  const { id } = order;
  const at = (ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;
  return {
    ...fixture,
    ...corrections(app),
    order,
    who,
    wanted: { kind: KIND, resourceId: id },
    async release(ref: string): Promise<void> {
      await expect(at(ref, 'complete'), { status: 201 });
      await expect(at(ref, 'release'), { status: 200 });
    },
    /** A signed webhook that says what the contract did not do. */
    async tell(type: 'escrow.released' | 'escrow.refunded'): Promise<void> {
      assert.equal(await deliver({ type, data: { order_id: id } }), true);
    },
    async money(): Promise<Any[]> {
      const buyer = await balance(who.buyer);
      const seller = await balance(who.seller);
      return [buyer.available, seller.available, (await contractOf(order)).balance];
    },
  };
};

test('a false refund after a milestone was paid is undone when the buyer has the money', async (t) => {
  const { order, who, release, tell, make, refuse, wanted, money, get, expect, assertSound } = await openTwo(t);
  await release('m1');
  await expect(`POST /orders/${order.id}/milestones/m2/complete`, { status: 201 });
  await tell('escrow.refunded');
  assert.equal((await get(order.id)).finalStatus, 'SPLIT');
  await expect(`POST /users/${who.buyer}/balance/debit`, { status: 200, body: { amount: '950.00' } });
  await refuse(wanted, /has 10.00 USD of the 60.00 .*balance\/credit/);
  await expect(`POST /users/${who.buyer}/balance/credit`, { status: 200, body: { amount: '50.00' } });
  const { after } = await make(wanted);
  assert.deepEqual([after.steps, after.milestones], [['undo-milestones'], { m1: 'RELEASED', m2: 'COMPLETED' }]);
  assert.deepEqual(await money(), ['0.00', '38.00', 60]);
  await assertSound();
  await expect(`POST /orders/${order.id}/resolution/refund`, { status: 200, body: { reason: 'agreed' } });
  assert.deepEqual(await money(), ['60.00', '38.00', 0]);
  await assertSound();
});

test('a false release of a milestone that the contract refunded becomes the refund', async (t) => {
  const { order, release, tell, make, refuse, wanted, money, get, act, escrowRow } = await openTwo(t);
  await release('m1');
  await tell('escrow.released');
  const { buyer } = await escrowRow(order.id);
  await act(order.id, 'buyer', { kind: 'dispute', milestone: 1 });
  const shares = [{ address: buyer.address, amount: 600_000_000n }];
  await act(order.id, 'platform', { kind: 'resolve', milestone: 1, shares });
  const { after } = await make(wanted);
  assert.deepEqual([after.steps, after.finalStatus], [['undo-milestones', 'pay-milestones'], 'SPLIT']);
  assert.deepEqual(await money(), ['960.00', '38.00', 0]);
  assert.equal((await get(order.id)).status, 'CLOSED');
  await refuse(wanted, /Nothing is left/);
});
