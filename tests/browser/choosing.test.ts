// Choosing somebody by typing: what is offered is an answer to what is typed, however late it comes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../committer/bend.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { goTo, openStand } from './browser-stand.ts';

const shared = shareInFile(async (t) => {
  const stand = await openStand(t);
  for (const externalUserId of ['anna-sells', 'bert-sells']) {
    const made = await stand.app.call('POST /users', { body: { externalUserId } });
    assert.equal(made.status, 201, made.text);
  }
  return stand.open('/orders');
});

/** Answers about users wait from now on, until they are let go. */
const holdAnswers = async (page: Page) => {
  const held: (() => void)[] = [];
  let isHeld = true;
  await page.route('**/api/v1/users?*', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  return {
    hasAny: () => held.length > 0,
    async letGo() {
      isHeld = false;
      for (const each of held) each();
      await page.unroute('**/api/v1/users?*');
    },
  };
};

test('a chosen user is typed over, and nobody is offered for words that were typed before', async () => {
  const page = shared();
  await page
    .getByRole('button', { name: /New order/ })
    .first()
    .click();
  const seller = page.getByRole('dialog').getByLabel('Seller');
  await seller.click();
  await page.keyboard.type('anna');
  await page.getByRole('option', { name: /anna-sells/ }).click();
  assert.equal(await seller.inputValue(), 'anna-sells');

  const answers = await holdAnswers(page);
  await seller.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('bert', { delay: 20 });
  assert.equal(await seller.inputValue(), 'bert');
  await until(answers.hasAny);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('option', { name: /anna-sells/ }).count(), 0);
  assert.equal(await seller.inputValue(), 'bert');
  await answers.letGo();
  await page.getByRole('option', { name: /bert-sells/ }).click();
  assert.equal(await seller.inputValue(), 'bert-sells');
});

test('the search offers nothing that was found for other words, and leads to the heading', async () => {
  const page = shared();
  await goTo(page, '/');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('anna');
  await page.getByRole('option', { name: /anna-sells/ }).waitFor();
  const answers = await holdAnswers(page);
  await page.getByRole('combobox', { name: 'Search' }).fill('bert');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('option').count(), 0);
  await until(answers.hasAny);
  assert.equal(await page.locator('#main h1').textContent(), 'Home');
  await answers.letGo();
  await page.getByRole('option', { name: /bert-sells/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'bert-sells' }).waitFor();
  await until(async () => (await page.evaluate('document.activeElement.tagName')) === 'H1');
});
