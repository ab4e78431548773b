// The requests of the console: no more than its pages need, because a key has a rate limit and a browser has few
// connections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';

/** The API paths requested from now on. */
const listen = (page: Page): string[] => {
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/v1')) requested.push(pathname.slice('/api/v1'.length));
  });
  return requested;
};

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { fixture, page: await fixture.open('/') };
});

test('a hidden tab closes its connection, and is up to date when it is visible again', async () => {
  const { fixture, page } = shared();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => window.isAway === true })`);
  const turn = (isAway: boolean): Promise<unknown> =>
    page.evaluate(`window.isAway = ${isAway}; document.dispatchEvent(new Event('visibilitychange')); null`);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/events'));
  await turn(true);
  await ended;
  await fixture.app.aUser({ available: '75.00' });
  await turn(false);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('cell', { name: '75.00' }).first().waitFor();
  assert.equal(await page.getByText('Reconnecting', { exact: true }).count(), 0);
});

test('changes of other orders cost the page of an order no request, and its own changes are shown', async () => {
  const { fixture, page } = shared();
  const trade = await tradeIn(fixture.app, { available: '500.00' });
  const order = await trade.anOrder({ amount: '20.00', title: 'Looked at' });
  await goTo(page, `/orders/${order.id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reserve funds' }).waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Order created').waitFor();
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('row', { name: /Buyer, available 500\.00/ })
    .waitFor();
  await page.keyboard.press('Escape');

  const requested = listen(page);
  const others = await tradeIn(fixture.app, { available: '500.00' });
  for (let at = 0; at < 10; at++) await others.anOrder({ amount: '1.00', title: `Other ${at}` });
  await trade.done(`POST /orders/${order.id}/reserve`);
  await page.getByRole('heading', { level: 1, name: 'Funds reserved' }).waitFor();
  // Events arrive in order: requests for the other orders would have been sent by now.
  assert.ok(requested.filter((path) => path === `/orders/${order.id}`).length <= 2, requested.join('\n'));
  assert.deepEqual(
    requested.filter((path) => path.startsWith('/users/') && !path.includes(trade.buyerId)),
    [],
  );
});
