// The events page: the live tail with its filters, standing still and going on, replays, and many events at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { NARROW, openStand } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

test('events appear as they happen, tell what they are about, and wait while the page is paused', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/events');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('Waiting for the next event').waitFor();
  await page.getByText('Following', { exact: true }).waitFor();
  const shop = await shopIn(stand.app, { available: '500.00' });
  const order = await shop.order({ amount: '120.00', title: 'Logo design' });
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
  await picture(page, 'events-details');
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'detached' });
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /order\.created/);
  await page.keyboard.press('ArrowDown');
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /user\.|balance\./);

  await page.getByRole('button', { name: 'Pause' }).click();
  await shop.done(`POST /orders/${order.id}/reserve`);
  await page.getByRole('button', { name: 'Resume, 2 waiting' }).waitFor();
  assert.equal(await list.getByText('order.funds_reserved').count(), 0);
  await page.getByRole('button', { name: 'Resume, 2 waiting' }).click();
  await list.getByText('order.funds_reserved').waitFor();

  await page.getByLabel('About').selectOption('Order');
  await list.getByText('balance.credited').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'All types' }).click();
  await page.getByRole('checkbox', { name: 'order.canceled' }).check();
  await page.getByText('Whatever fits the filters appears here at once').waitFor();
  await shop.done(`POST /orders/${order.id}/cancel`);
  await list.getByText('order.canceled').waitFor();
  assert.match(page.url(), /resource=Order/);
  assert.match(page.url(), /types=order\.canceled/);
  await assertAccessible(page);
  await picture(page, 'events-filtered');

  const linked = await stand.open(link.slice(link.indexOf('/events')));
  await linked
    .getByRole('complementary', { name: 'order.created' })
    .getByText('Logo design', { exact: true })
    .waitFor();
});

test('a link replays from its time, at 390 pixels and in the dark too', async (t) => {
  const stand = await openStand(t);
  const shop = await shopIn(stand.app, { available: '900.00' });
  const order = await fundedOrder(shop, { amount: '250.00', title: 'Translation' });
  await shop.done(`POST /orders/${order.id}/resolution/release`);
  const page = await stand.open(`/events?since=${LONG_AGO}&q=${order.id}`, { size: NARROW, scheme: 'dark' });
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByText('order.released').waitFor();
  assert.equal(await list.getByText('user.created').count(), 0);
  await assertFits(page);
  await assertAccessible(page);
  await picture(page, 'events-narrow-dark');
  await list.getByRole('button', { name: /order\.released/ }).click();
  await page.getByRole('complementary', { name: 'order.released' }).waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await picture(page, 'events-details-narrow-dark');
  await page.getByRole('button', { name: 'Close the details' }).click();
  await page.getByRole('button', { name: 'All types' }).click();
  await page.getByRole('checkbox', { name: 'order.released' }).check();
  await list.getByText('order.closed').waitFor({ state: 'detached' });
  await assertFits(page);
  await picture(page, 'events-types-narrow-dark');

  const wide = await stand.open(`/events?since=${LONG_AGO}`, { scheme: 'dark' });
  await wide.getByText('order.released').waitFor();
  await assertAccessible(wide);
  await picture(wide, 'events-wide-dark');
  await wide.getByLabel('Replay', { exact: true }).selectOption('From now on');
  await wide.getByText('Waiting for the next event').waitFor();
  await wide.getByRole('button', { name: 'Replay the last 15 minutes' }).click();
  await wide.getByText('order.released').waitFor();
  assert.match(wide.url(), /since=20\d\d-/);
});

test('of more events than the page keeps, a replay shows the first, and going on shows the newest', async (t) => {
  const stand = await openStand(t);
  const userId = await stand.app.user();
  for (let at = 0; at < 1_050; at += 50) await credit(50);
  const page = await stand.open(`/events?since=${LONG_AGO}&types=balance.credited`);
  await page.getByText('These are the first 1,000 events since then').waitFor();
  // Beside the list: to look through a thousand lines takes the browser longer than to draw them.
  const counts = page.locator('.events-counts');
  const bar = page.locator('.panel-head').filter({ has: counts });
  const resume = bar.getByRole('button', { name: 'Resume, 50 waiting' });
  await resume.waitFor();
  const lines = page.locator('.events-list > li');
  assert.equal(await lines.count(), 1_000);
  await picture(page, 'events-replay-full');
  await resume.click();
  await counts.getByText('1,050 received, the newest 1,000 are kept').waitFor();
  await credit(60);
  await counts.getByText('1,110 received, the newest 1,000 are kept').waitFor();
  assert.equal(await lines.count(), 1_000);

  async function credit(times: number): Promise<void> {
    const request = `POST /users/${userId}/balance/credit`;
    const asked = Array.from({ length: times }, () => stand.app.call(request, { body: { amount: '1.00' } }));
    for (const { status, text } of await Promise.all(asked)) assert.equal(status, 200, text);
  }
});
