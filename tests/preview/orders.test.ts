// Previews of orders: at each state the preview shows exactly what the real request then does, with the calls of the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordersIn } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openApp } from '../support/shared-app.ts';
import { compare } from './compare.ts';

const server = shareInFile(async (t) => ordersIn(await openApp(t, { sandbox: true })));

const callsOf = (preview: { body: { data: { calls: { system: string; operation: string }[] } } }): string[] =>
  preview.body.data.calls.map(({ system, operation }) => `${system} ${operation}`);

test('an order from its creation to its release: each preview shows what then happens', async () => {
  const { app, parties } = server();
  const { buyer, seller } = await parties();
  const body = { buyerId: buyer, sellerId: seller, amount: '100.00', title: 'Logo' };
  const { real } = await compare(app, 'POST /orders', { body });
  const { id } = real.body.data.data;
  await compare(app, `POST /orders/${id}/reserve`);
  const created = await compare(app, `POST /orders/${id}/escrow`);
  assert.equal(callsOf(created.preview).at(-1), 'escrow-provider deploy');
  const funded = await compare(app, `POST /orders/${id}/escrow/fund`);
  assert.deepEqual(callsOf(funded.preview), ['escrow-provider fund']);
  const released = await compare(app, `POST /orders/${id}/resolution/release`, { body: { reason: 'Delivered' } });
  assert.deepEqual(callsOf(released.preview), [
    'escrow-provider change-status',
    'escrow-provider approve',
    'escrow-provider release',
  ]);
  const { reply, balances } = released.preview.body.data;
  assert.deepEqual([reply.status, reply.finalStatus], ['CLOSED', 'RELEASED']);
  assert.deepEqual(balances.find(({ userId }: { userId: string }) => userId === seller).after.available, '95.00');
  await compare(app, `POST /orders/${id}/resolution/release`, { body: {} });
});
