// Your own key, stored with your record of the work, makes a repeat safe also after a restart of your program.

import { randomUUID } from 'node:crypto';
import { Holdfast } from '@holdfast/sdk';

const { HOLDFAST_URL = 'http://127.0.0.1:4000', HOLDFAST_KEY = '' } = process.env;
const holdfast = new Holdfast({ url: HOLDFAST_URL, apiKey: HOLDFAST_KEY });
const { id } = await holdfast.users.create({ externalUserId: 'ada' });

const refund = { amount: '5.00', idempotencyKey: randomUUID() };
const payBack = () =>
  holdfast.balances.credit(id, { amount: refund.amount }, { idempotencyKey: refund.idempotencyKey });

const { available } = await payBack();
const again = await payBack();
console.log(`${available} and still ${again.available}`);

// Orders take a reference instead: it is yours, and unique in the marketplace.
const seller = await holdfast.users.create({ externalUserId: 'grace' });
const basket = { buyerId: id, sellerId: seller.id, amount: '5.00', clientOrderRef: `basket-${refund.idempotencyKey}` };
const order = await holdfast.orders.create(basket);
const [found] = await holdfast.orders.list({ clientOrderRef: basket.clientOrderRef }).toArray({ max: 1 });
console.log(found?.id === order.id);
