// The user picker and the search: the options always match the typed text, however late the answer arrives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../tools/until.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  for (const externalUserId of ['anna-sells', 'bert-sells']) {
    const made = await fixture.app.call('POST /users', { body: { externalUserId } });
    assert.equal(made.status, 201, made.text);
  }
  return fixture.open('/orders');
});

/** Delays the answers about users until they are released. */
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

test('a chosen user can be typed over, and results of an earlier text are not offered', async () => {
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

test('the search does not offer results of an earlier text, and moves the focus to the heading', async () => {
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

test('the search keeps what is typed before its field has the focus', async () => {
  const page = shared();
  await goTo(page, '/');
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  // Without the clock of the page the dialog is drawn and does not set the focus.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const field = page.getByRole('combobox', { name: 'Search' });
  for (const text of ['anna', 'bert']) {
    await page.keyboard.press('/');
    await field.waitFor();
    await page.keyboard.type(text);
    assert.equal(await field.inputValue(), '');
    await page.clock.runFor(1_000);
    assert.equal(await field.inputValue(), text);
    await page.keyboard.press('Escape');
    await page.clock.runFor(1_000);
  }
  await page.clock.resume();
});
