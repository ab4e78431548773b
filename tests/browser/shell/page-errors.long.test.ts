// Errors of a page and their messages: no connection, missing files, a reached rate limit, and an outdated error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, keyField, openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { fixture, page: await fixture.open('/') };
});

test('without a connection a page says so, and opens when the connection is back, still signed in', async (t) => {
  const fixture = await openBrowser(t);
  const page = await fixture.open('/nowhere', { complaints: /offline|React Router/, isCold: true });
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Health' }).first().click();
  await page.getByText('You are offline').waitFor();
  assert.equal(await page.getByText('The console was updated').count(), 0);
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
  assert.equal(await page.getByText('You are offline').count(), 0);
});

test('a page with missing files after an update says so and offers a reload', async (t) => {
  const fixture = await openBrowser(t);
  const page = await fixture.open('/nowhere', {
    complaints: /dynamically imported module|React Router|preload assets/,
  });
  await page.route('**/assets/home-*', (route) => route.abort());
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('home');
  await page.keyboard.press('Enter');
  await page.getByText('The console was updated').waitFor();
  await assertAccessible(page);
  assert.equal(await page.getByRole('button', { name: 'Reload' }).isVisible(), true);
});

test('while the rate limit is reached the page says that it continues automatically', async () => {
  const { page } = shared();
  let isUsedUp = true;
  await page.route(/\/api\/v1\/users(\?|$)/, (route) =>
    isUsedUp
      ? route.fulfill({
          status: 429,
          headers: { 'retry-after': '1' },
          json: { error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many.', details: {} } },
        })
      : route.continue(),
  );
  await page.getByRole('link', { name: 'Users', exact: true }).first().click();
  await page.getByText('Rate limit reached').waitFor();
  isUsedUp = false;
  await page.getByText('No users yet').waitFor();
  await page.getByText('Rate limit reached').waitFor({ state: 'detached' });
  assert.equal(await page.getByText('could not be loaded').count(), 0);
  await page.unroute(/\/api\/v1\/users(\?|$)/);
});

test('an error disappears when the order changes its status', async () => {
  const { fixture, page } = shared();
  const trade = await tradeIn(fixture.app, { available: '10.00' });
  const order = await trade.anOrder({ amount: '100.00', title: 'Too dear' });
  await goTo(page, `/orders/${order.id}`);
  await page.route('**/reserve', async (route) => {
    // The confirmation asks for a preview first.
    if (route.request().headers()['dry-run']) return route.continue();
    await fixture.app.call(`POST /users/${trade.buyerId}/balance/debit`, { body: { amount: '950.00' } });
    await route.continue();
  });
  await fixture.app.call(`POST /users/${trade.buyerId}/balance/credit`, { body: { amount: '950.00' } });
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Reserve/ })
    .click();
  await page.getByText('INSUFFICIENT_FUNDS').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('INSUFFICIENT_FUNDS').waitFor();
  await trade.done(`POST /orders/${order.id}/cancel`);
  await page.getByText('INSUFFICIENT_FUNDS').waitFor({ state: 'detached' });
  assert.equal(await page.getByText('INSUFFICIENT_FUNDS').count(), 0);
});

test('signing out closes the messages', async () => {
  const { page } = shared();
  await goTo(page, '/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('External ID').fill('anna-buys');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('User created: anna-buys').first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await keyField(page);
  await page.getByText('User created: anna-buys').first().waitFor({ state: 'detached' });
  assert.equal(await page.getByText('User created: anna-buys').count(), 0);
});
