// The shell: keyboard use, narrow screens, and the colour theme.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, NARROW, openBrowser, WIDE } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return fixture.open('/', { scheme: 'dark' });
});

test('the first tab stop skips the navigation', async () => {
  const page = shared();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to content');
});

test('the slash opens the search, and Enter opens the chosen result', async () => {
  const page = shared();
  await goTo(page, '/nowhere');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await page.keyboard.press('/');
  const input = page.getByRole('combobox', { name: 'Search' });
  await input.waitFor();
  await input.fill('hom');
  await page.getByRole('option', { name: 'Home' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.match(page.url(), /\/console\/?$/);
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
});

test('Control+K opens the search, and Escape closes it', async () => {
  const page = shared();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('zzzz');
  await page.getByText('No results').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('heading', { name: 'Home' }).isVisible(), true);
});

test('the search does not open over a dialog', async () => {
  const page = shared();
  await goTo(page, '/users');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.press('/');
  assert.equal(await page.getByRole('combobox', { name: 'Search' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
});

test('on a narrow screen a menu button opens and closes the navigation', async () => {
  const page = shared();
  await page.setViewportSize(NARROW);
  assert.equal(await page.getByRole('link', { name: 'Home' }).isVisible(), false);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Home' }).waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.setViewportSize(WIDE);
});

test('the theme follows the system until the user chooses one', async () => {
  const page = shared();
  const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const dark = await background();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await background();
  assert.notEqual(light, dark);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await background(), dark);
  await page.getByRole('button', { name: /^Theme: system/ }).click();
  await page.getByRole('button', { name: /^Theme: light/ }).waitFor();
  assert.equal(await background(), light);
});
