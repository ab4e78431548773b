// A dispute: the buyer complains with a photo, both sides write, and support splits the money.

import { Holdfast, subtractAmounts } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const buyer = await holdfast.users.create({ externalUserId: 'dispute-buyer' });
const seller = await holdfast.users.create({ externalUserId: 'dispute-seller' });
await holdfast.balances.credit(buyer.id, { amount: '60.00' });
const order = await holdfast.orders.create({ buyerId: buyer.id, sellerId: seller.id, amount: '60.00' });
await holdfast.orders.reserve(order.id);
await holdfast.orders.createEscrow(order.id);
await holdfast.orders.fundEscrow(order.id);

const dispute = await holdfast.orders.dispute(order.id, { openedBy: 'BUYER', reason: 'QUALITY_ISSUE' });
const photo = await holdfast.disputes.submitEvidence(dispute.id, {
  fileName: 'scratch.txt',
  contentType: 'text/plain',
  content: new TextEncoder().encode('A photo of the scratch'),
  submittedBy: 'BUYER',
});
await holdfast.disputes.sendMessage(dispute.id, { from: 'SELLER', text: 'I can take 40 off.' });
console.log(`${photo.fileName}, ${photo.sizeBytes} bytes`);

await holdfast.disputes.assign(dispute.id, { assignedTo: 'support-1' });
// The two parts must add up to the disputed money, here the whole order. The platform fee is taken from the seller's part.
const refundAmount = '40.00';
const releaseAmount = subtractAmounts(order.amount, refundAmount);
const resolved = await holdfast.disputes.resolve(dispute.id, {
  decision: 'SPLIT',
  releaseAmount,
  refundAmount,
  note: 'Agreed by both',
});
console.log(`${resolved.status}, ${resolved.order.finalStatus}: ${releaseAmount} and ${refundAmount}`);
console.log(`The seller has ${(await holdfast.balances.get(seller.id)).available}`);
