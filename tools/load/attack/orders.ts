// Orders of the quiet tenant: whole ones whose time is measured, and ones that stay funded, so that their contracts are known.

import type { Holdfast } from '@holdfast/sdk';

const AMOUNT = '20.00';

/** The contract that holds the money of a new order. */
export const fundOrder = async (
  client: Holdfast,
  users: readonly string[],
): Promise<{ id: string; contractId: string }> => {
  const [buyerId, sellerId] = users as [string, string];
  const { id } = await client.orders.create({ buyerId, sellerId, amount: AMOUNT });
  await client.orders.reserve(id);
  await client.orders.createEscrow(id);
  await client.orders.fundEscrow(id);
  const { escrow } = await client.orders.get(id);
  return { id, contractId: escrow!.providerContractId! };
};

/** Created, reserved, escrow created and funded, released; the time that it took. */
export const runWholeOrder = async (client: Holdfast, users: readonly string[]): Promise<number> => {
  const begunAt = performance.now();
  const { id } = await fundOrder(client, users);
  await client.orders.release(id);
  return performance.now() - begunAt;
};
