// What stands in the way of a page, and what it says about it: no connection, files that are gone, a limit that is used up,
// and a refusal that time has overtaken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopIn } from '../contract/order-ground.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { goTo, openStand } from './browser-stand.ts';
import { assertAccessible } from './page-checks.ts';

const shared = shareInFile(async (t) => {
  const stand = await openStand(t);
  return { stand, page: await stand.open('/') };
});

test('without a connection a page says so, and comes by itself when there is one, still signed in', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/nowhere', { complaints: /offline|React Router/, isCold: true });
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Health' }).first().click();
  await page.getByText('You are offline').waitFor();
  assert.equal(await page.getByText('The console was updated').count(), 0);
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
  assert.equal(await page.getByText('You are offline').count(), 0);
});

test('a page whose files are gone after an update says so and offers to reload', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/nowhere', { complaints: /dynamically imported module|React Router|preload assets/ });
  await page.route('**/assets/home-*', (route) => route.abort());
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('home');
  await page.keyboard.press('Enter');
  await page.getByText('The console was updated').waitFor();
  await assertAccessible(page);
  assert.equal(await page.getByRole('button', { name: 'Reload' }).isVisible(), true);
});

test('while the limit of the key is used up the page says that it goes on by itself', async () => {
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

test('a refusal goes when the order has moved on', async () => {
  const { stand, page } = shared();
  const shop = await shopIn(stand.app, { available: '10.00' });
  const order = await shop.order({ amount: '100.00', title: 'Too dear' });
  await goTo(page, `/orders/${order.id}`);
  await page.route('**/reserve', async (route) => {
    await stand.app.call(`POST /users/${shop.buyerId}/balance/debit`, { body: { amount: '950.00' } });
    await route.continue();
  });
  await stand.app.call(`POST /users/${shop.buyerId}/balance/credit`, { body: { amount: '950.00' } });
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Reserve/ })
    .click();
  await page.getByText('INSUFFICIENT_FUNDS').waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByText('INSUFFICIENT_FUNDS').waitFor();
  await shop.done(`POST /orders/${order.id}/cancel`);
  await page.getByText('INSUFFICIENT_FUNDS').waitFor({ state: 'detached' });
  assert.equal(await page.getByText('INSUFFICIENT_FUNDS').count(), 0);
});

test('signing out takes the messages along', async () => {
  const { page } = shared();
  await goTo(page, '/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('External ID').fill('anna-buys');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('User created: anna-buys').first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await page.getByLabel('API key or token').waitFor();
  await page.getByText('User created: anna-buys').first().waitFor({ state: 'detached' });
  assert.equal(await page.getByText('User created: anna-buys').count(), 0);
});
