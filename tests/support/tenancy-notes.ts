// Notes of one marketplace about its records: part of tenancy-life.ts.

import type { Place } from './tenancy-life.ts';

/** Notes about an order and its buyer, and the notes of the order and of the marketplace. */
export const useNotes = async ({ ask }: Place, orderId: string): Promise<void> => {
  const record = { resourceType: 'order', resourceId: orderId };
  await ask('POST /notes', { ...record, text: 'The buyer called.' });
  await ask('GET /notes');
  await ask(`GET /notes?${new URLSearchParams(record)}`);
  const { buyerId } = await ask(`GET /orders/${orderId}`);
  await ask('POST /notes', { resourceType: 'user', resourceId: buyerId, text: 'x' });
  await ask(`GET /orders/${orderId}/timeline`);
};
