// Milestones that are refunded, that go to both sides, and orders that are settled after a milestone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const server = shareInFile(openOrders);

const PARTS = ['20.00', '30.00', '50.00'];
const at = (id: string, ref: string, action: string): string => `POST /orders/${id}/milestones/${ref}/${action}`;
const body = { reason: 'Not delivered' };

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

const statuses = (order: Any): string[] => order.milestones.map(({ status }: Any) => status);

const anOrderOfThree = async (completed: readonly string[]) => {
  const { parties, anOrder, expect } = server();
  const who = await parties();
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: PARTS });
  for (const ref of completed) await expect(at(id, ref, 'complete'), { status: 201 });
  return { id, who };
};

const eventsOf = async (id: string): Promise<Any[]> => {
  const rows = await server().app.sql(
    `select envelope from events where envelope::text like '%${id}%' order by position`,
  );
  return rows.map((row: Any) => (typeof row.envelope === 'string' ? JSON.parse(row.envelope) : row.envelope));
};

test('200 refunds milestones whether they are completed or not, and the last one closes the order like a whole refund', async () => {
  const { expect, balance, assertSound } = server();
  const { id, who } = await anOrderOfThree(['m1']);
  const first = await expect(at(id, 'm1', 'refund'), { body, status: 200 });
  assert.deepEqual(statuses(first), ['REFUNDED', 'OPEN', 'OPEN']);
  assert.deepEqual(first.paid, { seller: '0.00', buyer: '20.00', fee: '0.00', left: '80.00' });
  assert.deepEqual(await balance(who.buyer), { available: '920.00', reserved: '0.00' });
  await expect(at(id, 'm2', 'refund'), { body, status: 200 });
  const order = await expect(at(id, 'm3', 'refund'), { body, status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'REFUNDED', 'REFUNDED']);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  await assertSound();
});

test('200 for both: an order whose milestones went to both sides ends as SPLIT', async () => {
  const { expect, balance, assertSound } = server();
  const { id, who } = await anOrderOfThree(['m1', 'm2']);
  await expect(at(id, 'm1', 'release'), { status: 200 });
  await expect(at(id, 'm2', 'refund'), { body, status: 200 });
  const order = await expect(at(id, 'm3', 'refund'), { body, status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'SPLIT', 'RELEASED']);
  assert.deepEqual(order.paid, { seller: '19.00', buyer: '80.00', fee: '1.00', left: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: '19.00', reserved: '0.00' });
  const events = await eventsOf(id);
  const amounts = ['order.released', 'order.refunded'].map((type) =>
    events.filter(({ eventType }) => eventType === type).map(({ payload }) => payload.amount),
  );
  assert.deepEqual(amounts, [['19.00'], ['80.00']]);
  await assertSound();
});

test('a release of the order after a milestone pays only the rest, and marks the other milestones', async () => {
  const { expect, balance, assertSound } = server();
  const { id, who } = await anOrderOfThree(['m1', 'm2', 'm3']);
  await expect(at(id, 'm1', 'release'), { status: 200 });
  const order = await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  assert.deepEqual([order.status, order.finalStatus], ['CLOSED', 'RELEASED']);
  assert.deepEqual(statuses(order), ['RELEASED', 'RELEASED', 'RELEASED']);
  assert.deepEqual(order.paid, { seller: '95.00', buyer: '0.00', fee: '5.00', left: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  await assertSound();
});
