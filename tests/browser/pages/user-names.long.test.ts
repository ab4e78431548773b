// The names of users: edited in the console, shown instead of IDs, and wrapped between the parts of a long address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible, assertFits } from '../support/page-checks.ts';
import { goToNext } from '../support/page-examples.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t, { sandbox: false });
  const userId = await fixture.app.aUser({ available: '40.00' });
  return { ...fixture, userId, page: await fixture.open(`/users/${userId}`) };
});

test('a name and an address are edited, and lists, pickers and the search show the name', async () => {
  const { page, app, userId } = shared();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'), 'true');
  await dialog.getByLabel('Name').fill('Ada Lovelace');
  await dialog.getByLabel('E-mail').fill('not an address');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.locator('.field-error').waitFor();
  await dialog.getByLabel('E-mail').fill('ada.lovelace-of-the-analytical-engine@department.of.mathematics.example');
  await assertAccessible(page, { within: '[role="dialog"]' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
  const { body } = await app.call(`GET /users/${userId}`);
  assert.equal(body.data.name, 'Ada Lovelace');

  await goToNext(page, '/orders');
  await page.getByLabel('Buyer').fill('Ada');
  await page.getByRole('option', { name: /Ada Lovelace/ }).click();
  await page.waitForURL(new RegExp(userId));
  await page.getByRole('heading', { name: 'Orders', level: 1 }).click();
  await page.keyboard.press('/');
  await page.keyboard.type('Ada L');
  await page.getByRole('option', { name: /Ada Lovelace/ }).waitFor();
  await page.keyboard.press('Escape');
});

/** Runs in the page: the parts of addresses and names that a line break divides. */
const divided = `[...document.querySelectorAll('#main .breakable')].flatMap((each) => [...each.childNodes])
  .filter((node) => node.nodeType === 3 && !/\\s/.test(node.textContent))
  .filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  })
  .map((node) => node.textContent)`;

test('an e-mail address is never divided inside a word', async () => {
  const { page } = shared();
  for (const width of [390, 720, 960, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await goToNext(page, '/users');
    await page.getByText('Ada Lovelace').first().waitFor();
    await assertFits(page);
    assert.deepEqual(await page.evaluate(divided), [], `at ${width} pixels`);
    await page.getByRole('link', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor();
    await page.getByText('E-mail').first().waitFor();
    assert.deepEqual(await page.evaluate(divided), [], `at ${width} pixels`);
  }
});

/** Delays a file until the timer of the search field, which began earlier and is shorter, has ended. */
const holdCode = (page: Page, file: RegExp): Promise<unknown> =>
  page.route(file, async (route) => {
    const startedMs = await page.evaluate<number>('performance.now()');
    await page.waitForFunction(`performance.now() > ${startedMs + 600}`);
    await route.continue();
  });

test('a filter that was typed just before a click on a link is in the URL when the person comes back', async () => {
  const { page } = shared();
  await page.setViewportSize({ width: 1280, height: 844 });
  await goToNext(page, '/users');
  await holdCode(page, /\/audit-[^/]*\.js$/);
  await page.getByLabel('Search').fill('Lovelace');
  await page.getByRole('link', { name: 'Audit', exact: true }).click();
  await page.waitForURL(/\/audit$/);
  await page.goBack();
  await page.waitForURL(/\/users\?q=Lovelace$/);
  assert.equal(await page.getByLabel('Search').inputValue(), 'Lovelace');
});
