// The health page: components, advice for one that is down, jobs, stuck operations, and the hold of payments with its banner.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { MASTER_KEY } from '../../support/app.ts';
import { changeKey, goTo, keyField, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

/** Nothing listens there. */
const UNKNOWN = 'http://127.0.0.1:9';
const OUTAGE = { operation: 'release', fault: 'outage', count: 1_000 };

/** Signs out and in again with the master key, in its own marketplace. */
const asMaster = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('#main h1').waitFor();
};

test('the health page shows every component, the jobs and a stuck operation, and holds and releases payments with a banner on every page', async (t) => {
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

  await asMaster(page);
  const hold = page.getByRole('region', { name: 'Hold of payments' });
  await hold.getByText('not on hold').waitFor();
  await hold.getByRole('button', { name: 'Hold payments' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByLabel('Reason').fill('The ledger is being checked.');
  await assertAccessible(page);
  await sure.getByRole('button', { name: 'Hold payments' }).click();
  const banner = page.locator('.notice', { hasText: 'Payments are on hold' });
  await banner.getByText(/Held by the master key since .*: “.*The ledger is being checked\./).waitFor();
  assert.equal((await app.call('GET /payments/hold', { key: MASTER_KEY })).body.data.held, true);
  await goTo(page, '/users');
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  await banner.getByRole('link', { name: /release payments/ }).click();

  await changeKey(page, await app.key(['read']));
  await page.getByText('Jobs require the “support” scope').waitFor();
  await banner.getByText(/Payments are on hold since/).waitFor();
  await banner.getByText('the operator with the master key releases payments').waitFor();
  assert.equal(await hold.count(), 0);

  await asMaster(page);
  await hold.getByRole('button', { name: 'Release payments' }).click();
  await sure.getByRole('button', { name: 'Release payments' }).click();
  // The payment provider cannot be asked for payouts that the books do not know.
  await sure.getByLabel('Release before the comparison has ended.').check();
  await sure.getByRole('button', { name: 'Release payments' }).click();
  await hold.getByText('not on hold').waitFor();
  assert.equal(await banner.count(), 0);
});
