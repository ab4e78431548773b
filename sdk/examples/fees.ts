// The platform fee: 5 % of the seller's part unless a policy or the order says otherwise. The buyer pays the amount of the order.

import { Holdfast, percentOf, subtractAmounts } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const buyer = await holdfast.users.create({ externalUserId: 'fees-buyer' });
const seller = await holdfast.users.create({ externalUserId: 'fees-seller' });
const parties = { buyerId: buyer.id, sellerId: seller.id, amount: '80.00' };

const usual = await holdfast.orders.create(parties);
console.log(`usual: ${usual.platformFeeAmount} of ${usual.amount}, the seller gets ${usual.sellerNet}`);

await holdfast.policies.create({ name: 'cheap', rules: { platformFee: { percent: '2', fixed: '0.30' } } });
const byPolicy = await holdfast.orders.create({ ...parties, policy: 'cheap' });
console.log(`by policy: ${byPolicy.platformFeeAmount}, the seller gets ${byPolicy.sellerNet}`);

const byOrder = await holdfast.orders.create({ ...parties, metadata: { platformFee: '0' } });
console.log(`for this order: ${byOrder.platformFeeAmount}, the seller gets ${byOrder.sellerNet}`);

// The same before there is an order, for a page of prices.
const fee = percentOf('80.00', '5');
console.log(`computed: ${fee}, the seller gets ${subtractAmounts('80.00', fee)}`);
