// An order in two parts: the seller is paid for the first one while the second one is still in work.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const buyer = await holdfast.users.create({ externalUserId: 'milestones-buyer' });
const seller = await holdfast.users.create({ externalUserId: 'milestones-seller' });
await holdfast.balances.credit(buyer.id, { amount: '300.00' });

const { id } = await holdfast.orders.create({
  buyerId: buyer.id,
  sellerId: seller.id,
  amount: '300.00',
  milestones: [
    { ref: 'design', title: 'Design', amount: '100.00' },
    { ref: 'site', title: 'Website', amount: '200.00' },
  ],
});
await holdfast.orders.reserve(id);
await holdfast.orders.createEscrow(id);
await holdfast.orders.fundEscrow(id);

await holdfast.orders.completeMilestone(id, 'design');
const { paid } = await holdfast.orders.releaseMilestone(id, { ref: 'design' });
console.log(`The seller has ${paid?.seller}, ${paid?.left} are in escrow`);

await holdfast.orders.completeMilestone(id, 'site');
const closed = await holdfast.orders.releaseMilestone(id, { ref: 'site' });
console.log(`${closed.status}: ${closed.paid?.seller} for the seller, fee ${closed.paid?.fee}`);
