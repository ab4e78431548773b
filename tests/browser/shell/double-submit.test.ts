// An action that moves money runs once, however often its button is pressed and whichever answers are lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser } from '../support/browser-fixture.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openBrowser(t);
  const userId = await app.aUser({ available: '100.00' });
  return { app, userId, openUser: () => open(`/users/${userId}`) };
});

const available = async (): Promise<string> => {
  const { app, userId } = shared();
  return (await app.call(`GET /users/${userId}/balance`)).body.data.available;
};

/** Fills the form up to the confirmation. */
const fillCredit = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await page.getByLabel('Amount').fill('10.00');
  await page.getByLabel('Reason').fill('Goodwill');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('row', { name: /Available/ })
    .waitFor();
};

test('a payment button that is pressed several times or held down pays once', async () => {
  const page = await shared().openUser();
  await fillCredit(page);
  await page.getByRole('button', { name: /^Credit 10\.00/ }).click({ clickCount: 3 });
  await page.getByText('10.00 USD credited').first().waitFor();
  assert.equal(await available(), '110.00');

  await fillCredit(page);
  const confirm = page.getByRole('button', { name: /^Credit 10\.00/ });
  await confirm.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await confirm.waitFor({ state: 'detached' });
  assert.equal(await available(), '120.00');
});

test('a retry after a lost answer is the same request, and the money moves once', async () => {
  const page = await shared().openUser();
  let isLost = true;
  await page.route('**/balance/credit', async (route) => {
    // The confirmation asks for a preview first.
    if (!isLost || route.request().headers()['dry-run']) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await fillCredit(page);
  const confirm = page.getByRole('button', { name: /^Credit 10\.00/ });
  await confirm.click();
  await page.getByText('Outcome unknown').waitFor();
  isLost = false;
  await confirm.click();
  await confirm.waitFor({ state: 'detached' });
  assert.equal(await available(), '130.00');
});
