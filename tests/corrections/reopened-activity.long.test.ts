// A correction that reopens an order takes back the figures of its first end from the activity report, also where the sums of the report
// have them already. Then the full proof holds, and the order counts once, at its last end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../server/src/commit/command.ts';
import { reopenOrder } from '../../server/src/modules/escrows/undo-report.ts';
import { onOrder } from '../../server/src/modules/orders/order-work.ts';
import { checkActivity } from '../../server/src/modules/reports/activity-check.ts';
import { keepActivitySums } from '../../server/src/modules/reports/activity-sums.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { openFixture } from '../commit/fixture.ts';
import { openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { corrections } from './correct.ts';

/** The step of the correction adopt-contract-state. */
const reopen = command({
  name: 'reopen-order',
  ...onOrder,
  decide: ({ orderId }: { orderId: string }, work) =>
    reopenOrder(work, { orderId, reason: 'A false report.', onLedger: [] }),
});

const AGED = `update orders set created_at = created_at - make_interval(days => $2),
  updated_at = updated_at - make_interval(days => $2), version = version + 1 where id = $1`;

for (const [report, days] of [
  ['released', 0],
  ['released', 2],
  ['refunded', 40],
] as const) {
  test(`an order that a false webhook has ${report} ${days} days ago counts once after it was reopened`, async (t) => {
    const { app, parties, anOrder, deliver, expect } = await openWebhooks(t);
    const { marketplaceId } = app;
    // Another server: the first one remembers the row that is changed below.
    const { pool, submit } = await openFixture(t, { connection: app.connection as Connection, marketplaceId });
    const assertEqualsRecords = async (): Promise<void> => {
      const { holds, detail } = await checkActivity(pool, { marketplaceId });
      assert.equal(holds, true, detail);
    };
    const counted = async () => {
      const { totals, days: each } = await expect('GET /reports/activity?days=90', { status: 200 });
      const { ordersSettled, releasedToSellers, refundedToBuyers, platformFees } = totals;
      const on = each.flatMap((day: { ordersSettled: number }, at: number) =>
        day.ordersSettled > 0 ? [each.length - 1 - at] : [],
      );
      return { figures: [ordersSettled, releasedToSellers, refundedToBuyers, platformFees], on };
    };
    const expectCounted = async (expected: Awaited<ReturnType<typeof counted>>): Promise<void> => {
      for (let i = 0; i < 2; i++) {
        assert.deepEqual(await counted(), expected, 'from the sums and the records since');
        await assertEqualsRecords();
        await keepActivitySums(pool, { marketplaceId });
      }
    };

    const who = await parties();
    const { id } = await anOrder({ at: 'IN_PROGRESS', between: who });
    assert.equal(await deliver({ type: `escrow.${report}`, data: { order_id: id } }), true);
    if (days > 0) await app.sql(AGED, [id, days]);
    const paid = report === 'released' ? ['95.00', '0.00', '5.00'] : ['0.00', '100.00', '0.00'];
    await expectCounted({ figures: [1, ...paid], on: [days] });
    if (days === 0) await corrections(app).make({ kind: 'adopt-contract-state', resourceId: id });
    else await submit(reopen, { orderId: id });
    await expectCounted({ figures: [0, '0.00', '0.00', '0.00'], on: [] });
    await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
    await expectCounted({ figures: [1, '95.00', '0.00', '5.00'], on: [0] });
  });
}
