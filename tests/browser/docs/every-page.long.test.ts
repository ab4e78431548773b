// Every page of the documentation fits a phone and a wide window, and the kinds of pages are accessible in both themes. Pictures for review
// are in test-artefacts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NARROW, setView, WIDE } from '../support/browser-fixture.ts';
import { assertAccessible, assertFits, assertGoodInBothViews, picture } from '../support/page-checks.ts';
import { openDocs } from './docs-window.ts';

test('every page of the navigation fits a phone', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/', { size: NARROW });
  const places = await page.evaluate<string[]>(
    "[...document.querySelectorAll('#pages a')].map((link) => link.getAttribute('href'))",
  );
  assert.ok(places.length > 20);
  for (const place of places) {
    await page.goto(docs.url + place);
    await assertFits(page);
  }
});

test('pages of every kind are accessible in both themes', async (t) => {
  const docs = await openDocs(t);
  for (const place of [
    '/docs/',
    '/docs/errors',
    '/docs/states',
    '/docs/cli',
    '/docs/decisions',
    '/docs/search?q=escrow',
  ]) {
    const page = await docs.open(place);
    await assertGoodInBothViews(page);
    await setView(page, { size: WIDE, scheme: 'dark' });
    await assertAccessible(page, { coloursOnly: true });
  }
});

test('a page that does not exist has the look of the others', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/setings', { expected: /404/ });
  await assertGoodInBothViews(page);
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL('**/docs/settings');
});

test('a page without a script shows its text, its navigation and a search that answers', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/errors');
  const bare = await page.context().browser()!.newContext({ javaScriptEnabled: false, viewport: WIDE });
  t.after(() => bare.close());
  const plain = await bare.newPage();
  await plain.goto(`${docs.url}/docs/errors`);
  await plain.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Glossary', exact: true }).waitFor();
  await plain.getByRole('searchbox').fill('SHUTDOWN_GRACE_MS');
  await plain.keyboard.press('Enter');
  await plain.getByRole('link', { name: 'SHUTDOWN_GRACE_MS' }).first().click();
  await plain.waitForURL('**/docs/settings#SHUTDOWN_GRACE_MS');
});

test('the reference has the same bar, its links, its search and its theme', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/');
  await page.getByLabel('Colour theme').selectOption('dark');
  await page.getByRole('banner').getByRole('link', { name: 'Reference' }).click();
  await page.waitForURL('**/docs/reference/');
  await page.locator('body.dark-mode').waitFor();
  await page.getByLabel('Colour theme').selectOption('light');
  await page.locator('body.light-mode').waitFor();
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('INSUFFICIENT_FUNDS');
  await page.locator('.result').first().click();
  await page.waitForURL('**/docs/errors#INSUFFICIENT_FUNDS');
});

test('pictures for review', async (t) => {
  const docs = await openDocs(t);
  for (const [name, place] of [
    ['home', '/docs/'],
    ['errors', '/docs/errors'],
    ['states', '/docs/states#order'],
    ['sdk', '/docs/sdk'],
    ['reference', '/docs/reference/'],
  ] as const) {
    const page = await docs.open(place, { expected: /./ });
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await picture(page, `docs-${name}-light`);
    await setView(page, { size: NARROW, scheme: 'dark' });
    await picture(page, `docs-${name}-phone-dark`);
  }
});
