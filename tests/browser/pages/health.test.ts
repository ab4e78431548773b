// The health page: components, advice for one that is down, jobs, and stuck operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { changeKey, openOwnBrowser } from '../support/browser-fixture.ts';

/** Nothing listens there. */
const UNKNOWN = 'http://127.0.0.1:9';
const OUTAGE = { operation: 'release', fault: 'outage', count: 1_000 };

test('the health page shows every component, advice for one that is down, the jobs, and a stuck operation', async (t) => {
  const { app, open } = await openOwnBrowser(t, { PAYMENT_PROVIDER_URL: UNKNOWN });
  const trade = await tradeIn(app, { available: '500.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00' });
  const page = await open('/health');
  const parts = page.getByRole('table', { name: 'Components of the service' });
  await parts.getByRole('row', { name: /Database Ok .* ms/ }).waitFor();
  await parts.getByRole('row', { name: /Escrow provider Ok/ }).waitFor();
  await page.getByText('Service disruption').waitFor();
  const text = (await parts.getByRole('row', { name: /Payment provider/ }).textContent()) ?? '';
  assert.match(text, /Down.*Top-ups and withdrawals wait and continue automatically/);
  await page.getByRole('table', { name: 'Jobs' }).getByText('resume-operations').waitFor();
  await page.getByText('No running operations').waitFor();
  await page.getByRole('region', { name: 'Settings and limits' }).getByText('requests per').waitFor();

  await app.call('POST /sandbox/faults', { body: OUTAGE });
  const release = app.call(`POST /orders/${order.id}/resolution/release`);
  const operations = page.getByRole('table', { name: 'Operations' });
  await operations.getByRole('row', { name: /Release to seller/ }).waitFor();
  await operations.getByText('Stuck').waitFor();
  assert.equal(await operations.getByRole('row', { name: new RegExp(order.id.slice(-6)) }).count(), 1);
  await app.call('DELETE /sandbox/faults');
  await release;

  await changeKey(page, await app.key(['read']));
  await page.getByText('Jobs require the “support” scope').waitFor();
});
