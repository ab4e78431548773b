// Step 5: the seller is paid: first one milestone, then the rest of the order.

import { HoldfastError } from '@holdfast/sdk';
import { holdfast, orderOf, showBalance } from './shop.ts';

const { id } = await orderOf('guide-website');
await holdfast.orders.completeMilestone(id, 'draft');
const { paid } = await holdfast.orders.releaseMilestone(id, { ref: 'draft', reason: 'The draft is good' });
console.log(`Paid to the seller: ${paid?.seller}, fee: ${paid?.fee}, still in escrow: ${paid?.left}`);

// A release of the rest is refused while a milestone is open, and nothing changes.
try {
  await holdfast.orders.release(id);
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  console.log(`Refused: ${error.code}`);
}

await holdfast.orders.completeMilestone(id, 'pages');
await holdfast.orders.completeMilestone(id, 'texts');
const closed = await holdfast.orders.release(id, { reason: 'The website is online' });
console.log(`${closed.status}: ${closed.finalStatus}, fee: ${closed.platformFeeAmount}`);
await showBalance('grace');
