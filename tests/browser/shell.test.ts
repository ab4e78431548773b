// The frame of every page: at both widths, in both colours, by keyboard, and while the connection is away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, NARROW, openOwnStand, openStand, WIDE } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

test('the first page is accessible and fits, wide and narrow, light and dark', async (t) => {
  const stand = await openStand(t);
  await stand.app.user({ available: '1250.00' });
  const page = await stand.open('/');
  for (const [name, size] of Object.entries({ wide: WIDE, narrow: NARROW })) {
    for (const scheme of ['light', 'dark'] as const) {
      await look(page, { size, scheme });
      await page.getByText('Every cent is there').waitFor();
      assert.equal(await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`), scheme === 'dark');
      await assertFits(page);
      await assertAccessible(page, { coloursOnly: scheme === 'dark' });
      await picture(page, `home-${name}-${scheme}`);
    }
  }
});

test('on a narrow screen the pages are behind a menu button that opens and closes', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/', { size: NARROW });
  assert.equal(await page.getByRole('link', { name: 'Home' }).isVisible(), false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Home' }).waitFor();
  await assertAccessible(page);
  await picture(page, 'menu-narrow');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the slash opens a search that goes where the arrows and Enter say', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/nowhere');
  await page.keyboard.press('/');
  const input = page.getByRole('combobox', { name: 'Search' });
  await input.waitFor();
  await input.fill('hom');
  await page.getByRole('option', { name: 'Home' }).waitFor();
  await assertAccessible(page);
  await picture(page, 'search');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.match(page.url(), /\/console\/?$/);
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
});

test('Control and K opens the same search, and Escape closes it', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('zzzz');
  await page.getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('heading', { name: 'Home' }).isVisible(), true);
});

test('a window that asks something is answered before anything is searched for', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByRole('button', { name: 'Leave it' }).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('/');
  assert.equal(await page.getByRole('combobox', { name: 'Search' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
});

test('the first stop of the keyboard skips the navigation', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page');
});

test('the colours follow the system until they are chosen by hand', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/', { scheme: 'dark' });
  const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const dark = await background();
  await page.getByRole('button', { name: /^Colours: as the system says/ }).click();
  await page.getByRole('button', { name: /^Colours: light/ }).waitFor();
  assert.notEqual(await background(), dark);
});

test('an event shows on the page at once, and after a lost connection the page says so and catches up', async (t) => {
  const stand = await openOwnStand(t);
  const page = await stand.open('/');
  await page.getByText('Live', { exact: true }).waitFor();
  const user = await stand.app.user({ available: '75.00' });
  await page.getByText('balance.credited').waitFor();
  await page.getByRole('cell', { name: '75.00' }).first().waitFor();

  const bringBack = await stand.takeAway();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  await picture(page, 'connection-lost');
  const app = await bringBack();
  await app.call(`POST /users/${user}/balance/credit`, { body: { amount: '25.00' } });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('cell', { name: '100.00' }).first().waitFor();
  assert.equal(await page.getByText('Reconnecting', { exact: true }).count(), 0);
});

test('a page whose files are gone after an update says so and offers to reload', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/nowhere', {
    complaints: /dynamically imported module|React Router|preload assets/,
    isCold: true,
  });
  await page.route('**/assets/home-*', (route) => route.abort());
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill('home');
  await page.keyboard.press('Enter');
  await page.getByText('The console was updated meanwhile').waitFor();
  await assertAccessible(page);
  await page.unroute('**/assets/home-*');
  assert.equal(await page.getByRole('button', { name: 'Reload' }).isVisible(), true);
});
