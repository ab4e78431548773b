// The documentation in a browser: the search by keyboard, the theme that the console shares, a phone, and pages without a script.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NARROW } from '../support/browser-fixture.ts';
import { assertAccessible, assertFits } from '../support/page-checks.ts';
import { openDocs } from './docs-window.ts';

test('the search is opened by a key, shows results while typing, and opens one by the keyboard', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/webhooks');
  await page.keyboard.press('/');
  await page.keyboard.type('insufficient_fun');
  const first = page.getByRole('option').first();
  await first.waitFor();
  assert.match(await first.innerText(), /INSUFFICIENT_FUNDS\s+Errors/);
  assert.ok((await first.locator('mark').count()) > 0, 'the words that match are marked');
  await assertAccessible(page, { within: '.bar' });
  await page.keyboard.press('ArrowDown');
  assert.equal(await first.getAttribute('aria-selected'), 'true');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/errors#INSUFFICIENT_FUNDS');
  // Without a choice, Enter shows the page of results.
  await page.getByRole('searchbox').fill('milestone');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/search?q=milestone');
  assert.ok((await page.locator('.found li').count()) > 3);
});

test('a question shows the same results in the bar as on the page of results', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/glossary');
  const field = page.locator('form.search input');
  const addresses = (place: string) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('${place}')].map((link) => link.getAttribute('href'))`);
  await field.fill('how do I test my code?');
  await page.getByRole('option').first().waitFor();
  const inBar = await addresses('.results a');
  assert.ok(inBar.slice(0, 4).includes('/docs/sdk#test-your-own-code'), inBar.join(' '));
  await field.press('Enter');
  await page.waitForURL('**/docs/search?q=*');
  assert.deepEqual((await addresses('.found li > a')).slice(0, inBar.length), inBar);
});

test('the theme is that of the system until one is chosen, and stays chosen on the next page', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/glossary', { scheme: 'dark' });
  const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  assert.equal(await background(), 'rgb(18, 21, 23)');
  await page.getByLabel('Colour theme').selectOption('light');
  assert.equal(await background(), 'rgb(245, 245, 241)');
  assert.equal(await page.evaluate("localStorage.getItem('holdfast.theme')"), 'light');
  await page.goto(`${docs.url}/docs/settings`);
  assert.equal(await background(), 'rgb(245, 245, 241)');
});

test('a phone shows the page without scrolling sideways, and its list of pages opens', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/settings', { size: NARROW, scheme: 'dark' });
  await assertFits(page);
  await assertAccessible(page);
  const entry = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Glossary', exact: true });
  assert.equal(await entry.isVisible(), false);
  await page.getByRole('button', { name: 'All pages' }).click();
  await entry.click();
  await page.waitForURL('**/docs/glossary');
});

test('on a phone the button that copies does not cover the code', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/quick-start', { size: NARROW });
  const block = page.locator('.code').first();
  const button = await block.getByRole('button', { name: 'Copy' }).boundingBox();
  const code = await block.locator('code').boundingBox();
  assert.ok(button!.y + button!.height <= code!.y, `${button!.y} + ${button!.height} is above ${code!.y}`);
});

test('code can be copied', async (t) => {
  const docs = await openDocs(t);
  const page = await docs.open('/docs/sdk');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const block = page.locator('.code').first();
  await block.hover();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), await block.locator('code').innerText());
});
