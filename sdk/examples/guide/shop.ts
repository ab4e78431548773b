// What all steps of the guide share: the client, the two people, and the order by its own reference.

import { existsSync, readFileSync } from 'node:fs';
import { Holdfast, type Order } from '@holdfast/sdk';

// The server of `npm start` writes the address and a key for this machine into its data folder.
const { DATA_DIR = '.data' } = process.env;
const devKey = `${DATA_DIR}/dev-key.json`;
const local = existsSync(devKey) ? JSON.parse(readFileSync(devKey, 'utf8')) : {};

export const holdfast = new Holdfast({
  url: process.env.HOLDFAST_URL ?? local.url ?? 'http://127.0.0.1:4000',
  apiKey: process.env.HOLDFAST_KEY ?? local.key ?? '',
});

/** Returns the same user each time: `externalUserId` is your own id of the user, and unique. */
export const person = (name: string) =>
  holdfast.users.create({ externalUserId: `guide-${name}`, email: `${name}@shop.example` });

/** An order is found by the reference that you gave it. */
export const orderOf = async (clientOrderRef: string): Promise<Order> => {
  const [order] = await holdfast.orders.list({ clientOrderRef }).toArray({ max: 1 });
  if (order === undefined) throw new Error(`There is no order ${clientOrderRef}. Run the steps of the guide in order.`);
  return order;
};

export const showBalance = async (name: string): Promise<void> => {
  const { id } = await person(name);
  const { available, reserved, currency } = await holdfast.balances.get(id);
  console.log(`${name}: ${available} ${currency} available, ${reserved} reserved`);
};
