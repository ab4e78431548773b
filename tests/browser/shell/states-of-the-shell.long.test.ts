// The shell in further states: sign-in, menu, search, and errors. Each is checked at both widths and in both colour
// schemes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import {
  goTo,
  keyField,
  NARROW,
  openBrowser,
  openOwnBrowser,
  setView,
  signIn,
  WIDE,
} from '../support/browser-fixture.ts';
import { checkState } from '../support/check-state.ts';
import { assertAccessible, assertFits, picture } from '../support/page-checks.ts';

test('the sign-in is accessible and fits, empty and after a key that is not accepted', async (t) => {
  // Its own server: one with operators offers keys behind a button.
  const fixture = await openOwnBrowser(t);
  const page = await fixture.open('/', { key: null });
  await checkState(page, 'sign-in');
  await (await keyField(page)).fill('hk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await checkState(page, 'sign-in-refused');
  await signIn(page, await fixture.app.key(['support']));
  await page.getByText('it lacks the “read” scope').waitFor();
  await checkState(page, 'may-not-read');
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
});

test('the search and the menu are accessible and fit', async (t) => {
  const fixture = await openBrowser(t);
  const page = await fixture.open('/nowhere');
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('hom');
  await page.getByRole('option', { name: 'Home' }).waitFor();
  await checkState(page, 'search');
  await page.keyboard.press('Escape');
  for (const scheme of ['light', 'dark'] as const) {
    await setView(page, { size: NARROW, scheme });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Home' }).waitFor();
    await assertFits(page);
    await assertAccessible(page);
    await picture(page, `menu-narrow-${scheme}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Home' }).isVisible(), false);
});

test('the home page is accessible and fits with all of its charts, figures and open work', async (t) => {
  const fixture = await openBrowser(t);
  const trade = await tradeIn(fixture.app, { available: '500.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '120.00' });
  await trade.done(`POST /orders/${order.id}/resolution/release`);
  const page = await fixture.open('/?days=7', { size: NARROW });
  for (const size of [NARROW, WIDE]) {
    for (const scheme of ['light', 'dark'] as const) {
      await setView(page, { size, scheme });
      await page.getByText('Balanced: every cent is accounted for').waitFor();
      await page.locator('.chart canvas').nth(1).waitFor();
      await assertFits(page);
      await assertAccessible(page);
      await picture(page, `home-full-${size.width}-${scheme}`);
    }
  }
  assert.equal(await page.getByLabel('Period').inputValue(), '7');
});

test('the messages about missing files, failed requests and a stopped server are accessible and fit', async (t) => {
  const fixture = await openOwnBrowser(t);
  const page = await fixture.open('/nowhere', {
    complaints: /dynamically imported module|React Router|preload assets/,
  });
  await page.route('**/assets/home-*', (route) => route.abort());
  await goTo(page, '/');
  await page.getByText('The console was updated').waitFor();
  await checkState(page, 'updated');
  await page.unroute('**/assets/home-*');

  await goTo(page, '/users');
  await page.getByText('No users yet').waitFor();
  const broken = { status: 500, contentType: 'application/json', body: '{}' };
  await page.route('**/api/v1/users*', (route) => route.fulfill(broken));
  await fixture.app.aUser();
  await page.getByText('A part of this page could not be refreshed').waitFor();
  await checkState(page, 'not-up-to-date');
  await page.unroute('**/api/v1/users*');

  await goTo(page, '/events');
  await page.getByText('Streaming', { exact: true }).waitFor();
  await fixture.stopServer();
  await page.getByText('Connection lost, reconnecting').waitFor();
  await checkState(page, 'connection-lost');
  assert.equal(await page.getByRole('banner').getByText('Reconnecting', { exact: true }).count(), 1);
});
