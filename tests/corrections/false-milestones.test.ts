// The correction adopt-contract-state where milestones were paid: only those that the contract did not pay, as the books have it, go back.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { applyEscrowRecord } from '../../server/src/modules/webhooks/apply-escrow-event.ts';
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

test('a milestone that a false report released on its own is paid by the contract when it is released for real', async (t) => {
  const { app, order, openEars, tell, make, wanted, money, get, expect, assertSound } = await openTwo(t);
  const { id } = order;
  const context = {
    marketplaceId: app.marketplaceId,
    actor: { type: 'system', id: 'poll' },
    requestId: 'poll',
  } as const;
  // The provider's record once showed the milestone as released.
  const input = { type: 'escrow.released', orderId: id, contractId: null, milestoneRef: 'm1' } as const;
  await openEars().submit({ command: applyEscrowRecord, input, context });
  await tell('escrow.released');
  assert.deepEqual(await money(), ['900.00', '95.00', 100]);
  const { after } = await make(wanted);
  assert.deepEqual([after.steps, after.orderStatus], [['undo-milestones'], 'IN_PROGRESS']);
  const [{ calls }] = await app.sql('select calls from escrows where order_id = $1', [id]);
  assert.deepEqual(
    calls.map(({ call }: Any) => call),
    ['deploy', 'fund'],
  );
  await expect(`POST /orders/${id}/milestones/m1/release`, { status: 200 });
  assert.deepEqual(await money(), ['900.00', '38.00', 60]);
  await expect(`POST /orders/${id}/milestones/m2/complete`, { status: 201 });
  await expect(`POST /orders/${id}/milestones/m2/release`, { status: 200 });
  assert.deepEqual(await money(), ['900.00', '95.00', 0]);
  assert.equal((await get(id)).finalStatus, 'RELEASED');
  await assertSound();
});
