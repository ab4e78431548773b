// Two users and one order, from the first credit to the money that the seller can spend.

import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });

const ada = await holdfast.users.create({ externalUserId: 'ada' });
const grace = await holdfast.users.create({ externalUserId: 'grace' });
await holdfast.balances.credit(ada.id, { amount: '100.00' });

const order = await holdfast.orders.create({ buyerId: ada.id, sellerId: grace.id, amount: '40.00', title: 'A chair' });
await holdfast.orders.reserve(order.id);
await holdfast.orders.createEscrow(order.id);
await holdfast.orders.fundEscrow(order.id);
const { status, finalStatus } = await holdfast.orders.release(order.id, { reason: 'The chair is here' });
console.log(`The order is ${status}: ${finalStatus}`);

const balance = await holdfast.balances.get(grace.id);
console.log(`The seller has ${balance.available} ${balance.currency}`);

for await (const event of holdfast.events({ since: order.createdAt, resources: ['Order'] })) {
  console.log(`${event.occurredAt} ${event.eventType}`);
  if (event.eventType === 'order.closed') break;
}
