// Step 3: an order with three milestones. The buyer's money is set aside, and has not moved yet.

import { holdfast, person, showBalance } from './shop.ts';

const ada = await person('ada');
const grace = await person('grace');

const order = await holdfast.orders.create({
  buyerId: ada.id,
  sellerId: grace.id,
  amount: '500.00',
  title: 'A website',
  clientOrderRef: 'guide-website',
  milestones: [
    { ref: 'draft', title: 'The draft', amount: '100.00' },
    { ref: 'pages', title: 'The pages', amount: '300.00' },
    { ref: 'texts', title: 'The texts', amount: '100.00' },
  ],
});
console.log(`${order.status}: the fee will be ${order.platformFeeAmount}, the seller will get ${order.sellerNet}`);

const { status } = await holdfast.orders.reserve(order.id);
console.log(status);
await showBalance('ada');
