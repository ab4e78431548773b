// The events page: live events with filters, pause and resume, and replays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/events') };
});

/** Opens a link in a freshly loaded console, which stays signed in. */
const load = async (link: string): Promise<void> => {
  const { page } = shared();
  await page.goto(link);
  await page.locator('#main h1').waitFor();
};

test('events appear live with their details, and wait while the page is paused', async () => {
  const { app, page } = shared();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('Waiting for the next event').waitFor();
  await page.getByText('Streaming', { exact: true }).waitFor();
  const trade = await tradeIn(app, { available: '500.00' });
  const order = await trade.anOrder({ amount: '120.00', title: 'Logo design' });
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByRole('button', { name: /order\.created/ }).waitFor();
  await list.getByRole('button', { name: /balance\.credited.*500\.00/ }).waitFor();

  await list.getByRole('button', { name: /order\.created/ }).click();
  const details = page.getByRole('complementary', { name: 'order.created' });
  await details.getByText('120.00').first().waitFor();
  assert.match((await details.textContent()) ?? '', new RegExp(`${order.id.slice(-6)}[\\s\\S]*buyerId`));
  assert.match(page.url(), /event=/);
  await details.getByRole('button', { name: 'Copy as JSON' }).click();
  await details.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
  assert.equal(copied.aggregateId, order.id);
  await details.getByRole('button', { name: 'Copy link' }).click();
  await details.getByRole('button', { name: 'Copied' }).last().waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /order\.created/);
  await page.keyboard.press('ArrowDown');
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /user\.|balance\./);

  await page.getByRole('button', { name: 'Pause' }).click();
  await trade.done(`POST /orders/${order.id}/reserve`);
  await page.getByRole('button', { name: 'Resume, 2 waiting' }).waitFor();
  assert.equal(await list.getByText('order.funds_reserved').count(), 0);
  await page.getByRole('button', { name: 'Resume, 2 waiting' }).click();
  await list.getByText('order.funds_reserved').waitFor();

  await page.getByLabel('Resource', { exact: true }).selectOption('Order');
  await list.getByText('balance.credited').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'All types' }).click();
  await page.getByRole('checkbox', { name: 'order.canceled' }).check();
  await page.getByText('New events that match the filters appear here at once').waitFor();
  await trade.done(`POST /orders/${order.id}/cancel`);
  await list.getByText('order.canceled').waitFor();
  assert.match(page.url(), /resource=Order/);
  assert.match(page.url(), /types=order\.canceled/);

  await load(link);
  await page.getByRole('complementary', { name: 'order.created' }).getByText('Logo design', { exact: true }).waitFor();
});
