// The health page: every part, what to do when one is down, the jobs, and what is stuck with the outside systems.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { NARROW, openOwnStand } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9';
const OUTAGE = { operation: 'release', fault: 'outage', count: 1_000 };

test('the health page shows every part, the jobs, the settings, and a stuck operation with its order', async (t) => {
  const stand = await openOwnStand(t);
  const shop = await shopIn(stand.app, { available: '500.00' });
  const order = await fundedOrder(shop, { amount: '80.00' });
  const page = await stand.open('/health');
  const parts = page.getByRole('table', { name: 'Parts of the service' });
  await parts.getByRole('row', { name: /Database Ok .* ms/ }).waitFor();
  await parts.getByRole('row', { name: /Escrow provider Ok/ }).waitFor();
  await page.getByRole('table', { name: 'Jobs' }).getByText('resume-operations').waitFor();
  await page.getByText('Nothing is under way and nothing is stuck').waitFor();
  await page.getByRole('region', { name: 'Settings and limits' }).getByText('requests in').waitFor();
  await assertAccessible(page);
  await assertFits(page);

  await stand.app.call('POST /sandbox/faults', { body: OUTAGE });
  const release = stand.app.call(`POST /orders/${order.id}/resolution/release`);
  const operations = page.getByRole('table', { name: 'Operations' });
  await operations.getByRole('row', { name: /Release to the seller/ }).waitFor();
  await operations.getByText('Stuck').waitFor();
  assert.equal(await operations.getByRole('row', { name: new RegExp(order.id.slice(-6)) }).count(), 1);
  await assertAccessible(page);
  await page.setViewportSize({ width: 1280, height: 1700 });
  await picture(page, 'health-wide-light');
  await stand.app.call('DELETE /sandbox/faults');
  await release;
});

test('a part that is down says what to do, in the dark and at 390 pixels too', async (t) => {
  const stand = await openOwnStand(t, { PAYMENT_PROVIDER_URL: NOBODY });
  const key = await stand.app.key(['read']);
  const page = await stand.open('/health', { size: NARROW, scheme: 'dark', key });
  await page.getByText('A part is down').waitFor();
  const parts = page.getByRole('table', { name: 'Parts of the service' });
  const told = (await parts.getByRole('row', { name: /Payment provider/ }).textContent()) ?? '';
  assert.match(told, /Down.*Top-ups and withdrawals wait and go on by themselves/);
  await page.getByText('They need the scope “support”').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await picture(page, 'health-narrow-dark');
});
