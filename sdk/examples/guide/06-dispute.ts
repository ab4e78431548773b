// Step 6: a second order goes wrong. The buyer opens a dispute, and your support team splits the money.

import { holdfast, person } from './shop.ts';

const ada = await person('ada');
const grace = await person('grace');
const order = await holdfast.orders.create({
  buyerId: ada.id,
  sellerId: grace.id,
  amount: '80.00',
  title: 'A logo',
  clientOrderRef: 'guide-logo',
});
await holdfast.orders.reserve(order.id);
await holdfast.orders.createEscrow(order.id);
await holdfast.orders.fundEscrow(order.id);

const dispute = await holdfast.orders.dispute(order.id, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
console.log(`${dispute.order.status}: no money moves until the dispute is resolved`);
await holdfast.disputes.assign(dispute.id, { assignedTo: 'support-1' });

// The two amounts add up to the disputed money, here the whole order. The fee is taken from the seller's part.
const decision = { decision: 'SPLIT', releaseAmount: '50.00', refundAmount: '30.00' } as const;

// A dry run shows the result and changes nothing.
const preview = await holdfast.disputes.resolve(dispute.id, decision, { dryRun: true });
for (const [name, { id }] of Object.entries({ buyer: ada, seller: grace })) {
  const change = preview.balances.find(({ userId }) => userId === id);
  console.log(`The ${name}: ${change?.before.available} to ${change?.after.available}`);
}

const { order: closed } = await holdfast.disputes.resolve(dispute.id, { ...decision, note: 'Half of it was usable' });
console.log(`${closed.status}: ${closed.finalStatus}`);
console.log(`Seller ${closed.sellerNet}, buyer ${closed.buyerRefund}, platform ${closed.platformFeeAmount}`);
