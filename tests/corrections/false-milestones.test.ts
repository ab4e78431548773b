// The correction adopt-contract-state where milestones were paid: only those that the contract did not pay, as the books have it, go back.

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

test('a false release after a milestone was paid takes back only the rest, which is then released for real', async (t) => {
  const { order, release, tell, make, refuse, wanted, money, get, expect, assertSound } = await openTwo(t);
  await release('m1');
  await tell('escrow.released');
  assert.deepEqual(await money(), ['900.00', '95.00', 60]);
  const { before, after } = await make(wanted);
  assert.deepEqual([before.orderStatus, before.finalStatus, before.inEscrow], ['CLOSED', 'RELEASED', '0.00']);
  assert.deepEqual([after.steps, after.milestones], [['undo-milestones'], { m1: 'RELEASED', m2: 'OPEN' }]);
  assert.deepEqual([after.orderStatus, after.escrowStatus, after.inEscrow], ['IN_PROGRESS', 'FUNDED', '60.00']);
  assert.deepEqual(await money(), ['900.00', '38.00', 60]);
  await assertSound();
  await refuse(wanted, /Nothing is left/);
  await release('m2');
  assert.deepEqual(await money(), ['900.00', '95.00', 0]);
  assert.equal((await get(order.id)).finalStatus, 'RELEASED');
  const { totals } = await expect('GET /reports/activity', { status: 200 });
  assert.deepEqual([totals.ordersSettled, totals.releasedToSellers, totals.platformFees], [1, '95.00', '5.00']);
  await assertSound();
});

test('several corrections at the same time take the milestone back once', async (t) => {
  const { release, tell, send, wanted, money, assertSound } = await openTwo(t);
  await release('m1');
  await tell('escrow.released');
  const answers = await Promise.all([send(wanted), send(wanted), send(wanted)]);
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
  assert.deepEqual(await money(), ['900.00', '38.00', 60]);
  await assertSound();
});
