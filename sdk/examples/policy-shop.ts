// A shop with an inspection window: the buyer has 14 days after the delivery to complain, then the seller is paid automatically.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });

await holdfast.policies.create({
  name: 'shop',
  rules: {
    cancelUnfundedAfter: 'PT1H',
    autoReleaseAfter: 'P14D',
    remindBefore: ['P2D'],
    dispute: { decideWithin: 'P7D', then: 'REFUND' },
    platformFee: { percent: '5', fixed: '0.30' },
  },
});

const buyer = await holdfast.users.create({ externalUserId: 'policy-shop-buyer' });
const seller = await holdfast.users.create({ externalUserId: 'policy-shop-seller' });
await holdfast.balances.credit(buyer.id, { amount: '60.00' });

const { id } = await holdfast.orders.create({
  buyerId: buyer.id,
  sellerId: seller.id,
  amount: '60.00',
  title: 'A pair of boots',
  milestones: [{ ref: 'delivered', title: 'Delivered', amount: '60.00' }],
  policy: 'shop',
});
await holdfast.orders.reserve(id);
await holdfast.orders.createEscrow(id);
await holdfast.orders.fundEscrow(id);
const { deadlines } = await holdfast.orders.completeMilestone(id, 'delivered');
for (const { kind, status } of deadlines.filter((deadline) => deadline.status === 'PENDING')) {
  console.log(`${kind} ${status}`);
}

// In the sandbox 14 days are one request; elsewhere they are 14 days.
await holdfast.sandbox.advanceClock({ seconds: 14 * 86_400 });
for await (const { eventType } of holdfast.events({ since: seller.createdAt, resources: ['Order'] })) {
  if (eventType === 'order.deadline_reminder' || eventType === 'order.deadline_passed') console.log(eventType);
  if (eventType === 'order.closed') break;
}
const { available } = await holdfast.balances.get(seller.id);
console.log(`The seller has ${available}`);
