// POST /orders/{id}/milestones/{ref}/release and …/refund: what is paid, what the order shows, the events, and how it ends.

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

test('200 pays one milestone: the seller has it less its fee, and the order goes on with the rest', async () => {
  const { expect, balance, contractOf, get, assertSound } = server();
  const { id, who } = await anOrderOfThree(['m2']);
  const order = await expect(at(id, 'm2', 'release'), { status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.operation], ['IN_PROGRESS', null, null]);
  assert.deepEqual(statuses(order), ['OPEN', 'RELEASED', 'OPEN']);
  const { releasedAmount, refundedAmount, fee } = order.milestones[1];
  assert.deepEqual([releasedAmount, refundedAmount, fee], ['30.00', '0.00', '1.50']);
  assert.deepEqual(order.paid, { seller: '28.50', buyer: '0.00', fee: '1.50', left: '70.00' });
  assert.deepEqual(await balance(who.seller), { available: '28.50', reserved: '0.00' });
  const { flags } = (await contractOf(await get(id))).milestones[1];
  assert.equal(flags.released, true);
  await assertSound();
});

test('200 for each milestone: the last one closes the order like a whole release', async () => {
  const { expect, balance, assertSound } = server();
  const { id, who } = await anOrderOfThree(['m1', 'm2', 'm3']);
  await expect(at(id, 'm3', 'release'), { status: 200 });
  await expect(at(id, 'm1', 'release'), { status: 200 });
  const order = await expect(at(id, 'm2', 'release'), { status: 200 });
  assert.deepEqual([order.status, order.finalStatus, order.escrow.status], ['CLOSED', 'RELEASED', 'RELEASED']);
  assert.deepEqual(statuses(order), ['RELEASED', 'RELEASED', 'RELEASED']);
  assert.deepEqual(order.paid, { seller: '95.00', buyer: '0.00', fee: '5.00', left: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  const events = await eventsOf(id);
  const count = (type: string) => events.filter(({ eventType }) => eventType === type).length;
  assert.deepEqual(
    ['order.milestone_released', 'balance.credited', 'escrow.released', 'order.released', 'order.closed'].map(count),
    [3, 3, 1, 1, 1],
  );
  const { payload } = events.find(({ eventType }) => eventType === 'order.released');
  assert.deepEqual([payload.amount, payload.newSellerBalance], ['95.00', '95.00']);
  await assertSound();
});

test('a refund of the order after a milestone was released pays the rest back: SPLIT', async () => {
  const { expect, balance, assertSound } = server();
  const { id, who } = await anOrderOfThree(['m1']);
  await expect(at(id, 'm1', 'release'), { status: 200 });
  const order = await expect(`POST /orders/${id}/resolution/refund`, { body, status: 200 });
  assert.deepEqual([order.status, order.finalStatus], ['CLOSED', 'SPLIT']);
  assert.deepEqual(statuses(order), ['RELEASED', 'REFUNDED', 'REFUNDED']);
  assert.deepEqual(await balance(who.buyer), { available: '980.00', reserved: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: '19.00', reserved: '0.00' });
  await assertSound();
});
