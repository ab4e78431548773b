// The second table of docs/concepts/fees.md: parts, refunds and splits, carried out in the sandbox.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Holdfast, type Order } from '@holdfast/sdk';
import { openApp } from '../support/shared-app.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/concepts/fees.md'), 'utf8');

const rows = page
  .split('| What happens | Fee | Seller gets | Buyer gets back |')[1]!
  .split('\n\n')[0]!
  .split('\n')
  .filter((line) => /^\| \w/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

type Ending = { readonly hasMilestones?: boolean; end(holdfast: Holdfast, id: string): Promise<Order> };

const payDraft = async (holdfast: Holdfast, id: string): Promise<void> => {
  await holdfast.orders.completeMilestone(id, 'draft');
  await holdfast.orders.releaseMilestone(id, { ref: 'draft' });
};

/** What each row of the page says, as requests. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  'the whole order is released': { end: (holdfast, id) => holdfast.orders.release(id) },
  'a milestone of 100.00 is released, the rest later': {
    hasMilestones: true,
    async end(holdfast, id) {
      await payDraft(holdfast, id);
      await holdfast.orders.completeMilestone(id, 'rest');
      return holdfast.orders.release(id);
    },
  },
  'a milestone of 100.00 is released, the rest is refunded': {
    hasMilestones: true,
    async end(holdfast, id) {
      await payDraft(holdfast, id);
      return holdfast.orders.refund(id, { reason: 'not needed' });
    },
  },
  'the whole order is refunded': { end: (holdfast, id) => holdfast.orders.refund(id, { reason: 'not needed' }) },
  'a dispute is split: 300.00 to the seller, 200.00 back': {
    async end(holdfast, id) {
      const dispute = await holdfast.orders.dispute(id, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
      await holdfast.disputes.assign(dispute.id, { assignedTo: 'support-1' });
      const decision = { decision: 'SPLIT', releaseAmount: '300.00', refundAmount: '200.00' } as const;
      return (await holdfast.disputes.resolve(dispute.id, decision)).order;
    },
  },
};

const MILESTONES = [
  { ref: 'draft', title: 'Draft', amount: '100.00' },
  { ref: 'rest', title: 'Rest', amount: '400.00' },
];

test('each ending of an order pays what the page says', { timeout: 200_000 }, async (t) => {
  const app = await openApp(t, { sandbox: true });
  const holdfast = new Holdfast({ url: app.url, apiKey: await app.key(['*']) });
  assert.deepEqual(
    rows.map(([what]) => what),
    Object.keys(ENDINGS),
  );
  for (const [what = '', ...figures] of rows) {
    const { end, hasMilestones = false } = ENDINGS[what]!;
    const { id } = await holdfast.orders.create({
      buyerId: await app.aUser({ available: '500.00' }),
      sellerId: await app.aUser(),
      amount: '500.00',
      ...(hasMilestones ? { milestones: MILESTONES } : {}),
    });
    await holdfast.orders.reserve(id);
    await holdfast.orders.createEscrow(id);
    await holdfast.orders.fundEscrow(id);
    const { status, platformFeeAmount, sellerNet, buyerRefund } = await end(holdfast, id);
    assert.equal(status, 'CLOSED', what);
    assert.deepEqual([platformFeeAmount, sellerNet, buyerRefund], figures, what);
  }
});
